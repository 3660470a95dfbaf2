"""The draw of the coming round: looked at, changed, published, opened."""

from random import SystemRandom

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from games.errors import RuleError
from tracker.common.names import split_names
from tracker.common.refusals import refusing, sentence
from tracker.common.web import access
from tracker.common.web.htmx import HtmxHttpRequest
from tracker.common.web.parameters import key_in, number_in
from tracker.common.web.returning import FROM_NIGHT, came_from_night, way_back
from tracker.common.wording import together
from tracker.draws.forms import DrawForm
from tracker.draws.logic.saved import round_from_json
from tracker.draws.queries.coming import ComingRound, coming_round
from tracker.draws.queries.page import draw_page, swap_effect
from tracker.draws.services.drawing import (
    discard_draws,
    draw_rounds,
    lock_table,
    mend_draw,
    publish_draws,
    redraw,
    swap,
    swapped_plan,
)
from tracker.draws.services.opening import open_draw
from tracker.models import Role, Tournament

DICE = SystemRandom()
_LONGEST_LINE = 500  # of names that are added at once


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@vary_on_headers("HX-Request")
def draw(request: HtmxHttpRequest, tournament_id: int) -> HttpResponse:
    """Show the coming round as it would open, and take changes to it."""
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    coming = coming_round(tournament, now=timezone.now())
    do = request.POST.get("do", "")
    form = DrawForm(request.POST if do == "set" else None, coming=coming)
    swapping: dict[str, object] = {}
    if do == "look" and coming.draw:
        swapping["tapped"] = units = _two_tapped(request)
        try:
            swapping["effect"] = swap_effect(coming.draw, units, swapped_plan(coming.draw, units))
        except RuleError as error:
            swapping["refusal"] = sentence(error)
        if request.htmx:
            return render(request, "draws/draw.html#effect", swapping)
    elif do == "set":
        if form.is_valid():
            with refusing(form):
                draw_rounds(
                    tournament_id=tournament.pk,
                    by=access.actor(request),
                    rng=DICE,
                    settings=form.settings,
                    entrants=form.order,
                    newcomers=form.cleaned_data["more"],
                    new_names=form.cleaned_data["names"],
                    rounds=form.cleaned_data["rounds"],
                )
        if form.is_valid():
            return redirect(_draw_address(request, tournament))
    elif do:
        try:
            return redirect(_act(request, coming, do))
        except RuleError as error:
            messages.warning(request, sentence(error))
        return redirect(_draw_address(request, tournament))
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        round=coming.last,
        number=coming.number,
        form=form,
        page=draw_page(coming),
        **swapping,
    )
    return render(request, "draws/draw.html", context)


def _act(request: HttpRequest, coming: ComingRound, pressed: str) -> str:
    """Do what the pressed button says, and return the address to go to.

    A button may name a table, as ``lock:3``.

    :raises RuleError: why not, if it cannot be done.
    """
    do, _colon, table = pressed.partition(":")
    by, pk = access.actor(request), coming.tournament.pk
    match do:
        case "draw" if not coming.drawn:
            draw_rounds(tournament_id=pk, newcomers=coming.arrivals(), by=by, rng=DICE)
        case "redraw":
            redraw(tournament_id=pk, by=by, rng=DICE)
        case "open" if not coming.changes():
            return way_back(request, open_draw(tournament_id=pk, by=by, rng=DICE))
        case "mend" | "open":  # where people came or went, the draw is shown before it opens
            mend_draw(tournament_id=pk, newcomers=coming.arrivals(), by=by, rng=DICE)
            messages.success(request, _("The draw is updated. Have another look."))
        case "add":
            _add(request, coming)
        case "swap":
            swap(tournament_id=pk, units=_two_tapped(request), by=by)
        case "lock" | "free":
            number = number_in(table) or 0
            lock_table(tournament_id=pk, number=number, locked=do == "lock", by=by)
        case "publish":
            publish_draws(tournament_id=pk, by=by)
            messages.success(request, _("Everybody can see it now, on phones and on the display."))
        case "discard":
            discard_draws(tournament_id=pk, by=by)
            return reverse("desk", args=[pk])
    return _draw_address(request, coming.tournament)


def _draw_address(request: HttpRequest, tournament: Tournament) -> str:
    """Return the address of the page, with the way back from it."""
    back = FROM_NIGHT if came_from_night(request) else ""
    return reverse("draw", args=[tournament.pk]) + back


def _two_tapped(request: HttpRequest) -> tuple[int, int]:
    """Return the keys of the two who are tapped; 0 and 0 if they are not two."""
    tapped = [key_in(unit) for unit in request.POST.getlist("unit")]
    return (tapped[0], tapped[1]) if len(tapped) == 2 else (0, 0)


def _add(request: HttpRequest, coming: ComingRound) -> None:
    """Enter people by name alone, and seat them in the coming round."""
    names = split_names(request.POST.get("names", "")[:_LONGEST_LINE])
    if not names:
        messages.warning(request, _("Type the name of whoever has arrived."))
        return
    before = {unit for draw in coming.drawn[:1] for unit in draw.question["present"]}
    drawn = mend_draw(
        tournament_id=coming.tournament.pk,
        new_names=names,
        by=access.actor(request),
        rng=DICE,
    )
    plan = round_from_json(drawn[0].plan)
    people = {each.pk: str(each) for each in coming.tournament.entrants.select_related("player")}
    says = [
        _("%(name)s plays at table %(number)d.") % {"name": people[unit], "number": table.number}
        for table in plan.tables
        for unit in table.units
        if unit not in before
    ]
    resting = ngettext(
        "%(names)s sits out this round.", "%(names)s sit out this round.", len(plan.resting)
    )
    if plan.resting:
        says.append(resting % {"names": together([people[unit] for unit in plan.resting])})
    messages.success(request, " ".join(says))
