"""The questions of a game as fields of a form, by their kind alone.

Every question has *slots*: one, or one for each side or seat it is asked of. A slot
holds one value or as many as its count says, under names that never change:
``eaten_0``, ``face_up``, ``hands_2_3``; an order has one field for every seat that
can be named, which holds that seat's place from 1.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, assert_never

from django import forms
from django.utils.translation import gettext as _

from games.mode import Mode
from games.sheet import Card, Choice, Number, Order, Per, Question, QuestionBase, Seat, Seats
from tracker.queries.wording import Names, say

NOBODY = "none"  # how a form writes the answer ``None``
EXACT = "exact"  # the very card, where its rank alone would do
BLANK = ("", "–")
Fields = dict[str, forms.Field]


@dataclass(frozen=True, slots=True)
class Slot:
    """Whom a question is asked of, and the fields that hold the answer."""

    place: int | None
    keys: tuple[str, ...]


def slots(question: Question, mode: Mode) -> tuple[Slot, ...]:
    """Return the slots of a question, in the order in which people are shown."""
    places: Iterable[int | None]
    match question.per:
        case Per.HAND:
            places = [None]
        case Per.SIDE:
            places = range(len(mode.sides))
        case Per.SEAT:
            places = range(mode.seats)
        case _:
            assert_never(question.per)
    return tuple(Slot(place, _keys(question, place)) for place in places)


def _keys(question: Question, place: int | None) -> tuple[str, ...]:
    key = question.name if place is None else f"{question.name}_{place}"
    match question:
        case Order():
            return tuple(f"{key}_{seat}" for seat in question.seats)
        case Seats():
            return (key,)
        case Number() | Choice() | Card() | Seat():
            most = question.count[1]
            return (key,) if most == 1 else tuple(f"{key}_{nth}" for nth in range(most))
        case _:
            assert_never(question)


def keys(question: Question, mode: Mode) -> tuple[str, ...]:
    """Return the names of all fields of a question."""
    plain = [key for slot in slots(question, mode) for key in slot.keys]
    exact = [f"{key}_{EXACT}" for key in plain] if by_rank(question) else []
    return (*plain, *exact)


def by_rank(question: Question) -> bool:
    """Say whether the rank alone is asked first, and the very card only behind *More*."""
    return isinstance(question, Card) and bool(question.ranks) and not question.aside


def fields(question: Question, mode: Mode, names: Names, *, preset: bool = True) -> Fields:
    """Return the fields of a question by name.

    A required choice starts on its usual answer, unless *preset* says otherwise.
    """
    made: Fields = {}
    for slot in slots(question, mode):
        for nth, key in enumerate(slot.keys):
            made[key] = _field(question, nth, _slot_label(question, slot.place, names), names)
            if preset and isinstance(question, Choice) and question.required:
                made[key].initial = code(question.choices[0][0])
            if isinstance(question, Card) and by_rank(question):
                cards = _named(question.cards, names)
                made[f"{key}_{EXACT}"] = _select(_("The very card"), cards)
    return made


def _slot_label(question: QuestionBase, place: int | None, names: Names) -> str:
    match question.per:
        case Per.SIDE if place is not None:
            return names.of(place)
        case Per.SEAT if place is not None:
            return names.at(place)
        case _:
            return say(question.label, names)


def _field(question: Question, nth: int, label: str, names: Names) -> forms.Field:
    match question:
        case Number():
            return _whole_number(label, most=question.high)
        case Order():
            places = [(str(place), str(place)) for place in range(1, len(question.seats) + 1)]
            return _select(names.at(question.seats[nth]), places)
        case Choice():
            told = [(code(value), say(text, names)) for value, text in question.choices]
            return _radio(label, told, blank=not question.required)
        case Card():
            return _card(question, label, names)
        case Seat():
            return _radio(label, _people(question.seats, names), blank=not question.required)
        case Seats():
            return forms.MultipleChoiceField(
                label=label,
                choices=_people(question.seats, names),
                required=False,
                widget=forms.CheckboxSelectMultiple,
            )
        case _:
            assert_never(question)


def _card(question: Card, label: str, names: Names) -> forms.Field:
    ranks, cards = _named(question.ranks, names), _named(question.cards, names)
    if by_rank(question):
        return _radio(label, ranks, blank=not question.required)
    return _select(label, [*ranks, *cards])


def _named(cards: Iterable[tuple[str, str]], names: Names) -> list[tuple[str, str]]:
    """Return cards by code, with what they are called in the reader's language."""
    return [(each, say(label, names)) for each, label in cards]


def _whole_number(label: str, *, most: int) -> forms.Field:
    attrs = {
        "inputmode": "numeric",
        "pattern": "[0-9]*",
        "autocomplete": "off",
        "maxlength": len(str(most)),
        "data-most": most,
    }
    return forms.IntegerField(
        label=label,
        required=False,
        widget=forms.TextInput(attrs=attrs),
        error_messages={"invalid": _("This must be a whole number.")},
    )


def _select(label: str, choices: Iterable[tuple[str, str]]) -> forms.Field:
    return forms.ChoiceField(label=label, choices=[BLANK, *choices], required=False)


def _radio(label: str, choices: Iterable[tuple[str, str]], *, blank: bool) -> forms.Field:
    return forms.ChoiceField(
        label=label,
        choices=[BLANK, *choices] if blank else list(choices),
        required=False,
        widget=forms.RadioSelect,
    )


def _people(seats: Iterable[int], names: Names) -> list[tuple[str, str]]:
    return [(str(seat), names.at(seat)) for seat in seats]


def code(value: str | int | None) -> str:
    return NOBODY if value is None else str(value)


# What was answered ----------------------------------------------------------------------------


class _Missing:
    """No answer, where ``None`` may be one."""


MISSING = _Missing()


def answer(question: Question, mode: Mode, cleaned: Mapping[str, Any]) -> object:
    """Return the answer as the sheet has it, or ``MISSING`` where there is none at all.

    A slot left empty among others is ``None``; the rules say whether that will do.
    """
    given = [_slot_answer(question, slot, cleaned) for slot in slots(question, mode)]
    if question.per is Per.HAND:
        return given[0]
    if all(value is MISSING for value in given) and not question.required:
        return MISSING
    return [None if value is MISSING else value for value in given]


def _slot_answer(question: Question, slot: Slot, cleaned: Mapping[str, Any]) -> object:
    match question:
        case Order():
            return _order(question, slot, cleaned)
        case Seats():
            seats = [int(seat) for seat in cleaned.get(slot.keys[0]) or ()]
            return seats or MISSING
        case Number() | Choice() | Card() | Seat():
            values = [_value(question, key, cleaned) for key in slot.keys]
            if all(value is MISSING for value in values):
                return MISSING
            if question.count[1] == 1:
                return values[0]
            return [value for value in values if value is not MISSING]
        case _:
            assert_never(question)


def _order(question: Order, slot: Slot, cleaned: Mapping[str, Any]) -> object:
    """Return the seats by the places they were given; those of one place together."""
    by_place: dict[int, list[int]] = {}
    for seat, key in zip(question.seats, slot.keys, strict=True):
        if place := cleaned.get(key):
            by_place.setdefault(int(place), []).append(seat)
    groups = [by_place[place] for place in sorted(by_place)]
    return [group[0] if len(group) == 1 else group for group in groups] or MISSING


def _value(question: Number | Choice | Card | Seat, key: str, cleaned: Mapping[str, Any]) -> object:
    given = cleaned.get(key)
    match question:
        case Number():
            return MISSING if given is None else given
        case Choice():
            by_code = {code(value): value for value, _label in question.choices}
            return by_code.get(given or "", MISSING)
        case Card():
            return cleaned.get(f"{key}_{EXACT}") or given or MISSING
        case Seat():
            return int(given) if given else MISSING
        case _:
            assert_never(question)


def has_ties(value: object) -> bool:
    """Say whether an order names several seats for one place."""
    return isinstance(value, list) and any(isinstance(entry, list) for entry in value)


def has_gaps(question: Question, mode: Mode, cleaned: Mapping[str, Any]) -> bool:
    """Say whether an order leaves out a place before its last."""
    if not isinstance(question, Order):
        return False
    for slot in slots(question, mode):
        taken = sorted(int(cleaned[key]) for key in slot.keys if cleaned.get(key))
        # Two who share a place leave the one behind it empty: 1, 2, 2, 4.
        if any(place > taken_before + 1 for taken_before, place in enumerate(taken)):
            return True
    return False
