"""The standings of a tournament, who deals at its tables, its bracket and its crosstable."""

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tracker.common.poster import drawn
from tracker.common.web import access, exports
from tracker.common.web.addresses import preview
from tracker.common.web.parameters import number_in
from tracker.common.web.watched import watched
from tracker.models import Movement, Role, RoundState
from tracker.standings.columns.standings import StandingsTable
from tracker.standings.queries.awards import rest_in_words
from tracker.standings.queries.brackets import bracket_page, decided_matches
from tracker.standings.queries.crosstable import crosstable
from tracker.standings.queries.events import event_of
from tracker.standings.queries.results import (
    award_lines,
    column_meanings,
    corrections_in_words,
    leads_in_words,
    open_ties,
    poster_of,
    resolution_lines,
)
from tracker.standings.queries.stages import moved_cut
from tracker.standings.queries.standings import (
    dealers_now,
    rounds_beside,
    rule_of_dealing,
    standings,
)
from tracker.tables import revisions
from tracker.tournaments.queries.games import may_rank_otherwise


@access.page
@require_safe
@watched(revisions.of_tournament, shared=True)
def tournament(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show who leads and who deals; with ``?round=2``, who led after that round."""
    tournament = access.tournament(request, tournament_id)
    upto = None
    if asked := request.GET.get("round", ""):
        shown = tournament.rounds.filter(state__in=[RoundState.OPEN, RoundState.CLOSED])
        upto = get_object_or_404(shown, number=number_in(asked))
    standing = standings(tournament, upto=upto)
    now = None if upto else dealers_now(tournament, standing.people)
    table = StandingsTable(standing, tournament, dealers=now)
    if form := exports.asked(request):
        after = _("after round %(number)d") % {"number": upto.number} if upto else ""
        return exports.file_of(table, form, tournament.name, table.title, after)
    event, picture = event_of(tournament), reverse("tournament-picture", args=[tournament.pk])
    rounds = rounds_beside(tournament, upto.number if upto else None)
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        mode=tournament.table_mode.name,
        upto=upto,
        corrected=corrections_in_words(upto, standing, table.names) if upto else "",
        rounds=rounds,
        running=next((round_ for round_ in rounds if round_.state == RoundState.OPEN), None),
        dealers=now,
        standing=standing,
        may_rank_otherwise=partial(may_rank_otherwise, tournament),  # only organisers ask
        event=event,
        links=event.listed_stages,
        moved=moved_cut(event, tournament)
        if tournament.official_at is None and access.may(request, tournament.club, Role.ORGANISER)
        else (),
        awards=award_lines(standing, table.names),
        rest=rest_in_words(tournament, standing.criteria[0]),
        resolutions=[]
        if upto
        else [
            *resolution_lines(tournament, standing.rows),
            *(decided_matches(tournament) if tournament.has_bracket else ()),
        ],
        # There is no prize for a stage from which people go on.
        ties=tournament.official_at is not None
        and not upto
        and not event.after(tournament)
        and open_ties(tournament, standing.rows),
        key=column_meanings(standing),
        parted=any(row.separated_by for row in standing.rows),
        who_deals=rule_of_dealing(tournament),
        units=_(tournament.rules.unit.many),
        table=table,
        picture=picture,
        preview=preview(
            request,
            tournament.club,
            title=tournament.name,
            says=leads_in_words(tournament, standing),
            picture=picture,
        ),
        may_score=access.may(request, tournament.club, Role.SCORER),
    )
    return render(request, "standings/tournament.html", context)


@access.page
@require_safe
@watched(revisions.of_tournament, shared=True)
def dealers(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show who deals now and next at every table."""
    tournament = access.tournament(request, tournament_id)
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        dealers=dealers_now(tournament),
        who_deals=rule_of_dealing(tournament),
        alone=True,
        may_score=access.may(request, tournament.club, Role.SCORER),
    )
    return render(request, "standings/dealers.html", context)


@access.page
@require_safe
@watched(revisions.of_tournament)
def picture(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Draw the head of the standings as a picture, to send around after the night."""
    tournament = access.tournament(request, tournament_id)
    return HttpResponse(drawn(poster_of(tournament)), content_type="image/png")


@access.page
@require_safe
@watched(revisions.of_tournament, shared=True)
def bracket(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show the matches of a knock-out, round by round, with all that is known."""
    tournament = access.tournament(request, tournament_id)
    if not tournament.has_bracket:
        raise Http404
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        bracket=bracket_page(tournament),
    )
    return render(request, "standings/bracket.html", context)


@access.page
@require_safe
@watched(revisions.of_tournament, shared=True)
def who_met_whom(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show the crosstable: round by round, or with ``?by=everybody`` as a grid."""
    tournament = access.tournament(request, tournament_id)
    by = request.GET.get("by", "")
    # For a round robin people look for a grid.
    usually_grid = tournament.movement == Movement.ROUND_ROBIN
    grid = by == "everybody" or (by != "round" and usually_grid)
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        crosstable=crosstable(tournament, grid=grid),
    )
    return render(request, "standings/crosstable.html", context)


urlpatterns = [
    path("tournaments/<int:tournament_id>/", tournament, name="tournament"),
    path("tournaments/<int:tournament_id>/dealers/", dealers, name="dealers"),
    path("tournaments/<int:tournament_id>/bracket/", bracket, name="bracket"),
    path("tournaments/<int:tournament_id>/who-met-whom/", who_met_whom, name="crosstable"),
    path("tournaments/<int:tournament_id>/picture.png", picture, name="tournament-picture"),
]
