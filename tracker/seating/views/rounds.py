"""Putting the seats of a round right, and what every page about one round shares."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.errors import RuleError
from tracker.common.refusals import refuse
from tracker.common.web import access
from tracker.common.web.returning import way_back
from tracker.models import Role, Round
from tracker.seating.forms import ExchangeForm, SubstituteForm
from tracker.seating.queries.seats import free_players, seats_now
from tracker.seating.services.seats import exchange, substitute


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def round_seats(request: HttpRequest, round_id: int) -> HttpResponse:
    """Let two people change seats, or somebody take over."""
    round_ = round_of(request, round_id)
    club = round_.tournament.club
    seats, free = seats_now(round_), free_players(club.pk)
    swapping = request.POST.get("do") == "exchange"
    taking = request.POST.get("do") == "substitute"
    swap = ExchangeForm(request.POST if swapping else None, seats=seats)
    take = SubstituteForm(request.POST if taking else None, seats=seats, free=free)
    if (swapping and _swap(request, swap)) or (taking and _take_over(request, take)):
        return redirect(way_back(request, round_))
    context = round_context(request, round_, swap=swap, take=take, seats=seats, free=free)
    return render(request, "seating/round_seats.html", context)


def round_of(request: HttpRequest, round_id: int) -> Round:
    """Return a round to whoever may organise it."""
    return access.get(request, Round.objects, round_id, Role.ORGANISER, club="tournament__club")


def round_context(request: HttpRequest, round_: Round, **more: object) -> dict[str, object]:
    """Return what every page about one round shows."""
    return access.context(
        request,
        round_.tournament.club,
        tournament=round_.tournament,
        round=round_,
        back=way_back(request, round_),
        **more,
    )


def _swap(request: HttpRequest, form: ExchangeForm) -> bool:
    if not form.is_valid():
        return False
    try:
        exchange(seats=form.cleaned_data["seats"], by=access.actor(request))
    except RuleError as error:
        return _refused(form, error)
    messages.success(request, _("They have changed seats, for all that was played."))
    return True


def _take_over(request: HttpRequest, form: SubstituteForm) -> bool:
    if not form.is_valid():
        return False
    try:
        seat = substitute(
            seat_id=form.cleaned_data["seat"],
            player_id=form.cleaned_data["player"],
            by=access.actor(request),
        )
    except RuleError as error:
        return _refused(form, error)
    messages.success(request, _("%(name)s takes over.") % {"name": seat.player.name})
    return True


def _refused(form: forms.Form, error: RuleError) -> bool:
    refuse(form, error)
    return False
