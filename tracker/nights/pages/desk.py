"""Desk of a tournament: the page on which organisers run it, and the pages behind its buttons."""

from collections.abc import Sequence
from random import SystemRandom
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tracker.common.files import disk_warning
from tracker.common.forms import (
    NewPeopleField,
    TapField,
    refusal_text,
    refusals_as_messages,
    refusals_on,
)
from tracker.common.web import access
from tracker.common.web.addresses import address_to_type
from tracker.common.web.polling import ONE_MINUTE, conditional_page
from tracker.common.web.requests import FROM_NIGHT, came_from_night, return_page
from tracker.models import ClubNight, Format, Role, Tournament
from tracker.nights.pages.desk_actions import (
    SHARED_ACTIONS,
    Action,
    make_official,
    run_action,
    service_action,
)
from tracker.nights.queries.desk import needs_of, tournament_desk
from tracker.nights.queries.nights import Person
from tracker.nights.services.closing import Unconfirmed, close_round, pending_tables
from tracker.nights.services.tonight import seat_table
from tracker.seating.pages.rounds import round_context, round_of
from tracker.seating.queries.players import free_to_sit
from tracker.standings.queries.tournament_stages import event_of
from tracker.standings.services.standings import missing_result, reopen_tournament
from tracker.tables import revisions


class TableForm(forms.Form):
    """Who sits down at one more table: *free* players with new people, or *free* teams."""

    chosen = TapField()
    names = NewPeopleField()

    def __init__(self, *args: Any, free: Sequence[Person], teams: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen = self.fields["chosen"]
        chosen.label = _("Which teams") if teams else _("Who sits down")
        chosen.choices = free  # type: ignore[attr-defined]
        if teams:
            del self.fields["names"]


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@conditional_page(revisions.of_tournament, every=ONE_MINUTE)
def desk(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show the desk of a tournament at its last round, and do what its buttons say."""
    acting = request.method == "POST"
    role = Role.ORGANISER if acting else Role.SCORER
    tournament = access.tournament(request, tournament_id, role)
    if acting:
        next_page = run_action(request, _ACTIONS, tournament, refusal_level=messages.ERROR)
        return redirect(next_page or reverse("desk", args=[tournament.pk]))
    event = event_of(tournament)
    at_desk = tournament_desk(tournament, now=timezone.now())
    context = {"tournament": tournament, "desk": at_desk, "disk": disk_warning()}
    context |= {"code_address": address_to_type(request, reverse("card-code"))}
    next_stages = () if at_desk.open else event.next_stages(tournament)
    context |= {"stages": event.listed_stages, "next_stages": next_stages}
    return access.render(request, "nights/desk/desk.html", tournament.club, **context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def round_close(request: HttpRequest, round_id: int) -> HttpResponse:
    """Show what is missing in a round, and close it as the fields *how* and *unconfirmed* say."""
    round_ = round_of(request, round_id)
    how, unconfirmed = request.POST.get("how", ""), request.POST.get("unconfirmed", "")
    waiting = pending_tables(round_)
    if request.method == "POST":
        next_page = request.get_full_path()  # this page again, if closing is refused
        with refusals_as_messages(request, messages.WARNING):
            closed = close_round(
                round_id=round_.pk,
                anyway=how == "anyway",
                not_played=how == "not-played",
                unconfirmed=Unconfirmed(unconfirmed) if unconfirmed in set(Unconfirmed) else None,
                by=access.actor(request),
            )
            messages.success(request, _("Round %(number)d is closed.") % {"number": closed.number})
            next_page = return_page(request, closed)
        return redirect(next_page)
    unit = round_.tournament.rules.unit
    context = round_context(
        request,
        round_,
        # Each table with the names of its unconfirmed hands.
        waiting=[
            (table, ", ".join(map(table.numbered, table.to_do.unconfirmed_numbers)))
            for table in waiting
        ],
        short=sum(table.progress.owed for table in waiting),
        one=_("game") if round_.games else _(unit.one),
        many=_("games") if round_.games else _(unit.many),
        level=any(table.progress.level for table in waiting),
        owed=any(table.progress.owed or table.to_do.issues for table in waiting),
        unconfirmed=sum(len(table.to_do.unconfirmed) for table in waiting),
    )
    return render(request, "nights/round_close.html", context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def table_new(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Ask who plays at one more table, and seat them."""
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    night = ClubNight.objects.going_on(tournament.club_id, timezone.now())
    # All without a seat: the players checked in at the night, and the other players or the teams.
    here, others = free_to_sit(tournament, night)
    in_teams = tournament.format == Format.TEAMS
    form = TableForm(request.POST or None, free=[*here, *others], teams=in_teams)
    if form.is_valid():
        with refusals_on(form):
            round_ = seat_table(
                tournament_id=tournament.pk,
                chosen=form.cleaned_data["chosen"],
                new_names=form.cleaned_data.get("names", []),
                by=access.actor(request),
                rng=SystemRandom(),
            )
            # The newest table: the others of the round were there before.
            table = round_.sittings.order_by("-pk").values_list("number", flat=True).first()
            messages.success(request, _("They play at table %(number)s.") % {"number": table})
            return redirect(return_page(request, round_))
    context = {"tournament": tournament, "form": form, "night": night, "here": here}
    club = tournament.club
    return access.render(request, "nights/table_new.html", club, others=others, **context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def official(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """List the results in question; make the standing official (POST) unless one is missing."""
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    last = tournament.rounds.not_undone().order_by("-number").first()
    desk_url = return_page(request, last) if last else reverse("desk", args=[tournament.pk])
    # A query string that makes the next page lead back to the desk of the night.
    back = FROM_NIGHT if came_from_night(request) else ""
    if request.method == "POST":
        with refusals_as_messages(request, messages.WARNING):
            desk_url = make_official(request, tournament, back=back) or desk_url
        return redirect(desk_url)
    if tournament.official_at is not None:
        return redirect(desk_url)
    waiting = needs_of([tournament]).about_results
    context = {
        "tournament": tournament,
        "round": last,
        "came_back": desk_url,
        "back": back,
        "waiting": waiting,
        "missing": (missing := missing_result(tournament)),
        "what_is_missing": refusal_text(missing) if missing else "",
    }
    return access.render(request, "standings/official.html", tournament.club, **context)


_ACTIONS: dict[str, Action[Tournament]] = {
    **SHARED_ACTIONS,
    "reopen": service_action(reopen_tournament, "tournament_id"),
}

urlpatterns = [
    path("tournaments/<int:tournament_id>/desk/", desk, name="desk"),
    path("tournaments/<int:tournament_id>/table/", table_new, name="table-new"),
    path("rounds/<int:round_id>/close/", round_close, name="round-close"),
    path("tournaments/<int:tournament_id>/official/", official, name="official"),
]
