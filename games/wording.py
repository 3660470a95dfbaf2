"""Sentences for people, kept apart from the names and the language they are shown in."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce

from games.errors import gettext_noop


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
class SheetWarning:
    """A custom that was not kept: the sheet is stored, and people are told.

    ``code`` is for programs and never changes.
    """

    code: str
    text: Text


def then(first: Text, second: Text) -> Text:
    """Return two whole sentences, one after the other."""
    return Text(gettext_noop("%(first)s %(second)s"), {"first": first, "second": second})


def listed(names: Iterable[Text]) -> Text:
    """Return the names in a row; “nothing” for none.

    >>> str(listed([Text("the ace"), Text("the 7")]))
    'the ace, the 7'
    """
    found = list(names)
    return reduce(_with_comma, found) if found else Text(gettext_noop("nothing"))


def _with_comma(first: Text, second: Text) -> Text:
    return Text(gettext_noop("%(first)s, %(second)s"), {"first": first, "second": second})
