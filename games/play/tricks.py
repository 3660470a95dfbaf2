"""Tricks of games with a stock: dealing, who takes a trick, drawing.

The top of the stock is its first card, the card lying face up under it the last.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Generic, Protocol, TypeVar

from games.mode import Mode


class TrickCard(Protocol):
    """A card as far as a trick is concerned."""

    @property
    def suit(self) -> Enum: ...
    @property
    def strength(self) -> int: ...
    @property
    def value(self) -> int: ...


CardT = TypeVar("CardT")
HeldT = TypeVar("HeldT")
TrickCardT = TypeVar("TrickCardT", bound=TrickCard)


@dataclass(frozen=True, slots=True)
class Trick(Generic[TrickCardT]):
    """A trick that was taken: who led, the cards in the order played, who took it."""

    leader: int
    cards: tuple[TrickCardT, ...]
    winner: int

    @property
    def value(self) -> int:
        return sum(card.value for card in self.cards)


def points(mode: Mode, tricks: Sequence[Trick[TrickCardT]]) -> tuple[int, ...]:
    """Return what each side's tricks are worth."""
    return tuple(
        sum(trick.value for trick in tricks if trick.winner in side) for side in mode.sides
    )


def cards_taken(
    mode: Mode, tricks: Sequence[Trick[TrickCardT]]
) -> tuple[tuple[TrickCardT, ...], ...]:
    """Return the cards each side has taken."""
    return tuple(
        tuple(card for trick in tricks if trick.winner in side for card in trick.cards)
        for side in mode.sides
    )


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


def takes(trick: Sequence[TrickCard], card: TrickCard, trump: Enum | None) -> bool:
    """Say whether this card would take the lead of the trick, or of an empty one."""
    return winning_place((*trick, card), trump) == len(trick)


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


def newly_drawn(before: Sequence[HeldT], after: Sequence[HeldT]) -> HeldT | None:
    """Return the card that came into a hand while a move was made, if one did.

    >>> newly_drawn("ab", "ac"), newly_drawn("ab", "b")
    ('c', None)
    """
    return next((card for card in after if card not in before), None)


def put(by_seat: tuple[HeldT, ...], seat: int, held: HeldT) -> tuple[HeldT, ...]:
    """Return what everybody has, with this in the place of what the seat had.

    >>> put(("a", "b"), 1, "c")
    ('a', 'c')
    """
    return (*by_seat[:seat], held, *by_seat[seat + 1 :])


def without(cards: tuple[HeldT, ...], gone: HeldT) -> tuple[HeldT, ...]:
    """Return the cards but this one, which need not be among them.

    >>> without(("a", "b"), "a")
    ('b',)
    """
    return tuple(card for card in cards if card != gone)
