"""Scoring: what a deal leaves for the next, what a finished game gives, how players are ranked."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games import sheet_validation
from games.errors import SheetError, gettext_noop
from games.mambassa.options import check_table
from games.mambassa.sheet import ASKED, check_tokens, finishing_order, read_deal
from games.mambassa.stakes import (
    SHARE,
    Deal,
    DealEvent,
    Groups,
    Stakes,
    final_marks,
    fresh,
    next_in,
    no_marks,
    placing,
    settle,
    share_out,
)
from games.mode import Mode
from games.option import Options
from games.sheet import VOID, Criterion, Mark, Scope, Scored, Sheet, criterion
from games.wording import AtSeat, SheetWarning, seats_listed

MARKS = (
    Mark(
        "outlasted",
        gettext_noop("Outlasted"),
        Scope.SEAT,
        parts=2,
        one=gettext_noop("outlasted 1 player"),
        many=gettext_noop("outlasted %(number)s players"),
    ),
    Mark("games", gettext_noop("Games won"), Scope.SEAT, one=gettext_noop("won the game")),
    Mark(
        "tokens",
        gettext_noop("Tokens won"),
        Scope.SEAT,
        one=gettext_noop("won 1 token"),
        many=gettext_noop("won %(number)s tokens"),
    ),
    # The share of the others who were outlasted; a sum of such shares is divided by the games.
    Mark("share", gettext_noop("Share outlasted"), Scope.SEAT, parts=SHARE),
    Mark("shares", gettext_noop("Games"), Scope.SEAT),
)
_OUTLASTED = criterion(
    "outlasted",
    gettext_noop("Outlasted"),
    meaning=gettext_noop("players who were out before them"),
    parts=2,
)
_GAMES = criterion("games", gettext_noop("Games won"), many=gettext_noop("%(number)s won"))
_TOKENS = criterion("tokens", gettext_noop("Tokens won"), many=gettext_noop("%(number)s in tokens"))
_SHARE = Criterion(
    key="share",
    label=gettext_noop("Share outlasted"),
    meaning=gettext_noop("share of the others who were out before them"),
    terms=(("share", 1),),
    per=("shares",),
    parts=SHARE,
    percent=True,
    follows_from=(
        Criterion(
            key="share_sum",
            label=gettext_noop("Shares"),
            meaning=gettext_noop("those of all games added up, from 0 for out first to 1"),
            terms=(("share", 1),),
            parts=SHARE,
        ),
        criterion("shares", gettext_noop("Games")),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A table between two deals.

    ``tokens`` and ``pool`` are what the coming deal is played for. ``out`` are the groups
    that left this game, first to last, and ``deals`` counts the deals of this game so far.
    When a game is ``over`` these are those of the next one, and ``places`` are the groups of
    the one that ended, best first.
    """

    mode: Mode
    options: Options
    dealer: int
    tokens: tuple[int, ...]
    pool: int
    out: Groups = ()
    deals: int = 0
    over: bool = False
    places: Groups = ()

    @property
    def stakes(self) -> Stakes:
        return Stakes(self.tokens, self.pool, self.out)

    @property
    def may_deal(self) -> tuple[int, ...]:
        """The dealer (R10); any seat before the first deal, whose dealer a lot may name (S2)."""
        first = not self.deals and not self.over
        return tuple(range(self.mode.seats)) if first else (self.dealer,)

    @property
    def leader(self) -> int:
        """The next player still in after the dealer (R4)."""
        return next_in(self.dealer, self.stakes.playing, self.mode.seats)


@dataclass(frozen=True, slots=True, kw_only=True)
class DealOutcome:
    """What one counted deal did: ``places`` are the groups of a game it ended, best first."""

    dealer: int
    deal: Deal
    stakes: Stakes
    places: Groups | None


def open_session(
    mode: Mode,
    options: Options,
    first_dealer: int,
    dealt_before: Sequence[int | None],  # noqa: ARG001 - the deal goes round (R10)
) -> Session:
    """Return a table before the first deal of a game.

    :raises ModeError: if so many cannot play (R2).
    """
    check_table(mode)
    stakes = fresh(mode.seats)
    return Session(
        mode=mode, options=options, dealer=first_dealer, tokens=stakes.tokens, pool=stakes.pool
    )


def add_sheet(session: Session, sheet: Sheet) -> Scored[Session]:
    """Let those who must pay, see who is out and whether the game is, and pass the deal on.

    :raises SheetError: if no deal can end like that (S31).
    """
    if sheet_validation.is_bare(sheet):
        return _add_bare(session, sheet)
    outcome, completed, warnings = _read(session, sheet)
    if outcome.places is not None:
        return Scored(
            session=_next_game(session, outcome.dealer, outcome.places),
            sheet=completed,
            marks=final_marks(outcome.places),
            warnings=warnings,
        )
    stakes = outcome.stakes
    after = replace(
        session,
        dealer=next_in(outcome.dealer, stakes.playing, session.mode.seats),
        tokens=stakes.tokens,
        pool=stakes.pool,
        out=stakes.out,
        deals=session.deals + 1,
        over=False,
        places=(),
    )
    marks = no_marks(session.mode.seats)
    return Scored(session=after, sheet=completed, marks=marks, warnings=warnings)


def outcome_of(session: Session, sheet: Sheet) -> DealOutcome:
    """Return what a counted sheet does at this table.

    :raises SheetError: if no deal can end like that (S31).
    """
    return _read(session, sheet)[0]


def ranking(options: Options, changing_partners: bool) -> tuple[Criterion, ...]:  # noqa: ARG001 - nobody has a partner here
    """Return what decides the standing: players outlasted, games won, tokens won (S33)."""
    return _OUTLASTED, _GAMES, _TOKENS


def across(options: Options, unequal: bool) -> tuple[Criterion, ...]:  # noqa: ARG001 - no house rule changes it
    """Return what decides where several tables play: a share where their sizes differ."""
    return (_SHARE if unequal else _OUTLASTED), _GAMES, _TOKENS


def columns(options: Options) -> tuple[Criterion, ...]:  # noqa: ARG001 - no house rule changes it
    """Return what a standing shows of each player."""
    return _OUTLASTED, _GAMES, _TOKENS, _SHARE


def _add_bare(session: Session, sheet: Sheet) -> Scored[Session]:
    """Take in the finishing order of the game, or pass over a deal that counts for nothing."""
    bare = sheet_validation.answers_of(sheet, {"bare"})["bare"]
    dealer, warnings = _dealer(session, sheet)
    if bare == VOID:
        return Scored(
            session=replace(session, dealer=dealer),
            sheet={"bare": VOID, "dealer": dealer},
            marks=None,
            warnings=warnings,
        )
    places = finishing_order(bare, session.stakes)
    return Scored(
        session=_next_game(session, dealer, places),
        sheet={"bare": share_out(places), "dealer": dealer},
        marks=final_marks(places),
        warnings=warnings,
    )


def _read(
    session: Session, sheet: Sheet
) -> tuple[DealOutcome, dict[str, object], tuple[SheetWarning, ...]]:
    """Return what a counted sheet does, the sheet completed, and its warnings."""
    given = sheet_validation.answers_of(sheet, ASKED)
    dealer, warnings = _dealer(session, sheet)
    deal, aside = read_deal(given, session.stakes, dealer, session.mode, session.options)
    stakes = settle(session.stakes, deal)
    counted = check_tokens(given, stakes, session.mode)
    completed: dict[str, object] = {"event": deal.event.value, "payers": list(deal.payers)}
    if deal.event is not DealEvent.NORMAL:
        completed["declarer"] = deal.declarer
    outcome = DealOutcome(dealer=dealer, deal=deal, stakes=stakes, places=placing(stakes, dealer))
    return outcome, {**completed, **aside, **counted, "dealer": dealer}, warnings


def _dealer(session: Session, sheet: Sheet) -> tuple[int, tuple[SheetWarning, ...]]:
    """Return who dealt, and a warning if it was another's turn (S2).

    :raises SheetError: ``dealer-out`` if that player is out of the game (S31h).
    """
    dealer, warnings = sheet_validation.dealer_of(sheet, session)
    if dealer not in session.stakes.playing:
        raise SheetError(
            "dealer-out",
            gettext_noop("%(who)s is out of the game; one of these deals: %(playing)s."),
            question="dealer",
            who=AtSeat(dealer),
            playing=seats_listed(session.stakes.playing),
        )
    return dealer, warnings


def _next_game(session: Session, dealer: int, places: Groups) -> Session:
    """Return the table after a game that ended so: all are in again, and the deal goes on."""
    stakes = fresh(session.mode.seats)
    return Session(
        mode=session.mode,
        options=session.options,
        dealer=session.mode.after(dealer),
        tokens=stakes.tokens,
        pool=stakes.pool,
        over=True,
        places=places,
    )
