"""The moves of a hand: pass or bid, then play cards (E1)."""

from dataclasses import dataclass
from typing import TypeAlias, assert_never

from games.albastini.cards import BY_CODE, Card
from games.errors import gettext_noop
from games.playing import IllegalMoveError

_BID = "bid:"


@dataclass(frozen=True, slots=True)
class Pass:
    """Bid nothing (A-5)."""


@dataclass(frozen=True, slots=True)
class Bid:
    """Lay an own card face up, in the hope that its suit becomes trumps (R5)."""

    card: Card


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Play a card to the trick (R7)."""

    card: Card


Move: TypeAlias = Pass | Bid | PlayCard


def move_code(move: Move) -> str:
    """Return what is written for a move: ``pass``, ``bid:3H`` or, a card played, ``AS``."""
    match move:
        case Pass():
            return "pass"
        case Bid(card):
            return f"{_BID}{card}"
        case PlayCard(card):
            return str(card)
        case _:
            assert_never(move)


def parse_move(text: str) -> Move:
    """Return the move that is written like this.

    >>> parse_move("bid:3H") == Bid(BY_CODE["3H"])
    True

    :raises IllegalMoveError: ``not-a-move``, if none is.
    """
    if text == "pass":
        return Pass()
    if text.startswith(_BID) and (card := BY_CODE.get(text.removeprefix(_BID))):
        return Bid(card)
    if card := BY_CODE.get(text):
        return PlayCard(card)
    raise IllegalMoveError(
        "not-a-move",
        gettext_noop("“%(text)s” is no move. Write pass, bid:3H, or a card such as AS."),
        text=text,
    )
