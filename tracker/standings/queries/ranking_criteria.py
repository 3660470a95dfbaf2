"""The criteria a tournament ranks by: its points, its tie-breaks, and points for matches won.

A match is decided by the points of its two sides in the game, once it is over: its round is
closed, or all of it is played. A walkover counts as it was assigned. A match without a hand that
counts, and a table with more than two sides, give no match points.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F

from games.errors import gettext_noop
from games.sheet import Criterion, criterion
from tracker.models import Progress, RankedBy, Round, RoundState, Tournament
from tracker.models.progress import RoundLength
from tracker.standings.logic.ranking import criteria_for
from tracker.standings.queries.sums import Sums, sums_by_table, tallies_of

MATCH_POINTS = criterion(
    "match_points",
    gettext_noop("Match points"),
    meaning=gettext_noop("2 for a match won, 1 for one drawn"),
)
WIN, DRAW = 2, 1
DECIDED = "matches_decided"  # the mark that counts them, beside the one of the points
_COUNTS = ("hands_standing", "games_over", "not_played")
_ROUND = ("tournament", "number", "state", "hands", "games")
_NAMED = {
    **{name: F(f"seat__round__{name}") for name in _ROUND},
    **{name: F(f"seat__sitting__{name}") for name in _COUNTS},
    **{name: F(f"seat__{name}") for name in ("sitting", "side", "place", "entrant")},
}


def criteria_of(tournament: Tournament, ranked_by: RankedBy | None = None) -> tuple[Criterion, ...]:
    """Return the criteria of a tournament, the points first; *ranked_by* tries another choice."""
    return _criteria(tournament, ranked_by or tournament.ranked_by, tournament.tie_breaks)


def criteria_after(round_: Round) -> tuple[Criterion, ...]:
    """Return the criteria of the standing after a round, as published if it was."""
    published, tournament = round_.published_standing, round_.tournament
    if not published:
        return criteria_of(tournament)
    # Older rounds do not say it of games that could be ranked in one way only.
    ranked_by = published.get("ranked_by", RankedBy.GAME)
    return _criteria(tournament, ranked_by, published.get("tie_breaks", tournament.tie_breaks))


def criteria_at_a_table(tournament: Tournament) -> tuple[Criterion, ...]:
    """Return the criteria that decide at one table; where match points rank, the game's points."""
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

    It takes one query, and none if there is no such tournament.
    """
    tie_breaks = [
        (tournament, criterion)
        for tournament, criteria in criteria_by.items()
        for criterion in criteria
        if criterion.head_to_head
    ]
    if not tie_breaks:
        return {}
    keys = {
        key
        for _, criterion in tie_breaks
        for key in (*(term for term, _ in criterion.terms), *criterion.per)
    }
    return sums_by_table({tournament for tournament, _ in tie_breaks}, keys, upto)


def is_over(length: RoundLength, state: str, *, level: bool = False, **counts: Any) -> bool:
    """Return whether a table's result counts: its round is closed, or all of it is played.

    *counts* and *level* are those of ``Progress``; a level match has played the round's length.
    """
    progress = Progress.of_counts(length, level=level, **counts)
    return state == RoundState.CLOSED or progress.whole or progress.one_more


@dataclass(slots=True)
class _Side:
    """One side of a table: its first place, the entrant it scores for, and its sums."""

    place: int
    entrant: int
    got: Counter[str] = field(default_factory=Counter)


def match_sums(
    criteria_by: Mapping[Tournament, Sequence[Criterion]], upto: int | None = None
) -> Mapping[int, Mapping[int, Sums]]:
    """Return match points by tournament, round and entrant, for tournaments ranked by them.

    It takes one query, and none if there is no such tournament.
    """
    points_by = {
        each.pk: criteria[1]
        for each, criteria in criteria_by.items()
        if criteria[0].key == MATCH_POINTS.key
    }
    if not points_by:
        return {}
    of_seats = {each.pk: each.rules.seat_scoped for each in criteria_by}
    keys = {term for points in points_by.values() for term, _ in points.terms}
    tallies = tallies_of(list(points_by), upto).filter(key__in={"hands", *keys})
    rows = tallies.annotate(**_NAMED).order_by("seat__place", "seat__from_hand")
    tables: dict[tuple[int, int, int], dict[int, _Side]] = defaultdict(dict)
    for row in rows.values_list(*_NAMED, "key", "amount", named=True):
        counts = {name: getattr(row, name) for name in _COUNTS}
        if is_over(row, row.state, **counts):
            sides = tables[row.tournament, row.number, row.sitting]
            side = sides.setdefault(row.side, _Side(row.place, row.entrant))
            if row.place == side.place:
                side.entrant = row.entrant  # rows come by hand: the last one scores for the side
            # A mark of a whole side is stored at each of its places.
            if row.place == side.place or row.key in of_seats[row.tournament]:
                side.got[row.key] += row.amount
    by_round: dict[int, dict[int, dict[int, Counter[str]]]] = defaultdict(lambda: defaultdict(dict))
    for (tournament, number, _), sides in tables.items():
        if len(sides) == 2:
            points, (one, other) = points_by[tournament], sides.values()
            lead = points.value(one.got) - points.value(other.got)
            won = DRAW if lead == 0 else WIN if (lead < 0) == points.fewest else 0
            matches = by_round[tournament][number]
            for side, points_won in ((one, won), (other, WIN - won)):
                got = {MATCH_POINTS.key: points_won, DECIDED: 1}
                matches.setdefault(side.entrant, Counter()).update(got)
    return by_round


def with_matches(gathered: Sums, matches: Mapping[int, Sums]) -> Sums:
    """Return the sums with the match points of these rounds added."""
    total = dict(gathered)
    for of_round in matches.values():
        for entrant, got in of_round.items():
            total.setdefault(entrant, Counter()).update(got)
    return total
