"""The kinds of questions: the one place that knows them all."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.mode import Mode
from games.sheet import Card, Choice, Number, Order, Question, Seat, Seats
from tracker.common.wording import NAMELESS, Names
from tracker.reports.forms.kinds.kind import Kind
from tracker.reports.forms.kinds.people import OrderKind, SeatKind, SeatsKind
from tracker.reports.forms.kinds.values import CardKind, ChoiceKind, NumberKind

KINDS: Mapping[type[Question], type[Kind[Any]]] = {
    Number: NumberKind,
    Order: OrderKind,
    Choice: ChoiceKind,
    Card: CardKind,
    Seat: SeatKind,
    Seats: SeatsKind,
}


def kind_of(
    question: Question, mode: Mode, names: Names = NAMELESS, full: Sequence[str] = ()
) -> Kind[Any]:
    """Return the question with all that its kind knows, as one table is asked it."""
    return KINDS[type(question)](question, mode, names, full)
