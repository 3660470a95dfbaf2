"""Prizes: settling the ties for them when a tournament is over."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tracker.common.errors import Refused
from tracker.common.refusals import refuse
from tracker.common.web import access
from tracker.common.web.returning import way_back
from tracker.models import Role, TieResolution
from tracker.standings.forms.awards import TieResolutionForm
from tracker.standings.queries.prizes import open_ties, prize_lines, resolution_lines
from tracker.standings.queries.standings import standings
from tracker.standings.services.official import resolve_tie


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def prizes(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Ask of every tie for a prize whether it is shared, cut for or played off."""
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    last = tournament.rounds.order_by("-number").first()
    back = way_back(request, last) if last else tournament.get_absolute_url()
    standing = standings(tournament)
    ties = open_ties(tournament, standing.rows) if tournament.official_at else []
    asked = request.POST.get("tie") if request.method == "POST" else None
    forms = [
        TieResolutionForm(tie, request.POST if asked == str(tie.place) else None) for tie in ties
    ]
    for form in forms:
        if not form.is_valid():
            continue
        try:
            resolve_tie(
                tournament_id=tournament.pk,
                how=TieResolution(form.cleaned_data["how"]),
                order=form.order(),
                by=access.actor(request),
            )
        except Refused as refused:
            refuse(form, refused)
        else:
            messages.success(request, _("The prize is settled."))
            return redirect(request.get_full_path() if len(ties) > 1 else back)
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        forms=forms,
        back=back,
        lines=prize_lines(standing),
        criterion=standing.criteria[0].label,
        settled=resolution_lines(tournament, standing.rows),
    )
    return render(request, "standings/prizes.html", context)
