"""Awards: points given or taken beside the hands, by the organiser."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.errors import RuleError
from tracker.common.refusals import refuse, sentence
from tracker.common.web import access
from tracker.common.web.parameters import key_in
from tracker.models import AwardKind, Role
from tracker.standings.forms.awards import AwardForm
from tracker.standings.queries.awards import award_page
from tracker.standings.queries.criteria import criteria_of
from tracker.standings.services.awards import give_award, withdraw_award


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def awards(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show what was given and taken, take it back, or give more."""
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    if request.method == "POST" and request.POST.get("withdraw"):
        try:
            withdraw_award(
                tournament_id=tournament.pk,
                award_id=key_in(request.POST["withdraw"]),
                by=access.actor(request),
            )
        except RuleError as refusal:
            messages.error(request, sentence(refusal))
        else:
            messages.success(request, _("Undone."))
        return redirect("awards", tournament.pk)

    points = criteria_of(tournament)[0]
    page = award_page(tournament, points)
    form = AwardForm(
        request.POST if request.method == "POST" else None,
        entrants=page.entrants,
        rounds=page.rounds,
        points=points,
    )
    if form.is_valid():
        answers = form.cleaned_data
        try:
            give_award(
                tournament_id=tournament.pk,
                entrant_id=answers["entrant"],
                kind=AwardKind(answers["kind"]),
                amount=answers["amount"],
                reason=answers["reason"],
                round_id=answers["round"],
                by=access.actor(request),
            )
        except RuleError as refusal:
            refuse(form, refusal)
        else:
            messages.success(request, _("Saved: it counts in the standings now."))
            return redirect("awards", tournament.pk)
    context = access.context(request, tournament.club, tournament=tournament, page=page, form=form)
    return render(request, "standings/awards.html", context)
