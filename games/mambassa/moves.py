"""The moves of a deal: the dealer's choice, and what there is to a turn (E3)."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias, assert_never

from games.errors import gettext_noop
from games.mambassa.cards import BY_CODE, PLACES, Card
from games.playing import IllegalMoveError


class Call(Enum):
    """A move that needs no card."""

    KEEP = "keep"  # the dealer keeps the four cards just looked at (R3)
    LEAVE = "leave"  # the dealer leaves them, and plays the hand that was dealt
    TAKE_MONTE = "take_monte"  # the whole hand for the whole monte (R4)
    STAND = "stand"  # end the turn; with nothing changed in it, this is a knock (R4)
    KNOCK = "knock"  # end the turn with a knock, where the house allows it (M-2)


@dataclass(frozen=True, slots=True)
class Swap:
    """Lay some cards of the hand in the monte, and take as many of it (R4)."""

    give: frozenset[Card]
    take: frozenset[Card]


@dataclass(frozen=True, slots=True)
class Draw:
    """Discard a card face down, then take the top of the stock (M-3)."""

    discard: Card


Move: TypeAlias = Call | Swap | Draw
_SWAP, _DRAW = "swap:", "draw:"
_CALLS = {call.value: call for call in Call}


def in_order(cards: Iterable[Card]) -> list[Card]:
    """List cards as people hold them: by suit from the coins, and from the ace down."""
    return sorted(cards, key=PLACES.__getitem__, reverse=True)


def move_code(move: Move) -> str:
    """Return what is written for a move.

    ``keep``, ``leave``, ``take_monte``, ``stand``, ``knock``, ``draw:2S``, or, for two
    cards laid in the monte and two taken, ``swap:5K,2S/1D,7B``.
    """
    match move:
        case Call():
            return move.value
        case Draw(discard):
            return f"{_DRAW}{discard}"
        case Swap(give, take):
            laid, taken = (",".join(map(str, in_order(cards))) for cards in (give, take))
            return f"{_SWAP}{laid}/{taken}"
        case _:
            assert_never(move)


def parse_move(text: str) -> Move:
    """Return the move that is written like this.

    >>> parse_move("draw:2S") == Draw(BY_CODE["2S"])
    True

    :raises IllegalMoveError: ``not-a-move``, if none is.
    """
    if call := _CALLS.get(text):
        return call
    if text.startswith(_DRAW) and (card := BY_CODE.get(text.removeprefix(_DRAW))):
        return Draw(card)
    if text.startswith(_SWAP):
        give, _, take = text.removeprefix(_SWAP).partition("/")
        if (laid := _cards(give)) and (taken := _cards(take)):
            return Swap(laid, taken)
    raise IllegalMoveError(
        "not-a-move",
        gettext_noop(
            "“%(text)s” is no move. Write stand, take_monte, draw:2S to discard the 2 of swords, "
            "or swap:2S/1D to lay it in the monte for the ace of coins."
        ),
        text=text,
    )


def _cards(codes: str) -> frozenset[Card] | None:
    """Return the cards written with commas between them; ``None`` if one is none, or twice."""
    cards = [BY_CODE.get(code) for code in codes.split(",")]
    found = frozenset(card for card in cards if card is not None)
    return found if len(found) == len(cards) else None
