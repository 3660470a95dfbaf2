"""Public pages of the rules: how to play a game, its rule book, and search in all rule books."""

from functools import cache
from pathlib import Path
from typing import Any, assert_never

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django.views.generic import TemplateView

import games
from games import catalogue
from games.game import AnyGame
from games.how_to_play import read_how_to_play
from games.option import Option, OptionKind
from games.rule_book import read_rule_book
from tracker.common.sheet_lines import counts
from tracker.common.wording import names_of, say
from tracker.rules.book import Book, make_book
from tracker.rules.search import search
from tracker.tournaments.queries import game_cards, summary_of

_LONGEST_QUERY = 80


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """List the games, and the rules of all games that have all words of ``?q=``."""
    query = _query(request)
    found = []
    for game in catalogue.GAMES.values() if query else ():
        result = search(rule_book(game.slug), query)
        if result.at_table and result.all_words:
            found.append((game.slug, _(game.name), result.at_table))
    context = {"games": game_cards(), "wanted": query, "found": found}
    return render(request, "rules/games.html", context)


@require_safe
def how_to_play(request: HttpRequest, slug: str) -> HttpResponse:
    """Explain to a beginner how a game is played and how it is scored here."""
    game = _game_or_404(slug)
    usual = game.default_options()  # the house rules that most clubs have
    modes = game.modes(usual)
    seats = [mode.seats for mode in modes]
    # A mode says how many people play, in which sides. The usual one has partners, if any has.
    mode = next((mode for mode in modes if not mode.individual), modes[0])
    # The first seat deals, and nobody has dealt before.
    session = game.open_session(mode, usual, 0, (None,) * mode.seats)
    guide = read_how_to_play(game, request.LANGUAGE_CODE)
    page = {
        "name": _(game.name),
        "unit": _(game.unit.one),
        "summary": summary_of(game),
        "least": min(seats),
        "most": max(seats),
        # What a table has to answer after every hand: not an optional question, nor one on a folded
        # part of the page (``aside``), nor one that depends on the answer to another.
        "asked": [
            question
            for question in game.questions(session)
            if question.required and not question.aside and question.depends_on is None
        ],
        "compared": game.ranking(usual, False),  # where partners stay together
        "house_rules": [_house_rule(option) for option in game.options],
        "practised": game.play is not None,
        "guide": guide,
        "result": _example_result(game) if guide and game.play else None,
    }
    return render(request, "rules/how_to_play.html", {"page": page, "slug": slug})


@require_safe
def referee(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a game's rule book, or the rules that a search found in it."""
    game, query = _game_or_404(slug), _query(request)
    book = rule_book(slug)
    context: dict[str, Any] = {
        "game_name": _(game.name),
        "slug": slug,
        "book": book,
        "wanted": query,
        "answer": search(book, query) if query else None,
        "practised": game.play is not None,
    }
    return render(request, "rules/referee.html", context)


def _game_or_404(slug: str) -> AnyGame:
    game = catalogue.GAMES.get(slug)
    if game is None:
        raise Http404
    return game


def _query(request: HttpRequest) -> str:
    return request.GET.get("q", "").replace("\0", "").strip()[:_LONGEST_QUERY]


@cache
def rule_book(slug: str) -> Book:
    """Return a game's rule book, with names in place of codes; an empty one if it has none."""
    return make_book(read_rule_book(slug), _names_of_codes(catalogue.GAMES[slug]))


def _names_of_codes(game: AnyGame) -> dict[str, str]:
    """Map each code of a mode, a house rule or a house rule's value to its English name.

    A house rule has the code NAME, its value NAME=VALUE, and a value that is a text also "VALUE".
    """
    names = {mode.code: mode.name for mode in game.all_modes()}
    for option in game.options:
        names[option.name] = f"“{option.label}”"
        is_flag = option.kind is OptionKind.FLAG
        choices = ((True, "Yes"), (False, "No")) if is_flag else option.choices
        for value, label in choices:
            code = f'"{value}"' if isinstance(value, str) else str(value)  # as in Python
            names[f"{option.name}={code}"] = f"“{option.label} {label}”"
            if isinstance(value, str):
                names[code] = f"“{label}”"
    return names


def _example_result(game: AnyGame) -> dict[str, Any]:
    """Return the result of the hand that newcomers are shown, worded as on a table's page."""
    # Only where there is play there are records.
    from games.records.parser import read
    from games.records.replayer import replay

    example = Path(games.__file__).parent / game.slug / "play" / "example.txt"
    record = read(example.read_text(encoding="utf-8"))
    replayed = replay(record)
    session: Any = replayed.session
    names = names_of(session.mode, record.players)
    # A test checks that the record of the example is complete, and so has a sheet (the result).
    after = game.add_sheet(session, replayed.sheet or {})
    why = say(game.explain(session, after.sheet), names)
    dealer = names.at(after.session.dealer)
    counted = counts(game, session, after.sheet)
    return {
        "headline": say(game.headline(session, after.sheet), names),
        "why": why,
        "counted": [(names.of(side), total) for side, total in enumerate(counted)],
        # Empty if the explanation names the dealer already.
        "deals": "" if dealer in why else dealer,
    }


def _house_rule(option: Option) -> dict[str, Any]:
    """Return the question of a house rule, its usual answer and the other ones."""
    match option.kind:
        case OptionKind.FLAG:
            answers = {True: _("Yes"), False: _("No")}
            usual = answers.pop(bool(option.default))
            others = [*answers.values()]
        case OptionKind.CHOICE:
            labels = {value: _(label) for value, label in option.choices}
            usual = labels.pop(option.default)
            others = [*labels.values()]
        case OptionKind.NUMBER:
            # Two choices, the least and the most, each a value and its label.
            (_least, least), (_most, most) = option.choices
            usual = str(option.default)
            others = [_("any from %(least)s to %(most)s") % {"least": least, "most": most}]
        case _:
            assert_never(option.kind)
    return {"asks": _(option.label), "usual": usual, "others": others}


urlpatterns = [
    path("guide/", TemplateView.as_view(template_name="rules/guide.html"), name="guide"),
    path("rules/", rules, name="rules"),
    path("rules/<str:slug>/", how_to_play, name="how-to-play"),
    path("rules/<str:slug>/referee/", referee, name="referee"),
]
