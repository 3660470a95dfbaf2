"""Italian pack: the forty cards of Briscola and Mambassa, and what they are called.

A card's code is its number (11 jack, 12 horse, 13 king) and the letter of its suit. The names are
English; the Italian ones stand beside them where codes are explained.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from games.cards import CardSuit, Face
from games.errors import gettext_noop
from games.wording import Text

# What stands in the corner of the ace and the pictures.
_CORNERS = {1: "A", 13: gettext_noop("K"), 12: gettext_noop("H"), 11: gettext_noop("J")}

# Whole names, since languages put number and suit together in their own ways.
NAMES: Mapping[str, str] = {
    "1D": gettext_noop("Ace of coins"),
    "13D": gettext_noop("King of coins"),
    "12D": gettext_noop("Horse of coins"),
    "11D": gettext_noop("Jack of coins"),
    "7D": gettext_noop("7 of coins"),
    "6D": gettext_noop("6 of coins"),
    "5D": gettext_noop("5 of coins"),
    "4D": gettext_noop("4 of coins"),
    "3D": gettext_noop("3 of coins"),
    "2D": gettext_noop("2 of coins"),
    "1S": gettext_noop("Ace of swords"),
    "13S": gettext_noop("King of swords"),
    "12S": gettext_noop("Horse of swords"),
    "11S": gettext_noop("Jack of swords"),
    "7S": gettext_noop("7 of swords"),
    "6S": gettext_noop("6 of swords"),
    "5S": gettext_noop("5 of swords"),
    "4S": gettext_noop("4 of swords"),
    "3S": gettext_noop("3 of swords"),
    "2S": gettext_noop("2 of swords"),
    "1K": gettext_noop("Ace of cups"),
    "13K": gettext_noop("King of cups"),
    "12K": gettext_noop("Horse of cups"),
    "11K": gettext_noop("Jack of cups"),
    "7K": gettext_noop("7 of cups"),
    "6K": gettext_noop("6 of cups"),
    "5K": gettext_noop("5 of cups"),
    "4K": gettext_noop("4 of cups"),
    "3K": gettext_noop("3 of cups"),
    "2K": gettext_noop("2 of cups"),
    "1B": gettext_noop("Ace of batons"),
    "13B": gettext_noop("King of batons"),
    "12B": gettext_noop("Horse of batons"),
    "11B": gettext_noop("Jack of batons"),
    "7B": gettext_noop("7 of batons"),
    "6B": gettext_noop("6 of batons"),
    "5B": gettext_noop("5 of batons"),
    "4B": gettext_noop("4 of batons"),
    "3B": gettext_noop("3 of batons"),
    "2B": gettext_noop("2 of batons"),
}


@dataclass(frozen=True, slots=True)
class ItalianCard:
    """One card; its ``str`` is the code by which people, tests and vectors name it."""

    number: int
    suit: CardSuit

    def __str__(self) -> str:
        return f"{self.number}{self.suit.value}"

    @property
    def label(self) -> str:
        """Return its name, to be translated."""
        return NAMES[str(self)]

    @property
    def value(self) -> int:
        """Return what it counts in this game."""
        raise NotImplementedError

    @property
    def face(self) -> Face:
        """Return how it is drawn."""
        return Face(
            code=str(self),
            rank=_CORNERS.get(self.number, str(self.number)),
            name=Text(self.label),
            pip=self.suit.pip,
            points=self.value,
        )
