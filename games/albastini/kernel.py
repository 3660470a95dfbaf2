"""A hand of Albastini as the fast kernel plays it: cards as numbers, trumps first.

``Guess`` deals out what a view does not see, as often as it is asked; ``of_state``
is the same position from the readable rules, which a test holds the kernel to.
"""

from games import worlds
from games.albastini.cards import PACK, RANKS, VALUES, Card, Suit
from games.albastini.state import State
from games.albastini.view import View
from games.swift import Deck, Position
from games.worlds import Numbers, lay_out

DECK = Deck([VALUES.get(rank, 0) for rank in RANKS])
NUMBERS = {suit: Numbers(PACK, suit) for suit in Suit}


def of_state(state: State, trump: Suit) -> Position:
    """Return a state after the bidding as the kernel sees it."""
    numbers = NUMBERS[trump]
    return lay_out(
        DECK,
        state,
        numbers,
        [numbers.of(hand) for hand in state.hands],
        numbers.of(reversed(state.stock)),
    )


class Guess(worlds.Guess[Card]):
    """What one seat knows of a hand after the bidding, to deal out the rest by lot."""

    def __init__(self, view: View, trump: Suit) -> None:
        known = [view.hand if seat == view.seat else cards for seat, cards in enumerate(view.shown)]
        super().__init__(DECK, view, NUMBERS[trump], known)
