"""The stages of an event: going on to the next one, and who came where in the whole."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.errors import RuleError
from tracker.common.refusals import refuse
from tracker.common.web import access, exports
from tracker.common.web.parameters import key_in
from tracker.models import Role, Tournament
from tracker.standings.forms.stages import StageForm
from tracker.standings.logic.partners import choosing
from tracker.standings.queries.events import event_of
from tracker.standings.queries.final_ranking import final_ranking
from tracker.standings.queries.stages import Candidates, candidates, sources_of
from tracker.standings.services.stages import begin_groups, begin_stage
from tracker.standings.tables import FinalTable
from tracker.tournaments.queries import newcomers

CUTS = (2, 4, 8, 16)
_USUAL_CUT = 8


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def stage_new(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Ask who goes on and how they play; let partners choose each other; begin the stage."""
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    event = event_of(tournament)
    sources = sources_of(event, tournament)
    best = _asked_cut(request, groups=len(sources))
    offered = candidates(event, sources, best)
    form = StageForm(
        request.POST if request.method == "POST" else None,
        source=sources[0],
        candidates=offered,
        others=() if offered.played else newcomers(tournament),
    )
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        form=form,
        candidates=offered,
        cuts=[cut for cut in CUTS if cut < len(offered.left) / len(sources)],
        best=best,
    )
    if form.is_valid():
        order = form.entered
        if form.team_size > 1 and "change" not in request.POST:
            # The partners chosen so far, the last one just now.
            tapped = request.POST.getlist("partner")
            chosen = [key_in(each) for each in (tapped[:-1] if "back" in request.POST else tapped)]
            choice = choosing(order, chosen, form.team_size)
            order = list(choice.row)
            if choice.chooser is not None or "begin" not in request.POST:
                names = {row.entrant: row for row in offered.rows}
                context |= {
                    "teams": [[names[each] for each in team] for team in choice.teams],
                    "chooser": names.get(choice.chooser or 0),
                    "free": [names[each] for each in choice.free],
                    "chosen": chosen,
                }
                return render(request, "standings/stages/partners.html", context)
        if "change" not in request.POST:
            begun = _begin(request, form, offered, order)
            if begun is not None:
                return redirect("desk", begun.pk)
    return render(request, "standings/stages/new.html", context)


def _asked_cut(request: HttpRequest, *, groups: int) -> int:
    """Return how many of each group are preselected; all for ``?best=all``."""
    asked = request.GET.get("best", "")
    if asked == "all":
        return Tournament.LONGEST_ROUND * 100
    return int(asked) if asked in map(str, CUTS) else _USUAL_CUT if groups == 1 else CUTS[0]


def _begin(
    request: HttpRequest, form: StageForm, offered: Candidates, order: Sequence[int]
) -> Tournament | None:
    """Begin the stage or the groups, and return the first; ``None`` if it is refused."""
    by, groups = access.actor(request), form.cleaned_data["groups"] or 1
    sources = [source.pk for source in offered.sources]
    try:
        if groups > 1:
            stages = begin_groups(
                source=sources[0],
                entrants=order,
                groups=groups,
                plan=form.plan(),
                by=by,
                newcomers=form.cleaned_data["more"],
            )
        else:
            stages = [begin_stage(sources=sources, entrants=order, plan=form.plan(), by=by)]
    except RuleError as error:
        refuse(form, error)
        return None
    messages.success(request, _("“%(name)s” is ready.") % {"name": stages[0].name})
    return stages[0]


@access.page
@require_safe
def event(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show who came where in the whole, every stage taken together."""
    tournament = access.tournament(request, tournament_id)
    whole = event_of(tournament)
    if whole.root != tournament:
        return redirect("final-ranking", whole.root.pk)
    table = FinalTable(final_ranking(whole), exclude=() if whole.several else ("stage",))
    if form := exports.asked(request):
        return exports.file_of(table, form, tournament.name, table.title)
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        official=whole.official,
        links=whole.listed_stages,
        table=table,
    )
    return render(request, "standings/stages/event.html", context)
