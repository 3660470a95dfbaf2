"""State: the moves of a deal, where all the cards are, and what has happened (E4, E5)."""

from dataclasses import dataclass
from typing import TypeAlias, assert_never

from games.briscola.cards import BY_CODE, Card, Suit
from games.errors import gettext_noop
from games.option import Options
from games.play.playing import IllegalMoveError
from games.play.tricks import PlayCard, StockState

SWAPPING = (7, 2)  # the numbers a house may let swap (R10, B-9)


@dataclass(frozen=True, slots=True)
class SwapTrump:
    """Take the card face up, and leave the trump of this number in its place (R10)."""

    number: int


Move: TypeAlias = PlayCard[Card] | SwapTrump
_SWAPS = {f"swap{number}": SwapTrump(number) for number in SWAPPING}


def move_code(move: Move) -> str:
    """Return what is written for a move: ``swap7``, ``swap2`` or, a card played, ``13B``."""
    match move:
        case SwapTrump(number):
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


@dataclass(frozen=True, slots=True, kw_only=True)
class State(StockState[Card]):
    """A deal of Briscola, everything open.

    ``turned_up`` is the card that was turned up after the deal; after a swap another one lies
    there, ``face_up``. ``swaps`` is the card that may be swapped for it; there is none where
    the house, or the deal, leaves none. The table knows of cards swapped for, or drawn face up.
    """

    options: Options
    turned_up: Card
    face_up: Card
    swaps: Card | None
    swapped: int | None = None  # the seat that swapped

    @property
    def trump(self) -> Suit:
        """Return the suit that beats all others (R3)."""
        return self.turned_up.suit
