"""Answers as people write them in a spreadsheet: read by the kind of question alone."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from django.utils.translation import gettext as _

from games.mode import Mode
from games.sheet import VOID, Card, Choice, Number, Order, Per, Question, Seat, Seats
from games.wording import Text
from tracker.common.wording import Names, say
from tracker.models import name_key
from tracker.reports.forms.questions import MISSING

_BETWEEN = re.compile(r"[,;>|/]")
_TOGETHER = re.compile(r"[,;&+|/]")
_NOBODY = frozenset({"nobody", "none", "tie", "tied", "draw", "drawn", "-", "–"})


class Unreadable(ValueError):
    """A cell that says nothing this question knows, with a sentence that says so."""


@dataclass(frozen=True, slots=True)
class Called:
    """What the people of a table are called on its pages, and in full, by seat."""

    names: Names
    full: tuple[str, ...]

    def seat(self, said: str) -> int:
        """Return the seat of the one who is called like this.

        :raises Unreadable: if nobody at the table is, or several are.
        """
        wanted = name_key(said)
        for people in (self.full, self.names.seats):
            found = [seat for seat, name in enumerate(people) if name_key(name) == wanted]
            if len(found) == 1:
                return found[0]
        raise Unreadable(_("Nobody at this table is called “%(name)s”.") % {"name": said.strip()})

    def of(self, seat: int) -> tuple[str, str]:
        return self.full[seat], self.names.at(seat)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a file: its heading, and whose answer it holds."""

    heading: str
    place: int | None


def columns(question: Question, mode: Mode) -> tuple[Column, ...]:
    """Return the columns a question takes: ``eaten A``, ``eaten B``; of seats by number, from 1."""
    name = question.name.replace("_", " ")
    match question.per:
        case Per.HAND:
            return (Column(name, None),)
        case Per.SIDE:
            return tuple(Column(f"{name} {letter(side)}", side) for side in range(len(mode.sides)))
        case Per.SEAT:
            return tuple(Column(f"{name} {seat + 1}", seat) for seat in range(mode.seats))
        case _:
            assert_never(question.per)


def letter(side: int) -> str:
    return chr(ord("A") + side)


def answer(question: Question, mode: Mode, called: Called, cells: Mapping[str, str]) -> object:
    """Return the answer that these cells hold, or ``MISSING`` where they are empty.

    :raises Unreadable: if one of them cannot be read.
    """
    told: list[object] = []
    for column in columns(question, mode):
        said = cells.get(column.heading.casefold(), "")
        told.append(_value(question, said, mode, called) if said else MISSING)
    if all(value is MISSING for value in told):
        return MISSING
    if question.per is Per.HAND:
        return told[0]
    return [None if value is MISSING else value for value in told]


def bare(question: Question, said: str, mode: Mode, called: Called) -> object:
    """Return what the column ``bare`` says: who won, nobody, an order, or that it is void.

    :raises Unreadable: if it cannot be read.
    """
    if said.casefold() == VOID:
        return VOID
    return _value(question, said, mode, called)


def _value(question: Question, said: str, mode: Mode, called: Called) -> object:
    match question:
        case Number() | Card() | Choice() if question.count[1] > 1:
            return [_one(question, part, mode, called) for part in re.split(r"[\s,;]+", said)]
        case Number() | Card() | Choice() | Seat():
            return _one(question, said, mode, called)
        case Order():
            return [_shared(part, called) for part in _parts(_BETWEEN, said)]
        case Seats():
            return sorted(called.seat(part) for part in _parts(_TOGETHER, said))
        case _:
            assert_never(question)


def _one(question: Number | Card | Choice | Seat, said: str, mode: Mode, called: Called) -> object:
    match question:
        case Number():
            if not re.fullmatch(r"\d{1,4}", said, re.ASCII):
                raise Unreadable(_("“%(said)s” is not a whole number.") % {"said": said})
            return int(said)
        case Card():
            return _coded((*question.ranks, *question.cards), said, called)
        case Choice():
            return _chosen(question, said, mode, called)
        case Seat():
            return called.seat(said)
        case _:
            assert_never(question)


def _coded(cards: Sequence[tuple[str, str | Text]], said: str, called: Called) -> str:
    wanted = said.casefold()
    for code, label in cards:
        if wanted in {code.casefold(), say(label, called.names).casefold()}:
            return code
    raise Unreadable(_("“%(said)s” is no card of this game.") % {"said": said})


def _chosen(question: Choice, said: str, mode: Mode, called: Called) -> object:
    """Return the choice that is meant: by its code, its words, or a side by letter or people."""
    wanted, sides = said.casefold(), {value for value, _label in question.choices}
    for value, label in question.choices:
        if wanted in {str(value).casefold(), say(label, called.names).casefold()}:
            return value
    if None in sides and wanted in _NOBODY:
        return None
    for side, seats in enumerate(mode.sides):
        people = {name_key(name) for seat in seats for name in called.of(seat)}
        if side in sides and (wanted == letter(side).casefold() or name_key(said) in people):
            return side
    raise Unreadable(_("“%(said)s” is not one of the answers.") % {"said": said})


def _shared(said: str, called: Called) -> object:
    """Return a seat, or several that share a place: ``Asha = Juma``."""
    seats = [called.seat(part) for part in _parts(re.compile("="), said)]
    return seats[0] if len(seats) == 1 else seats


def _parts(between: re.Pattern[str], said: str) -> list[str]:
    return [part for part in between.split(said) if part.strip()]
