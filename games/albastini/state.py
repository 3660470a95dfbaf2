"""A hand being played: where all 36 cards are, and what has happened (E1, E5)."""

from dataclasses import dataclass

from games.albastini.cards import Card, Suit
from games.mode import Mode
from games.tricks import Trick, eaten


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Everything on the table and in the hands. Never shown to a player: see ``View``.

    The top of the stock is its first card. ``indicator`` and ``face_up`` are ``None``
    while there is bidding; then ``face_up`` is the card that goes under the stock and
    is drawn last. A bid card is still its bidder's, and in that hand. ``shown`` holds
    what the whole table knows to be in a hand: cards bid, exchanged for, or drawn
    face up, until they are played.
    """

    mode: Mode
    dealer: int
    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    to_bid: tuple[int, ...]
    bids: tuple[Card | None, ...]
    shown: tuple[tuple[Card, ...], ...]
    leader: int
    indicator: Card | None = None
    face_up: Card | None = None
    exchanged: int | None = None  # the seat that took the indicator for its bid
    trick: tuple[Card, ...] = ()
    tricks: tuple[Trick[Card], ...] = ()

    @property
    def trump(self) -> Suit | None:
        """Return the suit that beats all others, once it is turned up (R6)."""
        return None if self.indicator is None else self.indicator.suit

    @property
    def eaten(self) -> tuple[tuple[Card, ...], ...]:
        """Return the cards each side has eaten."""
        return eaten(self.mode, self.tricks)
