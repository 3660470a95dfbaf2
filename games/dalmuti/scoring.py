"""Scoring: what a game leaves for the next, what it gives each seat, how players are ranked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import lcm

from games import sheet_validation
from games.dalmuti.options import LAST_WORDS, MOST_SEATS, check_table
from games.dalmuti.sheet import PlayingOrder, opening_order, read_draw, whole_order
from games.errors import SheetError, gettext_noop
from games.mode import Mode
from games.option import Options
from games.sheet import VOID, Criterion, Mark, Marks, Scope, Scored, Sheet, criterion
from games.wording import SheetWarning

# A share of the opponents is a whole number of these, however many they are.
SHARE = lcm(*range(1, MOST_SEATS))
MARKS = (
    Mark("dalmuti", gettext_noop("Dalmuti"), Scope.SEAT, one=gettext_noop("Dalmuti")),
    Mark("trader", gettext_noop("Trader"), Scope.SEAT, one=gettext_noop("Trader")),
    Mark("slave", gettext_noop("Peon"), Scope.SEAT, one=gettext_noop("Peon")),
    Mark("place", gettext_noop("Places added up"), Scope.SEAT),
    Mark(
        "points",
        gettext_noop("Points"),
        Scope.SEAT,
        one=gettext_noop("1 point"),
        many=gettext_noop("%(number)s points"),
    ),
    # The place less the place of the game before: all of a sitting's add up to the last place.
    Mark("latest", gettext_noop("Last game"), Scope.SEAT, anew="place"),
    # The share of the others who went out later; a sum of such shares is divided by the games.
    Mark("share", gettext_noop("Beaten"), Scope.SEAT, parts=SHARE),
    Mark("shares", gettext_noop("Games"), Scope.SEAT),
)
_SHARE = Criterion(
    key="share",
    label=gettext_noop("Beaten"),
    meaning=gettext_noop("share of the others who went out later"),
    terms=(("share", 1),),
    per=("shares",),
    parts=SHARE,
    percent=True,
    follows_from=(
        Criterion(
            key="share_sum",
            label=gettext_noop("Shares"),
            meaning=gettext_noop("those of all games added up, from 0 for out last to 1"),
            terms=(("share", 1),),
            parts=SHARE,
        ),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A table between two games. ``order`` is the playing order, ``None`` while unknown.

    The seats stay where they are (D-10).
    """

    mode: Mode
    options: Options
    dealer: int
    order: PlayingOrder | None = None

    @property
    def may_deal(self) -> tuple[int, ...]:
        """The slave alone (D-4, S2); any seat before the first game, when the table draws."""
        return tuple(range(self.mode.seats)) if self.order is None else (self.dealer,)

    @property
    def leader(self) -> int:
        """The Dalmuti (R4); before the first game, the seat after the dealer."""
        return self.mode.after(self.dealer) if self.order is None else self.order[0]

    @property
    def over(self) -> bool:
        """Never: it goes on for as long as people like (R7)."""
        return False


def open_session(
    mode: Mode,
    options: Options,
    first_dealer: int,
    dealt_before: Sequence[int | None],  # noqa: ARG001 - the order of going out decides who deals
) -> Session:
    """Return the session before the first game, with no playing order drawn yet.

    :raises OptionError: if three would play for chips (D-12).
    :raises ModeError: if the house does not seat so many (R1).
    """
    check_table(mode, options)
    return Session(mode=mode, options=options, dealer=first_dealer)


def add_sheet(session: Session, sheet: Sheet) -> Scored[Session]:
    """Score a game: seat the players as they went out, and count who was what (R6, R8, S22).

    :raises SheetError: if no game can end, or begin, like that (S21).
    """
    name, opening, completed = "order", None, dict[str, object]()
    if sheet_validation.is_bare(sheet):
        name = "bare"
        given = sheet_validation.answers_of(sheet, {"bare"})
        if given["bare"] == VOID:
            dealer, warnings = _dealer(sheet, session)
            return Scored(
                session=session if dealer is None else replace(session, dealer=dealer),
                sheet={"bare": VOID, "dealer": dealer},
                marks=None,
                warnings=warnings,
            )
    else:
        given = sheet_validation.answers_of(sheet, {"order", "opening", "draw"})
        opening, completed = _opening(session, given)
    order = whole_order(given.get(name), session.mode, question=name)
    started = session if opening is None else replace(session, dealer=opening[-1], order=opening)
    dealer, warnings = _dealer(sheet, started)
    return Scored(
        # The slave plays last (R6, D-9) and deals (D-4).
        session=replace(session, dealer=order[-1], order=order),
        sheet={name: list(order), **completed, "dealer": dealer},
        marks=_marks(session, order, opening),
        warnings=warnings,
    )


def _opening(
    session: Session, given: Mapping[str, object]
) -> tuple[PlayingOrder | None, dict[str, object]]:
    """Return the first playing order, if it was written down, and the answers that say so.

    :raises SheetError: if no game can begin like that (S21).
    """
    draw = read_draw(given["draw"], session.mode) if given.get("draw") is not None else None
    if draw is None and given.get("opening") is None:
        return None, {}
    tie = str(session.options["draw_tie"])
    opening = opening_order(given.get("opening"), draw, session.mode, tie)
    # Only the first game can bring in a new order.
    if session.order not in (None, opening):
        raise SheetError(
            "opening-late",
            gettext_noop("Leave this empty: the order is set, as you went out in the game before."),
            question="opening",
        )
    drawn = {} if draw is None else {"draw": [list(cards) for cards in draw]}
    return opening, {"opening": list(opening), **drawn}


def _dealer(sheet: Sheet, session: Session) -> tuple[int | None, tuple[SheetWarning, ...]]:
    """Return who dealt, ``None`` where the table drew for it and wrote down no more (S2)."""
    if session.order is None and sheet.get("dealer") is None:
        return None, ()
    return sheet_validation.dealer_of(sheet, session)


def _marks(session: Session, order: PlayingOrder, opening: PlayingOrder | None) -> Marks:
    """Return each seat's status, place and points (D-11, D-12, S23)."""
    seats = session.mode.seats
    orders = [order]
    if opening is not None and session.order is None and session.options["count_opening_draw"]:
        orders.append(opening)
    marks = []
    for seat in range(seats):
        place = order.index(seat) + 1
        before = 0 if session.order is None else session.order.index(seat) + 1
        first = sum(ranks[0] == seat for ranks in orders)
        last = sum(ranks[-1] == seat for ranks in orders)
        marks.append(
            {
                "dalmuti": first,
                "trader": len(orders) - first - last,
                "slave": last,
                "place": place,
                "points": points(place, seats, str(session.options["dalmuti_points"])),
                "latest": place - before,
                "share": share(place, seats),
                "shares": 1,
            }
        )
    return tuple(marks)


def points(place: int, seats: int, system: str) -> int:
    """Return what going out in this place, from 1, is worth (D-12).

    >>> [points(place, 5, "chips") for place in range(1, 6)]
    [4, 3, 2, 1, 0]
    >>> [points(place, 4, "status") for place in range(1, 5)]
    [3, 2, 1, 0]
    """
    match system:
        case "rank":
            return place - 1
        case "chips":
            return {1: 4, 2: 3, seats - 1: 1, seats: 0}.get(place, 2)
        case _:
            return seats - place


def share(place: int, seats: int) -> int:
    """Return what share of the others went out after this place, in parts of ``SHARE``.

    >>> [share(place, 5) * 4 // SHARE for place in range(1, 6)]
    [4, 3, 2, 1, 0]
    """
    return (seats - place) * SHARE // (seats - 1)


def ranking(options: Options, changing_partners: bool) -> tuple[Criterion, ...]:  # noqa: ARG001 - nobody has a partner here
    """Return what decides the standing, the most important first (D-12)."""
    statuses = _statuses(options)
    system = options["dalmuti_points"]
    return statuses if system == "status" else (_points(system), *statuses)


def across(options: Options, unequal: bool) -> tuple[Criterion, ...]:
    """Return what decides where several tables play: points, or a share where sizes differ.

    Chips stay chips: they do not grow with the table.
    """
    system = options["dalmuti_points"]
    if unequal and system != "chips":
        return (_SHARE, *_statuses(options))
    return (_points(system), *_statuses(options))


def columns(options: Options) -> tuple[Criterion, ...]:
    """Return what a standing shows of each player."""
    system = options["dalmuti_points"]
    return (
        _points(system),
        criterion("dalmuti", gettext_noop("Dalmuti"), meaning=gettext_noop("games out first")),
        criterion("trader", gettext_noop("Trader"), meaning=gettext_noop("games in between")),
        criterion("slave", _last_word(options), meaning=gettext_noop("games out last")),
        *((_SHARE,) if system != "chips" else ()),  # chips do not say how many were beaten
    )


def _points(system: object) -> Criterion:
    if system == "chips":
        return criterion("points", gettext_noop("Chips"))
    return criterion("points", gettext_noop("Points"), fewest=system == "rank")


def _statuses(options: Options) -> tuple[Criterion, ...]:
    return (
        criterion("dalmuti", gettext_noop("Dalmuti")),
        criterion("slave", _last_word(options), fewest=True),
        criterion("latest", gettext_noop("Last game"), fewest=True),
    )


def _last_word(options: Options) -> str:
    return LAST_WORDS[str(options["last_word"])]
