"""What a game's sheet leaves for the next game, and what it gives each seat."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games import answers
from games.dalmuti.house import check_table, points, share
from games.dalmuti.orders import Draw, PlayingOrder, opening_order, read_draw, whole_order
from games.errors import SheetError, gettext_noop
from games.game import Options
from games.mode import Mode
from games.sheet import VOID, Marks, Order, Question, Scored, Sheet


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
        """The slave alone (D-4, S2); whoever the table's own draw says before the first game."""
        return tuple(range(self.mode.seats)) if self.order is None else (self.dealer,)

    @property
    def leader(self) -> int:
        """The Dalmuti (R4); before the first game, whoever sits after the dealer."""
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
    """Return a table before its first game, whose order nobody has drawn yet.

    :raises OptionError: if three would play for chips (D-12).
    :raises ModeError: if the house does not seat so many (R1).
    """
    check_table(mode, options)
    return Session(mode=mode, options=options, dealer=first_dealer)


def questions(session: Session) -> tuple[Question, ...]:
    """Return what to ask after a game: who went out when, and at first who played when (S20)."""
    seats = session.mode.seats
    order = Order(
        name="order",
        label=gettext_noop("In what order did they go out?"),
        seats=tuple(range(seats)) if session.order is None else session.order,
        count=(seats - 1, seats),
        help=gettext_noop("First out is Dalmuti. The last one follows."),
    )
    if session.order is not None:
        return (order,)
    opening = Order(
        name="opening",
        label=gettext_noop("In what order did you play after the draw?"),
        seats=tuple(range(seats)),
        count=(seats - 1, seats),
        required=False,
        aside=True,
        help=gettext_noop("From the lowest card to the highest. You may leave this out."),
    )
    return order, opening


def bare_question(session: Session) -> Question:
    """Return what to ask a table that kept no more than the order."""
    return replace(questions(session)[0], name="bare")


def add_sheet(session: Session, sheet: Sheet) -> Scored[Session]:
    """Seat everybody in the order they went out, and count who was what (R6, R8, S22).

    :raises SheetError: if no game can end, or begin, like that (S21).
    """
    if answers.is_bare(sheet):
        return _add_bare(session, sheet)

    given = answers.answers_of(sheet, {"order", "opening", "draw"})
    completed: dict[str, object] = {}
    opening = None
    draw = read_draw(given["draw"], session.mode) if given.get("draw") is not None else None
    if draw is not None or given.get("opening") is not None:
        opening = _opening(session, given.get("opening"), draw)
        completed["opening"] = list(opening)
    if draw is not None:
        completed["draw"] = [list(cards) for cards in draw]

    order = whole_order(given.get("order"), session.mode, question="order")
    started = session if opening is None else replace(session, dealer=opening[-1], order=opening)
    dealer, warnings = answers.dealer_of(sheet, started)
    return Scored(
        session=_after(session, order),
        sheet={"order": list(order), **completed, "dealer": dealer},
        marks=_marks(session, order, opening),
        warnings=warnings,
    )


def _opening(session: Session, written: object, draw: Draw | None) -> PlayingOrder:
    """Return the playing order a sheet gives; only the first game can bring in a new one."""
    tie = str(session.options["draw_tie"])
    opening = opening_order(written, draw, session.mode, tie)
    if session.order not in (None, opening):
        raise SheetError(
            "opening-late",
            gettext_noop("Here the playing order is the order of going out of the game before."),
            question="opening",
        )
    return opening


def _add_bare(session: Session, sheet: Sheet) -> Scored[Session]:
    """Take in an order alone, or pass over a game that counts for nothing."""
    bare = answers.answers_of(sheet, {"bare"})["bare"]
    dealer, warnings = answers.dealer_of(sheet, session)
    if bare == VOID:
        return Scored(
            session=replace(session, dealer=dealer),
            sheet={"bare": VOID, "dealer": dealer},
            marks=None,
            warnings=warnings,
        )
    order = whole_order(bare, session.mode, question="bare")
    return Scored(
        session=_after(session, order),
        sheet={"bare": list(order), "dealer": dealer},
        marks=_marks(session, order, None),
        warnings=warnings,
    )


def _after(session: Session, order: PlayingOrder) -> Session:
    """Return the table before its next game: the slave plays last (R6, D-9) and deals (D-4)."""
    return replace(session, dealer=order[-1], order=order)


def _marks(session: Session, order: PlayingOrder, opening: PlayingOrder | None) -> Marks:
    """Return everybody's status, place and points (D-11, D-12, S23)."""
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
