"""View: what one seat sees of a game, and may remember of it."""

from collections import Counter
from dataclasses import dataclass

from games.dalmuti.cards import PACK
from games.dalmuti.play.rules import legal_moves, seat_to_move
from games.dalmuti.play.state import Hand, Move, OpenGame, PlayCards, State
from games.play.views import SeatView, seen_by


@dataclass(frozen=True, kw_only=True)
class View(OpenGame, SeatView[Move]):
    """A game from one seat: its own cards, and what the whole table saw."""

    hand: Hand
    held: tuple[int, ...]  # how many cards each seat holds

    def unseen(self) -> Hand:
        """Return the cards that lie in the other hands."""
        left = Counter(PACK)
        left.subtract(self.hand)
        for trick in (*self.tricks, self.trick):
            for turn in trick:
                if isinstance(turn.move, PlayCards):
                    left[turn.move.value] -= turn.move.count
        return tuple(left.elements())


def view(state: State, seat: int) -> View:
    return View(
        **seen_by(seat, state, OpenGame, seat_to_move, legal_moves),
        hand=state.hands[seat],
        held=tuple(map(len, state.hands)),
    )
