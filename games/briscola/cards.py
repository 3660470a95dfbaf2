"""Cards: the 40 Italian ones of Briscola, their order and what they are worth (R1, R7).

11 is the jack, 12 the horse and 13 the king (B-1).
"""

from functools import partial

from games.cards import CardSuit, Face, card_named
from games.italian_pack import ItalianCard

NUMBERS = (2, 4, 5, 6, 7, 11, 12, 13, 3, 1)  # weakest first (R1)
VALUES = {1: 11, 3: 10, 13: 4, 12: 3, 11: 2}  # the others are worth nothing (R7)


class Suit(CardSuit):
    """The four suits."""

    COINS = "D"  # denari
    SWORDS = "S"  # spade
    CUPS = "K"  # coppe
    BATONS = "B"  # bastoni


class Card(ItalianCard):
    """A card of Briscola."""

    __slots__ = ()

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
    return parse_card(code).face
