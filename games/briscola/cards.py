"""Cards: the 40 Italian ones of Briscola, their order and what they are worth (R1, R7).

11 is the jack, 12 the horse and 13 the king (B-1).
"""

from dataclasses import dataclass
from enum import Enum
from functools import partial

from games import italian_pack
from games.cards import Face, card_named
from games.italian_pack import NAMES, SUITS

NUMBERS = (2, 4, 5, 6, 7, 11, 12, 13, 3, 1)  # weakest first (R1)
VALUES = {1: 11, 3: 10, 13: 4, 12: 3, 11: 2}  # the others are worth nothing (R7)


class Suit(Enum):
    """A suit, by the letter that ends a card's code."""

    COINS = "D"  # denari
    SWORDS = "S"  # spade
    CUPS = "K"  # coppe
    BATONS = "B"  # bastoni

    @property
    def label(self) -> str:
        """Return its name, to be translated."""
        return SUITS[self.value]


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
        return NAMES[str(self)]

    @property
    def face(self) -> Face:
        """Return how it is drawn."""
        return italian_pack.face(str(self), self.value)

    @property
    def strength(self) -> int:
        return NUMBERS.index(self.number)

    @property
    def value(self) -> int:
        return VALUES.get(self.number, 0)


PACK = tuple(Card(number, suit) for suit in Suit for number in reversed(NUMBERS))
BY_CODE = {str(card): card for card in PACK}
parse_card = partial(card_named, BY_CODE)  # of this pack alone (B-2)


def face(code: str) -> Face:
    """Return how the card of this code is drawn."""
    return parse_card(code).face
