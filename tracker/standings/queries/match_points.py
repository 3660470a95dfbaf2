"""Match points: which matches of two sides are decided, who won them, and the points for it.

A match is decided by the game's points of its two sides, once it is over: once its round is
closed, or all of it is played. A walkover counts with the points assigned to it. A match without a
hand that counts, and a table with more than two sides, give no match points. A *mark* is a whole
number that a hand gives to a player or side by a key; a *tally* is a stored sum of one mark.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F

from games.sheet import Criterion
from tracker.models import Progress, RoundState, Tournament
from tracker.models.progress import RoundLength
from tracker.standings.queries.ranking_criteria import DRAW, MATCH_POINTS, WIN
from tracker.standings.queries.sums import Sums, tallies_of

DECIDED = "matches_decided"  # the mark that counts decided matches
_PROGRESS_COUNTS = ("hands_standing", "games_over", "not_played")  # of a table
_ROUND_FIELDS = ("tournament", "number", "state", "hands", "games")
# The fields of a row in _decided_tables, each with its lookup from a SeatTally.
_ROW_FIELDS = {
    **{name: F(f"seat__sitting__{name}") for name in _PROGRESS_COUNTS},
    **{name: F(f"seat__round__{name}") for name in _ROUND_FIELDS},
    **{name: F(f"seat__{name}") for name in ("sitting", "side", "place", "entrant")},
}


@dataclass(slots=True)
class _Side:
    """One side of a table: its first place, the entrant it scores for, and its sums."""

    place: int
    entrant: int
    sums: Counter[str] = field(default_factory=Counter)


def match_sums(
    criteria_by: Mapping[Tournament, Sequence[Criterion]], upto: int | None = None
) -> Mapping[int, Mapping[int, Sums]]:
    """Return the match points of tournaments that rank by them, up to the round of number *upto*.

    They are {tournament: {number of a round: {entrant: sums}}}. It takes one query.
    """
    # After the match points come the game's points, which decide a match.
    points_by = {tournament.pk: criteria[1] for tournament, criteria in criteria_by.items()}
    seat_marks = {tournament.pk: tournament.rules.seat_scoped for tournament in criteria_by}
    sums: dict[int, dict[int, dict[int, Counter[str]]]] = defaultdict(lambda: defaultdict(dict))
    for (tournament, round_, _), sides in _decided_tables(points_by, seat_marks, upto).items():
        if len(sides) != 2:
            continue
        first, second = sides.values()
        points = points_by[tournament]
        lead = points.value(first.sums) - points.value(second.sums)
        if points.fewest:
            lead = -lead
        points_of_first = DRAW
        if lead:
            points_of_first = WIN if lead > 0 else 0
        # Together the two sides get as many match points as a win gives.
        for side, match_points in ((first, points_of_first), (second, WIN - points_of_first)):
            of_entrant = sums[tournament][round_].setdefault(side.entrant, Counter())
            of_entrant.update({MATCH_POINTS.key: match_points, DECIDED: 1})
    return sums


def _decided_tables(
    points_by: Mapping[int, Criterion], seat_marks: Mapping[int, Collection[str]], upto: int | None
) -> Mapping[tuple[int, int, int], Mapping[int, _Side]]:
    """Return {(tournament, round, table): {number of a side: side}} of all tables that are over.

    *points_by* are the points to sum and *seat_marks* the marks of single seats, by tournament.
    """
    marks = {mark for points in points_by.values() for mark, _weight in points.terms}
    tallies = tallies_of(list(points_by), upto).filter(key__in={"hands", *marks})
    # At one place, the player who sat down last comes last: the side scores for their entrant.
    rows = tallies.annotate(**_ROW_FIELDS).order_by("seat__place", "seat__from_hand")
    tables: dict[tuple[int, int, int], dict[int, _Side]] = defaultdict(dict)
    for row in rows.values_list(*_ROW_FIELDS, "key", "amount", named=True):
        # The row has the fields of its round and of its table, so it is passed as both.
        if not is_over(row, row.state, row):
            continue
        sides = tables[row.tournament, row.number, row.sitting]
        side = sides.setdefault(row.side, _Side(row.place, row.entrant))
        if row.place == side.place:
            side.entrant = row.entrant
        # A mark of a whole side is stored at each of its places.
        if row.place == side.place or row.key in seat_marks[row.tournament]:
            side.sums[row.key] += row.amount
    return tables


def is_over(length: RoundLength, state: str, table: Any, *, level: bool = False) -> bool:
    """Return whether a table's result counts: its round is closed, or all of it is played.

    *length* and *state* are those of the round; *table* has the counts of its hands and games.
    *level*: it is a match of a bracket with equal points.
    """
    counts = {name: getattr(table, name) for name in _PROGRESS_COUNTS}
    progress = Progress.of_counts(length, level=level, **counts)
    # A level match needs one more hand, and so is not whole: until that is played, it is a draw.
    return state == RoundState.CLOSED or progress.whole or progress.one_more
