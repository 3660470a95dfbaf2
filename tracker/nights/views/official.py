"""A standing is put up, objected to for a while, and then made official."""

from datetime import timedelta

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.errors import RuleError
from tracker.common.refusals import sentence
from tracker.common.web import access
from tracker.common.web.returning import FROM_NIGHT, came_from_night, way_back
from tracker.common.wording import together
from tracker.models import Role, RoundState, Tournament
from tracker.nights.queries.desk import needs_of
from tracker.standings.queries.prizes import open_ties
from tracker.standings.queries.standings import standings
from tracker.standings.services.official import finish_tournament, publish_standing

TO_OBJECT = 20  # minutes in which a standing may be objected to


def put_up(request: HttpRequest, tournament: Tournament) -> None:
    """Put a standing up as provisional for a while.

    :raises Refused: as ``publish_standing`` does.
    """
    by = access.actor(request)
    until = by.at + timedelta(minutes=TO_OBJECT)
    publish_standing(tournament_id=tournament.pk, until=until, by=by)
    first = [row.name for row in standings(tournament).rows if row.place == 1]
    says = ngettext(
        "Published. %(names)s leads. Players may object until %(time)s; then make it official.",
        "Published. %(names)s lead. Players may object until %(time)s; then make it official.",
        len(first),
    )
    words = {"names": together(first), "time": time_format(localtime(until), "TIME_FORMAT")}
    messages.success(request, says % words)


def ask_or_make(request: HttpRequest, tournament: Tournament, *, back: str = "") -> str | None:
    """Make a standing official, or ask first if results in it still wait.

    Return the address where that leads, if it leads anywhere.

    :raises Refused: as ``finish_tournament`` does.
    """
    if tournament.official_at is None and needs_of([tournament]).waiting:
        return reverse("official", args=[tournament.pk]) + back
    return _make(request, tournament, back=back)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def official(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Say which results still wait, and make the standing official all the same."""
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    last = tournament.rounds.exclude(state=RoundState.UNDONE).order_by("-number").first()
    came_back = way_back(request, last) if last else reverse("desk", args=[tournament.pk])
    back = FROM_NIGHT if came_from_night(request) else ""
    if request.method == "POST":
        try:
            return redirect(_make(request, tournament, back=back) or came_back)
        except RuleError as error:
            messages.warning(request, sentence(error))
            return redirect(came_back)
    if tournament.official_at is not None:
        return redirect(came_back)
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        round=last,
        waiting=needs_of([tournament]).waiting,
        came_back=came_back,
        back=back,
    )
    return render(request, "standings/official.html", context)


def _make(request: HttpRequest, tournament: Tournament, *, back: str) -> str | None:
    """Make it official; some who stand level for a prize are asked about at once."""
    made = finish_tournament(tournament_id=tournament.pk, by=access.actor(request))
    messages.success(request, _("The standings of “%(name)s” are official.") % {"name": made.name})
    if not open_ties(made, standings(made).rows):
        return None
    return reverse("prizes", args=[made.pk]) + back
