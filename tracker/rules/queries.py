"""The rule books, each read from its file once a process, with codes called as pages call them."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import games
from games.game import AnyGame
from games.option import OptionKind
from tracker.rules.logic.book import Book, in_words, read_book, without_sources


def book_of(game: AnyGame) -> Book:
    """Return a game's rule book; an empty one where it has none."""
    book = _book(Path(games.__file__).parent / game.slug / "RULES.md")
    return in_words(without_sources(book), dict(_words(game)))


@cache
def _book(file: Path) -> Book:
    return read_book(file.read_text(encoding="utf-8")) if file.is_file() else Book()


def _words(game: AnyGame) -> Iterator[tuple[str, str]]:
    """Yield the codes of modes and house rules, each with what it is called; books are English."""
    for mode in game.all_modes():
        yield mode.code, mode.name
    for option in game.options:
        yield option.name, f"“{option.label}”"
        yes_or_no = ((True, "Yes"), (False, "No")) if option.kind is OptionKind.FLAG else ()
        for value, label in yes_or_no or option.choices:
            written = f'"{value}"' if isinstance(value, str) else str(value)
            yield f"{option.name}={written}", f"“{option.label} {label}”"
            if isinstance(value, str):
                yield written, f"“{label}”"
