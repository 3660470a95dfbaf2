"""A sheet that stands already, as the fields of a form to start from."""

from collections.abc import Sequence
from typing import Any, assert_never

from games.mode import Mode
from games.sheet import VOID, Card, Choice, Number, Order, Per, Question, Seat, Seats
from tracker.reports.forms.questions import EXACT, Slot, by_rank, code, slots


def initial(question: Question, mode: Mode, value: object) -> dict[str, Any]:
    """Return what the fields of a question hold for this answer of a sheet."""
    if value is None and not (question.per is Per.HAND and isinstance(question, Choice)):
        return {}
    given: Sequence[object]
    if question.per is Per.HAND:
        given = [value]
    else:
        given = value if isinstance(value, list | tuple) else ()
    filled: dict[str, Any] = {}
    for slot, entry in zip(slots(question, mode), given, strict=False):
        filled |= _slot_initial(question, slot, entry)
    return filled


def _slot_initial(question: Question, slot: Slot, value: object) -> dict[str, Any]:
    match question:
        case Order():
            return _order_initial(question, slot, value)
        case Seats():
            return {slot.keys[0]: [str(seat) for seat in _listed(value)]}
        case Number() | Choice() | Card() | Seat():
            values = [value] if question.count[1] == 1 else _listed(value)
            filled: dict[str, Any] = {}
            for key, one in zip(slot.keys, values, strict=False):
                filled |= _value_initial(question, key, one)
            return filled
        case _:
            assert_never(question)


def _order_initial(question: Order, slot: Slot, value: object) -> dict[str, Any]:
    keys = dict(zip(question.seats, slot.keys, strict=True))
    filled: dict[str, Any] = {}
    for entry in _listed(value) if value != VOID else ():
        group = _listed(entry) if isinstance(entry, list | tuple) else [entry]
        place = len(filled) + 1
        filled |= {keys[seat]: str(place) for seat in group if isinstance(seat, int)}
    return filled


def _value_initial(question: Number | Choice | Card | Seat, key: str, value: Any) -> dict[str, Any]:
    match question:
        case Number():
            return {key: value}
        case Choice():
            return {key: code(value)}
        case Card() if by_rank(question) and value not in dict(question.ranks):
            return {f"{key}_{EXACT}": value}
        case Card() | Seat():
            return {} if value is None else {key: str(value)}
        case _:
            assert_never(question)


def _listed(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []
