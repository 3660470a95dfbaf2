"""The criteria a tournament ranks by: the points first, then the tie-breaks in their order.

A ``Criterion`` is a figure computed from sums of *marks*, numbers that a hand gives by a key. The
points are a criterion of the game, or the match points: then the game's points come second.
"""

from collections.abc import Sequence

from games.errors import gettext_noop
from games.sheet import Criterion, criterion
from tracker.models import RankedBy, Round, Tournament
from tracker.standings.logic.ranking import criteria_for

MATCH_POINTS = criterion(
    "match_points",
    gettext_noop("Match points"),
    meaning=gettext_noop("2 for a match won, 1 for one drawn"),
)
# How many of them a match gives.
WIN, DRAW = 2, 1


def criteria_of(tournament: Tournament, ranked_by: RankedBy | None = None) -> tuple[Criterion, ...]:
    """Return the criteria of a tournament, as it ranks now, or as it would rank by these points."""
    return _criteria(tournament, ranked_by or tournament.ranked_by, tournament.tie_breaks)


def criteria_after(round_: Round) -> tuple[Criterion, ...]:
    """Return the criteria of the standing after a round: if it is closed, those published."""
    published, tournament = round_.published_standing, round_.tournament
    if not published:
        return criteria_of(tournament)
    # An early version stored no "tie_breaks", and no "ranked_by" where there was only one way.
    ranked_by = published.get("ranked_by", RankedBy.GAME)
    return _criteria(tournament, ranked_by, published.get("tie_breaks", tournament.tie_breaks))


def criteria_at_a_table(tournament: Tournament) -> tuple[Criterion, ...]:
    """Return the criteria that decide at one table: if match points rank, the game's points."""
    criteria = criteria_of(tournament)
    # These come second. A match with equal points is a draw, which no tie-break decides.
    return criteria[1:2] if ranks_by_match_points(criteria) else criteria


def ranks_by_match_points(criteria: Sequence[Criterion]) -> bool:
    return criteria[0].key == MATCH_POINTS.key


def _criteria(
    tournament: Tournament, ranked_by: str, tie_breaks: Sequence[str]
) -> tuple[Criterion, ...]:
    """Return the criteria for these points (a ``RankedBy``) and the tie-breaks with these keys.

    Without keys, the tie-breaks are those of the game.
    """
    columns = tournament.rules.columns(tournament.house_rules)
    criteria = criteria_for(tournament.ranking(ranked_by), chosen=tie_breaks, others=columns)
    # In a bracket a match gives no points: its winner goes on.
    if ranked_by == RankedBy.MATCH_POINTS and not tournament.has_bracket:
        return (MATCH_POINTS, *criteria)
    return criteria
