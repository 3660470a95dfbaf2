"""A hand being played: where all 36 cards are, and what has happened (E1)."""

from dataclasses import dataclass

from games.albastini.cards import Card, Suit
from games.mode import Mode


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick that was eaten: who led, the cards in the order played, who ate it."""

    leader: int
    cards: tuple[Card, ...]
    winner: int

    @property
    def value(self) -> int:
        return sum(card.value for card in self.cards)


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
    tricks: tuple[Trick, ...] = ()

    @property
    def trump(self) -> Suit | None:
        """Return the suit that beats all others, once it is turned up (R6)."""
        return None if self.indicator is None else self.indicator.suit

    @property
    def eaten(self) -> tuple[tuple[Card, ...], ...]:
        """Return the cards each side has eaten."""
        return tuple(
            tuple(card for trick in self.tricks if trick.winner in side for card in trick.cards)
            for side in self.mode.sides
        )


def points(mode: Mode, tricks: tuple[Trick, ...]) -> tuple[int, ...]:
    """Return what each side's tricks are worth (R2)."""
    return tuple(
        sum(trick.value for trick in tricks if trick.winner in side) for side in mode.sides
    )
