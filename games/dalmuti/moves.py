"""The moves of a game: play cards of one value, or skip (E2)."""

import re
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from games.errors import gettext_noop
from games.playing import IllegalMoveError


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
class Turn:
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
    if text == "skip":
        return Skip()
    if cards := _CARDS.fullmatch(text):
        return PlayCards(count=int(cards[1]), value=int(cards[2]))
    raise IllegalMoveError(
        "not-a-move",
        gettext_noop("“%(text)s” is no move. Write 5x7 for five 7s, or skip."),
        text=text,
    )
