"""A game being played: who holds what, and what has been played so far (E2, E5)."""

from dataclasses import dataclass

from games.dalmuti.moves import PlayCards, Turn
from games.dalmuti.orders import Draw, PlayingOrder
from games.game import Options
from games.mode import Mode

Trick = tuple[Turn, ...]
Hand = tuple[int, ...]  # the values held, the lowest first


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Everything on the table and in the hands. Never shown to a player: see ``View``.

    ``order`` is the playing order, which the seats keep all game long; ``draw`` the cards
    that gave it, if this is a table's first game. ``trick`` is what has happened since
    somebody led, ``tricks`` what was cleared away before; ``out`` are the seats without
    cards, in the order they went out.
    """

    mode: Mode
    options: Options
    dealer: int
    order: PlayingOrder
    draw: Draw | None
    hands: tuple[Hand, ...]
    turn: int  # the seat to move, unless the game is over
    trick: Trick = ()
    tricks: tuple[Trick, ...] = ()
    out: tuple[int, ...] = ()

    @property
    def over(self) -> bool:
        """Say whether only one still holds cards (R6)."""
        return len(self.out) == self.mode.seats - 1


def last_play(trick: Trick) -> tuple[int, PlayCards] | None:
    """Return who played last in this trick and what; ``None`` before anybody led."""
    for turn in reversed(trick):
        if isinstance(turn.move, PlayCards):
            return turn.seat, turn.move
    return None
