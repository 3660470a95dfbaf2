"""Cards: the 36 of Albastini, their order and what they are worth (R1, R2; 72 are R13)."""

from dataclasses import dataclass
from functools import partial

from games.cards import SYMBOLS, CardSuit, Face, card_named
from games.errors import gettext_noop
from games.wording import Text

RANKS = ("3", "4", "5", "6", "Q", "J", "K", "7", "A")  # weakest first (R2)
VALUES = {"A": 11, "7": 10, "K": 4, "J": 3, "Q": 2}  # the others are worth nothing (R2)


class Suit(CardSuit):
    """The four suits."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


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
        return f"{self.rank}{SYMBOLS[self.suit.pip]}"

    @property
    def name(self) -> str:
        """Return how it is read aloud, to be translated."""
        return _NAMES[str(self)]

    @property
    def face(self) -> Face:
        """Return how it is drawn."""
        return Face(
            code=str(self),
            rank=self.rank,
            name=Text(self.name),
            pip=self.suit.pip,
            points=self.value,
        )

    @property
    def strength(self) -> int:
        return RANKS.index(self.rank)

    @property
    def value(self) -> int:
        return VALUES.get(self.rank, 0)


PACK = tuple(Card(rank, suit) for suit in Suit for rank in reversed(RANKS))
BY_CODE = {str(card): card for card in PACK}
parse_card = partial(card_named, BY_CODE)


def face(code: str) -> Face:
    return parse_card(code).face


# Whole names, since languages put rank and suit together in their own ways.
_NAMES = {
    "AS": gettext_noop("Ace of spades"),
    "7S": gettext_noop("7 of spades"),
    "KS": gettext_noop("King of spades"),
    "JS": gettext_noop("Jack of spades"),
    "QS": gettext_noop("Queen of spades"),
    "6S": gettext_noop("6 of spades"),
    "5S": gettext_noop("5 of spades"),
    "4S": gettext_noop("4 of spades"),
    "3S": gettext_noop("3 of spades"),
    "AH": gettext_noop("Ace of hearts"),
    "7H": gettext_noop("7 of hearts"),
    "KH": gettext_noop("King of hearts"),
    "JH": gettext_noop("Jack of hearts"),
    "QH": gettext_noop("Queen of hearts"),
    "6H": gettext_noop("6 of hearts"),
    "5H": gettext_noop("5 of hearts"),
    "4H": gettext_noop("4 of hearts"),
    "3H": gettext_noop("3 of hearts"),
    "AD": gettext_noop("Ace of diamonds"),
    "7D": gettext_noop("7 of diamonds"),
    "KD": gettext_noop("King of diamonds"),
    "JD": gettext_noop("Jack of diamonds"),
    "QD": gettext_noop("Queen of diamonds"),
    "6D": gettext_noop("6 of diamonds"),
    "5D": gettext_noop("5 of diamonds"),
    "4D": gettext_noop("4 of diamonds"),
    "3D": gettext_noop("3 of diamonds"),
    "AC": gettext_noop("Ace of clubs"),
    "7C": gettext_noop("7 of clubs"),
    "KC": gettext_noop("King of clubs"),
    "JC": gettext_noop("Jack of clubs"),
    "QC": gettext_noop("Queen of clubs"),
    "6C": gettext_noop("6 of clubs"),
    "5C": gettext_noop("5 of clubs"),
    "4C": gettext_noop("4 of clubs"),
    "3C": gettext_noop("3 of clubs"),
}
