"""Italian pack: what the forty cards of Briscola and Mambassa are called, in one place.

A card's code is its number (11 jack, 12 horse, 13 king) and the letter of its suit. The names are
English; the Italian ones stand beside them where codes are explained.
"""

from collections.abc import Mapping

from games.cards import Face, Pip
from games.errors import gettext_noop
from games.wording import Text

SUITS: Mapping[str, str] = {
    "D": gettext_noop("coins"),  # denari
    "S": gettext_noop("swords"),  # spade
    "K": gettext_noop("cups"),  # coppe
    "B": gettext_noop("batons"),  # bastoni
}
_PIPS: Mapping[str, Pip] = {"D": Pip.COIN, "S": Pip.SWORD, "K": Pip.CUP, "B": Pip.BATON}

# What stands in the corner of the ace and the pictures.
_CORNERS = {1: "A", 13: gettext_noop("K"), 12: gettext_noop("H"), 11: gettext_noop("J")}

# Whole names, since languages put number and suit together in their own ways.
NAMES: Mapping[str, str] = {
    "1D": gettext_noop("Ace of coins"),
    "13D": gettext_noop("King of coins"),
    "12D": gettext_noop("Horse of coins"),
    "11D": gettext_noop("Jack of coins"),
    "7D": gettext_noop("7 of coins"),
    "6D": gettext_noop("6 of coins"),
    "5D": gettext_noop("5 of coins"),
    "4D": gettext_noop("4 of coins"),
    "3D": gettext_noop("3 of coins"),
    "2D": gettext_noop("2 of coins"),
    "1S": gettext_noop("Ace of swords"),
    "13S": gettext_noop("King of swords"),
    "12S": gettext_noop("Horse of swords"),
    "11S": gettext_noop("Jack of swords"),
    "7S": gettext_noop("7 of swords"),
    "6S": gettext_noop("6 of swords"),
    "5S": gettext_noop("5 of swords"),
    "4S": gettext_noop("4 of swords"),
    "3S": gettext_noop("3 of swords"),
    "2S": gettext_noop("2 of swords"),
    "1K": gettext_noop("Ace of cups"),
    "13K": gettext_noop("King of cups"),
    "12K": gettext_noop("Horse of cups"),
    "11K": gettext_noop("Jack of cups"),
    "7K": gettext_noop("7 of cups"),
    "6K": gettext_noop("6 of cups"),
    "5K": gettext_noop("5 of cups"),
    "4K": gettext_noop("4 of cups"),
    "3K": gettext_noop("3 of cups"),
    "2K": gettext_noop("2 of cups"),
    "1B": gettext_noop("Ace of batons"),
    "13B": gettext_noop("King of batons"),
    "12B": gettext_noop("Horse of batons"),
    "11B": gettext_noop("Jack of batons"),
    "7B": gettext_noop("7 of batons"),
    "6B": gettext_noop("6 of batons"),
    "5B": gettext_noop("5 of batons"),
    "4B": gettext_noop("4 of batons"),
    "3B": gettext_noop("3 of batons"),
    "2B": gettext_noop("2 of batons"),
}


def face(code: str, points: int) -> Face:
    """Return how the card of this code is drawn; ``points`` is what it counts.

    >>> face("12D", 3).rank, face("7K", 0).rank
    ('H', '7')
    """
    number = int(code[:-1])
    return Face(
        code=code,
        rank=_CORNERS.get(number, str(number)),
        name=Text(NAMES[code]),
        pip=_PIPS[code[-1]],
        points=points,
    )
