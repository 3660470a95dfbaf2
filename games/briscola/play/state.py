"""State: the moves of a deal, where all the cards are, and what has happened (E4, E5)."""

from dataclasses import dataclass
from typing import TypeAlias

from games.briscola.cards import BY_CODE, Card
from games.errors import gettext_noop
from games.option import Options
from games.play.playing import MoveCodes
from games.play.tricks import PlayCard, StockState, StockTable

SWAPPING = (7, 2)  # the numbers a house may let swap (R10, B-9)


@dataclass(frozen=True, slots=True)
class SwapTrump:
    """Take the card face up, and leave the trump of this number in its place (R10)."""

    number: int


Move: TypeAlias = PlayCard[Card] | SwapTrump
_CODES: MoveCodes[Move] = MoveCodes(
    {
        **{f"swap{number}": SwapTrump(number) for number in SWAPPING},
        **{code: PlayCard(card) for code, card in BY_CODE.items()},
    },
    gettext_noop("“%(text)s” is no move. Write a card such as 13B, or swap7."),
)
move_code, parse_move = _CODES.move_code, _CODES.parse_move


@dataclass(frozen=True, kw_only=True)
class Table(StockTable[Card]):
    """What everybody sees of a deal."""

    options: Options
    turned_up: Card
    face_up: Card


@dataclass(frozen=True, kw_only=True)
class State(Table, StockState[Card]):
    """A deal of Briscola, everything open.

    ``swaps`` is the card that may be swapped for the one face up; there is none where the house,
    or the deal, leaves none.
    """

    swaps: Card | None
