"""Views of the tournament desk, where the organiser closes rounds and lays one more table."""

from random import SystemRandom

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.errors import RuleError
from tracker.common.files import disk_warning
from tracker.common.forms import refusal_text, refusals_on
from tracker.common.web import access
from tracker.common.web.addresses import address_to_type
from tracker.common.web.polling import ONE_MINUTE, conditional_page
from tracker.common.web.requests import return_page
from tracker.models import ClubNight, Format, Role, Tournament
from tracker.nights.forms import TableForm
from tracker.nights.pages import both_desks
from tracker.nights.queries import desk as desks
from tracker.nights.services.closing import Unconfirmed, close_round, pending_tables
from tracker.nights.services.free_play import seat_table
from tracker.seating.pages.rounds import round_context, round_of
from tracker.seating.queries.players import free_to_sit
from tracker.standings.queries.tournament_stages import event_of
from tracker.standings.services.standings import reopen_tournament
from tracker.tables import revisions


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@conditional_page(revisions.of_tournament, every=ONE_MINUTE)
def desk(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show the round as it is now."""
    acting = request.method == "POST"
    tournament = access.tournament(
        request, tournament_id, Role.ORGANISER if acting else Role.SCORER
    )
    if acting:
        there = both_desks.act(request, _ACTS, tournament, level=messages.ERROR)
        return redirect(there or reverse("desk", args=[tournament.pk]))
    event = event_of(tournament)
    at_desk = desks.desk(tournament, now=timezone.now())
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        desk=at_desk,
        disk=disk_warning(),
        stages=event.listed_stages,
        code_address=address_to_type(request, reverse("card-code")),
        next_stages=() if at_desk.open else event.after(tournament),
    )
    return render(request, "nights/desk/desk.html", context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def round_close(request: HttpRequest, round_id: int) -> HttpResponse:
    """Say what a round still waits for, and close it."""
    round_ = round_of(request, round_id)
    how, unconfirmed = request.POST.get("how", ""), request.POST.get("unconfirmed", "")
    waiting = pending_tables(round_)
    if request.method == "POST":
        try:
            closed = close_round(
                round_id=round_.pk,
                anyway=how == "anyway",
                not_played=how == "not-played",
                unconfirmed=Unconfirmed(unconfirmed) if unconfirmed in set(Unconfirmed) else None,
                by=access.actor(request),
            )
        except RuleError as error:
            messages.warning(request, refusal_text(error))
            return redirect(request.get_full_path())
        messages.success(request, _("Round %(number)d is closed.") % {"number": closed.number})
        return redirect(return_page(request, closed))
    unit = round_.tournament.rules.unit
    context = round_context(
        request,
        round_,
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
    """Take who sits down together, and lay a table for them."""
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    night = ClubNight.objects.going_on(tournament.club_id, timezone.now())
    here, others = free_to_sit(tournament, night)
    form = TableForm(
        request.POST or None,
        here=here,
        others=others,
        teams=tournament.format == Format.TEAMS,
    )
    if form.is_valid():
        with refusals_on(form):
            round_ = seat_table(
                tournament_id=tournament.pk,
                chosen=form.cleaned_data["chosen"],
                new_names=form.cleaned_data.get("names", []),
                by=access.actor(request),
                rng=SystemRandom(),
            )
            table = round_.sittings.order_by("-pk").values_list("number", flat=True).first()
            messages.success(request, _("They play at table %(number)s.") % {"number": table})
            return redirect(return_page(request, round_))
    context = access.context(
        request, tournament.club, tournament=tournament, form=form, night=night
    )
    return render(request, "nights/table_new.html", context)


_ACTS: dict[str, both_desks.Act[Tournament]] = {
    **both_desks.ACTS,
    "reopen": both_desks.pressed(reopen_tournament, "tournament_id"),
}


urlpatterns = [
    path("tournaments/<int:tournament_id>/desk/", desk, name="desk"),
    path("tournaments/<int:tournament_id>/table/", table_new, name="table-new"),
    path("rounds/<int:round_id>/close/", round_close, name="round-close"),
]
