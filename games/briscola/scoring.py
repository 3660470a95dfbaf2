"""Scoring: what a deal earns, the score of the match, and who deals next (R7, R8, R12)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.briscola.sheet import read_counted
from games.errors import gettext_noop
from games.mode import Mode
from games.option import Options
from games.sheet import VOID, Criterion, Mark, Reads, Scored, Sheet, criterion
from games.sheet_validation import bare_side, dealer_of, is_bare

MARKS = (
    Mark("matches", gettext_noop("Matches")),
    Mark("won", gettext_noop("Deals won")),
    Mark("drawn", gettext_noop("Tied")),
    Mark("points", gettext_noop("Card points")),
)
_MATCHES = criterion("matches", gettext_noop("Matches"))
_HEAD_TO_HEAD = Criterion(
    key="head_to_head", label=gettext_noop("Direct encounter"), reads=Reads.MEETINGS
)
_WON = criterion("won", gettext_noop("Deals won"), many=gettext_noop("%(number)s won"))
_DRAWN = criterion("drawn", gettext_noop("Tied"))
_CARD_POINTS = criterion("points", gettext_noop("Card points"))
_SCORE = Criterion(
    key="score", label=gettext_noop("Points"), terms=(("won", 2), ("drawn", 1)), parts=2
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What one deal leaves to the next.

    ``wins`` are the deals each side has won of the match; once one of them has
    won the match they stand until the next deal, which begins another.
    """

    mode: Mode
    options: Options
    dealer: int
    wins: tuple[int, ...]

    @property
    def may_deal(self) -> tuple[int, ...]:
        """Return the one seat whose deal it is (R3)."""
        return (self.dealer,)

    @property
    def leader(self) -> int:
        """Return the seat that leads the first trick (R3)."""
        return self.mode.after(self.dealer)

    @property
    def over(self) -> bool:
        """Return whether the last deal decided the match."""
        return max(self.wins) >= self.match_wins

    @property
    def match_wins(self) -> int:
        return int(self.options["match_wins"])


def open_session(
    mode: Mode, options: Options, first_dealer: int, _dealt_before: Sequence[int | None]
) -> Session:
    """Return the session of people who have just sat down: the deal goes round (R3)."""
    return Session(mode=mode, options=options, dealer=first_dealer, wins=(0,) * len(mode.sides))


def winning_side(card_points: Sequence[int]) -> int | None:
    """Return the side with most card points, or ``None`` when two share the most (R8).

    >>> winning_side([61, 59]), winning_side([60, 60])
    (0, None)
    """
    most = max(card_points)
    return list(card_points).index(most) if list(card_points).count(most) == 1 else None


def sheet_winner(sheet: Sheet) -> int | None:
    """Return the side that won by a completed sheet, counted or bare but not void."""
    won: int | None = sheet["bare"] if is_bare(sheet) else winning_side(sheet["points"])
    return won


def add_sheet(session: Session, sheet: Sheet) -> Scored[Session]:
    """Pass the deal on, and give each seat what its side won and took (S42).

    :raises SheetError: if no finished deal leaves such a sheet (S41).
    """
    bare = is_bare(sheet)
    dealer, warnings = dealer_of(sheet, session)
    answers = (
        {"bare": bare_side(sheet, session.mode)}
        if bare
        else read_counted(session.mode, session.options, sheet)
    )
    completed: Sheet = {**answers, "dealer": dealer}
    wins = (0,) * len(session.wins) if session.over else session.wins
    if completed.get("bare") == VOID:
        again = replace(session, dealer=dealer, wins=wins)
        return Scored(session=again, sheet=completed, marks=None, warnings=warnings)

    winner = sheet_winner(completed)
    after = replace(
        session,
        dealer=session.mode.after(dealer),
        wins=tuple(won + (side == winner) for side, won in enumerate(wins)),
    )
    # Each seat's marks are its side's; a drawn deal is drawn for all seats.
    points = completed.get("points")
    marks = tuple(
        {
            "matches": int(side == winner and after.over),
            "won": int(side == winner),
            "drawn": int(winner is None),
            "points": points[side] if points else 0,
        }
        for side in map(session.mode.side_of, range(session.mode.seats))
    )
    return Scored(session=after, sheet=completed, marks=marks, warnings=warnings)


def ranking(_options: Options, changing_partners: bool) -> tuple[Criterion, ...]:
    """Rank by matches, those won of each other, deals won and card points (S43).

    Where partners change nobody plays a match through: a deal won is 1, drawn ½.
    """
    if changing_partners:
        return _SCORE, _CARD_POINTS
    return _MATCHES, _HEAD_TO_HEAD, _WON, _CARD_POINTS


def columns(_options: Options) -> tuple[Criterion, ...]:
    return (_MATCHES, _WON, _DRAWN, _CARD_POINTS)
