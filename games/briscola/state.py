"""A deal being played: where all the cards are, and what has happened (E4, E5)."""

from dataclasses import dataclass

from games.briscola.cards import Card, Suit
from games.game import Options
from games.mode import Mode
from games.tricks import Trick, eaten


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Everything on the table and in the hands. Never shown to a player: see ``View``.

    The top of the stock is its first card, the card face up its last. ``turned_up`` is
    the card that was turned up after the deal; ``face_up`` is the one that has lain
    there since, another one after a swap. ``swaps`` is the card that may be swapped for
    it; there is none where the house, or the deal, leaves none. ``shown`` holds what
    the whole table knows to be in a hand: cards swapped for, or drawn face up, until
    they are played.
    """

    mode: Mode
    options: Options
    dealer: int
    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    turned_up: Card
    face_up: Card
    swaps: Card | None
    shown: tuple[tuple[Card, ...], ...]
    leader: int
    swapped: int | None = None  # the seat that swapped
    trick: tuple[Card, ...] = ()
    tricks: tuple[Trick[Card], ...] = ()

    @property
    def trump(self) -> Suit:
        """Return the suit that beats all others (R3)."""
        return self.turned_up.suit

    @property
    def won(self) -> tuple[tuple[Card, ...], ...]:
        """Return the cards each side has won."""
        return eaten(self.mode, self.tricks)
