"""Match points: which matches of two sides are decided, who won them, and the points for it.

A match is decided by the game's points of its two sides, once it is over: once its round is
closed, or all of it is played. A walkover counts with the points assigned to it. A match without a
hand that counts, and a table with more than two sides, give no match points. A *mark* is a whole
number that a hand gives to a player or side by a key; a *tally* is a stored sum of one mark.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.db.models import F

from games.sheet import Criterion
from tracker.criteria.ranking_criteria import DRAW, MATCH_POINTS, WIN, game_points
from tracker.models import Progress, RankedBy, RoundState, Tournament
from tracker.models.progress import RoundLength
from tracker.standings.queries.sums import Sums, tallies_of

DECIDED = "matches_decided"  # the mark that counts decided matches
PROGRESS_COUNTS = ("hands_standing", "games_over", "not_played")  # of a table
_ROUND_FIELDS = ("tournament", "number", "state", "hands", "games")
# What each row has besides a tally: columns of its table, of its round, and of its seat.
_COLUMNS = {
    **{name: F(f"seat__sitting__{name}") for name in PROGRESS_COUNTS},
    **{name: F(f"seat__round__{name}") for name in _ROUND_FIELDS},
    **{name: F(f"seat__{name}") for name in ("sitting", "side", "place", "from_hand", "entrant")},
}


def match_sums(
    tournaments: Collection[Tournament], upto: int | None = None
) -> Mapping[int, Mapping[int, Sums]]:
    """Return the match points of tournaments that rank by them, up to the round of number *upto*.

    They are {tournament: {number of a round: {entrant: sums}}}. It takes one query. The points of
    the game decide a match.
    """
    points_by = {each.pk: game_points(each, RankedBy.MATCH_POINTS) for each in tournaments}
    seat_marks = {each.pk: each.rules.seat_scoped for each in tournaments}
    marks = {mark for points in points_by.values() for mark, _weight in points.terms}
    # A side that scored nothing has no tally but that of its hands.
    tallies = tallies_of(list(points_by), upto).filter(key__in={"hands", *marks})
    rows = tallies.annotate(**_COLUMNS).values_list(*_COLUMNS, "key", "amount", named=True)
    sums: dict[int, dict[int, dict[int, Counter[str]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(Counter))
    )
    for _sitting, group in groupby(rows.order_by("seat__sitting"), key=attrgetter("sitting")):
        at_table = list(group)
        first = at_table[0]  # all rows of a table have the same columns of it and of its round
        sides = {row.side for row in at_table}
        if len(sides) != 2 or not is_over(length=first, state=first.state, table=first):
            continue
        points, of_seats = points_by[first.tournament], seat_marks[first.tournament]
        results = [_side_result(at_table, side, points, of_seats) for side in sides]
        best = (min if points.fewest else max)(figure for _entrant, figure in results)
        for_best = DRAW if all(figure == best for _entrant, figure in results) else WIN
        for entrant, figure in results:
            match_marks = {MATCH_POINTS.key: for_best if figure == best else 0, DECIDED: 1}
            sums[first.tournament][first.number][entrant].update(match_marks)
    return sums


def _side_result(
    at_table: Sequence[Any], side: int, points: Criterion, seat_marks: Collection[str]
) -> tuple[int, Fraction]:
    """Return the entrant that a side scores for, and its *points*, from the rows of its table.

    *seat_marks* are the marks that each seat has for itself, not with its side.
    """
    rows = [row for row in at_table if row.side == side]
    first_place = min(row.place for row in rows)
    sums: Counter[str] = Counter()
    for row in rows:
        # All other marks are of the whole side, and stored at each of its places: count one place.
        if row.key in seat_marks or row.place == first_place:
            sums[row.key] += row.amount
    # If a place was taken over, the side scores for the entrant who sat down there last.
    entrant_from_hand = {row.from_hand: row.entrant for row in rows if row.place == first_place}
    return entrant_from_hand[max(entrant_from_hand)], points.value(sums)


def is_over(length: RoundLength, state: str, table: Any, *, level: bool = False) -> bool:
    """Return whether a table's result counts: its round is closed, or all of it is played.

    *length* and *state* are those of the round, and *table* is a row that has ``PROGRESS_COUNTS``.
    *level*: it is a match of a bracket with equal points, which needs one more hand than the round
    has: until that is played, it is a draw.
    """
    if state == RoundState.CLOSED:
        return True
    counts = {name: getattr(table, name) for name in PROGRESS_COUNTS}
    progress = Progress.of_counts(length, level=level, **counts)
    return progress.whole or progress.one_more
