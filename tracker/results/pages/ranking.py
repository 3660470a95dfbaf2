"""Page that changes what a tournament ranks by and its tie-breaks, with a preview of the effect."""

from collections.abc import Iterable
from functools import partial
from secrets import randbelow

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.sheet import Reads
from tracker.common.forms import refusals_on
from tracker.common.web import access
from tracker.criteria.ranking_criteria import (
    any_reads,
    criteria_of,
    in_words,
    offered_tie_breaks,
    usual_tie_breaks,
)
from tracker.criteria.tie_breaks import LOT_NUMBERS, LOTS
from tracker.models import RankedBy, Role, Tournament
from tracker.results.services.preview import APPLY_STEP, preview
from tracker.tournaments.forms.tournaments import RankedByField, TieBreaksForm
from tracker.tournaments.services.tournaments import change_ranking, has_hands


class _RankingForm(TieBreaksForm):
    """What ranks, and the tie-breaks that suit it; *answers* were sent or are proposed by a link.

    A page says with ``offered_for`` for which ranking it offered tie-breaks. If another was chosen,
    and the tie-breaks were left as they were, the usual ones of that ranking take their place.
    """

    def __init__(self, tournament: Tournament, answers: QueryDict, *, sent: bool) -> None:
        ranked_by = answers.get("ranked_by", "")
        if ranked_by not in RankedBy.values:
            ranked_by = tournament.ranked_by
        offered_for = answers.get("offered_for", "")
        if offered_for not in RankedBy.values:
            offered_for = ranked_by
        offered = offered_tie_breaks(tournament, ranked_by)
        keys = _tie_breaks(tournament, ranked_by)
        data = answers.dict() if sent else None
        if not sent and "tie_breaks" in answers:
            proposed = dict.fromkeys(str(answers["tie_breaks"]).split(","))
            keys = [key for key in proposed if key in offered]
            data = {"ranked_by": ranked_by, **_fields(keys)}
        if sent and offered_for != ranked_by:
            names = [name for name in answers if name.startswith("tie_break_")]
            left = [answers[name] for name in names if answers[name]]
            if left == _tie_breaks(tournament, offered_for):
                data = {**answers.dict(), **dict.fromkeys(names, ""), **_fields(keys)}
        super().__init__(data, initial={"ranked_by": ranked_by})
        self.fields["ranked_by"] = RankedByField(
            tournament.rules, tournament.house_rules, matches=tournament.has_matches
        )
        self.offered_for = ranked_by
        self.offer_tie_breaks(offered.values(), keys)


def _fields(keys: Iterable[str]) -> dict[str, str]:
    """Return the answers that choose tie-breaks with these keys."""
    return {f"tie_break_{number}": key for number, key in enumerate(keys, start=1)}


def _tie_breaks(tournament: Tournament, ranked_by: str) -> list[str]:
    """Return the keys of the tie-breaks in force, or of the usual ones of another ranking."""
    usual = usual_tie_breaks(tournament, ranked_by)
    chosen = None if ranked_by == tournament.ranked_by else usual
    return [each.key for each in criteria_of(tournament, ranked_by, chosen)[1:]]


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def ranking(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Ask what decides the standings, preview the effect, and apply it.

    The first POST previews a choice, the second, with ``step=keep``, applies it. A link to the page
    may propose a choice, which is previewed at once. The first of a tournament's *criteria* (figures) ranks, others break ties.
    """
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    sent = request.method == "POST"
    form = _RankingForm(tournament, request.POST if sent else request.GET, sent=sent)
    before = after = criteria_of(tournament)
    of_preview: dict[str, object] = {}
    if form.is_valid():
        ranked_by: RankedBy = form.cleaned_data["ranked_by"]
        chosen = [*filter(None, form.chosen_tie_breaks)]
        change = partial(
            change_ranking,
            tournament_id=tournament.pk,
            ranked_by=ranked_by,
            tie_breaks=form.chosen_tie_breaks,
            seed=randbelow(LOT_NUMBERS),
            by=access.actor(request),
        )
        with refusals_on(form):
            if request.POST.get("step") == APPLY_STEP:
                change()
                messages.success(request, _("What decides the standings is changed."))
                return redirect("desk", tournament.pk)
            effect = preview(change, tournament_id=tournament.pk)
            of_preview["effect"] = effect
            of_preview["moved"] = [row for row in effect.standing if row.place.differs]
        after = criteria_of(
            tournament, ranked_by, chosen or usual_tie_breaks(tournament, ranked_by)
        )
        # The page warns of awards (points beside the hands) that would not count: those in the unit
        # of another criterion. The unit "" is that of whichever criterion ranks.
        left_out = tournament.awards.filter(withdrawn_at=None).exclude(unit__in=["", after[0].key])
        of_preview["awards_left_out"] = left_out.count()
        # Nobody can look at lots before they are drawn.
        of_preview["will_draw"] = LOTS in after and tournament.lots_seed is None
    return access.render(
        request,
        "results/changes/ranking.html",
        tournament.club,
        tournament=tournament,
        form=form,
        criteria=(before, after),
        before=in_words(before),
        after=in_words(after),
        has_hands=has_hands(tournament),
        reads_meetings=any_reads((*before, *after), Reads.MEETINGS),
        **of_preview,
    )


urlpatterns = [path("tournaments/<int:tournament_id>/ranked-by/", ranking, name="ranked-by")]
