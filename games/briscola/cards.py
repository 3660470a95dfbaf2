"""Cards: the 40 Italian ones of Briscola, their order and what they are worth (R1, R7).

11 is the knave, 12 the knight and 13 the king (B-1).
"""

from dataclasses import dataclass
from enum import Enum

from games.errors import gettext_noop

NUMBERS = (2, 4, 5, 6, 7, 11, 12, 13, 3, 1)  # weakest first (R1)
VALUES = {1: 11, 3: 10, 13: 4, 12: 3, 11: 2}  # the others are worth nothing (R7)


class Suit(Enum):
    """A suit, by the letter that ends a card's code."""

    COINS = "D"  # denari
    SWORDS = "S"  # spade
    CUPS = "K"  # coppe
    CLUBS = "B"  # bastoni

    @property
    def label(self) -> str:
        """Return its name, to be translated."""
        return {
            "D": gettext_noop("coins"),
            "S": gettext_noop("swords"),
            "K": gettext_noop("cups"),
            "B": gettext_noop("clubs"),
        }[self.value]


@dataclass(frozen=True, slots=True)
class Card:
    """One card; its ``str`` is the code by which people, tests and vectors name it."""

    number: int
    suit: Suit

    def __str__(self) -> str:
        return f"{self.number}{self.suit.value}"

    @property
    def label(self) -> str:
        """Return its name, to be translated."""
        return _NAMES[str(self)]

    @property
    def strength(self) -> int:
        return NUMBERS.index(self.number)

    @property
    def value(self) -> int:
        return VALUES.get(self.number, 0)


PACK = tuple(Card(number, suit) for suit in Suit for number in reversed(NUMBERS))
BY_CODE = {str(card): card for card in PACK}


def parse_card(code: str) -> Card:
    """Return the card with this code.

    >>> parse_card("13B").value
    4

    :raises ValueError: if the pack has no such card (B-2).
    """
    try:
        return BY_CODE[code]
    except KeyError:
        raise ValueError(f"not a card: {code!r}") from None


# Whole names, since languages put number and suit together in their own ways.
_NAMES = {
    "1D": gettext_noop("Ace of coins"),
    "3D": gettext_noop("3 of coins"),
    "13D": gettext_noop("King of coins"),
    "12D": gettext_noop("Knight of coins"),
    "11D": gettext_noop("Knave of coins"),
    "7D": gettext_noop("7 of coins"),
    "6D": gettext_noop("6 of coins"),
    "5D": gettext_noop("5 of coins"),
    "4D": gettext_noop("4 of coins"),
    "2D": gettext_noop("2 of coins"),
    "1S": gettext_noop("Ace of swords"),
    "3S": gettext_noop("3 of swords"),
    "13S": gettext_noop("King of swords"),
    "12S": gettext_noop("Knight of swords"),
    "11S": gettext_noop("Knave of swords"),
    "7S": gettext_noop("7 of swords"),
    "6S": gettext_noop("6 of swords"),
    "5S": gettext_noop("5 of swords"),
    "4S": gettext_noop("4 of swords"),
    "2S": gettext_noop("2 of swords"),
    "1K": gettext_noop("Ace of cups"),
    "3K": gettext_noop("3 of cups"),
    "13K": gettext_noop("King of cups"),
    "12K": gettext_noop("Knight of cups"),
    "11K": gettext_noop("Knave of cups"),
    "7K": gettext_noop("7 of cups"),
    "6K": gettext_noop("6 of cups"),
    "5K": gettext_noop("5 of cups"),
    "4K": gettext_noop("4 of cups"),
    "2K": gettext_noop("2 of cups"),
    "1B": gettext_noop("Ace of clubs"),
    "3B": gettext_noop("3 of clubs"),
    "13B": gettext_noop("King of clubs"),
    "12B": gettext_noop("Knight of clubs"),
    "11B": gettext_noop("Knave of clubs"),
    "7B": gettext_noop("7 of clubs"),
    "6B": gettext_noop("6 of clubs"),
    "5B": gettext_noop("5 of clubs"),
    "4B": gettext_noop("4 of clubs"),
    "2B": gettext_noop("2 of clubs"),
}
