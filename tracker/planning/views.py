"""What could we play? Formats for so many people and minutes, and their simulation in pieces."""

from time import perf_counter

from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tracker.common.refusals import sentence
from tracker.common.web import access
from tracker.common.web.htmx import HtmxHttpRequest
from tracker.models import Club, Role
from tracker.planning.cards import cards
from tracker.planning.forms import PlanForm, answers_of
from tracker.planning.state import PlanningState, UnreadableState, advance, read


def usual_evening(club: Club) -> dict[str, object]:
    """Return ``game`` and number of ``players`` of the club's last tournament, in one query."""
    playing = Q(entrants__withdrawn_at=None)
    last = (
        club.tournaments.order_by("-created_at", "-pk")
        .annotate(
            alone=Count("entrants__player", filter=playing, distinct=True),
            in_teams=Count("entrants__team__roster", filter=playing, distinct=True),
        )
        .values("game", "alone", "in_teams")
        .first()
    )
    if last is None:
        return {}
    people = last["alone"] + last["in_teams"]
    return {"game": last["game"], **({"players": people} if people else {})}


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def plan(request: HtmxHttpRequest, club_id: int) -> HttpResponse:
    """Ask what the evening is like, propose formats, and simulate them as the page asks on."""
    club = access.club(request, club_id, Role.ORGANISER)
    if request.method == "POST":
        try:
            progress = read(request.POST.get("state", ""))
        except UnreadableState as error:
            form = PlanForm(initial=usual_evening(club))
            return _page(request, club, form, None, refusal=sentence(error))
        # A page without a script asks for six pieces at once.
        for _ in range(1 if request.htmx else 6):
            progress = advance(progress, clock=perf_counter)
        return _page(request, club, PlanForm(initial=answers_of(progress)), progress)
    if "players" in request.GET:
        form = PlanForm(request.GET)
        return _page(request, club, form, form.progress() if form.is_valid() else None)
    return _page(request, club, PlanForm(initial=usual_evening(club)), None)


def _page(
    request: HtmxHttpRequest,
    club: Club,
    form: PlanForm,
    progress: PlanningState | None,
    *,
    refusal: str = "",
) -> HttpResponse:
    context = access.context(
        request,
        club,
        form=form,
        progress=progress,
        cards=cards(progress, club.pk) if progress else [],
        running=progress is not None and progress.current is not None,
        state=progress.written() if progress else "",
        refusal=refusal,
    )
    template = "planning/proposals.html" if request.htmx and progress else "planning/plan.html"
    return render(request, template, context)
