"""The standings page of a tournament, with its picture; who deals at its tables; its bracket.

An *event* is a tournament with the *stages* that follow it, such as groups and a final. With a
round as *upto*, a standing is the one after it, not today's. A *rest* is to sit out for a round.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.db.models import Max
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path, reverse
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_safe

from games.errors import gettext_noop
from games.game import FirstDealer
from games.sheet import Criterion, Reads
from tracker.common.figures import signed
from tracker.common.names import PageNames, page_names
from tracker.common.poster import MOST_ROWS, Poster, draw_poster
from tracker.common.web import access, exports
from tracker.common.web.addresses import link_preview
from tracker.common.web.polling import conditional_page
from tracker.common.web.requests import number_in
from tracker.common.wording import together
from tracker.criteria.ranking_criteria import (
    DRAW,
    MATCH_POINTS,
    WIN,
    any_reads,
    criteria_named,
    in_words,
)
from tracker.models import Entrant, Issue, Role, Round, RoundState, Sitting, Tournament
from tracker.standings.columns import StandingsTable
from tracker.standings.queries.awards import GivenAward, rest_in_words
from tracker.standings.queries.brackets import bracket_page, decided_matches
from tracker.standings.queries.final_rankings import finishes
from tracker.standings.queries.prizes import open_ties, resolution_lines, tie_sentence
from tracker.standings.queries.standings import Standing, published_places, standings
from tracker.standings.queries.tournament_stages import Event, event_of, people_in
from tracker.tables import revisions
from tracker.tables.sql import read_open_tables
from tracker.tables.table_now import dealers_now

MOST_ROUNDS = 12  # links to rounds, so that a page costs the same however many were played
_MOST_LEADERS = 3  # named in a sentence
_SAT_OUT = gettext_noop("Round %(number)d: sat out")
# Sentences about rests that earn match points, keyed by the criterion and the amount.
_BYES: Mapping[tuple[str, Fraction | int], str] = {
    (MATCH_POINTS.key, WIN): gettext_noop("Round %(number)d: bye, as a win"),
    (MATCH_POINTS.key, DRAW): gettext_noop("Round %(number)d: bye, as a draw"),
}


@access.page
@require_safe
@conditional_page(revisions.of_tournament, shared=True)
def tournament(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show who leads and who deals; with ``?round=2``, who led after that round."""
    tournament = access.tournament(request, tournament_id)
    upto = None
    if number := request.GET.get("round", ""):
        upto = get_object_or_404(tournament.rounds.not_undone(), number=number_in(number))
    standing = standings(tournament, upto=upto)
    dealers = None
    if upto is None:
        dealers = dealers_now(read_open_tables(tournament=tournament.pk), standing.people)
    rounds = rounds_beside(tournament, upto.number if upto else None)
    query = f"?round={upto.number}" if upto else ""
    before = published_places(_round_before(tournament, upto, rounds))
    table = StandingsTable(standing, tournament, dealers=dealers, before=before, query=query)
    if file_format := exports.export_format(request):
        after = gettext("after round %(number)d") % {"number": upto.number} if upto else ""
        return exports.file_response(table, file_format, tournament.name, table.title, after)
    event = event_of(tournament)
    picture = reverse("tournament-picture", args=[tournament.pk])
    words = {"title": tournament.name, "description": leads_in_words(tournament, standing)}
    may_organise = access.may(request, tournament.club, Role.ORGANISER)
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        mode=tournament.table_mode.name,
        upto=upto,
        corrected=corrections_in_words(upto, standing, table.names) if upto else "",
        rounds=rounds,
        last_at=max(
            filter(None, (getattr(each, "last_at", None) for each in rounds)), default=None
        ),
        playing=sum(not table.done for table in dealers.tables) if dealers else 0,
        missing=0 if upto else _tables_without_results(tournament),
        tie=tie_sentence(tournament) if any(row.tied for row in standing.rows) else "",
        running=next((round_ for round_ in rounds if round_.state == RoundState.OPEN), None),
        dealers=dealers,
        standing=standing,
        links=event.listed_stages,
        moved=moved_cut(event, tournament) if may_organise and not tournament.official_at else (),
        awards=award_lines(standing, table.names),
        rest=rest_in_words(tournament, standing.criteria[0]),
        reads_meetings=any_reads(standing.criteria, Reads.MEETINGS),
        lots=any_reads(standing.criteria, Reads.LOTS),
        ranking_changes=ranking_changes_in_words(tournament),
        **({} if upto else _tie_context(tournament, standing, event)),
        key=column_meanings(standing),
        parted=any(row.separated_by for row in standing.rows),
        who_deals=rule_of_dealing(tournament),
        table=table,
        picture=picture,
        preview=link_preview(request, tournament.club, **words, picture=picture),
        may_score=access.may(request, tournament.club, Role.SCORER),
    )
    return render(request, "standings/tournament.html", context)


def rounds_beside(tournament: Tournament, number: int | None = None) -> list[Round]:
    """Return the latest rounds, or those around *number*, the last one first, in one query.

    Annotated is when the ``last_at`` hand of each came.
    """
    rounds = tournament.rounds.not_undone().annotate(last_at=Max("sittings__last_at"))
    if number is not None:
        rounds = rounds.filter(number__lte=number + MOST_ROUNDS // 2)
    return list(rounds.only("number", "state", "tournament").order_by("-number")[:MOST_ROUNDS])


def _tables_without_results(tournament: Tournament) -> int:
    """Return how many tables of closed rounds lack results or have one in question."""
    owing = Sitting.objects.owing(tournament).order_by().values_list("pk")
    in_question = Issue.objects.missing_results(tournament).order_by().values_list("sitting")
    return owing.union(in_question).count()


def _round_before(
    tournament: Tournament, upto: Round | None, rounds: Sequence[Round]
) -> Round | None:
    """Return the closed round before *upto* or, without it, before the latest of *rounds*."""
    number = upto.number if upto else rounds[0].number if rounds else 0
    earlier = tournament.rounds.filter(state=RoundState.CLOSED, number__lt=number)
    return earlier.order_by("-number").first()


def corrections_in_words(upto: Round, standing: Standing, names: PageNames) -> str:
    """Name those whose points were changed since they were published; count other new places."""
    points = standing.criteria[0].key
    if upto.published_standing is None:
        return ""
    corrected, moved = [], 0  # short names, and the number of other changed places
    for row in standing.rows:
        if row.published is None:  # not in what was published: without points then
            if row.hands or row.figures[points]:
                corrected.append(row.called(names))
        elif row.published.points != row.figures[points]:
            corrected.append(row.called(names))
        elif (row.published.place, row.published.tied) != (row.place, row.tied):
            moved += 1
    parts = [together(corrected)] if corrected else []
    if moved:
        places = ngettext("%(count)d other place", "%(count)d other places", moved)
        parts.append(places % {"count": moved})
    return "; ".join(parts)


def moved_cut(event: Event, stage: Tournament) -> list[str]:
    """Return sentences on who would be in *stage*, and who would not, by today's standings.

    Entrants go on to *stage* from its *sources*, the stages before it: as a rule the best by the
    last published standing. They stay in it whatever is corrected later. The *cut* is the last
    place that went on; a correction can move an entrant across it.
    """
    # Nobody went on to a first stage; and into groups everybody went, without a cut.
    if stage.follows_id is None or len(event.groups_with(stage)) > 1:
        return []
    sources = event.sources(stage)
    entrant_of = people_in([*sources, stage])  # keyed by stage and player
    place_now = {entrant: finish.place for entrant, finish in finishes(sources).items()}
    would_be = gettext("By the standings of %(stage)s as they are now, %(who)s would be in.")
    would_not = gettext("By the standings of %(stage)s as they are now, %(who)s would not be in.")
    sentences = []
    for source in sources:
        last_closed = source.rounds.filter(state=RoundState.CLOSED).order_by("-number").first()
        published = published_places(last_closed)
        place_then = {entrant: line.place for entrant, line in published.items()}
        in_stage = entrant_of[stage.pk].keys()  # players
        # Entrants of the source; they are other entrants in *stage*.
        went_on = {own for player, own in entrant_of[source.pk].items() if player in in_stage}
        # If the first did not go on, this stage is for those whom another one left over: no cut.
        if 1 not in {place_then.get(entrant) for entrant in went_on}:
            continue
        cut = len(went_on)
        # Compared are entrants who have a place both now and then.
        ranked = place_then.keys() & place_now.keys()
        inside_now = {entrant for entrant in ranked if place_now[entrant] <= cut}
        inside_then = {entrant for entrant in ranked if place_then[entrant] <= cut}
        risen = inside_now - inside_then - went_on
        fallen = (inside_then - inside_now) & went_on
        names = Entrant.objects.filter(pk__in=risen | fallen).names() if risen or fallen else {}
        for entrants, sentence in ((risen, would_be), (fallen, would_not)):
            if entrants:
                who = together([name for entrant, name in names.items() if entrant in entrants])
                sentences.append(sentence % {"stage": source.stage_name, "who": who})
    return sentences


def award_lines(standing: Standing, names: PageNames) -> list[tuple[str, str, str]]:
    """Return for each award the short name, a sentence on what it is for, and its points."""
    name_of = {row.entrant: row.called(names) for row in standing.rows}
    return [
        (
            name_of[given.entrant],
            _award_sentence(given, standing.criteria[0]),
            signed(given.amount, given.unit) if given.amount else "",
        )
        for given in standing.awards
    ]


def _award_sentence(given: GivenAward, points: Criterion) -> str:
    """Return what an award is for, of how many rounds it is the average, and whether it counts."""
    award = given.award
    words = {
        "kind": award.get_kind_display(),
        "number": award.round.number if award.round else None,
        "reason": award.reason,
        "unit": gettext(points.label),
        "rounds": given.rounds,
    }
    if award.rested and award.part_played == 0:
        return gettext("Round %(number)d: sat out, but no table played") % words
    if award.rested:
        # If no average, points that count may be those of a win or a draw: the rest is a bye.
        may_be_bye = given.rounds is None and given.counts
        template = _BYES.get((given.unit.key, given.amount)) if may_be_bye else None
        sentence = gettext(template or _SAT_OUT) % words
    elif award.round is not None:
        sentence = gettext("%(kind)s, round %(number)d: %(reason)s") % words
    else:
        sentence = gettext("%(kind)s: %(reason)s") % words
    if given.rounds and given.amount:
        average = ngettext(
            "%(sentence)s: own average of %(rounds)d round",
            "%(sentence)s: own average of %(rounds)d rounds",
            given.rounds,
        )
        if award.rested:
            average = gettext("%(sentence)s, earns the own average")
        sentence = average % {**words, "sentence": sentence}
    if given.counts:
        return sentence
    not_counted = gettext("%(sentence)s; it does not count where %(unit)s decides")
    return not_counted % {**words, "sentence": sentence}


def _tie_context(tournament: Tournament, standing: Standing, event: Event) -> dict[str, Any]:
    """Return how ties were resolved, and the ties for a prize that are still to be settled."""
    decided = decided_matches(tournament) if tournament.has_bracket else []
    settled = resolution_lines(tournament, standing.rows) if tournament.tie_resolutions else []
    # There is no prize for a stage from which people go on.
    has_prizes = tournament.official_at is not None and not event.next_stages(tournament)
    return {
        "resolutions": [*settled, *decided],
        "ties": open_ties(tournament, standing.rows) if has_prizes else [],
    }


def column_meanings(standing: Standing) -> tuple[str, ...]:
    """Return a line of explanation for each column or criterion whose name does not say enough."""
    criteria = [each for each in (*standing.columns, *standing.criteria) if each.meaning]
    heading = gettext("%(label)s (%(short)s)")
    meanings = {
        **{
            heading % {"label": gettext(each.label), "short": gettext(each.short)}
            if each.short
            else gettext(each.label): gettext(each.meaning)
            for each in criteria
        },
        gettext("Dealt first"): gettext("at how many tables they dealt the first hand"),
    }
    line = gettext("%(heading)s: %(meaning)s")
    return tuple(line % {"heading": heading, "meaning": text} for heading, text in meanings.items())


def ranking_changes_in_words(tournament: Tournament) -> list[str]:
    """Return a sentence on each change of what decides since the first hand."""
    sentence = gettext("Changed after round %(round)d: ranked by %(after)s; before: %(before)s.")
    return [
        sentence
        % {
            "round": change["round"],
            "before": in_words(criteria_named(tournament, change["before"])),
            "after": in_words(criteria_named(tournament, change["after"])),
        }
        for change in tournament.ranking_changes
    ]


def rule_of_dealing(tournament: Tournament) -> tuple[str, ...]:
    """Return sentences on who deals next by the rules, and who deals first at a new table."""
    game = tournament.rules
    match game.first_dealer:
        case FirstDealer.CHOSEN:
            first = gettext("At a new table, whoever has dealt first least often starts.")
        case FirstDealer.LOT:
            first = gettext("At a new table the first dealer is picked at random.")
        case FirstDealer.DRAWN:
            first = gettext("At a new table the cards drawn say who deals first.")
    return (gettext(game.deals_next), first) if game.deals_next else (first,)


def leads_in_words(tournament: Tournament, standing: Standing) -> str:
    """Return a sentence on who leads or has won, for the preview of a link."""
    leaders = [row for row in standing.rows if row.place == 1]
    if not standing.begun or not leaders:
        where = {"game": gettext(tournament.rules.name), "club": tournament.club.name}
        return gettext("%(game)s at %(club)s") % where
    names = page_names(standing.people)
    words = {
        "names": together([row.called(names) for row in leaders[:_MOST_LEADERS]]),
        "count": len(leaders),
        "points": standing.points_of(leaders[0]),
        "label": gettext(standing.criteria[0].label),
    }
    if len(leaders) > _MOST_LEADERS:
        return gettext("%(count)d are tied for the lead. %(label)s: %(points)s") % words
    if len(leaders) > 1:
        return gettext("%(names)s are tied for the lead. %(label)s: %(points)s") % words
    if tournament.official_at:
        return gettext("%(names)s won. %(label)s: %(points)s") % words
    return gettext("In the lead: %(names)s. %(label)s: %(points)s") % words


@access.page
@require_safe
@conditional_page(revisions.of_tournament)
def picture(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Draw the first rows of the standings as a picture, to send around after the night."""
    tournament = access.tournament(request, tournament_id)
    return HttpResponse(draw_poster(poster_of(tournament)), content_type="image/png")


def poster_of(tournament: Tournament) -> Poster:
    """Return the poster of the first rows, in as many queries as ``standings`` takes."""
    standing = standings(tournament)
    names = page_names(standing.people)
    rows = standing.rows[:MOST_ROWS] if standing.begun else ()
    before = gettext("Provisional standings") if standing.begun else gettext("about to begin")
    return Poster(
        club=tournament.club.name,
        title=tournament.name,
        subtitle=gettext("Official standings") if tournament.official_at else before,
        # Place, name and points.
        rows=tuple(standing.line(row, row.called(names))[:3] for row in rows),
    )


@access.page
@require_safe
@conditional_page(revisions.of_tournament, shared=True)
def dealers(request: HttpRequest, tournament_id: int) -> HttpResponse:
    tournament = access.tournament(request, tournament_id)
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        dealers=dealers_now(read_open_tables(tournament=tournament.pk)),
        who_deals=rule_of_dealing(tournament),
        alone=True,  # not above the standings
        may_score=access.may(request, tournament.club, Role.SCORER),
    )
    return render(request, "standings/dealers.html", context)


@access.page
@require_safe
@conditional_page(revisions.of_tournament, shared=True)
def bracket(request: HttpRequest, tournament_id: int) -> HttpResponse:
    tournament = access.tournament(request, tournament_id)
    if not tournament.has_bracket:
        raise Http404
    page = bracket_page(tournament)
    context = access.context(request, tournament.club, tournament=tournament, bracket=page)
    return render(request, "standings/bracket.html", context)


urlpatterns = [
    path("tournaments/<int:tournament_id>/", tournament, name="tournament"),
    path("tournaments/<int:tournament_id>/dealers/", dealers, name="dealers"),
    path("tournaments/<int:tournament_id>/bracket/", bracket, name="bracket"),
    path("tournaments/<int:tournament_id>/picture.png", picture, name="tournament-picture"),
]
