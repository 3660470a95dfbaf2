"""The opening draw and the deal: who plays when, and who gets which cards (R2, R3)."""

from collections.abc import Sequence

from games.dalmuti.cards import hand_sizes
from games.dalmuti.orders import Draw, PlayingOrder
from games.dalmuti.state import Hand
from games.mode import Mode
from games.tricks import round_from


def opening_draw(cards: Sequence[int], mode: Mode, *, first: int, redraw: bool) -> Draw:
    """Return what everybody draws from the top, the seat *first* first (R2).

    Where *redraw* says so, all who are tied draw again, until nobody is (D-2) or the
    pack has too few cards left for them.
    """
    drawn: list[tuple[int, ...]] = [()] * mode.seats
    tied = list(round_from(first, mode.seats))
    top = 0
    while tied and top + len(tied) <= len(cards):
        for card, seat in zip(cards[top:], tied, strict=False):
            drawn[seat] = (*drawn[seat], card)
        top += len(tied)
        tied = [seat for seat in tied if redraw and drawn.count(drawn[seat]) > 1]
    return tuple(drawn)


def order_of(draw: Draw) -> PlayingOrder:
    """Return the playing order: lowest card first, redraws deciding, then the seat (D-1, D-2).

    >>> order_of(((7, 4), (1,), (7, 9)))
    (1, 0, 2)
    """
    return tuple(sorted(range(len(draw)), key=draw.__getitem__))


def settled(draw: Draw) -> bool:
    """Say whether the cards alone told everybody's place."""
    return len(set(draw)) == len(draw)


def dealt_hands(
    cards: Sequence[int], mode: Mode, order: PlayingOrder, extra_cards: str
) -> tuple[Hand, ...]:
    """Deal a card at a time in playing order; what does not come out even goes by D-3."""
    sizes = hand_sizes(mode, extra_cards)
    even = min(sizes) * mode.seats
    extra = iter(cards[even:])
    hands: list[Hand] = [()] * mode.seats
    for place, seat in enumerate(order):
        more = [next(extra)] if sizes[place] > min(sizes) else []
        hands[seat] = tuple(sorted([*cards[place : even : mode.seats], *more]))
    return tuple(hands)
