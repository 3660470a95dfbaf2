"""Sentences of the games with people's names, in the reader's language."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, pgettext

from games.errors import RuleError
from games.mode import Mode
from games.wording import Text, spoken


@dataclass(frozen=True, slots=True)
class Names:
    """The names of the people at a table, by seat and by side."""

    seats: tuple[str, ...]
    sides: tuple[str, ...]

    def at(self, seat: int) -> str:
        """Return the name of the person in a seat, or its number, from 1, if there is none."""
        if 0 <= seat < len(self.seats):
            return self.seats[seat]
        return gettext("Seat %(number)d") % {"number": seat + 1}

    def of(self, side: int) -> str:
        """Return the names of a side, or its number, from 1, if there are none."""
        if 0 <= side < len(self.sides):
            return self.sides[side]
        return gettext("Side %(number)d") % {"number": side + 1}


# With these, sentences call seats and sides by their numbers.
NAMELESS = Names((), ())


def names_of(mode: Mode, people: Sequence[str]) -> Names:
    """Return the names at a table from those of the *people* in its seats, in the seats' order.

    >>> from games.mode import teams
    >>> names_of(teams(4, 2, ""), ["Asha", "Neema", "Juma", "Baraka"]).sides
    ('Asha & Juma', 'Neema & Baraka')
    """
    seats = tuple(people)
    return Names(seats, tuple(together([seats[seat] for seat in side]) for side in mode.sides))


def together(people: Sequence[str]) -> str:
    """Join the names of several people.

    >>> together(["Asha"]), together(["Asha", "Juma"]), together(["Asha", "Juma", "Ali"])
    ('Asha', 'Asha & Juma', 'Asha, Juma & Ali')
    >>> together(["Asha & Juma", "Ali & Zuri"])
    'Asha & Juma and Ali & Zuri'
    """
    if not people:
        return ""
    *others, last = people
    if not others:
        return last
    joined = others[0]
    if len(others) > 1:
        joined = pgettext("between the names of several people", ", ").join(others)
    pairs = any(" & " in each for each in people)
    joint = gettext("%(others)s and %(last)s") if pairs else gettext("%(others)s & %(last)s")
    return joint % {"others": joined, "last": last}


def say(text: Text | RuleError | str | None, names: Names, *, brief: bool = False) -> str:
    """Return a sentence of a game, translated, with the names of these people.

    ``None`` gives an empty text. *brief* chooses the shorter wording of a text that has one.

    >>> from games.wording import AtSeat
    >>> say(Text("%(who)s deals", {"who": AtSeat(1)}), Names(("Asha", "Neema"), ()))
    'Neema deals'
    """
    if not text:  # Trap: the translation of the empty text is the catalogue's own header.
        return ""
    if isinstance(text, str):
        return gettext(text)
    return spoken(text, seat=names.at, side=names.of, translate=gettext, brief=brief)
