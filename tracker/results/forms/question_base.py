"""Base class of the question kinds: form fields, answers and file cells of one question of a sheet.

A *sheet* is the answers about a hand. A question has a *slot* for each side (players who score
together) or seat that is asked, or one slot if it is asked once a hand. A slot has a field for each
value that it may hold. The name of a field is its *key*, ``name[_place][_nth]``: ``face_up``,
``eaten_0``, ``hands_2_3``. *place* is the number of the side or seat, absent if the question is
asked once a hand; *nth* is the number of the value, absent if a slot holds one. Both count from 0.
Keys never change, as phones store unsent forms.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar, assert_never

from django import forms
from django.utils.translation import gettext as _

from games.mode import Mode, side_letter
from games.sheet import Per, QuestionBase
from games.wording import Text
from tracker.common.web.renderer import CachedSelect
from tracker.common.wording import Names, say, together
from tracker.models import name_key

BLANK = ("", "–")  # value and label of the choice for no answer
Fields = dict[str, forms.Field]  # keyed by the key of the field
QuestionT = TypeVar("QuestionT", bound=QuestionBase)
MISSING = object()  # no answer at all, where ``None`` may be an answer


class UnreadableCell(ValueError):
    """A cell that is no answer to its question, with a sentence that says why."""


@dataclass(frozen=True, slots=True)
class Slot:
    """The form fields of one question for one side or seat."""

    place: int | None  # the number of the side or seat, from 0; ``None`` for the whole hand
    keys: tuple[str, ...]  # of the fields


@dataclass(frozen=True)
class QuestionKind(ABC, Generic[QuestionT]):
    """A question at one table. Its subclasses, one for each type of answer, are the kinds.

    In methods *cleaned* is the ``cleaned_data`` of a form. Beside a field for a card's rank there
    may be a *companion* field for the exact card; its key ends with ``_exact``.
    """

    question: QuestionT
    mode: Mode  # how many players sit at the table, in which sides
    names: Names  # as pages show them
    full_names: Sequence[str] = ()  # of the players, indexed by seat, for reading files
    preset: bool = True  # if the question is required, its fields start on the usual answer

    template: ClassVar[str]  # the path of the template that shows the question
    counted: ClassVar[bool] = False  # a number is typed, for which the page has a pad and a sum
    of_people: ClassVar[bool] = False  # the answers to tap are people
    # The answer is an order of finish, with a field for each seat's place; ties and gaps may occur.
    ordered: ClassVar[bool] = False

    # One value: what a kind defines -----------------------------------------------------------

    @abstractmethod
    def field(self, label: str) -> forms.Field:
        """Return a field for one value."""

    @abstractmethod
    def read_value(self, cell: str) -> object:
        """Return the value that a cell of a file holds, or raise ``UnreadableCell``."""

    def companion(self, key: str) -> Fields:  # noqa: ARG002 - for cards
        """Return the companion of a field, keyed by its own key; nothing if it has none."""
        return {}

    def value(self, key: str, cleaned: Mapping[str, Any]) -> object:
        """Return the value of one field, or ``MISSING``."""
        # An empty value is no answer; kinds where 0 is one override this.
        return cleaned.get(key) or MISSING

    def value_initial(self, key: str, value: Any) -> dict[str, Any]:
        """Return the initial values, by key, of a field and its companion for this *value*."""
        return {} if value is None else {key: value}

    @property
    def single(self) -> bool:
        """Return whether the answer of a slot is one value rather than a list of values."""
        return self.question.count[1] == 1

    @property
    def choices(self) -> tuple[tuple[str | int | None, str | Text], ...]:
        """Return the (value, label) of each answer of a choice; nothing for the other kinds."""
        return ()

    @property
    def usual(self) -> str | None:
        """Return the form value on which the fields of a required question start, if any."""
        return None

    @property
    def by_rank(self) -> bool:
        """Return whether a card is asked by its rank, and the exact card only in a folded part."""
        return False

    @property
    def on_paper(self) -> QuestionT:
        """Return the question as the grid for paper sheets asks it: without a companion field."""
        return self.question

    # One slot ---------------------------------------------------------------------------------

    def slot_keys(self, stem: str) -> tuple[str, ...]:
        """Return the keys of a slot's fields: all begin with the *stem* ``name[_place]``."""
        if self.single:
            return (stem,)
        _least, most = self.question.count
        return tuple(f"{stem}_{nth}" for nth in range(most))

    def slot_answer(self, keys: tuple[str, ...], cleaned: Mapping[str, Any]) -> object:
        """Return the answer in a slot's fields, or ``MISSING`` if all of them are empty."""
        values = [self.value(key, cleaned) for key in keys]
        if self.single:
            return values[0]
        return [value for value in values if value is not MISSING] or MISSING

    def slot_initial(self, keys: tuple[str, ...], answer: object) -> dict[str, Any]:
        """Return the initial values of a slot's fields for this answer."""
        values = [answer] if self.single else as_list(answer)
        initial: dict[str, Any] = {}
        # There may be fewer values than fields.
        for key, value in zip(keys, values, strict=False):
            initial |= self.value_initial(key, value)
        return initial

    def read_cell(self, cell: str) -> object:
        """Return the answer of one slot in a cell of a file, or raise ``UnreadableCell``."""
        if self.single:
            return self.read_value(cell)
        return [self.read_value(part) for part in re.split(r"[\s,;]+", cell)]

    # The whole question -----------------------------------------------------------------------

    @property
    def places(self) -> Iterable[int | None]:
        """Return the numbers of the sides or seats that are asked; ``None`` alone for the hand."""
        match self.question.per:
            case Per.HAND:
                return (None,)
            case Per.SIDE:
                return range(len(self.mode.sides))
            case Per.SEAT:
                return range(self.mode.seats)
            case _:
                assert_never(self.question.per)

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        name = self.question.name
        return tuple(
            Slot(place, self.slot_keys(name if place is None else f"{name}_{place}"))
            for place in self.places
        )

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the keys of all fields, without those of companions."""
        return tuple(key for slot in self.slots for key in slot.keys)

    def slot_label(self, slot: Slot) -> tuple[str, str]:
        """Return the name of a slot's side or seat, and the side's letter; empty texts for none."""
        if slot.place is None:
            return "", ""
        if self.question.per is Per.SEAT:
            return self.names.at(slot.place), ""
        return self.names.of(slot.place), self.mode.letters[slot.place]

    def field_labels(self) -> Iterator[tuple[str, str]]:
        """Yield for each field of each slot, not for companions, the ``slot_label`` of its slot."""
        for slot in self.slots:
            yield from [self.slot_label(slot)] * len(slot.keys)

    @cached_property
    def fields(self) -> Fields:
        """Return the fields by key, with companions. All forms share them: copy, then change."""
        fields: Fields = {}
        whole_hand = say(self.question.label, self.names)
        for key, (label, _letter) in zip(self.keys, self.field_labels(), strict=True):
            fields[key] = self.field(label or whole_hand)
            if self.preset and self.question.required:
                fields[key].initial = self.usual
            fields |= self.companion(key)
        return fields

    def answer(self, cleaned: Mapping[str, Any]) -> object:
        """Return the answer as the sheet has it, or ``MISSING`` if there is none at all.

        An empty slot among others is ``None``; the rules decide whether that is allowed.
        """
        answers = [self.slot_answer(slot.keys, cleaned) for slot in self.slots]
        # A required question answered nowhere is a list of ``None``: the rules name what lacks.
        return self._joined(answers, keep_empty=self.question.required)

    def initial(self, answer: object) -> dict[str, Any]:
        """Return the initial values of the fields for this answer of a sheet."""
        # In a choice ``None`` may be an answer ("nobody"); else it is none at all.
        if answer is None and not self.choices:
            return {}
        answers = [answer] if self.question.per is Per.HAND else as_list(answer)
        initial: dict[str, Any] = {}
        # A stored list need not have an item for every slot.
        for slot, answer_there in zip(self.slots, answers, strict=False):
            initial |= self.slot_initial(slot.keys, answer_there)
        return initial

    def file_headings(self) -> tuple[str, ...]:
        """Return the headings in a file: ``eaten A`` and so on for sides, ``hands 1`` for seats."""
        name = self.question.name.replace("_", " ")
        by_side = self.question.per is Per.SIDE
        return tuple(
            name if place is None else f"{name} {side_letter(place) if by_side else place + 1}"
            for place in self.places
        )

    def read_cells(self, cells: Mapping[str, str]) -> object:
        """Return the answer in a line of a file, or ``MISSING`` if its cells are empty.

        *cells* are keyed by heading, in lower case; one of them may raise ``UnreadableCell``.
        """
        own_cells = [cells.get(heading.casefold(), "") for heading in self.file_headings()]
        return self._joined([self.read_cell(cell) if cell else MISSING for cell in own_cells])

    def _joined(self, answers: list[object], *, keep_empty: bool = False) -> object:
        """Return one answer for all slots; if all are empty, ``MISSING``, unless *keep_empty*."""
        if self.question.per is Per.HAND:
            return answers[0]
        if not keep_empty and all(answer is MISSING for answer in answers):
            return MISSING
        return [None if answer is MISSING else answer for answer in answers]


def seat_called(cell: str, *name_lists: Sequence[str]) -> int:
    """Return the seat of the player named in a cell.

    Each of *name_lists* is indexed by seat; the first in which exactly one name fits decides.

    :raises UnreadableCell: if nobody at the table has this name, or several have.
    """
    wanted = name_key(cell)
    for names in name_lists:
        seats = [seat for seat, name in enumerate(names) if name_key(name) == wanted]
        if len(seats) == 1:
            return seats[0]
    raise UnreadableCell(
        _("Nobody at this table is called “%(name)s”: these are %(people)s.")
        % {"name": cell.strip(), "people": together(name_lists[0])}
    )


def as_list(value: object) -> list[Any]:
    """Return a list or tuple as a list, and an empty list for any other value."""
    return list(value) if isinstance(value, list | tuple) else []


def select(label: str, choices: Iterable[tuple[str, str]]) -> forms.Field:
    return forms.ChoiceField(
        label=label, choices=[BLANK, *choices], required=False, widget=CachedSelect
    )


def number_field(label: str, most: int, *, limited: bool = False) -> forms.Field:
    """Return a field for a count: *most* limits its digits and, with *limited*, the number, too."""
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
    choices = [BLANK, *choices] if blank else list(choices)
    return forms.ChoiceField(label=label, choices=choices, required=False, widget=forms.RadioSelect)
