"""Cards: how those of any game are drawn, and how they are found by their codes."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from games.errors import gettext_noop
from games.wording import Text

CardT = TypeVar("CardT")


class Pip(StrEnum):
    """What a suit looks like: the name of its picture."""

    SPADE = "spade"
    HEART = "heart"
    DIAMOND = "diamond"
    CLUBS = "clubs"
    COIN = "coin"
    CUP = "cup"
    SWORD = "sword"
    BATON = "baton"


SYMBOLS = {Pip.SPADE: "♠", Pip.HEART: "♥", Pip.DIAMOND: "♦", Pip.CLUBS: "♣"}
_SUITS = {
    "SPADES": (gettext_noop("spades"), Pip.SPADE),
    "HEARTS": (gettext_noop("hearts"), Pip.HEART),
    "DIAMONDS": (gettext_noop("diamonds"), Pip.DIAMOND),
    "CLUBS": (gettext_noop("clubs"), Pip.CLUBS),
    "COINS": (gettext_noop("coins"), Pip.COIN),
    "CUPS": (gettext_noop("cups"), Pip.CUP),
    "SWORDS": (gettext_noop("swords"), Pip.SWORD),
    "BATONS": (gettext_noop("batons"), Pip.BATON),
}


class CardSuit(StrEnum):
    """A suit, by the letter that ends a card's code. Each game has its own, in its own order."""

    @property
    def label(self) -> str:
        """Return its name, to be translated."""
        return _SUITS[self.name][0]

    @property
    def pip(self) -> Pip:
        return _SUITS[self.name][1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """A card as it is drawn; ``count`` of them lie on each other.

    ``rank`` stands in its corner, to be translated; ``name`` is how it is read aloud;
    ``points`` is what it is worth to whoever has it, where the game counts that.
    """

    code: str
    rank: str
    name: Text
    pip: Pip | None = None
    points: int = 0
    count: int = 1


@dataclass(frozen=True, slots=True)
class Countable:
    """A pack whose cards a side counts after a hand, for the answer to this question.

    Only cards that are worth something are in it.
    """

    question: str
    cards: tuple[Face, ...]


def card_named(pack: Mapping[str, CardT], code: str) -> CardT:
    """Return the card with this code.

    >>> card_named({"7H": "the 7 of hearts"}, "7H")
    'the 7 of hearts'

    :raises ValueError: if the pack has no such card.
    """
    if code not in pack:
        raise ValueError(f"not a card: {code!r}")
    return pack[code]
