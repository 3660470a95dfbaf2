"""Catalogue: the one list of games. A new game is its folder and one line here."""

from collections.abc import Mapping
from types import MappingProxyType

from games import (
    albastini,
    briscola,
    dalmuti,
    mambassa,
)
from games.game import AnyGame

_GAMES: tuple[AnyGame, ...] = (
    albastini.GAME,
    briscola.GAME,
    dalmuti.GAME,
    mambassa.GAME,
)
# Read as ``catalogue.GAMES``, never imported by name: a test registers a toy game here.
GAMES: Mapping[str, AnyGame] = MappingProxyType({game.slug: game for game in _GAMES})


def choices() -> list[tuple[str, str]]:
    """List every game as ``(slug, name)``, for forms and model fields."""
    return [(game.slug, game.name) for game in GAMES.values()]
