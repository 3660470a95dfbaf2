"""State: the moves of a hand, where all 36 cards are, and what has happened (E1, E5)."""

from dataclasses import dataclass
from typing import TypeAlias, assert_never

from games.albastini.cards import BY_CODE, Card, Suit
from games.errors import gettext_noop
from games.play.playing import IllegalMoveError
from games.play.tricks import PlayCard, StockState

_BID = "bid:"


@dataclass(frozen=True, slots=True)
class Pass:
    """Bid nothing (A-5)."""


@dataclass(frozen=True, slots=True)
class Bid:
    """Lay an own card face up, in the hope that its suit becomes trumps (R5)."""

    card: Card


Move: TypeAlias = Pass | Bid | PlayCard[Card]


def move_code(move: Move) -> str:
    """Return what is written for a move: ``pass``, ``bid:3H`` or, a card played, ``AS``."""
    match move:
        case Pass():
            return "pass"
        case Bid(card):
            return f"{_BID}{card}"
        case PlayCard(card):
            return str(card)
        case _:
            assert_never(move)


def parse_move(text: str) -> Move:
    """Return the move that is written like this.

    >>> parse_move("bid:3H") == Bid(BY_CODE["3H"])
    True

    :raises IllegalMoveError: ``not-a-move``, if none is.
    """
    if text == "pass":
        return Pass()
    if text.startswith(_BID) and (card := BY_CODE.get(text.removeprefix(_BID))):
        return Bid(card)
    if card := BY_CODE.get(text):
        return PlayCard(card)
    raise IllegalMoveError(
        "not-a-move",
        gettext_noop("“%(text)s” is no move. Write pass, bid:3H, or a card such as AS."),
        text=text,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class State(StockState[Card]):
    """A hand of Albastini, everything open.

    ``indicator`` and ``face_up`` are ``None`` while there is bidding. A bid card is still its bidder's, and in
    that hand; the table knows of cards bid, exchanged for, or drawn face up.
    """

    to_bid: tuple[int, ...]
    bids: tuple[Card | None, ...]
    indicator: Card | None = None
    exchanged: int | None = None  # the seat that took the indicator for its bid

    @property
    def trump(self) -> Suit | None:
        """Return the suit that beats all others, once it is turned up (R6)."""
        return None if self.indicator is None else self.indicator.suit

    @property
    def turn(self) -> int:
        """Return who bids or plays next, or would if there were cards left."""
        return self.to_bid[0] if self.to_bid else self.mode.after(self.leader, len(self.trick))
