"""The page of one entrant in a tournament: the reason for its place, and its opponents.

An *entrant* is a player or a team. With ``?round=2`` it is about the standing after that round.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path, reverse
from django.utils.text import get_text_list
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from games.errors import gettext_noop
from games.sheet import Criterion, Reads
from tracker.common.figures import amount, figure, placing
from tracker.common.names import page_names
from tracker.common.web import access
from tracker.common.web.polling import conditional_page
from tracker.common.web.requests import number_in
from tracker.common.wording import together
from tracker.criteria.ranking_criteria import any_reads
from tracker.criteria.results import Kind, Number
from tracker.models import Tournament
from tracker.standings.logic.ranking import Comparison, compare
from tracker.standings.queries.prizes import resolution_lines, tie_sentence
from tracker.standings.queries.standings import Standing, StandingRow, standings
from tracker.tables import revisions

_DECISION = gettext_noop("%(criterion)s: %(above)s %(more)s, %(below)s %(less)s.")
_UNPLAYED = {
    Kind.BYE: gettext_noop("Sat out"),
    Kind.FORFEIT_WON: gettext_noop("The others did not come"),
    Kind.FORFEIT_LOST: gettext_noop("Did not come"),
    Kind.ABSENT: gettext_noop("Was not there"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why a row is above another, in sentences: what is level, and what decided."""

    title: str
    level: str
    decided: str


@access.page
@require_safe
@conditional_page(revisions.of_tournament, shared=True)
def entrant(request: HttpRequest, tournament_id: int, entrant_id: int) -> HttpResponse:
    tournament = access.tournament(request, tournament_id)
    upto = None
    if number := request.GET.get("round", ""):
        upto = get_object_or_404(tournament.rounds.not_undone(), number=number_in(number))
    standing = standings(tournament, upto=upto, meetings=True)
    row = next((row for row in standing.rows if row.entrant == entrant_id), None)
    if row is None:
        raise Http404
    names = page_names(standing.people)
    called = {each.entrant: each.called(names) for each in standing.rows}
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        upto=upto,
        standing=standing,
        row=row,
        name=called[row.entrant],
        place=placing(row.place, tied=row.tied),
        points=amount(row.figures[standing.criteria[0].key], standing.criteria[0]),
        reasons=reasons(tournament, standing, row, called) if standing.begun else (),
        rounds=round_rows(standing, row, called),
        reads_meetings=any_reads(standing.criteria, Reads.MEETINGS),
        person_url=reverse("team", args=[row.team])
        if row.team
        else reverse("player", args=[row.player]),
    )
    return render(request, "standings/entrant.html", context)


def reasons(
    tournament: Tournament, standing: Standing, row: StandingRow, called: Mapping[int, str]
) -> list[Reason]:
    """Return why *row* is below the next better place, level with others, and above the next."""
    above = [each for each in standing.rows if each.place < row.place]
    level = [each for each in standing.rows if each.place == row.place and each != row]
    below = [each for each in standing.rows if each.place > row.place]
    found = [reason(tournament, standing, above[-1], row, called)] if above else []
    if level:
        found.append(_level_reason(tournament, standing, row, level, called))
    return [*found, *([reason(tournament, standing, row, below[0], called)] if below else [])]


def reason(
    tournament: Tournament,
    standing: Standing,
    above: StandingRow,
    below: StandingRow,
    called: Mapping[int, str],
) -> Reason:
    """Return why one row is above another."""
    words = {
        "above": called[above.entrant],
        "below": called[below.entrant],
        "better": placing(above.place, tied=above.tied),
        "worse": placing(below.place, tied=below.tied),
    }
    title = gettext("Why is place %(better)s %(above)s’s, and %(worse)s %(below)s’s?") % words
    if standing.by_bracket and above.ranked.bracket != below.ranked.bracket:
        return Reason(title=title, level="", decided=gettext("The bracket decides who is ahead."))
    comparison = compare(above.ranked, below.ranked, standing.criteria)
    decided = decision_sentences(standing, comparison, words)
    if comparison.criterion is None:
        both = {above.entrant, below.entrant}
        decided = " ".join(resolution_lines(tournament, standing.rows, among=both))
    return Reason(title=title, level=_both_have(comparison), decided=decided)


def decision_sentences(standing: Standing, comparison: Comparison, words: Mapping[str, str]) -> str:
    """Return the sentences on the criterion that decided, with both figures.

    *words* has the names ``above`` and ``below``. It is empty if nothing decided.
    """
    criterion = comparison.criterion
    if criterion is None:
        return ""
    more, less = (standing.format_figure(value, criterion) for value in comparison.figures)
    numbers = {"criterion": gettext(criterion.label), "more": more, "less": less}
    sentences = [gettext(criterion.decision or _DECISION) % {**words, **numbers}]
    if not criterion.decision and criterion.fewest:
        sentences.append(gettext("The fewest is best."))
    if not criterion.decision and criterion.meaning and comparison.level:
        label = gettext("%(heading)s: %(meaning)s")
        meaning = {"heading": numbers["criterion"], "meaning": gettext(criterion.meaning)}
        sentences.append(f"{label % meaning}.")
    if not comparison.complete:
        sentences.append(gettext("Not all of them have met, but no result could change that."))
    return " ".join(sentences)


def _both_have(comparison: Comparison, *, more_than_two: bool = False) -> str:
    """Return the sentence on the figures that rows have alike; empty if there are none."""
    alike = [amount(value, criterion) for criterion, value in comparison.level]
    figures = get_text_list(alike, gettext("and"))
    have = gettext("All have %(figures)s.") if more_than_two else gettext("Both have %(figures)s.")
    return have % {"figures": figures} if alike else ""


def _level_reason(
    tournament: Tournament,
    standing: Standing,
    row: StandingRow,
    level: list[StandingRow],
    called: Mapping[int, str],
) -> Reason:
    """Return what a row has alike with those who share its place, and how that will be decided."""
    title = gettext("Why do %(names)s share place %(place)d?") % {
        "names": together([called[each.entrant] for each in (row, *level)]),
        "place": row.place,
    }
    if row.ranked.bracket is not None:
        decided = gettext("They went out of the bracket in the same round.")
        return Reason(title=title, level="", decided=decided)
    comparison = compare(row.ranked, level[0].ranked, standing.criteria)
    return Reason(
        title=title,
        level=_both_have(comparison, more_than_two=len(level) > 1),
        decided=tie_sentence(tournament),
    )


def round_rows(
    standing: Standing, row: StandingRow, called: Mapping[int, str]
) -> list[dict[str, Any]]:
    """Return the entrant's rounds: opponents and partners with their points, and its own points."""
    results, points = standing.results, standing.criteria[0]
    if results is None:
        return []
    scores, rounds = results.scores, []
    for record in results.of(row.entrant):
        contribution = (
            results.contribution(row.entrant, record) if standing.adds_opponents else None
        )
        rounds.append(
            {
                "number": record.round,
                "unplayed": gettext(_UNPLAYED[record.kind]) if record.kind in _UNPLAYED else "",
                "points": figure(record.points, percent=points.percent),
                "opponents": _with_scores(record.opponents, scores, called, points),
                "partners": _with_scores(record.partners, scores, called, points),
                "counts": figure(contribution.score) if contribution else "",
            }
        )
    return rounds


def _with_scores(
    entrants: tuple[int, ...],
    scores: Mapping[int, Number],
    called: Mapping[int, str],
    points: Criterion,
) -> list[tuple[int, str, str]]:
    """Return key, name and points of each entrant who has a row."""
    return [
        (each, called[each], figure(scores[each], percent=points.percent))
        for each in entrants
        if each in called
    ]


urlpatterns = [
    path("tournaments/<int:tournament_id>/entrants/<int:entrant_id>/", entrant, name="entrant")
]
