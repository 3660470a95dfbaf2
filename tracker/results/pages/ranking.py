"""Page that changes what a tournament ranks by, with a preview of the effect."""

from functools import partial

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tracker.common.forms import refusals_on
from tracker.common.web import access
from tracker.criteria.ranking_criteria import criteria_of
from tracker.models import RankedBy, Role, Tournament
from tracker.results.services.preview import APPLY_STEP, preview
from tracker.tournaments.forms.tournaments import RankedByField
from tracker.tournaments.services.tournaments import change_ranking


class _RankedByForm(forms.Form):
    def __init__(self, *args: object, tournament: Tournament, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["ranked_by"] = RankedByField(
            tournament.rules, tournament.house_rules, matches=tournament.has_matches
        )


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def ranking(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Ask what decides the standings, preview the effect, and apply it.

    The first POST previews a choice, the second, with ``step=keep``, applies it. A link to the page
    may propose a choice. The first of a tournament's *criteria* (figures) ranks, others break ties.
    """
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    sent = request.POST if request.method == "POST" else None
    chosen = request.GET.get("ranked_by") or tournament.ranked_by
    form = _RankedByForm(sent, tournament=tournament, initial={"ranked_by": chosen})
    of_preview: dict[str, object] = {}
    if form.is_valid():
        ranked_by: RankedBy = form.cleaned_data["ranked_by"]
        by = access.actor(request)
        change = partial(change_ranking, tournament_id=tournament.pk, ranked_by=ranked_by, by=by)
        with refusals_on(form):
            if request.POST.get("step") == APPLY_STEP:
                change()
                messages.success(request, _("The standings go by that from now on."))
                return redirect("desk", tournament.pk)
            of_preview["effect"] = preview(change, tournament_id=tournament.pk)
        ranks = criteria_of(tournament, ranked_by)[0]
        # The page warns of awards (points beside the hands) that would not count: those in the unit
        # of another criterion. The unit "" is that of whichever criterion ranks.
        left_out = tournament.awards.filter(withdrawn_at=None).exclude(unit__in=["", ranks.key])
        of_preview |= {"ranked_by": ranked_by, "would_rank": _(ranks.label)}
        of_preview["awards_left_out"] = left_out.count()
    return access.render(
        request,
        "results/changes/ranking.html",
        tournament.club,
        tournament=tournament,
        form=form,
        ranks_now=_(criteria_of(tournament)[0].label),
        **of_preview,
    )


urlpatterns = [path("tournaments/<int:tournament_id>/ranked-by/", ranking, name="ranked-by")]
