"""Cards: the 36 of Albastini, their order and what they are worth (R1, R2; 72 are R13)."""

from dataclasses import dataclass
from enum import Enum

from games.errors import gettext_noop

RANKS = ("3", "4", "5", "6", "Q", "J", "K", "7", "A")  # weakest first (R2)
VALUES = {"A": 11, "7": 10, "K": 4, "J": 3, "Q": 2}  # the others are worth nothing (R2)


class Suit(Enum):
    """A suit, by the letter that ends a card's code."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"

    @property
    def symbol(self) -> str:
        return {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}[self.value]

    @property
    def label(self) -> str:
        """Return its name, to be translated."""
        return {
            "S": gettext_noop("Spades"),
            "H": gettext_noop("Hearts"),
            "D": gettext_noop("Diamonds"),
            "C": gettext_noop("Clubs"),
        }[self.value]


@dataclass(frozen=True, slots=True)
class Card:
    """One card; its ``str`` is the code by which people, tests and vectors name it."""

    rank: str
    suit: Suit

    def __str__(self) -> str:
        return f"{self.rank}{self.suit.value}"

    @property
    def label(self) -> str:
        """Return what the card shows in its corner, the same in every language."""
        return f"{self.rank}{self.suit.symbol}"

    @property
    def strength(self) -> int:
        return RANKS.index(self.rank)

    @property
    def value(self) -> int:
        return VALUES.get(self.rank, 0)


PACK = tuple(Card(rank, suit) for suit in Suit for rank in reversed(RANKS))
BY_CODE = {str(card): card for card in PACK}


def parse_card(code: str) -> Card:
    """Return the card with this code.

    >>> parse_card("7H").value
    10

    :raises ValueError: if the pack has no such card.
    """
    try:
        return BY_CODE[code]
    except KeyError:
        raise ValueError(f"not a card: {code!r}") from None
