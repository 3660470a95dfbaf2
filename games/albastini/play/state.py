"""State: the moves of a hand, where all 36 cards are, and what has happened (E1, E5)."""

from dataclasses import dataclass
from typing import TypeAlias

from games.albastini.cards import BY_CODE, Card
from games.errors import gettext_noop
from games.play.playing import MoveCodes
from games.play.tricks import PlayCard, StockState, StockTable


@dataclass(frozen=True, slots=True)
class Pass:
    """Bid nothing (A-5)."""


@dataclass(frozen=True, slots=True)
class Bid:
    """Lay an own card face up, in the hope that its suit becomes trumps (R5)."""

    card: Card


Move: TypeAlias = Pass | Bid | PlayCard[Card]


_CODES: MoveCodes[Move] = MoveCodes(
    {
        "pass": Pass(),
        **{f"bid:{code}": Bid(card) for code, card in BY_CODE.items()},
        **{code: PlayCard(card) for code, card in BY_CODE.items()},
    },
    gettext_noop("“%(text)s” is no move. Write pass, bid:3H, or a card such as AS."),
)
move_code, parse_move = _CODES.move_code, _CODES.parse_move


@dataclass(frozen=True, kw_only=True)
class Table(StockTable[Card]):
    """What everybody sees of a hand. A bid card is still its bidder's, and in that hand."""

    to_bid: tuple[int, ...]
    bids: tuple[Card | None, ...]


@dataclass(frozen=True, kw_only=True)
class State(Table, StockState[Card]):
    """A hand of Albastini, everything open."""

    @property
    def turn(self) -> int:
        """Return who bids or plays next, or would if there were cards left."""
        return self.to_bid[0] if self.to_bid else self.mode.after(self.leader, len(self.trick))
