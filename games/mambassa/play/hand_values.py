"""Hand values: what hands are worth in whole numbers, in the order of ``hand_ranking``, quickly.

A card is one bit, its place in the pack; a heap of cards is the sum of their bits, so
that each suit takes ten bits, the lowest suit first. A test holds every hand there is
to the readable ranking.
"""

from collections.abc import Iterable
from functools import cache
from itertools import combinations

from games.mambassa.cards import NUMBERS, PACK, PLACES, Card
from games.mambassa.hand_ranking import HandClass, strength
from games.option import Options

RANKS = len(NUMBERS)
SUIT = (1 << RANKS) - 1  # the cards of the lowest suit, and of any suit brought down to it
BITS = {card: 1 << place for card, place in PLACES.items()}
_STEP = 100  # from one class to the next; within one nothing counts so high
QUARANTUNA = _STEP * (HandClass.QUARANTUNA - 1)
MAMBASSA = _STEP * (HandClass.MAMBASSA - 1)


def heap_of(cards: Iterable[Card]) -> int:
    """Return the heap of these cards."""
    return sum(BITS[card] for card in cards)


def cards_of(heap: int) -> list[Card]:
    """Return the cards in a heap."""
    return [PACK[bit.bit_length() - 1] for bit in bits_of(heap)]


def bits_of(heap: int) -> list[int]:
    """Return a heap card by card, the lowest first."""
    bits = []
    while heap:
        lowest = heap & -heap
        bits.append(lowest)
        heap ^= lowest
    return bits


class HandValues:
    """What hands are worth under one house's rules.

    ``of_suit`` gives, by suit, what up to four cards of it are worth; ``of_three`` and
    ``of_four`` what those of one rank are, named by their card in the lowest suit.
    """

    def __init__(self, options: Options) -> None:
        few = [
            sum(bits)
            for number in range(1, 5)
            for bits in combinations([1 << height for height in range(RANKS)], number)
        ]
        self.of_suit = [{0: 0} for _ in range(4)]
        for suit, values in enumerate(self.of_suit):
            for heap in few:
                values[heap] = _number(cards_of(heap << RANKS * suit), options)
        rows = {bit: [bit << RANKS * suit for suit in range(4)] for bit in bits_of(SUIT)}
        self.of_three = {bit: _number(cards_of(sum(row[:3])), options) for bit, row in rows.items()}
        self.of_four = {bit: _number(cards_of(sum(row)), options) for bit, row in rows.items()}

    def of(self, hand: int) -> int:
        """Return what a hand of four cards is worth: the better the hand, the more."""
        batons, cups = hand & SUIT, hand >> 10 & SUIT
        swords, coins = hand >> 20 & SUIT, hand >> 30
        if same := batons & cups & (swords | coins) | swords & coins & (batons | cups):
            return (self.of_four if batons == cups == swords == coins else self.of_three)[same]
        first, second, third, fourth = self.of_suit
        return max(first[batons], second[cups], third[swords], fourth[coins])


def hand_values(options: Options) -> HandValues:
    """Return what hands are worth in this house."""
    return _hand_values(str(options["tris_aces"]), bool(options["ace_low_sequence"]))


@cache
def _hand_values(tris_aces: str, ace_low: bool) -> HandValues:
    return HandValues({"tris_aces": tris_aces, "ace_low_sequence": ace_low})


def _number(cards: list[Card], options: Options) -> int:
    held, *detail = strength(cards, options)
    place = 0
    for part in detail:
        place = 4 * place + part
    return _STEP * (held - 1) + place
