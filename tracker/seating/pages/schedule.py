"""Public pages about draws: the schedule, and the explanation of a round."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tracker.common.web import access
from tracker.common.web.parameters import key_in
from tracker.models import Tournament
from tracker.seating.queries.drawn_round import explain_round, explain_seat, plan_of
from tracker.seating.queries.schedule import schedule_of


@require_safe
@never_cache
def schedule(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show each entrant's table in each round, and to a known reader their own rounds."""
    tournament = access.tournament(request, tournament_id)
    seatings, me = schedule_of(tournament), _me(request, tournament)
    known = me in seatings.names
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        schedule=seatings,
        me=me if known else None,
        own=seatings.own(me) if me is not None and known else (),
    )
    return render(request, "seating/draws/schedule.html", context)


@require_safe
@never_cache
def why(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    """Explain how a round was drawn, and to a known reader their own seat in it."""
    tournament = access.tournament(request, tournament_id)
    plan = plan_of(tournament, number)
    if plan is None:
        raise Http404
    context = access.context(request, tournament.club, tournament=tournament, number=number)
    if plan:
        rounds = schedule_of(tournament)
        drawn = explain_round(tournament, number, plan, rounds)
        me = _me(request, tournament)
        context |= {
            "drawn": drawn,
            "me": me,
            "people": rounds.rows,
            "name": rounds.names.get(me or 0),
            "answer": explain_seat(drawn, rounds, me) if me else None,
        }
    return render(request, "seating/draws/why.html", context)


def _me(request: HttpRequest, tournament: Tournament) -> int | None:
    """Return the entrant that the address names, or else the one who is signed in."""
    if "who" in request.GET:
        return key_in(request.GET["who"])
    if request.user.pk is None:
        return None
    mine = tournament.entrants.filter(player__user=request.user.pk)
    return mine.values_list("pk", flat=True).first()


urlpatterns = [
    path("tournaments/<int:tournament_id>/schedule/", schedule, name="schedule"),
    path("tournaments/<int:tournament_id>/rounds/<int:number>/why/", why, name="why"),
]
