"""The practice table, a recorded hand step by step, and the records of a club's hands."""

import secrets
from time import perf_counter
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.errors import RuleError
from games.game import AnyGame
from tracker.common.web import access
from tracker.common.web.parameters import number_in
from tracker.common.wording import NAMELESS, Names, say
from tracker.models import Hand, Role
from tracker.practice.forms import PracticeForm, RecordForm
from tracker.practice.page import frames, next_stop, pick_code, practice_page
from tracker.practice.queries import record_page
from tracker.practice.replay_page import recorded_hand, replay_page
from tracker.practice.services import (
    attach_record,
    closer_look,
    deal_hand,
    detach_record,
    hint,
    make_move,
    next_hand,
)
from tracker.practice.state import (
    PracticeHand,
    PracticeTable,
    UnreadableHand,
    practisable,
    read,
    record_of,
)
from tracker.tables.statements import read_table
from tracker.tables.table import TableNow
from tracker.tournaments.queries.games import summary_of

_LONGEST_CODE = 60


@require_safe
def practice(request: HttpRequest) -> HttpResponse:
    """List the games that can be practised."""
    games = [(game.slug, _(game.name), summary_of(game)) for game in practisable()]
    return render(request, "practice/games.html", {"games": games})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def practice_game(request: HttpRequest, game: str) -> HttpResponse:
    """Ask how to practise a game, or show the table and make the moves sent from it."""
    rules = next((rules for rules in practisable() if rules.slug == game), None)
    if rules is None:
        raise Http404
    if "hand" not in request.GET:
        return _deal_first(request, rules) if request.method == "POST" else _ask(request, rules)
    try:
        table = read(request.GET["hand"], game)
    except UnreadableHand as error:
        return _ask(request, rules, refusal=say(error, NAMELESS), status=400)
    if request.method == "POST":
        return _move(request, table)
    if "record" in request.GET and (text := record_of(table)):
        file = f"kula-{table.hand.game}-{table.hand.number}.txt"
        headers = {"Content-Disposition": f'attachment; filename="{file}"'}
        return HttpResponse(text, content_type="text/plain; charset=utf-8", headers=headers)
    return _show_table(request, table)


def _ask(
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


def _deal_first(request: HttpRequest, game: AnyGame) -> HttpResponse:
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
            return _show_hand(hand, after="0")
    return _ask(request, game, form)


def _move(request: HttpRequest, table: PracticeTable) -> HttpResponse:
    """Make the move that was tapped; a refused one is answered on the same page."""
    if "next" in request.POST:
        dealer = number_in(request.POST.get("dealer", ""))
        following = next_hand(table=table, seed=_seed(), clock=perf_counter, dealer=dealer)
        return _show_hand(following, after="0")
    code = request.POST.get("move", "")[:_LONGEST_CODE]
    tried = {"tried": code}
    try:
        place = number_in(request.POST.get("gather", ""))
        if place is not None:
            cards = (request.POST.getlist(name)[:8] for name in ("give", "take"))
            code = pick_code(table, place, *cards)
        after = {"after": str(len(table.steps))}
        return _show_hand(make_move(table=table, code=code, clock=perf_counter), **after)
    except RuleError as refusal:
        if refusal.code == "picked":
            tried = {"picked": request.POST["gather"]}
    return _show_hand(table.hand, **tried)


def _show_table(request: HttpRequest, table: PracticeTable) -> HttpResponse:
    """Show the table now, or after a move the next trick that the person has not seen yet.

    A page on which something is still to be seen holds all of it, move by move, for a
    script that shows it, and the table as it is then.
    """
    seen = number_in(request.GET.get("after", ""))
    stop = None if seen is None else next_stop(table, seen)
    mine = table.mine
    page = practice_page(
        table,
        card=request.GET.get("card", ""),
        tried=request.GET.get("tried", ""),
        picked=number_in(request.GET.get("picked", "")),
        hint=hint(table) if "hint" in request.GET else None,
    )
    closer = ""
    # What is worth knowing of the hand takes a while: only if it is asked for.
    if "closer" in request.GET and table.to_move is None:
        said = say(closer_look(table), table.names)
        closer = said or _("There was nothing to choose in this hand.")
    context: dict[str, Any] = {
        "page": page,
        "slug": table.game.slug,
        "game_name": _(table.game.name),
        "here": table.hand.written(),
        "back": table.hand.back_to(mine[-1]).written() if mine else "",
        "record": record_of(table),
        "frames": () if seen is None else frames(table, seen),
        "stop": stop,
        "closer": closer,
        "stopped": None if stop is None else practice_page(table.at(stop)),
    }
    return render(request, "practice/table.html", context)


def _seed() -> int:
    return secrets.randbits(48)


def _show_hand(hand: PracticeHand, **more: str) -> HttpResponse:
    query = urlencode({"hand": hand.written(), **more})
    address = reverse("practice-game", args=[hand.game])
    return HttpResponseRedirect(f"{address}?{query}", status=303)


# A recorded hand, of which nothing is stored ---------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def replay(request: HttpRequest) -> HttpResponse:
    """Ask for a written hand, and show the state of it that was asked for."""
    if request.method != "POST":
        return render(request, "practice/replay/paste.html", {"form": RecordForm()})
    form = RecordForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            recorded = recorded_hand(form.text_sent(), number_in(request.POST.get("hand", "")) or 0)
        except RuleError as refusal:
            form.add_error("text", say(refusal, NAMELESS))
        else:
            step = number_in(request.POST.get("step", "")) or 0
            context = {
                "page": replay_page(recorded.replayed, recorded.names, step),
                "recorded": recorded,
                "text": form.text_sent(),
                "places": range(recorded.many),
            }
            return render(request, "practice/replay/hand.html", context)
    return render(request, "practice/replay/paste.html", {"form": form})


# The record of a hand at a table: shown to all, changed by scorers -----------------------------


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def hand_record(request: HttpRequest, sitting_id: int, number: int) -> HttpResponse:
    """Show the record of a hand, and take one in."""
    table = read_table(sitting_id=sitting_id)
    role = Role.SCORER if request.method == "POST" else None
    access.check(request, table.club if table else None, role)
    hand = Hand.objects.filter(sitting=sitting_id, number=number).first()
    if table is None or hand is None:
        raise Http404
    names = table.names_at(number)
    form = RecordForm()
    if request.method == "POST":
        form = RecordForm(request.POST, request.FILES)
        if _record_changed(request, table, hand, names, form):
            return redirect("hand-record", sitting_id, number)
    tournament = table.tournament
    record = record_page(hand, names, number_in(request.GET.get("step", "")) or 0)
    context = access.context(
        request,
        tournament.club,
        table=table,
        tournament=tournament,
        called=table.numbered(number),
        record=record,
        page=record.page if record else None,
        form=form,
        may_score=access.may(request, tournament.club, Role.SCORER),
    )
    return render(request, "practice/replay/record.html", context)


def _record_changed(
    request: HttpRequest, table: TableNow, hand: Hand, names: Names, form: RecordForm
) -> bool:
    """Keep or take away what was sent, and say whether that was done."""
    sitting_id, number, by = table.sitting_id, hand.number, access.actor(request)
    if "remove" in request.POST:
        detach_record(sitting_id=sitting_id, number=number, by=by)
        messages.success(request, _("Moves deleted."))
        return True
    if not form.is_valid():
        return False
    try:
        attach_record(sitting_id=sitting_id, number=number, text=form.text_sent(), by=by)
    except RuleError as refusal:
        form.add_error("text", say(refusal, names))
        return False
    messages.success(request, _("Moves saved: they agree with the result."))
    return True


urlpatterns = [
    path("practice/", practice, name="practice"),
    path("practice/<str:game>/", practice_game, name="practice-game"),
    path("replay/", replay, name="replay"),
    path("sittings/<int:sitting_id>/hands/<int:number>/record/", hand_record, name="hand-record"),
]
