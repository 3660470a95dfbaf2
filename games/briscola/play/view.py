"""View: what one seat sees of a deal, and may remember of it."""

from dataclasses import dataclass

from games.briscola.cards import Card
from games.briscola.play.rules import legal_moves
from games.briscola.play.state import Move, State, Table
from games.play.tricks import StockView, stock_seen_by


@dataclass(frozen=True, kw_only=True)
class View(Table, StockView[Card, Move]):
    """A deal from one seat, which knows all of its partners' cards while they may look (R11)."""


def view(state: State, seat: int) -> View:
    mode = state.mode
    open_to = mode.sides[mode.side_of(seat)] if partners_look(state) else (seat,)
    return View(
        **stock_seen_by(seat, state, Table, legal_moves),
        known=tuple(
            tuple(sorted(state.hands[other], key=str)) if other in open_to else state.shown[other]
            for other in range(mode.seats)
        ),
    )


def partners_look(state: State) -> bool:
    """Say whether partners may look at each other's cards now (R11, B-10)."""
    match state.options["partner_peek"]:
        case "first_trick":
            return True
        case "stock_gone":
            return not state.stock
        case "last_trick":
            return len(state.tricks) >= len(state.pack) // state.mode.seats - 1
        case _:
            return False
