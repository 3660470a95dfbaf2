"""View: what one seat sees of a deal, and may remember of it."""

from dataclasses import dataclass

from games.mambassa.cards import PACK
from games.mambassa.play.rules import legal_moves, seat_to_move
from games.mambassa.play.state import Cards, DealStage, Move, OpenDeal, State
from games.play.views import SeatView, seen_by


@dataclass(frozen=True, kw_only=True)
class View(OpenDeal, SeatView[Move]):
    """A deal from one seat: its own cards, the monte, and what the whole table saw (M-1).

    ``hand`` is empty for the dealer until the choice, and ``offer`` for everybody else.
    ``discarded`` counts the discards of each seat and ``discards`` are this seat's own.
    ``all_hands`` are what all show at the end, empty until then.
    """

    hand: Cards
    offer: Cards
    stock: int  # how many cards are left to draw
    discarded: tuple[int, ...]
    discards: Cards
    all_hands: tuple[Cards, ...]

    def unseen(self) -> Cards:
        """Return the cards that may lie in another hand, in the stock, or among the discards."""
        seen = {*self.hand, *self.offer, *self.monte, *self.discards}
        seen.update(card for cards in self.shown for card in cards)
        return tuple(card for card in PACK if card not in seen)


def view(state: State, seat: int) -> View:
    choosing = state.stage is DealStage.CHOICE
    return View(
        **seen_by(seat, state, OpenDeal, seat_to_move, legal_moves),
        hand=() if choosing and seat == state.dealer else state.hands[seat],
        offer=state.offer if seat == state.dealer else (),
        stock=len(state.stock),
        discarded=tuple(map(len, state.discards)),
        discards=state.discards[seat],
        all_hands=state.hands if state.stage is DealStage.OVER else (),
    )
