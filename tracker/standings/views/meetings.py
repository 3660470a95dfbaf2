"""The bracket of a knock-out, and the crosstable of any tournament."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tracker.common.web import access
from tracker.common.web.watched import watched
from tracker.ledger import revisions
from tracker.models import Movement
from tracker.standings.queries.bracket_page import bracket_page
from tracker.standings.queries.crosstable import crosstable


@access.page
@require_safe
@watched(revisions.of_tournament, shared=True)
def bracket(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show the matches of a knock-out, round by round, with all that is known."""
    tournament = access.tournament(request, tournament_id)
    if not tournament.has_bracket:
        raise Http404
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        bracket=bracket_page(tournament),
    )
    return render(request, "standings/bracket.html", context)


@access.page
@require_safe
@watched(revisions.of_tournament, shared=True)
def who_met_whom(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show the crosstable: round by round, or with ``?by=everybody`` as a grid."""
    tournament = access.tournament(request, tournament_id)
    by = request.GET.get("by", "")
    # For a round robin people look for a grid.
    usually_grid = tournament.movement == Movement.ROUND_ROBIN
    grid = by == "everybody" or (by != "round" and usually_grid)
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        crosstable=crosstable(tournament, grid=grid),
    )
    return render(request, "standings/crosstable.html", context)
