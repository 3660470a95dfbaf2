"""What each round brought each entrant: who met whom, with which result, and who did not play.

Tables count once they are over: a match that is not finished counts nowhere. In mappings an
*entrant* is its key.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.db.models import Exists, F, OuterRef

from games.sheet import Criterion
from tracker.models import (
    AwardKind,
    Hand,
    Movement,
    RankedBy,
    Rest,
    ResultType,
    RoundState,
    Seat,
    Tournament,
)
from tracker.standings.logic.results import Kind, Results, RoundRecord
from tracker.standings.queries.awards import GivenAward
from tracker.standings.queries.match_points import PROGRESS_COUNTS, is_over
from tracker.standings.queries.ranking_criteria import (
    DRAW,
    MATCH_POINTS,
    WIN,
    game_points,
    ranks_by_match_points,
)
from tracker.standings.queries.sums import Sums, sums_by_sitting

_NOT_PLAYED = ResultType.WALKOVER, ResultType.NOT_PLAYED, ResultType.GAME_NOT_PLAYED
_PLAYED = Hand.objects.filter(sitting=OuterRef("sitting"), struck_at=None).exclude(
    result_type__in=_NOT_PLAYED
)
_COLUMNS = {
    **{name: F(f"round__{name}") for name in ("tournament", "number", "state", "hands", "games")},
    **{name: F(f"sitting__{name}") for name in PROGRESS_COUNTS},
    "played": Exists(_PLAYED),
}
# What awards say about a round that was not played.
_UNPLAYED: Mapping[str, Kind] = {
    AwardKind.RESTING: Kind.BYE,
    AwardKind.BYE: Kind.BYE,
    AwardKind.FORFEIT: Kind.FORFEIT_WON,
}


@dataclass(slots=True, kw_only=True)
class RoundRecords:
    """The records of one tournament, and who sat at a table or rested, keyed by round number."""

    criteria: Sequence[Criterion]
    everybody_meets: bool
    records: dict[int, list[RoundRecord[int]]] = field(default_factory=lambda: defaultdict(list))
    seated: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    resting: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    closed: set[int] = field(default_factory=set)

    def results(
        self, entrants: Iterable[int], awards: Iterable[GivenAward], upto: int | None
    ) -> Results[int]:
        """Return the results of these entrants, after all rounds or *upto* this one.

        Who neither sat at a table nor rested in a closed round was absent, unless an award says
        otherwise; of shares nothing is known of rounds that were not played.
        """
        points = self.criteria[0]
        matches = ranks_by_match_points(self.criteria)
        closed = [] if points.per else sorted(self.closed)
        given: dict[tuple[int, int], list[GivenAward]] = defaultdict(list)
        for award in awards:
            if award.award.round is not None:
                given[award.award.round.number, award.entrant].append(award)
        records: dict[int, list[RoundRecord[int]]] = {}
        for entrant in entrants:
            own = list(self.records.get(entrant, ()))
            for number in closed:
                if entrant not in self.seated[number]:
                    rests = entrant in self.resting[number]
                    of_round = given[number, entrant]
                    own.append(_unplayed(number, of_round, rests=rests, matches=matches))
            own.sort(key=attrgetter("round"))
            records[entrant] = [each for each in own if upto is None or each.round <= upto]
        played = [
            each.points for own in records.values() for each in own if each.kind is Kind.PLAYED
        ]
        average = sum(played, Fraction(0)) / max(1, len(played))
        return Results(
            records=records,
            win=Fraction(WIN) if matches else None,
            draw=Fraction(DRAW) if matches else average,
            fewest=points.fewest,
            everybody_meets=self.everybody_meets,
        )


def _unplayed(
    number: int, awards: Sequence[GivenAward], *, rests: bool, matches: bool
) -> RoundRecord[int]:
    """Return the record of a round in which an entrant did not sit at a table."""
    kinds = [_UNPLAYED[each.award.kind] for each in awards if each.award.kind in _UNPLAYED]
    kind = kinds[0] if kinds else Kind.BYE if rests else Kind.ABSENT
    points = sum((each.counted_amount for each in awards), Fraction(0))
    return RoundRecord(round=number, points=points, kind=kind, won=matches and points == WIN)


def round_records(
    criteria_by: Mapping[Tournament, Sequence[Criterion]],
    matches: Mapping[int, Mapping[int, Sums]],
    upto: int | None = None,
) -> dict[int, RoundRecords]:
    """Return the records of these tournaments by their key, in three queries.

    *matches* are their match points, as from ``match_sums``. *upto* leaves out later rounds.
    """
    records_of = {
        tournament.pk: RoundRecords(
            criteria=criteria, everybody_meets=tournament.movement == Movement.ROUND_ROBIN
        )
        for tournament, criteria in criteria_by.items()
    }
    points_of = {
        tournament.pk: game_points(tournament, RankedBy.MATCH_POINTS)
        if ranks_by_match_points(criteria)
        else criteria[0]
        for tournament, criteria in criteria_by.items()
    }
    marks = {mark for points in points_of.values() for mark, _weight in points.terms}
    marks.update(mark for points in points_of.values() for mark in points.per)
    sums_at = sums_by_sitting(criteria_by, marks, upto)
    seats = Seat.objects.filter(round__tournament__in=records_of)
    rests = Rest.objects.sat_out().filter(round__tournament__in=records_of)
    if upto is not None:
        seats, rests = seats.filter(round__number__lte=upto), rests.filter(round__number__lte=upto)
    resting = rests.values_list("round__tournament", "round__number", "round__state", "entrant")
    for tournament, number, state, entrant in resting.order_by():
        records = records_of[tournament]
        records.resting[number].add(entrant)
        if state == RoundState.CLOSED:
            records.closed.add(number)
    rows = (
        seats.exclude(round__state=RoundState.UNDONE)
        .annotate(**_COLUMNS)
        .order_by("round__number", "sitting", "place", "from_hand")
        .values_list("sitting", "side", "entrant", *_COLUMNS, named=True)
    )
    for sitting, group in groupby(rows, key=attrgetter("sitting")):
        at_table = list(group)
        first = at_table[0]
        records = records_of[first.tournament]
        records.seated[first.number].update(row.entrant for row in at_table)
        if first.state == RoundState.CLOSED:
            records.closed.add(first.number)
        sums = sums_at.get(sitting, {})
        if sums and is_over(length=first, state=first.state, table=first):
            match_points = None
            if ranks_by_match_points(records.criteria):
                match_points = matches.get(first.tournament, {}).get(first.number, {})
            points = points_of[first.tournament]
            for entrant, record in _records_at(at_table, sums, points, match_points):
                records.records[entrant].append(record)
    return records_of


def _records_at(
    at_table: Sequence[Any], sums: Sums, points: Criterion, match_points: Sums | None
) -> Iterable[tuple[int, RoundRecord[int]]]:
    """Yield each entrant who played at a table, with the record of it.

    The *points* of the game decide who won; if *match_points* rank, they are what the table gave.
    """
    first = at_table[0]
    sides: dict[int, list[int]] = defaultdict(list)
    for row in at_table:
        if row.entrant in sums and row.entrant not in sides[row.side]:
            sides[row.side].append(row.entrant)
    sides = {side: entrants for side, entrants in sides.items() if entrants}
    better = min if points.fewest else max
    of_side = {
        side: better(points.value(sums[entrant]) for entrant in entrants)
        for side, entrants in sides.items()
    }
    for side, entrants in sides.items():
        others = [figure for other, figure in of_side.items() if other != side]
        if not others:  # the others have no hand that counts
            continue
        for entrant in entrants:
            own = points.value(sums[entrant])
            won = better(own, *others) == own and own not in others
            kind = Kind.PLAYED
            if not first.played:
                kind = Kind.FORFEIT_WON if won or own in others else Kind.FORFEIT_LOST
            brought = own
            if match_points is not None:
                marks = match_points.get(entrant)
                brought = Fraction(marks[MATCH_POINTS.key] if marks else 0)
            yield (
                entrant,
                RoundRecord(
                    round=first.number,
                    points=brought,
                    kind=kind,
                    opponents=tuple(
                        other for key, those in sides.items() if key != side for other in those
                    ),
                    partners=tuple(other for other in entrants if other != entrant),
                    difference=own - sum(others, Fraction(0)) / len(others),
                    won=won,
                ),
            )
