"""The criteria a tournament ranks by: the points first, then the tie-breaks in their order.

A ``Criterion`` is a figure computed from sums of *marks*, numbers that a hand gives by a key, or,
if it is a ``TieBreak``, from who met whom. The points are a criterion of the game, or the match
points: then the game's points break ties.
"""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext

from games.errors import gettext_noop
from games.sheet import Criterion, Reads, criterion
from tracker.criteria.tie_breaks import DIRECT_ENCOUNTER, tie_breaks_for
from tracker.models import Movement, RankedBy, Round, Tournament

MATCH_POINTS = criterion(
    "match_points",
    gettext_noop("Match points"),
    short=gettext_noop("MP"),
    meaning=gettext_noop("2 for a match won, 1 for one drawn"),
)
# How many of them a match gives.
WIN, DRAW = 2, 1


def criteria_of(
    tournament: Tournament,
    ranked_by: str | None = None,
    tie_breaks: Sequence[str] | None = None,
) -> tuple[Criterion, ...]:
    """Return the criteria of a tournament, as it ranks now, or as it would rank by these."""
    if tie_breaks is None:
        tie_breaks = tournament.tie_breaks
    return _criteria(tournament, ranked_by or tournament.ranked_by, tie_breaks)


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
    if ranks_by_match_points(criteria):
        # A match with equal points is a draw, which no tie-break decides.
        return (game_points(tournament, tournament.ranked_by),)
    return tuple(each for each in criteria if each.reads is Reads.MARKS)


def game_points(tournament: Tournament, ranked_by: str) -> Criterion:
    """Return the points of the game, which rank, or decide who has won a match."""
    return tournament.ranking(ranked_by)[0]


def ranks_by_match_points(criteria: Sequence[Criterion]) -> bool:
    return criteria[0].key == MATCH_POINTS.key


def any_reads(criteria: Iterable[Criterion], what: Reads) -> bool:
    """Return whether any of these criteria is worked out from this."""
    return any(each.reads is what for each in criteria)


def offered_tie_breaks(tournament: Tournament, ranked_by: str) -> dict[str, Criterion]:
    """Return the tie-breaks that suit a tournament ranked by this, by key, the game's own first."""
    ranking = _ranking(tournament, ranked_by)
    own = tournament.rules.tie_breaks(tournament.house_rules)
    round_robin = tournament.movement == Movement.ROUND_ROBIN
    for_all = tie_breaks_for(ranking[0], round_robin=round_robin)
    # What ranks in this way comes last, as it says whether the fewest is best.
    offered = {each.key: each for each in (*own, *for_all, *ranking, DIRECT_ENCOUNTER)}
    offered.pop(ranking[0].key)
    return offered


def criteria_named(tournament: Tournament, keys: Iterable[str]) -> tuple[Criterion, ...]:
    """Return the criteria with these keys, without keys that the game does not know any more."""
    for_all = tie_breaks_for(MATCH_POINTS, round_robin=None)
    own = tournament.rules.tie_breaks(tournament.house_rules)
    known = {each.key: each for each in (*own, *for_all, MATCH_POINTS)}
    return tuple(known[key] for key in keys if key in known)


def usual_tie_breaks(tournament: Tournament, ranked_by: str) -> list[str]:
    """Return the keys of the default tie-breaks of a format; empty if they are those of the game.

    In a Swiss by match points the opponents' strength comes first, in a round robin the direct
    encounter; then come the game's points, if match points rank, and the tie-breaks of the game.
    """
    ranking = _ranking(tournament, ranked_by)
    matches = ranks_by_match_points(ranking)
    if tournament.movement == Movement.SWISS and matches:
        first = ["buchholz_cut1", "buchholz"]
    elif tournament.movement == Movement.ROUND_ROBIN:
        first = [DIRECT_ENCOUNTER.key, *(["sonneborn_berger"] if matches else [])]
    else:
        return []
    return list(dict.fromkeys([*first, *(each.key for each in ranking[1:])]))


def in_words(criteria: Iterable[Criterion]) -> str:
    """Return the labels of criteria in their order: "Points, then Buchholz"."""
    lowest = gettext("%(figure)s (lowest first)")
    labels = (
        lowest % {"figure": gettext(criterion.label)}
        if criterion.fewest and criterion.reads is not Reads.LOTS
        else gettext(criterion.label)
        for criterion in criteria
    )
    return gettext(", then ").join(labels)


def _ranking(tournament: Tournament, ranked_by: str) -> tuple[Criterion, ...]:
    """Return the criteria without chosen tie-breaks, the points first."""
    ranking = tournament.ranking(ranked_by)
    # In a bracket a match gives no points: its winner goes on.
    if ranked_by == RankedBy.MATCH_POINTS and not tournament.has_bracket:
        return (MATCH_POINTS, *ranking)
    return ranking


def _criteria(
    tournament: Tournament, ranked_by: str, tie_breaks: Sequence[str]
) -> tuple[Criterion, ...]:
    """Return the criteria for these points (a ``RankedBy``) and the tie-breaks with these keys.

    Without keys, the tie-breaks are those of the game. A key that the game does not have under
    these house rules is passed over.
    """
    points, *usual = _ranking(tournament, ranked_by)
    if not tie_breaks and all(each.key != DIRECT_ENCOUNTER.key for each in usual):
        return (points, *usual)
    offered = offered_tie_breaks(tournament, ranked_by)
    keys = tie_breaks or [each.key for each in usual]
    return (points, *(offered[key] for key in keys if key in offered))
