"""Sheets: what a table is asked after a hand, what it writes down, and what that earns.

A ``Sheet`` is plain JSON: lists go by side or by place from 0, in the direction
of play. Any sheet may carry ``dealer``, the seat that dealt; ``None`` says no more than
leaving it out. There are two forms:
the counted one, with an answer to every required question, and the bare one,
``{"bare": ...}``, for tables that did not count: the side that won or ``None``
for nobody, or the finishing order of the game. Of every game ``{"bare": "void"}``
is a hand that counts for nothing: no marks, and the same dealer deals again.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, Generic, TypeAlias, TypeVar

from games.wording import SheetWarning, Text

Sheet: TypeAlias = Mapping[str, Any]
VOID = "void"
Marks: TypeAlias = tuple[Mapping[str, int], ...]
SessionT = TypeVar("SessionT")


class Per(StrEnum):
    """How often a question is asked: once a hand, or of every side, or of every seat."""

    HAND = "hand"
    SIDE = "side"
    SEAT = "seat"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionBase:
    """What every kind of question has. ``name`` is its key in the sheet.

    A question with ``aside`` waits behind *More*. One with ``depends_on``
    ``(name, values)`` is asked only while the answer to *name* is one of *values*.
    With ``per`` a side or seat the answer is a list, ``None`` where there is none;
    ``count`` (least, most) says how many values one answer holds: ``(1, 1)`` is a
    single value, anything else a list.
    """

    name: str
    label: str
    per: Per = Per.HAND
    count: tuple[int, int] = (1, 1)
    required: bool = True
    aside: bool = False
    depends_on: tuple[str, tuple[str, ...]] | None = None
    help: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Number(QuestionBase):
    """A whole number from ``low`` to ``high``, both included."""

    low: int = 0
    high: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Order(QuestionBase):
    """Seats one after another; ``seats`` are those that can be named, as to be listed."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(QuestionBase):
    """One of a few answers: ``(value as in the sheet, label)``, the usual one first.

    A label is a ``Text`` where it names a seat or a side.
    """

    choices: tuple[tuple[str | int | None, str | Text], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Card(QuestionBase):
    """A card of the pack by its code; ``cards`` and ``ranks`` are ``(code, label)``.

    Where the rank alone suffices, ``ranks`` lists the ranks and is offered first.
    """

    cards: tuple[tuple[str, str], ...]
    ranks: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat(QuestionBase):
    """One seat out of ``seats``."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seats(QuestionBase):
    """Some of ``seats``, in no order; ``count`` bounds how many."""

    seats: tuple[int, ...]


Question: TypeAlias = Number | Order | Choice | Card | Seat | Seats


class Scope(StrEnum):
    """Whose a mark is. A side's counts once for a team, a seat's is summed over its players."""

    SIDE = "side"
    SEAT = "seat"


@dataclass(frozen=True, slots=True)
class Mark:
    """A whole number a hand gives a seat under ``key``.

    ``parts`` says what one of the amount is: 1 a whole point, 2 half a point. A mark
    that tells a change from hand to hand names in ``anew`` the mark that says the whole:
    that counts in the first hand of whoever takes over a seat, who inherits nothing.
    ``one`` and ``many`` say what a hand gave, as people do: of one, and of a ``%(number)s``.
    Marks of sides need neither, as the hand's headline tells them.
    """

    key: str
    label: str
    scope: Scope = Scope.SIDE
    parts: int = 1
    anew: str = ""
    one: str = ""
    many: str = ""


class Reads(StrEnum):
    """What a criterion is worked out from."""

    MARKS = "marks"  # the sums of an entrant's own marks
    MEETINGS = "meetings"  # who met whom, and with which result
    LOTS = "lots"


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """A figure worked out from sums of marks: a column, or a key to rank by.

    Its value is the weighted sum of ``terms`` (mark key, weight) divided by
    ``parts``, and, where ``per`` names marks, divided by the sum of those. A criterion that
    ``reads`` anything else has no terms: a game only names it, and the tracker works it out.
    One that divides is shown where it ranks, beside the figures ``follows_from`` that tell how it
    came about. ``one`` and ``many`` say an amount in words, of a ``%(number)s``, where the amount
    and the label in small letters do not.
    """

    key: str
    label: str
    terms: tuple[tuple[str, int], ...] = ()
    reads: Reads = Reads.MARKS
    per: tuple[str, ...] = ()
    parts: int = 1
    fewest: bool = False  # ranked by, the least is best
    percent: bool = False  # shown as a share of a hundred
    short: str = ""  # the short name, where the label is long
    meaning: str = ""  # in a few words, where the label alone does not tell
    decision: str = ""  # a sentence on two figures of it, where its label alone does not tell
    source: str = ""  # the regulation and the article that define it
    one: str = ""
    many: str = ""
    follows_from: "tuple[Criterion, ...]" = ()

    def value(self, sums: Mapping[str, int]) -> Fraction:
        """Return the figure for these sums by mark key; nothing played is 0.

        >>> share = Criterion(
        ...     key="share", label="", terms=(("eaten", 1),), per=("there",), percent=True
        ... )
        >>> share.value({"eaten": 70, "there": 120}), share.value({})
        (Fraction(7, 12), Fraction(0, 1))
        """
        return Fraction(self.number(sums))

    def number(self, sums: Mapping[str, int]) -> Fraction | int:
        """Return the same figure, as an ``int`` where nothing is divided, which is far quicker."""
        top = sum([weight * sums.get(key, 0) for key, weight in self.terms])
        under = self.parts * (sum(sums.get(key, 0) for key in self.per) if self.per else 1)
        if under == 1:
            return top
        return Fraction(top, under) if under else 0


def criterion(key: str, label: str, **more: Any) -> Criterion:
    """Return the criterion that is simply the sum of one mark, with *more* of its fields."""
    return Criterion(key=key, label=label, terms=((key, 1),), **more)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored(Generic[SessionT]):
    """What one sheet leaves: the session after it, itself completed, and its marks.

    ``sheet`` has every answer that follows from the others filled in, and always
    ``dealer``, which is ``None`` where the table drew for the deal and wrote down no more;
    ``derived`` in it names what was filled and not counted. ``marks``
    go by place; ``None`` where the hand gives nobody anything (a void one).
    """

    session: SessionT
    sheet: Sheet
    marks: Marks | None
    warnings: tuple[SheetWarning, ...] = ()

    @property
    def ends_game(self) -> bool:
        """Say whether this was the last hand of a game; one that counts for nothing never is."""
        return self.marks is not None and bool(getattr(self.session, "over", False))


def plain(value: Any) -> Any:
    """Return a value as it comes back from JSON: with lists for tuples.

    >>> plain({"eaten": (70, 50)})
    {'eaten': [70, 50]}
    """
    return json.loads(json.dumps(value))


def side_marks(
    marks: Sequence[Mapping[str, int]] | Mapping[int, Mapping[str, int]],
    seats: Sequence[int],
    of_seats: Collection[str],
) -> dict[str, int]:
    """Return what seats of one side have of a hand together, by mark key.

    Of a mark *of_seats* it is the sum, of any other what each of them has, once.

    >>> hand = ({"won": 1, "dealt": 1}, {"won": 0}, {"won": 1, "dealt": 0})
    >>> side_marks(hand, (0, 2), {"dealt"})
    {'won': 1, 'dealt': 1}
    """
    together: dict[str, int] = {}
    for seat in seats:
        for key, amount in marks[seat].items():
            if key in of_seats:
                together[key] = together.get(key, 0) + amount
            elif not together.get(key):
                together[key] = amount
    return together
