"""The moves of a deal: play a card, or swap for the card face up (E4)."""

from dataclasses import dataclass
from typing import TypeAlias, assert_never

from games.briscola.cards import BY_CODE, Card
from games.errors import gettext_noop
from games.playing import IllegalMoveError

SWAPPING = (7, 2)  # the numbers a house may let swap (R10, B-9)


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Play a card to the trick (R4)."""

    card: Card


@dataclass(frozen=True, slots=True)
class Swap:
    """Take the card face up, and leave the trump of this number in its place (R10)."""

    number: int


Move: TypeAlias = PlayCard | Swap
_SWAPS = {f"swap{number}": Swap(number) for number in SWAPPING}


def move_code(move: Move) -> str:
    """Return what is written for a move: ``swap7``, ``swap2`` or, a card played, ``13B``."""
    match move:
        case Swap(number):
            return f"swap{number}"
        case PlayCard(card):
            return str(card)
        case _:
            assert_never(move)


def parse_move(text: str) -> Move:
    """Return the move that is written like this.

    >>> parse_move("13B") == PlayCard(BY_CODE["13B"])
    True

    :raises IllegalMoveError: ``not-a-move``, if none is.
    """
    if swap := _SWAPS.get(text):
        return swap
    if card := BY_CODE.get(text):
        return PlayCard(card)
    raise IllegalMoveError(
        "not-a-move",
        gettext_noop("“%(text)s” is no move. Write a card such as 13B, or swap7."),
        text=text,
    )
