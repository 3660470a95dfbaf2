"""View: what one seat sees of a hand, and may remember of it."""

from dataclasses import dataclass

from games.albastini.cards import Card
from games.albastini.play.rules import legal_moves
from games.albastini.play.state import Move, State, Table
from games.play.tricks import StockView, put, stock_seen_by


@dataclass(frozen=True, kw_only=True)
class View(Table, StockView[Card, Move]):
    """A hand as one seat sees it."""


def view(state: State, seat: int) -> View:
    known = put(state.shown, seat, state.hands[seat])
    return View(**stock_seen_by(seat, state, Table, legal_moves), known=known)
