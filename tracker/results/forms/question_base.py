"""A kind of question: its fields, its answers and its cells, whatever it asks for.

Every question has *slots*: one, or one for each side or seat it is asked of. A slot
holds one value or as many as its count says, under names that never change:
``eaten_0``, ``face_up``, ``hands_2_3``; an order has one field for every seat that
can be named, which holds that seat's place from 1.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar, assert_never

from django import forms
from django.utils.translation import gettext as _

from games.mode import Mode, side_letter
from games.sheet import Per, QuestionBase
from games.wording import Text
from tracker.common.wording import Names, say, together
from tracker.models import name_key

BLANK = ("", "–")
Fields = dict[str, forms.Field]
QuestionT = TypeVar("QuestionT", bound=QuestionBase)


class _Missing:
    """No answer, where ``None`` may be one."""


MISSING = _Missing()


class UnreadableCell(ValueError):
    """A cell that says nothing this question knows, with a sentence that says so."""


@dataclass(frozen=True, slots=True)
class Slot:
    """The form fields of one question for one side or seat."""

    place: int | None
    keys: tuple[str, ...]


@dataclass(frozen=True)
class QuestionKind(ABC, Generic[QuestionT]):
    """A question at one table, as forms, pages and files need it.

    ``full`` are the people's names in full, by seat, for who reads them out of a file.
    """

    question: QuestionT
    mode: Mode
    names: Names
    full: Sequence[str] = ()

    template: ClassVar[str]
    counted: ClassVar[bool] = False  # a number is typed, which a pad helps with and a page adds up
    of_people: ClassVar[bool] = False  # the answers to tap are people
    ordered: ClassVar[bool] = False  # its fields are places, which can be tied and left out

    # What each kind says for itself, of one slot ----------------------------------------------

    @abstractmethod
    def slot_keys(self, key: str) -> tuple[str, ...]:
        """Return the names of the fields of the slot that is called *key*."""

    @abstractmethod
    def field(self, label: str) -> forms.Field:
        """Return a field of a slot."""

    @abstractmethod
    def slot_answer(self, keys: tuple[str, ...], cleaned: Mapping[str, Any]) -> object:
        """Return the answer that a slot's fields hold, or ``MISSING``."""

    @abstractmethod
    def slot_initial(self, keys: tuple[str, ...], value: object) -> dict[str, Any]:
        """Return what a slot's fields hold for this answer."""

    @abstractmethod
    def read_cell(self, cell: str) -> object:
        """Return the answer that a cell of a file holds.

        :raises UnreadableCell: if it says nothing that this question knows.
        """

    # What only some of them say ---------------------------------------------------------------

    @property
    def choices(self) -> tuple[tuple[str | int | None, str | Text], ...]:
        """Return the few answers a question is a choice of; none of any other."""
        return ()

    @property
    def usual(self) -> str | None:
        """Return what the fields of a required question start on."""
        return None

    @property
    def by_rank(self) -> bool:
        """Say whether a card's rank alone is asked first, and the very card only behind *More*."""
        return False

    @property
    def on_paper(self) -> QuestionT:
        """Return the question as one cell asks it."""
        return self.question

    def heads(self) -> Iterator[tuple[str, str]]:
        """Yield for each field the name of its side or seat, and the letter of a side."""
        for slot in self.slots():
            yield from [self.whose(slot)] * len(slot.keys)

    # The same of all --------------------------------------------------------------------------

    @property
    def places(self) -> Iterable[int | None]:
        """Return the sides or seats the question is asked of, in order; ``None`` for all."""
        match self.question.per:
            case Per.HAND:
                return (None,)
            case Per.SIDE:
                return range(len(self.mode.sides))
            case Per.SEAT:
                return range(self.mode.seats)
            case _:
                assert_never(self.question.per)

    def slots(self) -> tuple[Slot, ...]:
        name = self.question.name
        return tuple(
            Slot(place, self.slot_keys(name if place is None else f"{name}_{place}"))
            for place in self.places
        )

    def all_keys(self) -> tuple[str, ...]:
        """Return the names of all fields."""
        return tuple(key for slot in self.slots() for key in slot.keys)

    def whose(self, slot: Slot) -> tuple[str, str]:
        """Return the name of the side or seat of a slot, and the letter of a side, or nothing."""
        if slot.place is None:
            return "", ""
        if self.question.per is Per.SEAT:
            return self.names.at(slot.place), ""
        return self.names.of(slot.place), self.mode.letters[slot.place]

    def fields(self, *, preset: bool = True) -> Fields:
        """Return the fields by name.

        A required choice starts on its usual answer, unless *preset* says otherwise.
        """
        made: Fields = {}
        whole_hand = say(self.question.label, self.names)
        labels = (whose or whole_hand for whose, _letter in self.heads())
        # Not ``all_keys``, which may hold others besides.
        keys = [key for slot in self.slots() for key in slot.keys]
        for key, label in zip(keys, labels, strict=True):
            made[key] = self.field(label)
            if preset and self.question.required:
                made[key].initial = self.usual
        return made

    def answer(self, cleaned: Mapping[str, Any]) -> object:
        """Return the answer as the sheet has it, or ``MISSING`` where there is none at all.

        A slot left empty among others is ``None``; the rules say whether that will do.
        """
        answers = [self.slot_answer(slot.keys, cleaned) for slot in self.slots()]
        if self.question.per is not Per.HAND and self.question.required:
            return _listed(answers)
        return self._together(answers)

    def initial(self, answer: object) -> dict[str, Any]:
        """Return what the fields hold for this answer of a sheet."""
        if answer is None and not self.choices:
            return {}
        answers = [answer] if self.question.per is Per.HAND else as_list(answer)
        started: dict[str, Any] = {}
        for slot, each in zip(self.slots(), answers, strict=False):
            started |= self.slot_initial(slot.keys, each)
        return started

    def headings(self) -> tuple[str, ...]:
        """Return the headings in a file: ``eaten A``, ``eaten B``; of seats by number, from 1."""
        name = self.question.name.replace("_", " ")
        by_side = self.question.per is Per.SIDE
        return tuple(
            name if place is None else f"{name} {side_letter(place) if by_side else place + 1}"
            for place in self.places
        )

    def read_cells(self, cells: Mapping[str, str]) -> object:
        """Return the answer that a line of a file holds, or ``MISSING`` where its cells are empty.

        :raises UnreadableCell: if one of them cannot be read.
        """
        written = [cells.get(heading.casefold(), "") for heading in self.headings()]
        return self._together([self.read_cell(cell) if cell else MISSING for cell in written])

    def seat_called(self, cell: str) -> int:
        """Return the seat of the player named in a cell.

        :raises UnreadableCell: if nobody at the table is called so, or several are.
        """
        return seat_called(cell, self.full, self.names.seats)

    def _together(self, answers: list[object]) -> object:
        """Return the slots' answers as one, ``MISSING`` if all are."""
        if self.question.per is Per.HAND:
            return answers[0]
        return MISSING if all(answer is MISSING for answer in answers) else _listed(answers)


class ValueKind(QuestionKind[QuestionT]):
    """A kind whose slot holds one value, or a list of as many as are counted."""

    @abstractmethod
    def value(self, key: str, cleaned: Mapping[str, Any]) -> object:
        """Return the value of one field, or ``MISSING``."""

    @abstractmethod
    def value_initial(self, key: str, value: Any) -> dict[str, Any]:
        """Return what a field holds for this value."""

    @abstractmethod
    def read_value(self, cell: str) -> object:
        """Return the one value that a cell, or a part of it, holds.

        :raises UnreadableCell: if it says nothing that this question knows.
        """

    @property
    def single(self) -> bool:
        return self.question.count[1] == 1

    def slot_keys(self, key: str) -> tuple[str, ...]:
        if self.single:
            return (key,)
        return tuple(f"{key}_{nth}" for nth in range(self.question.count[1]))

    def slot_answer(self, keys: tuple[str, ...], cleaned: Mapping[str, Any]) -> object:
        values = [self.value(key, cleaned) for key in keys]
        if self.single:
            return values[0]
        return [value for value in values if value is not MISSING] or MISSING

    def slot_initial(self, keys: tuple[str, ...], value: object) -> dict[str, Any]:
        started: dict[str, Any] = {}
        values = [value] if self.single else as_list(value)
        for key, each in zip(keys, values, strict=False):
            started |= self.value_initial(key, each)
        return started

    def read_cell(self, cell: str) -> object:
        if self.single:
            return self.read_value(cell)
        return [self.read_value(part) for part in re.split(r"[\s,;]+", cell)]


def seat_called(cell: str, *people: Sequence[str]) -> int:
    """Return the seat of the player named in a cell; *people* are lists of names by seat.

    :raises UnreadableCell: if nobody at the table is called so, or several are.
    """
    wanted = name_key(cell)
    for names in people:
        seats = [seat for seat, name in enumerate(names) if name_key(name) == wanted]
        if len(seats) == 1:
            return seats[0]
    raise UnreadableCell(
        _("Nobody at this table is called “%(name)s”: these are %(people)s.")
        % {"name": cell.strip(), "people": together(people[0])}
    )


def _listed(answers: list[object]) -> list[object]:
    return [None if answer is MISSING else answer for answer in answers]


def as_list(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


def select(label: str, choices: Iterable[tuple[str, str]]) -> forms.Field:
    return forms.ChoiceField(label=label, choices=[BLANK, *choices], required=False)


def count(label: str, most: int, *, limited: bool = False) -> forms.Field:
    """Return a field for a count, typed; *limited* unless the rules say what is too much."""
    attrs = {"inputmode": "numeric", "pattern": "[0-9]*", "autocomplete": "off"}
    return forms.IntegerField(
        label=label,
        required=False,
        widget=forms.TextInput(attrs={**attrs, "maxlength": len(str(most))}),
        error_messages={"invalid": _("This must be a whole number.")},
        min_value=0 if limited else None,
        max_value=most if limited else None,
    )


def radio(label: str, choices: Iterable[tuple[str, str]], *, blank: bool) -> forms.Field:
    return forms.ChoiceField(
        label=label,
        choices=[BLANK, *choices] if blank else list(choices),
        required=False,
        widget=forms.RadioSelect,
    )
