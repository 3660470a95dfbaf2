"""View: what one seat sees of a game, and may remember of it."""

from collections import Counter
from dataclasses import dataclass

from games.dalmuti.cards import PACK
from games.dalmuti.rules import legal_moves, seat_to_move
from games.dalmuti.sheet import Draw, PlayingOrder
from games.dalmuti.state import Hand, Move, PlayCards, State, Trick, last_play
from games.mode import Mode
from games.option import Options


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A game from one seat: its own cards, and what the whole table saw.

    ``tricks`` are those cleared away so far, as an attentive player remembers them.
    ``legal`` is empty while it is somebody else's turn.
    """

    seat: int
    mode: Mode
    options: Options
    dealer: int
    legal: tuple[Move, ...]
    to_move: int | None
    order: PlayingOrder
    draw: Draw | None
    hand: Hand
    held: tuple[int, ...]  # how many cards each seat holds
    trick: Trick
    tricks: tuple[Trick, ...]
    out: tuple[int, ...]

    @property
    def last(self) -> tuple[int, PlayCards] | None:
        """Return who played last in this trick and what; ``None`` before the lead."""
        return last_play(self.trick)

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
        seat=seat,
        mode=state.mode,
        options=state.options,
        dealer=state.dealer,
        legal=legal_moves(state) if to_move == seat else (),
        to_move=to_move,
        order=state.order,
        draw=state.draw,
        hand=state.hands[seat],
        held=tuple(map(len, state.hands)),
        trick=state.trick,
        tricks=state.tricks,
        out=state.out,
    )
