"""Opening the coming round."""

from random import SystemRandom

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from games.errors import RuleError
from tracker.common.refusals import refuse
from tracker.common.web import access
from tracker.common.web.returning import way_back
from tracker.models import ClubNight, Format, Role, Round, RoundState, Tournament
from tracker.seating.forms import RoundForm
from tracker.seating.queries.next_round import coming_order, newcomers, proposal
from tracker.seating.queries.seats import waiting_players
from tracker.seating.services.next_round import seat_next_round


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def round_new(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Propose who sits where in the coming round, take changes, and open it."""
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    last = tournament.rounds.exclude(state=RoundState.UNDONE).order_by("-number").first()
    if last and last.state == RoundState.OPEN:
        return redirect(way_back(request, last))
    form = _round_form(request, tournament, last)
    if form.is_valid():
        if "look" in request.POST:
            form = _round_form(request, tournament, last, order=form.order)
        elif opened := _open(request, tournament, form):
            return redirect(way_back(request, opened))
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        round=last,
        form=form,
        number=last.number + 1 if last else 1,
    )
    return render(request, "seating/round_new.html", context)


def _round_form(
    request: HttpRequest,
    tournament: Tournament,
    last: Round | None,
    order: list[int] | None = None,
) -> RoundForm:
    """Return the form; with *order* it shows again what was typed, as people would sit then.

    Whether everybody plays is as it was in the *last* round, unless somebody says otherwise.
    """
    rules = tournament.rules
    modes = rules.modes(tournament.house_rules)
    if tournament.format == Format.TEAMS:
        modes = tuple(mode for mode in modes if not mode.individual)
    known = {mode.code: mode for mode in modes}
    asked = request.POST.get("mode", tournament.mode)
    mode = known.get(asked) or known.get(tournament.mode) or modes[0]
    looking = order is not None
    night = ClubNight.objects.going_on(tournament.club_id, timezone.now())
    data = request.POST.copy() if request.method == "POST" else None
    everybody = bool(last and last.seating_plan.get("everybody"))
    if data is not None:
        everybody = bool(data.get("everybody"))
    if order is None:
        order = coming_order(tournament, mode, last, night, everybody=everybody)
    proposed = proposal(tournament, order, mode, night, everybody=everybody)
    if data is not None and looking:
        for row in proposed:
            data[f"place_{row.entrant}"] = str(row.number or "")
    return RoundForm(
        data,
        tournament=tournament,
        modes=modes,
        proposed=proposed,
        others=newcomers(tournament),
        here=waiting_players(night),
        everybody=everybody,
    )


def _open(request: HttpRequest, tournament: Tournament, form: RoundForm) -> Round | None:
    """Open the round as the form says, or put beside the form why not."""
    asked = form.cleaned_data
    try:
        return seat_next_round(
            tournament_id=tournament.pk,
            entrants=form.order,
            newcomers=asked["more"],
            new_names=asked.get("names", []),
            mode=asked["mode"],
            length=asked["length"],
            minutes=asked["minutes"],
            movement=asked["movement"],
            everybody=asked["everybody"],
            by=access.actor(request),
            rng=SystemRandom(),
        )
    except RuleError as error:
        refuse(form, error)
        return None
