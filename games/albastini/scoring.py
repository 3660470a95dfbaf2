"""Scoring: what a hand earns, and who deals the next (R9, R10, R11, R12)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.albastini.options import threshold
from games.albastini.sheet import left_over, read_counted
from games.counting import ALL_POINTS
from games.errors import gettext_noop
from games.mode import Mode
from games.option import Options
from games.sheet import VOID, Criterion, Mark, Marks, Scored, Sheet, criterion
from games.sheet_validation import bare_side, dealer_of, is_bare
from games.wording import AtSeat, SheetWarning, _

MARKS = (
    Mark("victory_points", gettext_noop("Victory points")),
    Mark("eaten", gettext_noop("Eaten")),
    Mark("won", gettext_noop("Won")),
    Mark("tied", gettext_noop("Tied")),
    Mark("twos", gettext_noop("Two-point wins")),
    Mark("there", gettext_noop("There to eat")),
)
_CRITERIA = (
    criterion(
        "victory_points",
        gettext_noop("Victory points"),
        one=gettext_noop("%(number)s victory point"),
        many=gettext_noop("%(number)s victory points"),
    ),
    criterion("won", gettext_noop("Won")),
    criterion("twos", gettext_noop("Two-point wins"), many=gettext_noop("%(number)s by two")),
    Criterion(
        key="share",
        label=gettext_noop("Eaten"),
        meaning=gettext_noop("share of the card points"),
        terms=(("eaten", 1),),
        per=("there",),
        percent=True,
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What one hand leaves to the next.

    ``dealt`` says of every seat when it last dealt: the number of a hand here, a
    negative one for an earlier table of the tournament, ``None`` for never.
    ``winner_dealt`` is who dealt the last hand, if somebody won it.
    """

    mode: Mode
    options: Options
    dealer: int
    may_deal: tuple[int, ...]
    dealt: tuple[int | None, ...]
    hand: int = 0
    winner_dealt: int | None = None

    @property
    def leader(self) -> int:
        """Return the seat that leads the first trick (R7)."""
        return self.mode.after(self.dealer)

    @property
    def over(self) -> bool:
        """Return False: a session is as long as people like (A-14)."""
        return False


@dataclass(frozen=True, slots=True)
class HandOutcome:
    """Which side won, if any did, and for how many points: 1 or 2, none if it is tied (S14)."""

    winner: int | None
    points: int


def open_session(
    mode: Mode, options: Options, first_dealer: int, dealt_before: Sequence[int | None]
) -> Session:
    """Return the session of people who have just sat down (A-4)."""
    return Session(
        mode=mode,
        options=options,
        dealer=first_dealer,
        may_deal=(first_dealer,),
        dealt=tuple(dealt_before),
    )


def outcome(mode: Mode, eaten: Sequence[int]) -> HandOutcome:
    """Return what these totals are worth (R10).

    Nobody scores where the most is tied (A-9). One side short is enough for 2 (A-10),
    which is never the winner (A-12).

    >>> from games.mode import teams
    >>> outcome(teams(4, 2, ""), [101, 19]), outcome(teams(4, 2, ""), [60, 60])
    (HandOutcome(winner=0, points=2), HandOutcome(winner=None, points=0))
    """
    most = max(eaten)
    if list(eaten).count(most) > 1:
        return HandOutcome(None, 0)
    return HandOutcome(list(eaten).index(most), 1 if min(eaten) >= threshold(mode) else 2)


def sheet_outcome(mode: Mode, sheet: Sheet) -> HandOutcome:
    """Return what a completed sheet, counted or bare but not void, is worth.

    A table that did not count wins 1 point: nobody knows of a second.
    """
    if not is_bare(sheet):
        return outcome(mode, sheet["eaten"])
    return HandOutcome(None, 0) if sheet["bare"] is None else HandOutcome(sheet["bare"], 1)


def add_sheet(session: Session, sheet: Sheet) -> Scored[Session]:
    """Pass the deal on, and give each seat what its side won and ate (S12, S13).

    :raises SheetError: if no finished hand leaves such a sheet (S11).
    """
    mode = session.mode
    bare = is_bare(sheet)
    dealer, warnings = dealer_of(sheet, session)
    answers = (
        {"bare": bare_side(sheet, mode)}
        if bare
        else read_counted(mode, session.options, sheet, dealer)
    )
    completed: Sheet = {**answers, "dealer": dealer}
    if dealer == session.winner_dealt and len(mode.sides[mode.side_of(dealer)]) > 1:
        twice_running = SheetWarning(
            "dealt-twice-running",
            _(
                "%(dealer)s dealt twice in a row; partners usually take turns.",
                dealer=AtSeat(dealer),
            ),
        )
        warnings = (*warnings, twice_running)
    if completed.get("bare") == VOID:
        return Scored(
            session=_pass_deal(session, dealer, None),
            sheet=completed,
            marks=None,
            warnings=warnings,
        )
    result = sheet_outcome(mode, completed)
    return Scored(
        session=_pass_deal(session, dealer, result.winner),
        sheet=completed,
        marks=_marks(mode, completed, result),
        warnings=warnings,
    )


def ranking(_options: Options, _changing_partners: bool) -> tuple[Criterion, ...]:
    """Rank by victory points; among equals by hands won, two-point wins, and the share eaten (S15)."""
    return _CRITERIA


def columns(_options: Options) -> tuple[Criterion, ...]:
    return _CRITERIA


def _marks(mode: Mode, completed: Sheet, result: HandOutcome) -> Marks:
    """Return each seat's marks, which are its side's (A-15); a tied hand is tied for all seats."""
    eaten = completed.get("eaten")
    there = ALL_POINTS - left_over(mode, completed.get("face_up")) if eaten else 0
    return tuple(
        {
            "victory_points": result.points if side == result.winner else 0,
            "eaten": eaten[side] if eaten else 0,
            "won": int(side == result.winner),
            "tied": int(result.winner is None),
            "twos": int(side == result.winner and result.points == 2),
            "there": there,
        }
        for side in map(mode.side_of, range(mode.seats))
    )


def _pass_deal(session: Session, dealer: int, winner: int | None) -> Session:
    """Return the session after this hand: the deal is the winner's, or stays (R11, A-13)."""
    mode = session.mode
    dealt = tuple(
        session.hand if seat == dealer else before for seat, before in enumerate(session.dealt)
    )
    may_deal = (dealer,) if winner is None else mode.sides[winner]

    def turn(seat: int) -> tuple[bool, int, int]:
        """Order by who dealt least recently, never first; then onwards from the dealer."""
        last = dealt[seat]
        return last is not None, last or 0, (seat - dealer - 1) % mode.seats

    return replace(
        session,
        dealer=min(may_deal, key=turn),
        may_deal=may_deal,
        dealt=dealt,
        hand=session.hand + 1,
        winner_dealt=None if winner is None else dealer,
    )
