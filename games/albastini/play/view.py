"""View: what one seat sees of a hand, and may remember of it."""

from dataclasses import dataclass

from games.albastini.cards import Card, Suit
from games.albastini.play.rules import legal_moves
from games.albastini.play.state import Move, State
from games.play.tricks import StockView, put, seen_by


@dataclass(frozen=True, slots=True, kw_only=True)
class View(StockView[Card, Move]):
    """A hand as one seat sees it."""

    to_bid: tuple[int, ...]
    bids: tuple[Card | None, ...]
    indicator: Card | None
    exchanged: int | None

    @property
    def trump(self) -> Suit | None:
        return None if self.indicator is None else self.indicator.suit


def view(state: State, seat: int) -> View:
    """Return what this seat sees."""
    return View(
        **seen_by(seat, state, legal_moves),
        known=put(state.shown, seat, state.hands[seat]),
        to_bid=state.to_bid,
        bids=state.bids,
        indicator=state.indicator,
        exchanged=state.exchanged,
    )
