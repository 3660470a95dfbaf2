"""View: what one seat sees of a deal, and may remember of it."""

from dataclasses import dataclass

from games.mambassa.cards import PACK
from games.mambassa.rules import legal_moves, seat_to_move
from games.mambassa.stakes import Stakes
from games.mambassa.state import Cards, Move, Stage, State
from games.mode import Mode
from games.option import Options


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A deal from one seat: its own cards, the monte, and what the whole table saw (M-1).

    ``hand`` is empty for the dealer until the choice, and ``offer`` for everybody else.
    ``shown`` is what everybody knows to be in each hand, and ``perhaps`` what was there
    before its holder discarded a card unseen; ``discarded`` counts those of each seat and
    ``discards`` are this seat's own. ``all_hands`` are what all show at the end, empty
    until then. ``legal`` is empty while it is somebody else's turn.
    """

    seat: int
    mode: Mode
    options: Options
    dealer: int
    stakes: Stakes
    playing: tuple[int, ...]
    legal: tuple[Move, ...]
    to_move: int | None
    stage: Stage
    turns: int
    knocker: int | None
    declarer: int | None
    hand: Cards
    offer: Cards
    monte: Cards
    stock: int  # how many cards are left to draw
    shown: tuple[Cards, ...]
    perhaps: tuple[Cards, ...]
    discarded: tuple[int, ...]
    discards: Cards
    all_hands: tuple[Cards, ...]

    def unseen(self) -> Cards:
        """Return the cards that may lie in another hand, in the stock, or among the discards."""
        seen = {*self.hand, *self.offer, *self.monte, *self.discards}
        seen.update(card for cards in self.shown for card in cards)
        return tuple(card for card in PACK if card not in seen)


def view(state: State, seat: int) -> View:
    """Return what this seat sees."""
    to_move = seat_to_move(state)
    choosing = state.stage is Stage.CHOICE
    return View(
        seat=seat,
        mode=state.mode,
        options=state.options,
        dealer=state.dealer,
        stakes=state.stakes,
        playing=state.playing,
        legal=legal_moves(state) if to_move == seat else (),
        to_move=to_move,
        stage=state.stage,
        turns=state.turns,
        knocker=state.knocker,
        declarer=state.declarer,
        hand=() if choosing and seat == state.dealer else state.hands[seat],
        offer=state.offer if seat == state.dealer else (),
        monte=state.monte,
        stock=len(state.stock),
        shown=state.shown,
        perhaps=state.perhaps,
        discarded=tuple(map(len, state.discards)),
        discards=state.discards[seat],
        all_hands=state.hands if state.stage is Stage.OVER else (),
    )
