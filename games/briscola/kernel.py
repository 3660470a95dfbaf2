"""A deal of Briscola as the fast kernel plays it: cards as numbers, trumps first.

``Guess`` deals out what a view does not see, as often as it is asked; ``of_state``
is the same position from the readable rules, which a test holds the kernel to.
"""

from games import worlds
from games.briscola.cards import NUMBERS as RANKS
from games.briscola.cards import PACK, VALUES, Card, Suit
from games.briscola.state import State
from games.briscola.view import View
from games.swift import Deck, Position
from games.worlds import Numbers, lay_out

DECK = Deck([VALUES.get(rank, 0) for rank in RANKS])
NUMBERS = {suit: Numbers(PACK, suit) for suit in Suit}


def of_state(state: State) -> Position:
    """Return a state as the kernel sees it."""
    numbers = NUMBERS[state.trump]
    return lay_out(
        DECK,
        state,
        numbers,
        [numbers.of(hand) for hand in state.hands],
        numbers.of(reversed(state.stock)),
    )


def swap(position: Position, seat: int, card: int) -> None:
    """Let this seat take the card face up, and leave this trump in its place (R10)."""
    hand = position.hands[seat]
    hand.remove(card)
    hand.append(position.stock[0])
    position.stock[0] = card


def foresee_swap(position: Position, number: int) -> None:
    """Let whoever holds the trump of this number have swapped it, if that pays.

    Playouts are too quick to wait for the trick that must be won first.
    """
    card = RANKS.index(number)
    if not position.stock or position.stock[0] <= card:
        return
    for seat, hand in enumerate(position.hands):
        if card in hand:
            swap(position, seat, card)
            return


class Guess(worlds.Guess[Card]):
    """What one seat knows of a deal, to deal out the rest by lot."""

    def __init__(self, view: View) -> None:
        super().__init__(DECK, view, NUMBERS[view.trump], view.known)
