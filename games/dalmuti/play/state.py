"""State: the moves of a game, who holds what, and what has been played so far (E2, E5)."""

import re
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from games.dalmuti.sheet import Draw, PlayingOrder
from games.errors import gettext_noop
from games.mode import Mode
from games.option import Options
from games.play.playing import IllegalMoveError


@dataclass(frozen=True, slots=True)
class PlayCards:
    """Play so many cards of one value (R4)."""

    count: int
    value: int

    @property
    def unbeatable(self) -> bool:
        """Say whether no hand can answer: of every lower value there are fewer cards (D-8)."""
        return self.count >= self.value


@dataclass(frozen=True, slots=True)
class Skip:
    """Play nothing this turn (D-6)."""


Move: TypeAlias = PlayCards | Skip
_CARDS = re.compile(r"([1-9][0-9]?)x([1-9][0-9]?)", re.ASCII)


@dataclass(frozen=True, slots=True)
class SeatTurn:
    """What one seat did when its turn came."""

    seat: int
    move: Move


def move_code(move: Move) -> str:
    """Return what is written for a move: ``skip`` or, for five 7s, ``5x7``."""
    match move:
        case Skip():
            return "skip"
        case PlayCards(count, value):
            return f"{count}x{value}"
        case _:
            assert_never(move)


def parse_move(text: str) -> Move:
    """Return the move that is written like this.

    >>> parse_move("5x7")
    PlayCards(count=5, value=7)

    :raises IllegalMoveError: ``not-a-move``, if none is.
    """
    if text in {"skip", "pass"}:
        return Skip()
    if cards := _CARDS.fullmatch(text):
        return PlayCards(count=int(cards[1]), value=int(cards[2]))
    raise IllegalMoveError(
        "not-a-move",
        gettext_noop("“%(text)s” is no move. Write 5x7 for five 7s, or pass."),
        text=text,
    )


Trick = tuple[SeatTurn, ...]
Hand = tuple[int, ...]  # the values held, the lowest first


@dataclass(frozen=True, kw_only=True)
class OpenGame:
    """What everybody sees of a game, which its state and the view of a seat have in common.

    ``order`` is the playing order, which the seats keep all game long; ``draw`` the cards
    that gave it, if this is a table's first game. ``trick`` is what has happened since
    somebody led, ``tricks`` what was cleared away before, as an attentive player remembers
    it; ``out`` are the seats without cards, in the order they went out.
    """

    mode: Mode
    options: Options
    dealer: int
    order: PlayingOrder
    draw: Draw | None
    trick: Trick = ()
    tricks: tuple[Trick, ...] = ()
    out: tuple[int, ...] = ()

    @property
    def last(self) -> tuple[int, PlayCards] | None:
        """Return who played last in this trick and what; ``None`` before the lead."""
        return last_play(self.trick)


@dataclass(frozen=True, kw_only=True)
class State(OpenGame):
    """Everything on the table and in the hands. Never shown to a player: see ``View``."""

    hands: tuple[Hand, ...]
    turn: int  # the seat to move, unless the game is over

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
