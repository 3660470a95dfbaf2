"""Seats and orders: the kinds whose answers are people of the table."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django import forms

from games.sheet import VOID, Order, Seat, Seats
from tracker.common.wording import Names
from tracker.reports.forms.kinds.kind import (
    MISSING,
    Kind,
    Slot,
    ValueKind,
    as_list,
    radio,
    select,
)

_BETWEEN_PLACES = re.compile(r"[,;>|/]")
_BETWEEN_PEOPLE = re.compile(r"[,;&+|/]")
_BETWEEN_EQUALS = re.compile("=")


class SeatKind(ValueKind[Seat]):
    template = "reports/table/kinds/seat.html"
    of_people = True

    def field(self, label: str) -> forms.Field:
        return radio(
            label, _called(self.question.seats, self.names), blank=not self.question.required
        )

    def value(self, key: str, cleaned: Mapping[str, Any]) -> object:
        seat = cleaned.get(key)
        return int(seat) if seat else MISSING

    def value_initial(self, key: str, value: Any) -> dict[str, Any]:
        return {} if value is None else {key: str(value)}

    def read_value(self, cell: str) -> object:
        return self.seat_called(cell)


class SeatsKind(Kind[Seats]):
    template = "reports/table/kinds/seats.html"
    of_people = True

    def slot_keys(self, key: str) -> tuple[str, ...]:
        return (key,)

    def field(self, label: str) -> forms.Field:
        return forms.MultipleChoiceField(
            label=label,
            choices=_called(self.question.seats, self.names),
            required=False,
            widget=forms.CheckboxSelectMultiple,
        )

    def slot_answer(self, keys: tuple[str, ...], cleaned: Mapping[str, Any]) -> object:
        return [int(seat) for seat in cleaned.get(keys[0]) or ()] or MISSING

    def slot_initial(self, keys: tuple[str, ...], value: object) -> dict[str, Any]:
        return {keys[0]: [str(seat) for seat in as_list(value)]}

    def read_cell(self, cell: str) -> object:
        return sorted(self.seat_called(part) for part in _parts(_BETWEEN_PEOPLE, cell))


class OrderKind(Kind[Order]):
    """An order: every seat that can be named has a field, for its place from 1."""

    template = "reports/table/kinds/order.html"
    ordered = True

    def slot_keys(self, key: str) -> tuple[str, ...]:
        return tuple(f"{key}_{seat}" for seat in self.question.seats)

    def heads(self) -> Iterator[tuple[str, str]]:
        for _slot in self.slots():
            yield from ((self.names.at(seat), "") for seat in self.question.seats)

    def field(self, label: str) -> forms.Field:
        places = [(str(place), str(place)) for place in range(1, len(self.question.seats) + 1)]
        return select(label, places)

    def slot_answer(self, keys: tuple[str, ...], cleaned: Mapping[str, Any]) -> object:
        """Return the seats by the places they were given; those of one place together."""
        by_place: dict[int, list[int]] = {}
        for seat, key in zip(self.question.seats, keys, strict=True):
            if place := cleaned.get(key):
                by_place.setdefault(int(place), []).append(seat)
        groups = [by_place[place] for place in sorted(by_place)]
        return [group[0] if len(group) == 1 else group for group in groups] or MISSING

    def slot_initial(self, keys: tuple[str, ...], value: object) -> dict[str, Any]:
        # Trap: a stored order may name somebody who, since a correction, is out before this hand.
        key_of = dict(zip(self.question.seats, keys, strict=True))
        started: dict[str, Any] = {}
        for entry in as_list(value) if value != VOID else ():
            place = str(len(started) + 1)
            group = as_list(entry) if isinstance(entry, list | tuple) else [entry]
            named = (seat for seat in group if isinstance(seat, int) and seat in key_of)
            started |= {key_of[seat]: place for seat in named}
        return started

    def read_cell(self, cell: str) -> object:
        """Return the seats in order; several that share a place are ``Asha = Juma``."""
        groups = [
            [self.seat_called(name) for name in _parts(_BETWEEN_EQUALS, part)]
            for part in _parts(_BETWEEN_PLACES, cell)
        ]
        return [group[0] if len(group) == 1 else group for group in groups]


def has_ties(answer: object) -> bool:
    """Say whether an order names several seats for one place."""
    return any(isinstance(entry, list) for entry in as_list(answer))


def has_gaps(slots: Iterable[Slot], cleaned: Mapping[str, Any]) -> bool:
    """Say whether an order leaves out a place before its last."""
    for slot in slots:
        taken = sorted(int(cleaned[key]) for key in slot.keys if cleaned.get(key))
        # Two who share a place leave the one behind it empty: 1, 2, 2, 4.
        if any(place > before + 1 for before, place in enumerate(taken)):
            return True
    return False


def _called(seats: Iterable[int], names: Names) -> list[tuple[str, str]]:
    return [(str(seat), names.at(seat)) for seat in seats]


def _parts(between: re.Pattern[str], cell: str) -> list[str]:
    return [part for part in between.split(cell) if part.strip()]
