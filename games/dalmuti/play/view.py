"""View: what one seat sees of a game, and may remember of it."""

from collections import Counter
from dataclasses import dataclass

from games.dalmuti.cards import PACK
from games.dalmuti.play.rules import legal_moves, seat_to_move
from games.dalmuti.play.state import Hand, Move, OpenGame, PlayCards, State
from games.play.playing import open_fields


@dataclass(frozen=True, slots=True, kw_only=True)
class View(OpenGame):
    """A game from one seat: its own cards, and what the whole table saw.

    ``legal`` is empty while it is somebody else's turn.
    """

    seat: int
    legal: tuple[Move, ...]
    to_move: int | None
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
    """Return what this seat sees."""
    to_move = seat_to_move(state)
    return View(
        **open_fields(OpenGame, state),
        seat=seat,
        legal=legal_moves(state) if to_move == seat else (),
        to_move=to_move,
        hand=state.hands[seat],
        held=tuple(map(len, state.hands)),
    )
