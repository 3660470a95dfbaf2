"""Kernel: a deal of Briscola as ``fast_tricks`` plays it, cards as numbers, trumps first."""

from games.bots import determinization
from games.bots.determinization import CardNumbers
from games.bots.fast_tricks import Deck, Position
from games.briscola.cards import NUMBERS as RANKS, PACK, VALUES, Card, Suit
from games.briscola.play.view import View

DECK = Deck([VALUES.get(rank, 0) for rank in RANKS])
NUMBERS = {suit: CardNumbers(PACK, suit) for suit in Suit}


def swap(position: Position, seat: int, card: int) -> None:
    """Let this seat take the card face up, and leave this trump in its place (R10)."""
    hand = position.hands[seat]
    hand.remove(card)
    hand.append(position.stock[0])
    position.stock[0] = card


def foresee_swap(position: Position, number: int) -> None:
    """Swap the trump of this number for its holder at once, if that pays.

    Playouts are too quick to wait for the trick that must be won first.
    """
    card = RANKS.index(number)
    if not position.stock or position.stock[0] <= card:
        return
    for seat, hand in enumerate(position.hands):
        if card in hand:
            swap(position, seat, card)
            return


class Determinizer(determinization.Determinizer[Card]):
    """What one seat knows of a deal, to deal out the rest by lot."""

    def __init__(self, view: View) -> None:
        super().__init__(DECK, view, NUMBERS[view.trump])
