"""Playing against bots, without signing in: the whole hand stands in the page's address."""

import secrets
from time import perf_counter
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.errors import RuleError
from games.game import AnyGame
from tracker.common.web.parameters import number_in
from tracker.common.wording import NAMELESS, say
from tracker.practice.forms.practice import PracticeForm
from tracker.practice.page import gathered, practice_page
from tracker.practice.services.practice import deal_hand, hint, make_move, next_hand
from tracker.practice.state import (
    Practised,
    Replayed,
    Unreadable,
    practisable,
    read,
    record_of,
)

_LONGEST_CODE = 60


@require_safe
def practice(request: HttpRequest) -> HttpResponse:
    """List the games that can be practised."""
    games = [
        (game.slug, _(game.name), _(game.summary) if game.summary else "") for game in practisable()
    ]
    return render(request, "practice/games.html", {"games": games})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def practice_game(request: HttpRequest, game: str) -> HttpResponse:
    """Ask how to practise a game, or show the table, and take in what is done there."""
    rules = next((rules for rules in practisable() if rules.slug == game), None)
    if rules is None:
        raise Http404
    if "hand" not in request.GET:
        return _deal(request, rules) if request.method == "POST" else _ask(request, rules)
    try:
        replayed = read(request.GET["hand"], game)
    except Unreadable as error:
        return _ask(request, rules, said=say(error, NAMELESS), status=400)
    if request.method == "POST":
        return _done(request, replayed)
    if "record" in request.GET and (text := record_of(replayed)):
        return _file(replayed.hand, text)
    return _table(request, replayed)


def _ask(
    request: HttpRequest,
    game: AnyGame,
    form: PracticeForm | None = None,
    *,
    said: str = "",
    status: int = 200,
) -> HttpResponse:
    name = request.user.get_short_name() if request.user.is_authenticated else ""
    context = {
        "game_name": _(game.name),
        "slug": game.slug,
        "summary": _(game.summary) if game.summary else "",
        "form": form or PracticeForm(game, name=name),
        "said": said,
    }
    return render(request, "practice/new.html", context, status=status)


def _deal(request: HttpRequest, game: AnyGame) -> HttpResponse:
    form = PracticeForm(game, request.POST)
    if form.is_valid():
        try:
            hand = deal_hand(
                game=game.slug,
                mode=form.cleaned_data["mode"],
                options=form.options(),
                strength=form.cleaned_data["strength"],
                name=form.called(),
                seed=_seed(),
                clock=perf_counter,
            )
        except RuleError as error:
            form.add_error(form.refused_field(error.question), say(error, NAMELESS))
        else:
            return _to(hand)
    return _ask(request, game, form)


def _done(request: HttpRequest, replayed: Replayed) -> HttpResponse:
    """Make the move that was tapped; a refused one is answered on the same page."""
    if "next" in request.POST:
        return _to(next_hand(replayed=replayed, seed=_seed(), clock=perf_counter))
    tried = {"tried": request.POST.get("move", "")[:_LONGEST_CODE]}
    try:
        code = _code(request, replayed)
        return _to(make_move(replayed=replayed, code=code, clock=perf_counter))
    except RuleError as refusal:
        if refusal.code == "picked":
            tried = {"picked": request.POST["gather"]}
    return _to(replayed.hand, **tried)


def _code(request: HttpRequest, replayed: Replayed) -> str:
    place = number_in(request.POST.get("gather", ""))
    if place is None:
        return request.POST.get("move", "")[:_LONGEST_CODE]
    cards = (request.POST.getlist(name)[:8] for name in ("give", "take"))
    return gathered(replayed, place, *cards)


def _table(request: HttpRequest, replayed: Replayed) -> HttpResponse:
    mine = replayed.mine
    asked = "hint" in request.GET
    page = practice_page(
        replayed,
        card=request.GET.get("card", ""),
        tried=request.GET.get("tried", ""),
        picked=number_in(request.GET.get("picked", "")),
        hint=hint(replayed) if asked else None,
    )
    context: dict[str, Any] = {
        "page": page,
        "slug": replayed.game.slug,
        "game_name": _(replayed.game.name),
        "here": replayed.hand.written(),
        "back": replayed.hand.back_to(mine[-1]).written() if mine else "",
        "record": record_of(replayed),
    }
    return render(request, "practice/table.html", context)


def _file(hand: Practised, text: str) -> HttpResponse:
    """Let the record of a hand be kept on whatever one practises on."""
    name = f"kula-{hand.game}-{hand.number}.txt"
    return HttpResponse(
        text,
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _seed() -> int:
    return secrets.randbits(48)


def _to(hand: Practised, **told: str) -> HttpResponse:
    query = urlencode({"hand": hand.written(), **told})
    address = reverse("practice-game", args=[hand.game])
    return HttpResponseRedirect(f"{address}?{query}", status=303)
