"""Cards: the forty Italian ones, their codes, their order, what they count (R1)."""

from dataclasses import dataclass
from enum import StrEnum

from games.errors import gettext_noop

NUMBERS = (2, 3, 4, 5, 6, 7, 11, 12, 13, 1)  # lowest first: the jack stands next to the seven


class Suit(StrEnum):
    """The four suits, the lowest first."""

    BATONS = "B"
    CUPS = "K"
    SWORDS = "S"
    COINS = "D"


SUITS = tuple(Suit)


@dataclass(frozen=True, slots=True)
class Card:
    """One card; its ``str`` is the code by which people, tests and vectors name it."""

    number: int
    suit: Suit

    def __str__(self) -> str:
        return f"{self.number}{self.suit}"

    @property
    def label(self) -> str:
        """Return its name, to be translated."""
        return _NAMES[self.suit][self.number]

    @property
    def height(self) -> int:
        """Where it stands in its suit, from 0 for the 2 to 9 for the ace."""
        return NUMBERS.index(self.number)

    @property
    def points(self) -> int:
        """What it counts in a hand of points: ace 11, pictures 10, others their number (R7)."""
        return 11 if self.number == 1 else min(self.number, 10)


PACK = tuple(Card(number, suit) for suit in SUITS for number in NUMBERS)
BY_CODE = {str(card): card for card in PACK}
PLACES = {card: place for place, card in enumerate(PACK)}

_NAMES = {
    Suit.COINS: {
        1: gettext_noop("ace of coins"),
        13: gettext_noop("king of coins"),
        12: gettext_noop("horse of coins"),
        11: gettext_noop("jack of coins"),
        7: gettext_noop("7 of coins"),
        6: gettext_noop("6 of coins"),
        5: gettext_noop("5 of coins"),
        4: gettext_noop("4 of coins"),
        3: gettext_noop("3 of coins"),
        2: gettext_noop("2 of coins"),
    },
    Suit.SWORDS: {
        1: gettext_noop("ace of swords"),
        13: gettext_noop("king of swords"),
        12: gettext_noop("horse of swords"),
        11: gettext_noop("jack of swords"),
        7: gettext_noop("7 of swords"),
        6: gettext_noop("6 of swords"),
        5: gettext_noop("5 of swords"),
        4: gettext_noop("4 of swords"),
        3: gettext_noop("3 of swords"),
        2: gettext_noop("2 of swords"),
    },
    Suit.CUPS: {
        1: gettext_noop("ace of cups"),
        13: gettext_noop("king of cups"),
        12: gettext_noop("horse of cups"),
        11: gettext_noop("jack of cups"),
        7: gettext_noop("7 of cups"),
        6: gettext_noop("6 of cups"),
        5: gettext_noop("5 of cups"),
        4: gettext_noop("4 of cups"),
        3: gettext_noop("3 of cups"),
        2: gettext_noop("2 of cups"),
    },
    Suit.BATONS: {
        1: gettext_noop("ace of batons"),
        13: gettext_noop("king of batons"),
        12: gettext_noop("horse of batons"),
        11: gettext_noop("jack of batons"),
        7: gettext_noop("7 of batons"),
        6: gettext_noop("6 of batons"),
        5: gettext_noop("5 of batons"),
        4: gettext_noop("4 of batons"),
        3: gettext_noop("3 of batons"),
        2: gettext_noop("2 of batons"),
    },
}

# As a form offers them: the coins first, from the ace down.
NAMED_CODES = tuple((str(card), card.label) for card in reversed(PACK))


def parse_card(code: str) -> Card:
    """Return the card with this code.

    >>> parse_card("13B").height
    8

    :raises ValueError: if the pack has no such card.
    """
    try:
        return BY_CODE[code]
    except KeyError:
        raise ValueError(f"not a card: {code!r}") from None
