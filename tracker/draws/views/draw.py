"""The draw of the coming round: looked at, changed, published, opened."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from games.errors import RuleError
from tracker.common.refusals import refusing, sentence
from tracker.common.web import access
from tracker.common.web.htmx import HtmxHttpRequest
from tracker.draws.forms import DrawForm
from tracker.draws.queries.coming import ComingRound, coming_round
from tracker.draws.queries.page import draw_page, swap_effect
from tracker.draws.queries.question import modes_of
from tracker.draws.queries.who import entrants_by_name
from tracker.draws.services.changing import swapped_plan
from tracker.draws.services.drawing import draw_rounds
from tracker.draws.views.actions import DICE, act, draw_address, two_tapped
from tracker.models import Role
from tracker.seating.queries.seats import waiting_players
from tracker.tournaments.queries import newcomers


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@vary_on_headers("HX-Request")
def draw(request: HtmxHttpRequest, tournament_id: int) -> HttpResponse:
    """Show the coming round as it would open, and take changes to it."""
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    coming = coming_round(tournament, now=timezone.now())
    do = request.POST.get("do", "")
    form = _form(request, coming)
    swapping: dict[str, object] = {}
    if do == "look" and coming.draw:
        swapping["tapped"] = units = two_tapped(request)
        try:
            swapping["effect"] = swap_effect(coming.draw, units, swapped_plan(coming.draw, units))
        except RuleError as error:
            swapping["refusal"] = sentence(error)
        if request.htmx:
            return render(request, "draws/draw.html#effect", swapping)
    elif do == "set":
        if form.is_valid() and _drawn(request, coming, form):
            return redirect(draw_address(request, tournament))
    elif do:
        return redirect(act(request, coming, do))
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


def _form(request: HttpRequest, coming: ComingRound) -> DrawForm:
    """Return the form of the settings, as they were drawn, typed, or are usual."""
    settings = coming.settings()
    return DrawForm(
        request.POST if request.POST.get("do") == "set" else None,
        tournament=coming.tournament,
        modes=modes_of(coming.tournament),
        settings=settings,
        entrants=entrants_by_name(coming.tournament),
        present=coming.present(),
        others=newcomers(coming.tournament),
        here=waiting_players(coming.night),
        rounds=coming.rounds(settings.movement),
    )


def _drawn(request: HttpRequest, coming: ComingRound, form: DrawForm) -> bool:
    """Draw as the form says, or put beside the form why not."""
    with refusing(form):
        draw_rounds(
            tournament_id=coming.tournament.pk,
            by=access.actor(request),
            rng=DICE,
            settings=form.settings,
            entrants=form.order,
            newcomers=form.cleaned_data["more"],
            new_names=form.cleaned_data["names"],
            rounds=form.cleaned_data["rounds"],
        )
    return form.is_valid()
