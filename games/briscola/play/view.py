"""View: what one seat sees of a deal, and may remember of it."""

from dataclasses import dataclass

from games.briscola.cards import Card, Suit
from games.briscola.play.rules import legal_moves
from games.briscola.play.state import Move, State
from games.option import Options
from games.play.tricks import StockView, seen_by


@dataclass(frozen=True, slots=True, kw_only=True)
class View(StockView[Card, Move]):
    """A deal from one seat, which knows all of its partners' cards while they may look (R11)."""

    face_up: Card
    options: Options
    turned_up: Card
    swapped: int | None

    @property
    def trump(self) -> Suit:
        return self.turned_up.suit


def view(state: State, seat: int) -> View:
    """Return what this seat sees."""
    mode = state.mode
    open_to = mode.sides[mode.side_of(seat)] if partners_look(state) else (seat,)
    return View(
        **seen_by(seat, state, legal_moves),
        options=state.options,
        turned_up=state.turned_up,
        swapped=state.swapped,
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
