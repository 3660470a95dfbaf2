"""Criteria: what a tournament ranks by first, and its tie-breaks."""

from collections.abc import Mapping, Sequence

from games.errors import gettext_noop
from games.sheet import Criterion, criterion
from tracker.models import RankedBy, Round, Tournament
from tracker.standings.logic.tiebreaks import criteria_for
from tracker.standings.queries.sums import Sums, sums_by_table

MATCH_POINTS = criterion(
    "match_points",
    gettext_noop("Match points"),
    meaning=gettext_noop("2 for a match won, 1 for one drawn"),
)


def criteria_of(tournament: Tournament, ranked_by: RankedBy | None = None) -> tuple[Criterion, ...]:
    """Return what a tournament ranks by, the points first; *ranked_by* tries another choice."""
    return _criteria(tournament, ranked_by or tournament.ranked_by, tournament.tie_breaks)


def criteria_after(round_: Round) -> tuple[Criterion, ...]:
    """Return the criteria of the standing after a round, as published if it was."""
    published, tournament = round_.published_standing, round_.tournament
    if not published:
        return criteria_of(tournament)
    # Older rounds do not say it of games in which there was one way only.
    ranked_by = published.get("ranked_by", RankedBy.GAME)
    return _criteria(tournament, ranked_by, published.get("tie_breaks", tournament.tie_breaks))


def criteria_at_a_table(tournament: Tournament) -> tuple[Criterion, ...]:
    """Return what decides at one table: where matches count, the game's points and nothing else."""
    first, *others = criteria_of(tournament)
    return (others[0],) if first is MATCH_POINTS else (first, *others)


def _criteria(
    tournament: Tournament, ranked_by: str, tie_breaks: Sequence[str]
) -> tuple[Criterion, ...]:
    columns = tournament.rules.columns(tournament.house_rules)
    criteria = criteria_for(tournament.ranking(ranked_by), tie_breaks, columns)
    if ranked_by == RankedBy.MATCH_POINTS and not tournament.has_bracket:
        return (MATCH_POINTS, *criteria)
    return criteria


def head_to_heads(
    criteria_by: Mapping[Tournament, Sequence[Criterion]], upto: int | None = None
) -> Mapping[int, list[tuple[int, Sums]]]:
    """Return the sums by table, with its round, of tournaments with a head-to-head tie-break.

    It takes one query where a tie-break goes by what those who are level got of each other.
    """
    head_to_head = {
        tournament: [criterion for criterion in criteria if criterion.head_to_head]
        for tournament, criteria in criteria_by.items()
    }
    asking = [tournament for tournament, criteria in head_to_head.items() if criteria]
    if not asking:
        return {}
    keys = {
        key
        for criteria in head_to_head.values()
        for criterion in criteria
        for key in (*(term for term, _ in criterion.terms), *criterion.per)
    }
    return sums_by_table(asking, keys, upto)
