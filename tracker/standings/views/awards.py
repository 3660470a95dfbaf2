"""Points given or taken beside the hands, by the organiser."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.errors import RuleError
from tracker.common.refusals import refuse, sentence
from tracker.common.web import access
from tracker.models import AwardKind, Role, Tournament
from tracker.standings.forms.awards import AwardForm
from tracker.standings.queries.award_pages import award_page
from tracker.standings.services.awards import give_award, withdraw_award


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def awards(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show what was given and taken, take it back, or give more."""
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    asked = request.POST.get("withdraw", "")
    if request.method == "POST" and asked:
        _withdraw(request, tournament, asked)
        return redirect("awards", tournament.pk)
    page = award_page(tournament)
    form = AwardForm(
        request.POST if request.method == "POST" else None,
        entrants=page.entrants,
        rounds=page.rounds,
    )
    if form.is_valid() and _given(request, tournament, form):
        return redirect("awards", tournament.pk)
    context = access.context(request, tournament.club, tournament=tournament, page=page, form=form)
    return render(request, "standings/awards.html", context)


def _given(request: HttpRequest, tournament: Tournament, form: AwardForm) -> bool:
    asked = form.cleaned_data
    try:
        give_award(
            tournament_id=tournament.pk,
            entrant_id=asked["entrant"],
            kind=AwardKind(asked["kind"]),
            amount=asked["amount"],
            reason=asked["reason"],
            round_id=asked["round"],
            by=access.actor(request),
        )
    except RuleError as refusal:
        refuse(form, refusal)
        return False
    messages.success(request, _("It is in the standings."))
    return True


def _withdraw(request: HttpRequest, tournament: Tournament, asked: str) -> None:
    try:
        withdraw_award(
            tournament_id=tournament.pk,
            # No longer than a database knows; 0 is no award at all.
            award_id=int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 18 else 0,
            by=access.actor(request),
        )
    except RuleError as refusal:
        messages.error(request, sentence(refusal))
    else:
        messages.success(request, _("It is taken back."))
