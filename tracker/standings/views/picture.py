"""The first of a standing as a picture, to send around after the night."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tracker.common.poster import drawn
from tracker.common.web import access
from tracker.common.web.watched import watched
from tracker.ledger import revisions
from tracker.standings.queries.poster import poster_of


@access.page
@require_safe
@watched(revisions.of_tournament)
def picture(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Draw who leads; whoever has the latest hears just that."""
    tournament = access.tournament(request, tournament_id)
    return HttpResponse(drawn(poster_of(tournament)), content_type="image/png")
