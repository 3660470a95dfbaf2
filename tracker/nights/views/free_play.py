"""View that opens one more table, for players who are free."""

from random import SystemRandom

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tracker.common.refusals import refusing
from tracker.common.web import access
from tracker.common.web.returning import way_back
from tracker.draws.queries.coming import free_to_sit
from tracker.models import ClubNight, Format, Role
from tracker.nights.forms import TableForm
from tracker.nights.services.free_play import seat_table


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
        with refusing(form):
            round_ = seat_table(
                tournament_id=tournament.pk,
                chosen=form.cleaned_data["chosen"],
                new_names=form.cleaned_data.get("names", []),
                by=access.actor(request),
                rng=SystemRandom(),
            )
            table = round_.sittings.order_by("-pk").values_list("number", flat=True).first()
            messages.success(request, _("They play at table %(number)s.") % {"number": table})
            return redirect(way_back(request, round_))
    context = access.context(
        request, tournament.club, tournament=tournament, form=form, night=night
    )
    return render(request, "nights/table_new.html", context)
