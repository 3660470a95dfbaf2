"""Pages of practice: the list of games, a new table, and the table at which a person plays bots."""

import secrets
from time import perf_counter
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.errors import RuleError
from games.game import AnyGame
from tracker.common.web.requests import number_in
from tracker.common.wording import NAMELESS, say
from tracker.practice.moves import closer_look, deal_hand, hint, make_move, next_hand
from tracker.practice.pages.table_view import move_frames, next_stop, pick_code, practice_page
from tracker.practice.state import (
    PracticeHand,
    PracticeTable,
    UnreadableHand,
    practisable,
    read_hand,
    record_of,
)
from tracker.tournaments.forms.house_rules import HouseRulesForm
from tracker.tournaments.queries import summary_of, usual_mode

# Longer input is cut off: characters of a move's code, cards of one move, characters of a name.
_LONGEST_CODE = 60
_MOST_PICKED = 8
_LONGEST_NAME = 20
_SEED_BITS = 48  # of the random number that decides how a hand is dealt
_STRENGTH_LABELS = {
    "beginner": gettext_lazy("Beginners: they know the rules"),
    "steady": gettext_lazy("Steady players, as at most clubs"),
    "strong": gettext_lazy("Strong players: they think before every card"),
}


class PracticeForm(HouseRulesForm):
    """Settings of a practice table: how many play, how strong the bots are, the house rules."""

    mode = forms.ChoiceField(label=gettext_lazy("How many play?"))
    strength = forms.ChoiceField(
        label=gettext_lazy("Who plays with you?"), widget=forms.RadioSelect
    )
    name = forms.CharField(
        label=gettext_lazy("Your name"),
        max_length=_LONGEST_NAME,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "given-name", "autocapitalize": "words"}),
    )

    def __init__(self, game: AnyGame, *args: Any, name: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        usual = game.modes(game.default_options())
        by_house_rule = _("%(mode)s: only by a house rule")
        self.fields["mode"].choices = [  # type: ignore[attr-defined]
            (mode.code, _(mode.name) if mode in usual else by_house_rule % {"mode": _(mode.name)})
            for mode in game.all_modes()
        ]
        self.fields["mode"].initial = usual_mode(game).code
        bots, styles = (game.play.bots, game.play.styles) if game.play else ({}, {})
        # A game may have styles besides the strengths: bots with a manner of their own.
        strengths = [
            *((bot, label) for bot, label in _STRENGTH_LABELS.items() if bot in bots),
            *((bot, _(label)) for bot, label in styles.items()),
        ]
        self.fields["strength"].choices = strengths  # type: ignore[attr-defined]
        # The second one (steady), or the only one.
        usual_strength, _label = strengths[min(1, len(strengths) - 1)]
        self.fields["strength"].initial = usual_strength
        self.fields["name"].initial = name[:_LONGEST_NAME]
        self.ask_house_rules(game)


@require_safe
def practice(request: HttpRequest) -> HttpResponse:
    games = [(game.slug, _(game.name), summary_of(game)) for game in practisable()]
    return render(request, "practice/games.html", {"games": games})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def practice_game(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask how to practise a game, or show the table in ``?hand=`` and make moves sent from it."""
    rules = next((rules for rules in practisable() if rules.slug == slug), None)
    if rules is None:
        raise Http404
    if "hand" not in request.GET:
        return _deal(request, rules) if request.method == "POST" else _new_table(request, rules)
    try:
        table = read_hand(request.GET["hand"], slug)
    except UnreadableHand as error:
        return _new_table(request, rules, refusal=say(error, NAMELESS), status=400)
    if request.method == "POST":
        return _move(request, table)
    if "record" in request.GET and (text := record_of(table)):
        file = f"kula-{table.hand.game}-{table.hand.number}.txt"
        headers = {"Content-Disposition": f'attachment; filename="{file}"'}
        return HttpResponse(text, content_type="text/plain; charset=utf-8", headers=headers)
    return _show_table(request, table)


def _new_table(
    request: HttpRequest,
    game: AnyGame,
    form: PracticeForm | None = None,
    *,
    refusal: str = "",
    status: int = 200,
) -> HttpResponse:
    name = request.user.get_short_name() if request.user.is_authenticated else ""
    context = {
        "game_name": _(game.name),
        "slug": game.slug,
        "summary": summary_of(game),
        "form": form or PracticeForm(game, name=name),
        "refusal": refusal,
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
                name=str(form.cleaned_data["name"] or _("Guest")),
                seed=secrets.randbits(_SEED_BITS),
                clock=perf_counter,
            )
        except RuleError as error:
            form.add_error(form.refused_field(error.question), say(error, NAMELESS))
        else:
            return _redirect_to_hand(hand, after="0")
    return _new_table(request, game, form)


def _move(request: HttpRequest, table: PracticeTable) -> HttpResponse:
    """Make the tapped move or deal the next hand, then redirect to the table.

    A tapped move is sent as its code. A *gather* is a move of several picked cards: ``gather`` is
    its index, ``give`` and ``take`` are codes of cards. The page says why a move is refused.
    """
    if "next" in request.POST:
        dealer = number_in(request.POST.get("dealer", ""))
        following = next_hand(
            table=table, seed=secrets.randbits(_SEED_BITS), clock=perf_counter, dealer=dealer
        )
        return _redirect_to_hand(following, after="0")
    tapped_code = request.POST.get("move", "")[:_LONGEST_CODE]
    try:
        gather = number_in(request.POST.get("gather", ""))
        if gather is None:
            code = tapped_code
        else:
            given, taken = (request.POST.getlist(name)[:_MOST_PICKED] for name in ("give", "take"))
            code = pick_code(table, gather, given, taken)
        hand = make_move(table=table, code=code, clock=perf_counter)
    except RuleError as refusal:
        wrong_cards = refusal.code == "picked"
        parameter = {"picked": request.POST["gather"]} if wrong_cards else {"tried": tapped_code}
        return _redirect_to_hand(table.hand, **parameter)
    return _redirect_to_hand(hand, after=str(len(table.steps)))


def _show_table(request: HttpRequest, table: PracticeTable) -> HttpResponse:
    """Show the table; if bots have moved since the move in ``?after=``, first their next trick.

    ``?after=`` is the number of moves that the reader has seen. The page then also holds each later
    move as a frame, for a script that shows them one by one, and the table after all of them. The
    next *stop* is the end of a trick, or the like; ``stopped`` is the table as it was there.
    """
    seen = number_in(request.GET.get("after", ""))
    stop = None if seen is None else next_stop(table, seen)
    own_moves = table.own_moves
    page = practice_page(
        table,
        card=request.GET.get("card", ""),
        tried=request.GET.get("tried", ""),
        picked=number_in(request.GET.get("picked", "")),
        hint=hint(table) if "hint" in request.GET else None,
    )
    comment = ""
    # The strong bot thinks for a while: only on request.
    if "closer" in request.GET and table.to_move is None:
        comment = say(closer_look(table), table.names)
        comment = comment or _("There was nothing to choose in this hand.")
    context: dict[str, Any] = {
        "page": page,
        "slug": table.game.slug,
        "game_name": _(table.game.name),
        "here": table.hand.signed(),
        # The hand before the person's last move, to take that move back.
        "back": table.at(own_moves[-1]).hand.signed() if own_moves else "",
        "record": record_of(table),
        "frames": () if seen is None else move_frames(table, seen),
        "stop": stop,
        "closer": comment,
        "stopped": None if stop is None else practice_page(table.at(stop)),
    }
    return render(request, "practice/table.html", context)


def _redirect_to_hand(hand: PracticeHand, **parameters: str) -> HttpResponse:
    query = urlencode({"hand": hand.signed(), **parameters})
    return HttpResponseRedirect(f"{reverse('practice-game', args=[hand.game])}?{query}", status=303)


urlpatterns = [
    path("practice/", practice, name="practice"),
    path("practice/<str:slug>/", practice_game, name="practice-game"),
]
