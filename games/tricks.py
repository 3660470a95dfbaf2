"""What games of tricks with a stock have in common: dealing, who eats a trick, drawing.

The top of the stock is its first card, the card lying face up under it the last.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Protocol, TypeVar


class TrickCard(Protocol):
    """A card as far as a trick is concerned."""

    @property
    def suit(self) -> Enum: ...
    @property
    def strength(self) -> int: ...


CardT = TypeVar("CardT")


def winning_place(trick: Sequence[TrickCard], trump: Enum | None) -> int:
    """Return the place in *trick* of the card that takes it, as far as it is played.

    Any trump beats any plain card; among plain cards, or without trumps, only the suit
    led can win.
    """
    led = trick[0].suit

    def power(place: int) -> tuple[bool, bool, int]:
        card = trick[place]
        return card.suit is trump, card.suit is led, card.strength

    return max(range(len(trick)), key=power)


def round_from(first: int, seats: int) -> tuple[int, ...]:
    """List the seats in the direction of play, beginning with *first*.

    >>> round_from(2, 4)
    (2, 3, 0, 1)
    """
    return tuple((first + step) % seats for step in range(seats))


def deal_hands(
    pack: Sequence[CardT], *, first: int, seats: int, each: int
) -> tuple[tuple[tuple[CardT, ...], ...], tuple[CardT, ...]]:
    """Deal from the top, one card at a time: the hands by seat, and what is left.

    >>> deal_hands("abcdefg", first=1, seats=2, each=2)
    ((('b', 'd'), ('a', 'c')), ('e', 'f', 'g'))
    """
    dealt = seats * each
    hands = tuple(tuple(pack[(seat - first) % seats : dealt : seats]) for seat in range(seats))
    return hands, tuple(pack[dealt:])


def draw_round(
    hands: Sequence[tuple[CardT, ...]], stock: tuple[CardT, ...], *, first: int
) -> tuple[tuple[tuple[CardT, ...], ...], tuple[CardT, ...]]:
    """Let everybody draw one card, *first* first; nobody does if it is not enough for all.

    >>> draw_round([("a",), ("b",)], ("c", "d", "e"), first=1)
    ((('a', 'd'), ('b', 'c')), ('e',))
    """
    seats = len(hands)
    if len(stock) < seats:
        return tuple(hands), stock
    drawn = tuple((*hand, stock[(seat - first) % seats]) for seat, hand in enumerate(hands))
    return drawn, stock[seats:]
