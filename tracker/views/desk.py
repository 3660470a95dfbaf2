"""What the organiser stands in front of."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from games.errors import RuleError
from tracker.forms.refusals import sentence
from tracker.models import Role, Tournament
from tracker.queries import desk as desks
from tracker.queries.prizes import open_ties
from tracker.queries.standings import standings
from tracker.services.tournaments import finish_tournament, reopen_tournament
from tracker.views import access


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@vary_on_headers("HX-Request")
def desk(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show the round as it is now; for htmx only what changes by itself."""
    acting = request.method == "POST"
    tournament = access.tournament(
        request, tournament_id, Role.ORGANISER if acting else Role.SCORER
    )
    if acting:
        return redirect(_act(request, tournament), tournament.pk)
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        desk=desks.desk(tournament, now=timezone.now()),
    )
    part = "#live" if "HX-Request" in request.headers else ""
    return render(request, f"desk/desk.html{part}", context)


def _act(request: HttpRequest, tournament: Tournament) -> str:
    """Finish the tournament, or let it go on; return where that leads to."""
    change = reopen_tournament if request.POST.get("do") == "reopen" else finish_tournament
    try:
        changed = change(
            tournament_id=tournament.pk, now=timezone.now(), user_id=access.signed_in(request)
        )
    except RuleError as error:
        messages.error(request, sentence(error))
        return "desk"
    tied = changed.official_at is not None and open_ties(changed, standings(changed).rows)
    return "prizes" if tied else "desk"
