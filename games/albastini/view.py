"""View: what one seat sees of a hand, and may remember of it."""

from dataclasses import dataclass

from games.albastini.cards import PACK, Card, Suit
from games.albastini.rules import legal_moves
from games.albastini.state import Move, State
from games.play.tricks import StockView, seen_by


@dataclass(frozen=True, slots=True, kw_only=True)
class View(StockView[Card, Move]):
    """A hand as one seat sees it; ``shown`` has the cards of each hand that all players know."""

    to_bid: tuple[int, ...]
    bids: tuple[Card | None, ...]
    indicator: Card | None
    face_up: Card | None
    exchanged: int | None
    shown: tuple[tuple[Card, ...], ...]

    @property
    def trump(self) -> Suit | None:
        return None if self.indicator is None else self.indicator.suit

    def unseen(self) -> tuple[Card, ...]:
        """Return the cards that may lie in any other hand or in the stock."""
        seen = {*self.hand, *self.trick}
        seen.update(card for cards in self.shown for card in cards)
        seen.update(card for trick in self.tricks for card in trick.cards)
        if self.face_up is not None:
            seen.add(self.face_up)
        return tuple(card for card in PACK if card not in seen)


def view(state: State, seat: int) -> View:
    """Return what this seat sees."""
    return View(
        **seen_by(seat, state, legal_moves),
        to_bid=state.to_bid,
        bids=state.bids,
        indicator=state.indicator,
        face_up=state.face_up,
        exchanged=state.exchanged,
        shown=state.shown,
    )
