"""Kernel: a hand of Albastini as ``fast_tricks`` plays it, cards as numbers, trumps first."""

from games.albastini.cards import PACK, RANKS, VALUES, Card, Suit
from games.albastini.play.view import View
from games.bots import determinization
from games.bots.determinization import CardNumbers
from games.bots.fast_tricks import Deck

DECK = Deck([VALUES.get(rank, 0) for rank in RANKS])
NUMBERS = {suit: CardNumbers(PACK, suit) for suit in Suit}


class Determinizer(determinization.Determinizer[Card]):
    """What one seat knows of a hand after the bidding, to deal out the rest by lot."""

    def __init__(self, view: View, trump: Suit) -> None:
        super().__init__(DECK, view, NUMBERS[trump])
