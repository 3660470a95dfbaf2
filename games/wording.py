"""Sentences for people, kept apart from the names and the language they are shown in."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class AtSeat:
    """The person at this seat, in a sentence's params; the site shows the name.

    >>> str(AtSeat(0))
    'seat 0'
    """

    seat: int

    def __str__(self) -> str:
        return f"seat {self.seat}"


@dataclass(frozen=True, slots=True)
class OnSide:
    """The people of this side, in a sentence's params; the site shows the names.

    >>> str(OnSide(1))
    'side 1'
    """

    side: int

    def __str__(self) -> str:
        return f"side {self.side}"


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence to be translated, with the values that fill its named holes.

    A param may be a number, a string, an ``AtSeat``, an ``OnSide``, or another
    ``Text``; ``str`` gives the English, as the terminal shows it.

    >>> str(Text("%(who)s deals", {"who": AtSeat(2)}))
    'seat 2 deals'
    """

    template: str
    params: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.template % self.params


@dataclass(frozen=True, slots=True)
class Caution:
    """A custom that was not kept: the sheet is stored, and people are told.

    ``code`` is for programs and never changes.
    """

    code: str
    text: Text
