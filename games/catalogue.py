"""Catalogue: the one list of games. A new game is its folder and one line here."""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from games.game import AnyGame

_FOLDERS = (
    "albastini",
    "briscola",
    "dalmuti",
    "mambassa",
)


# Read as ``catalogue.GAMES``, never imported by name: a test registers a toy game here.
GAMES: Mapping[str, AnyGame] = MappingProxyType(
    {folder: import_module(f"games.{folder}").GAME for folder in _FOLDERS}
)


def choices() -> list[tuple[str, str]]:
    """List every game as ``(slug, name)``, for forms and model fields."""
    return [(game.slug, game.name) for game in GAMES.values()]
