"""How to play a game, its rule book to be searched, and all of them side by side."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django.views.generic import TemplateView

import games
from games import catalogue
from games.game import AnyGame
from games.option import OptionKind
from tracker.practice.state import practisable
from tracker.rules.book import Book, in_words, read_book, without_sources
from tracker.rules.book_page import how_to_play_page
from tracker.rules.search import search
from tracker.tournaments.queries.games import game_cards


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


_LONGEST = 80  # letters that are looked for


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """List the games, and search the rule books of all."""
    wanted = _wanted(request)
    found = []
    for game in catalogue.GAMES.values() if wanted else ():
        answer = search(book_of(game), wanted)
        if answer.at_table and answer.all_words:
            found.append((game.slug, _(game.name), answer.at_table))
    context = {"games": game_cards(), "wanted": wanted, "found": found}
    return render(request, "rules/games.html", context)


@require_safe
def how_to_play(request: HttpRequest, game: str) -> HttpResponse:
    """Tell a newcomer how a game is played and how it is scored here."""
    page = how_to_play_page(_game(game))
    return render(request, "rules/how_to_play.html", {"page": page, "slug": game})


@require_safe
def referee(request: HttpRequest, game: str) -> HttpResponse:
    """Show a game's whole rule book, or what of it was looked for."""
    of_game, wanted = _game(game), _wanted(request)
    book = book_of(of_game)
    context: dict[str, Any] = {
        "game_name": _(of_game.name),
        "slug": game,
        "book": book,
        "wanted": wanted,
        "answer": search(book, wanted) if wanted else None,
        "practised": of_game in practisable(),
    }
    return render(request, "rules/referee.html", context)


def _game(slug: str) -> AnyGame:
    """Return the game of an address.

    :raises Http404: if there is none.
    """
    game = catalogue.GAMES.get(slug)
    if game is None:
        raise Http404
    return game


def _wanted(request: HttpRequest) -> str:
    return request.GET.get("q", "").replace("\0", "").strip()[:_LONGEST]


urlpatterns = [
    path("guide/", TemplateView.as_view(template_name="rules/guide.html"), name="guide"),
    path("rules/", rules, name="rules"),
    path("rules/<str:game>/", how_to_play, name="how-to-play"),
    path("rules/<str:game>/referee/", referee, name="referee"),
]
