"""Wording: sentences as templates with parameters, to be translated and given names."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from games.errors import RuleError


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
    ``Text``; ``str`` gives the English, as the terminal shows it. ``brief``
    is the same where there is little room.

    >>> str(Text("%(who)s deals", {"who": AtSeat(2)}))
    'seat 2 deals'
    """

    template: str
    params: Mapping[str, object] = field(default_factory=dict, hash=False)
    brief: str = ""

    def __str__(self) -> str:
        return self.template % self.params


def _(template: str, /, **params: object) -> Text:
    """Return a sentence to be translated; the name of this function marks it for translators.

    >>> str(_("%(who)s deals", who=AtSeat(2)))
    'seat 2 deals'
    """
    return Text(template, params)


@dataclass(frozen=True, slots=True)
class SheetWarning:
    """A warning about a custom that was not followed; the sheet is stored all the same.

    ``code`` is for programs and never changes.
    """

    code: str
    text: Text


def spoken(
    sentence: Text | RuleError,
    *,
    seat: Callable[[int], str],
    side: Callable[[int], str],
    translate: Callable[[str], str] = str,
    brief: bool = False,
) -> str:
    """Return the sentence translated, with what each seat and each side in it is called.

    With *brief* it is in the words that a text has for where there is little room.

    >>> spoken(Text("%(who)s deals", {"who": AtSeat(1)}), seat="ABC".__getitem__, side=str)
    'B deals'
    """

    def shown(param: object) -> object:
        match param:
            case AtSeat():
                return seat(param.seat)
            case OnSide():
                return side(param.side)
            case Text() | RuleError():
                return spoken(param, seat=seat, side=side, translate=translate, brief=brief)
            case _:
                return param

    template = (getattr(sentence, "brief", "") if brief else "") or sentence.template
    return translate(template) % {hole: shown(param) for hole, param in sentence.params.items()}


def then(first: Text, second: Text) -> Text:
    """Return two whole sentences, one after the other."""
    return _("%(first)s %(second)s", first=first, second=second)


def listed(names: Iterable[Text]) -> Text:
    """Return the names in a row; “nothing” for none.

    >>> str(listed([Text("the ace"), Text("the 7")]))
    'the ace, the 7'
    """
    row = list(names)
    if not row:
        return _("nothing")
    together = row[0]
    for name in row[1:]:
        together = _("%(first)s, %(second)s", first=together, second=name)
    return together


def seats_listed(seats: Iterable[int]) -> Text:
    """Return the people on these seats in a row.

    >>> str(seats_listed([0, 2]))
    'seat 0, seat 2'
    """
    return listed(Text("%(who)s", {"who": AtSeat(seat)}) for seat in seats)
