"""View: what one seat sees of a hand, and may remember of it."""

from dataclasses import dataclass

from games.albastini.cards import PACK, Card, Suit
from games.albastini.rules import legal_moves, seat_to_move
from games.albastini.state import Move, State
from games.mode import Mode
from games.play.tricks import Trick


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A hand from one seat: its own cards, the table, and what the whole table saw.

    ``shown`` is what everybody knows to be in each hand; ``tricks`` are those eaten
    so far, as an attentive player remembers them. ``legal`` is empty while it is
    somebody else's turn.
    """

    seat: int
    mode: Mode
    dealer: int
    legal: tuple[Move, ...]
    to_move: int | None
    to_bid: tuple[int, ...]
    bids: tuple[Card | None, ...]
    indicator: Card | None
    face_up: Card | None
    exchanged: int | None
    hand: tuple[Card, ...]
    held: tuple[int, ...]  # how many cards each seat holds
    shown: tuple[tuple[Card, ...], ...]
    stock: int  # how many cards are left to draw, the face-up card among them
    leader: int
    trick: tuple[Card, ...]
    tricks: tuple[Trick[Card], ...]

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
    to_move = seat_to_move(state)
    return View(
        seat=seat,
        mode=state.mode,
        dealer=state.dealer,
        legal=legal_moves(state) if to_move == seat else (),
        to_move=to_move,
        to_bid=state.to_bid,
        bids=state.bids,
        indicator=state.indicator,
        face_up=state.face_up,
        exchanged=state.exchanged,
        hand=state.hands[seat],
        held=tuple(map(len, state.hands)),
        shown=state.shown,
        stock=len(state.stock),
        leader=state.leader,
        trick=state.trick,
        tricks=state.tricks,
    )
