"""The rule books, each read from its file once a process."""

from functools import cache
from pathlib import Path

import games
from games import catalogue
from games.game import AnyGame
from tracker.rules.logic.book import Book, read_book


def game_of(slug: str) -> AnyGame | None:
    """Return the game that is called so in addresses."""
    return catalogue.GAMES.get(slug)


def book_of(game: AnyGame) -> Book:
    """Return a game's rule book; an empty one where it has none."""
    return _book(Path(games.__file__).parent / game.slug / "RULES.md")


@cache
def _book(file: Path) -> Book:
    return read_book(file.read_text(encoding="utf-8")) if file.is_file() else Book()
