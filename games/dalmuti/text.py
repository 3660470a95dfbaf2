"""Text: the questions a table answers after a game, and the sentences before and after it."""

from dataclasses import replace

from games.dalmuti.cards import hand_sizes
from games.dalmuti.scoring import Session
from games.errors import gettext_noop
from games.game import Forecast, TableNotes
from games.sheet import VOID, Order, Question, Sheet
from games.wording import AtSeat, Text, _

_LAST = {
    "peon": gettext_noop("%(who)s is left over, and is Peon."),
    "slave": gettext_noop("%(who)s is left over, and is Slave."),
    "last": gettext_noop("%(who)s is left over."),
}
_LAST_NOW = {
    "peon": gettext_noop("now Peon"),
    "slave": gettext_noop("now Slave"),
    "last": gettext_noop("now last"),
}


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
    """Return the question for a table that wrote down only the order of going out."""
    return replace(questions(session)[0], name="bare")


def headline(session: Session, sheet: Sheet) -> Text:  # noqa: ARG001 - the sheet says it all
    """Say who won it."""
    if sheet.get("bare") == VOID:
        return _("This game counts for nothing")
    return _("%(who)s is Dalmuti", who=AtSeat(_order(sheet)[0]))


def explain(session: Session, sheet: Sheet) -> Text | None:
    """Say who came last and what that means."""
    if sheet.get("bare") == VOID:
        return None
    template = _LAST[str(session.options["last_word"])]
    return Text(template, {"who": AtSeat(_order(sheet)[-1])})


def forecast(session: Session) -> tuple[Forecast, ...]:  # noqa: ARG001 - it is the same at any table
    """Say that it is not known yet who deals next (D-4)."""
    return (Forecast(_("whoever goes out last"), None, None),)


def notes(session: Session) -> TableNotes:
    """Return how many cards to deal (D-3), and who is what from the game before."""
    sizes = hand_sizes(session.mode, str(session.options["extra_cards"]))
    fewest, more = min(sizes), sizes.count(max(sizes))
    if min(sizes) == max(sizes):
        each = gettext_noop("%(cards)d cards each")
    elif session.options["extra_cards"] == "dalmuti_end":
        each = gettext_noop("%(cards)d cards each, and one more for the first %(more)d to play")
    else:
        each = gettext_noop("%(cards)d cards each, and one more for the last %(more)d to play")
    statuses: dict[int, Text] = {}
    if session.order is not None:
        statuses[session.order[0]] = _("now Dalmuti")
        statuses[session.order[-1]] = Text(_LAST_NOW[str(session.options["last_word"])])
    return TableNotes(
        table=Text(each, {"cards": fewest, "more": more}),
        seats=tuple(statuses.get(seat) for seat in range(session.mode.seats)),
    )


def _order(sheet: Sheet) -> list[int]:
    """Return the order of going out from either form of a completed sheet."""
    order: list[int] = sheet["bare"] if "bare" in sheet else sheet["order"]
    return order
