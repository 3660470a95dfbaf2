"""The six kinds of questions on a sheet: number, choice, card, seat, seats and order.

A *sheet* is what a table writes down after a hand. A kind makes form fields of its question, and
reads the answer from them or from the cell of a file. ``question_base`` explains its flags (such as
``counted``) and methods: ``value`` reads one ``field``, ``value_initial`` fills it, ``read_value``
reads a cell; ``slot_answer`` and ``slot_initial`` are for all fields of one side or seat.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeAlias

from django import forms
from django.utils.translation import get_language, gettext as _

from games.mode import Mode, side_letter
from games.sheet import Card, Choice, Number, Order, Question, Seat, Seats
from games.wording import Text
from tracker.common.wording import NAMELESS, Names, say
from tracker.models import name_key
from tracker.results.forms import question_base as base
from tracker.results.forms.question_base import MISSING, QuestionKind, Slot, UnreadableCell

_CodesAndLabels: TypeAlias = tuple[tuple[str, str], ...]
NOBODY = "none"  # the form value of the answer ``None``
# Words for that answer in a file.
_NOBODY_IN_A_FILE = frozenset({"nobody", "none", "tie", "tied", "draw", "drawn", "-", "–"})
# What separates the names in a cell of a file: "Asha & Juma", or an order, "Asha > Juma = Neema".
_BETWEEN_PEOPLE = re.compile(r"[,;&+|/]")
_BETWEEN_PLACES = re.compile(r"[,;>|/]")
_WITHIN_A_PLACE = re.compile("=")


class NumberKind(QuestionKind[Number]):
    template = "results/table/kinds/number.html"
    counted = True

    def field(self, label: str) -> forms.Field:
        field = base.number_field(label, self.question.high)
        field.widget.attrs["data-most"] = self.question.high
        return field

    def value(self, key: str, cleaned: Mapping[str, Any]) -> object:
        number = cleaned.get(key)
        return MISSING if number is None else number

    def read_value(self, cell: str) -> object:
        if not re.fullmatch(r"\d{1,4}", cell, re.ASCII):
            raise UnreadableCell(_("“%(said)s” is not a whole number.") % {"said": cell})
        return int(cell)


class ChoiceKind(QuestionKind[Choice]):
    template = "results/table/kinds/choice.html"

    @property
    def choices(self) -> tuple[tuple[str | int | None, str | Text], ...]:
        return self.question.choices

    @property
    def usual(self) -> str | None:
        """Return the first choice: the rules name the most common one first."""
        return code(self.question.choices[0][0])

    def field(self, label: str) -> forms.Field:
        choices = [(code(value), say(text, self.names)) for value, text in self.question.choices]
        return base.radio(label, choices, blank=not self.question.required)

    def value(self, key: str, cleaned: Mapping[str, Any]) -> object:
        by_code = {code(value): value for value, _label in self.question.choices}
        return by_code.get(cleaned.get(key) or "", MISSING)

    def value_initial(self, key: str, value: Any) -> dict[str, Any]:
        return {key: code(value)}

    def read_value(self, cell: str) -> object:
        """Return the choice with this value or label; a letter or player may stand for a side."""
        folded_cell, values = cell.casefold(), {value for value, _label in self.question.choices}
        for value, label in self.question.choices:
            if folded_cell in {str(value).casefold(), say(label, self.names).casefold()}:
                return value
        if None in values and folded_cell in _NOBODY_IN_A_FILE:
            return None
        if (side := self._side_called(cell, values)) is not None:
            return side
        answers = ", ".join(say(label, self.names) for _value, label in self.question.choices)
        template = _("“%(said)s” is none of the answers: %(answers)s.")
        raise UnreadableCell(template % {"said": cell, "answers": answers})

    def _side_called(self, cell: str, values: Collection[object]) -> int | None:
        """Return the side with this letter or player; integers among the *values* are sides."""
        for side, seats in enumerate(self.mode.sides):
            names = [name for at in seats for name in (self.full_names[at], self.names.at(at))]
            is_letter = cell.casefold() == side_letter(side).casefold()
            if side in values and (is_letter or name_key(cell) in map(name_key, names)):
                return side
        return None


class CardKind(QuestionKind[Card]):
    """A card: one field lists ranks ("7") and cards ("7♥"), unless it is asked *by rank*.

    By rank, one field asks for the rank, and a companion for the very card. That is so where the
    rank suffices, but not *aside* (in the folded part of a page) nor in the grid for paper sheets.
    """

    template = "results/table/kinds/card.html"

    @property
    def by_rank(self) -> bool:
        return bool(self.question.ranks) and not self.question.aside

    @property
    def on_paper(self) -> Card:
        return replace(self.question, aside=True) if self.by_rank else self.question

    def companion(self, key: str) -> base.Fields:
        if not self.by_rank:
            return {}
        cards = _labelled(self.question.cards, get_language())
        return {exact_key(key): base.select(_("The very card"), cards)}

    def field(self, label: str) -> forms.Field:
        ranks = _labelled(self.question.ranks, get_language())
        if self.by_rank:
            return base.radio(label, ranks, blank=not self.question.required)
        return base.select(label, [*ranks, *_labelled(self.question.cards, get_language())])

    def value(self, key: str, cleaned: Mapping[str, Any]) -> object:
        return cleaned.get(exact_key(key)) or cleaned.get(key) or MISSING

    def value_initial(self, key: str, value: Any) -> dict[str, Any]:
        if value is None:
            return {}
        exact = self.by_rank and value not in dict(self.question.ranks)
        return {exact_key(key) if exact else key: str(value)}

    def read_value(self, cell: str) -> object:
        folded_cell = cell.casefold()
        for card, label in (*self.question.ranks, *self.question.cards):
            if folded_cell in {card.casefold(), say(label, self.names).casefold()}:
                return card
        template = _("“%(said)s” is no card of this game: they are written like %(example)s.")
        raise UnreadableCell(template % {"said": cell, "example": self.question.cards[0][0]})


def code(value: str | int | None) -> str:
    """Return the form value of a choice."""
    return NOBODY if value is None else str(value)


def exact_key(key: str) -> str:
    """Return the name of the field for the exact card, beside the field *key* for its rank."""
    return f"{key}_exact"


@lru_cache
def _labelled(cards: _CodesAndLabels, _language: str | None) -> _CodesAndLabels:
    """Return the (code, label) of cards; *_language* keeps the translations apart in the cache."""
    # Not ``say``, which needs the names of one table: no card's label has any.
    return tuple((card, _(label)) for card, label in cards)


class SeatKind(QuestionKind[Seat]):
    template = "results/table/kinds/seat.html"
    of_people = True

    def field(self, label: str) -> forms.Field:
        choices = _seat_choices(self.question.seats, self.names)
        return base.radio(label, choices, blank=not self.question.required)

    def value(self, key: str, cleaned: Mapping[str, Any]) -> object:
        seat = cleaned.get(key)  # Trap: a text, so that seat "0" is true
        return int(seat) if seat else MISSING

    def value_initial(self, key: str, value: Any) -> dict[str, Any]:
        return {} if value is None else {key: str(value)}

    def read_value(self, cell: str) -> object:
        return base.seat_called(cell, self.full_names, self.names.seats)


class SeatsKind(QuestionKind[Seats]):
    template = "results/table/kinds/seat.html"
    of_people = True
    single = True  # the list of seats is the value of one field

    def field(self, label: str) -> forms.Field:
        return forms.MultipleChoiceField(
            label=label,
            choices=_seat_choices(self.question.seats, self.names),
            required=False,
            widget=forms.CheckboxSelectMultiple,
        )

    def value(self, key: str, cleaned: Mapping[str, Any]) -> object:
        return [int(seat) for seat in cleaned.get(key) or ()] or MISSING

    def value_initial(self, key: str, value: Any) -> dict[str, Any]:
        return {key: [str(seat) for seat in base.as_list(value)]}

    def read_value(self, cell: str) -> object:
        people = self.full_names, self.names.seats
        return sorted(base.seat_called(name, *people) for name in _parts(_BETWEEN_PEOPLE, cell))


class OrderKind(QuestionKind[Order]):
    """A finishing order of seats: each seat that can be named has a field for its place, from 1.

    The answer lists the seats, the first place first; seats that share a place are a list in it.
    """

    template = "results/table/kinds/order.html"
    ordered = True
    single = True  # the whole order is one value

    def slot_keys(self, stem: str) -> tuple[str, ...]:
        return tuple(f"{stem}_{seat}" for seat in self.question.seats)

    def field_labels(self) -> Iterator[tuple[str, str]]:
        # In each slot a field for each seat, of any place; a seat has no letter of a side.
        for _slot in self.slots:
            yield from ((self.names.at(seat), "") for seat in self.question.seats)

    def field(self, label: str) -> forms.Field:
        places = [(str(place), str(place)) for place in range(1, len(self.question.seats) + 1)]
        return base.select(label, places)

    def slot_answer(self, keys: tuple[str, ...], cleaned: Mapping[str, Any]) -> object:
        by_place: dict[int, list[int]] = {}  # place in the order -> seats that share it
        for seat, key in zip(self.question.seats, keys, strict=True):
            if place := cleaned.get(key):
                by_place.setdefault(int(place), []).append(seat)
        groups = [by_place[place] for place in sorted(by_place)]
        return [group[0] if len(group) == 1 else group for group in groups] or MISSING

    def slot_initial(self, keys: tuple[str, ...], answer: object) -> dict[str, Any]:
        # Trap: a stored order may name somebody who, since a correction, is out before this hand.
        key_of = dict(zip(self.question.seats, keys, strict=True))
        initial: dict[str, Any] = {}
        for entry in base.as_list(answer):  # a void answer is no list
            # A place is one more than the seats before it: after two in place 2 comes place 4.
            place = str(len(initial) + 1)
            group = base.as_list(entry) or [entry]  # seats that share a place, or one seat
            seats = (seat for seat in group if isinstance(seat, int) and seat in key_of)
            initial |= {key_of[seat]: place for seat in seats}
        return initial

    def read_value(self, cell: str) -> object:
        """Return the seats in order; players who share a place are written ``Asha = Juma``."""
        people = self.full_names, self.names.seats
        groups = [
            [base.seat_called(name, *people) for name in _parts(_WITHIN_A_PLACE, names)]
            for names in _parts(_BETWEEN_PLACES, cell)
        ]
        return [group[0] if len(group) == 1 else group for group in groups]


def has_ties(answer: object) -> bool:
    """Return whether an order has several seats in one place."""
    return any(isinstance(entry, list) for entry in base.as_list(answer))


def has_gaps(slots: Iterable[Slot], cleaned: Mapping[str, Any]) -> bool:
    """Return whether the fields of an order leave out a place before the last one named."""
    for slot in slots:
        places = sorted(int(cleaned[key]) for key in slot.keys if cleaned.get(key))
        # After n seats the next place may be n + 1 or less: 1, 2, 2, 4 and 1, 2, 2, 3 have no gap.
        if any(place > seats_before + 1 for seats_before, place in enumerate(places)):
            return True
    return False


def _seat_choices(seats: Iterable[int], names: Names) -> list[tuple[str, str]]:
    return [(str(seat), names.at(seat)) for seat in seats]


def _parts(separator: re.Pattern[str], cell: str) -> list[str]:
    return [part for part in separator.split(cell) if part.strip()]


KINDS: Mapping[type[Question], type[QuestionKind[Any]]] = {
    Number: NumberKind,
    Order: OrderKind,
    Choice: ChoiceKind,
    Card: CardKind,
    Seat: SeatKind,
    Seats: SeatsKind,
}


def kind_of(
    question: Question,
    mode: Mode,
    names: Names = NAMELESS,
    full_names: Sequence[str] = (),
    *,
    preset: bool = True,
) -> QuestionKind[Any]:
    """Return the question as its kind, for one table; *full_names* are needed to read files."""
    return KINDS[type(question)](question, mode, names, full_names, preset)
