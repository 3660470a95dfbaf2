"""Cards: the forty Italian ones, their codes, their order, what they count (R1)."""

from functools import partial

from games.cards import CardSuit, Face, card_named
from games.italian_pack import ItalianCard

NUMBERS = (2, 3, 4, 5, 6, 7, 11, 12, 13, 1)  # lowest first: the jack stands next to the seven


class Suit(CardSuit):
    """The four suits, the lowest first."""

    BATONS = "B"
    CUPS = "K"
    SWORDS = "S"
    COINS = "D"


SUITS = tuple(Suit)


class Card(ItalianCard):
    """A card of Mambassa."""

    __slots__ = ()

    @property
    def height(self) -> int:
        """Its rank within its suit, from 0 for the 2 to 9 for the ace."""
        return NUMBERS.index(self.number)

    @property
    def value(self) -> int:
        """What it counts in a hand of points: ace 11, pictures 10, others their number (R7)."""
        return 11 if self.number == 1 else min(self.number, 10)


PACK = tuple(Card(number, suit) for suit in SUITS for number in NUMBERS)
BY_CODE = {str(card): card for card in PACK}
parse_card = partial(card_named, BY_CODE)


def face(code: str) -> Face:
    return parse_card(code).face


PLACES = {card: place for place, card in enumerate(PACK)}

# As a form offers them: the coins first, from the ace down.
NAMED_CODES = tuple((str(card), card.label) for card in reversed(PACK))
