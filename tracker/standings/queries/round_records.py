"""The record of each entrant in each round: its opponents, partners and points.

Tables count once they are over: a match that is not finished counts nowhere. In mappings an
*entrant* is its key.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from operator import attrgetter

from games.sheet import Criterion
from tracker.criteria.ranking_criteria import (
    DRAW,
    MATCH_POINTS,
    WIN,
    game_points,
    ranks_by_match_points,
)
from tracker.criteria.results import Kind, Number, Results, RoundRecord, int_if_whole, mean
from tracker.models import AwardKind, Movement, RankedBy, RoundState, Tournament
from tracker.standings.queries.awards import GivenAward
from tracker.standings.queries.match_points import is_over
from tracker.standings.queries.sums import NO_END, SEAT_MARKS, SideStint, Sums, sums_of_side
from tracker.tables.sql import StintSums, read_stint_sums

# What awards say about a round that was not played.
_UNPLAYED: Mapping[str, Kind] = {
    AwardKind.RESTING: Kind.BYE,
    AwardKind.BYE: Kind.BYE,
    AwardKind.FORFEIT: Kind.FORFEIT_WON,
}


class TournamentRecords:
    """The records of one tournament by entrant, and by round number who was seated and who rested."""

    def __init__(self, tournament: Tournament, criteria: Sequence[Criterion]) -> None:
        self.points = criteria[0]
        self.by_matches = ranks_by_match_points(criteria)
        # What decides at a table: where match points rank, the points of the game.
        self.table_points = (
            game_points(tournament, RankedBy.MATCH_POINTS) if self.by_matches else self.points
        )
        self.seat_marks = SEAT_MARKS | tournament.rules.seat_scoped
        self.everybody_meets = tournament.movement == Movement.ROUND_ROBIN
        self.records: dict[int, list[RoundRecord[int]]] = defaultdict(list)
        self.seated: dict[int, set[int]] = defaultdict(set)
        self.resting: dict[int, set[int]] = defaultdict(set)
        self.closed: set[int] = set()

    def results(
        self, entrants: Iterable[int], awards: Iterable[GivenAward], upto: int | None
    ) -> Results[int]:
        """Return the results of these entrants, after all rounds or *upto* this one.

        Who neither sat at a table nor rested in a closed round was absent, unless an award says
        otherwise. If the points are a share, rounds that were not played are left out.
        """
        closed = set() if self.points.per else self.closed
        given: dict[tuple[int, int], list[GivenAward]] = defaultdict(list)
        for award in awards:
            if award.award.round is not None:
                given[award.award.round.number, award.entrant].append(award)
        records: dict[int, list[RoundRecord[int]]] = {}
        for entrant in entrants:
            unplayed = [number for number in closed if entrant not in self.seated[number]]
            own = [
                *self.records.get(entrant, ()),
                *(self._unplayed(entrant, each, given[each, entrant]) for each in unplayed),
            ]
            own.sort(key=attrgetter("round"))
            records[entrant] = [each for each in own if upto is None or each.round <= upto]
        played = [
            each.points for own in records.values() for each in own if each.kind is Kind.PLAYED
        ]
        return Results(
            records=records,
            win=WIN if self.by_matches else None,
            draw=DRAW if self.by_matches else mean(played),
            fewest=self.points.fewest,
            everybody_meets=self.everybody_meets,
        )

    def _unplayed(
        self, entrant: int, number: int, awards: Sequence[GivenAward]
    ) -> RoundRecord[int]:
        """Return the record of a round in which an entrant did not sit at a table."""
        kinds = [_UNPLAYED[each.award.kind] for each in awards if each.award.kind in _UNPLAYED]
        rests = Kind.BYE if entrant in self.resting[number] else Kind.ABSENT
        points = int_if_whole(sum((each.counted_amount for each in awards), Fraction(0)))
        won = self.by_matches and points == WIN
        return RoundRecord(round=number, points=points, kind=(*kinds, rests)[0], won=won)

    def records_at(
        self, at_table: Sequence[StintSums], match_points: Sums
    ) -> Iterator[tuple[int, RoundRecord[int]]]:
        """Yield each entrant with a hand that counts at a table, with the record of it.

        *match_points* are those of its round, where they rank.
        """
        # After a swap or a takeover an entrant may have sat at two sides: the first counts.
        latest_first = sorted(at_table, key=attrgetter("from_hand", "place"), reverse=True)
        side_of = {row.entrant: row.side for row in latest_first}
        sides: dict[int, dict[int, Number]] = defaultdict(dict)
        for entrant, sums in _sums_at(at_table, self.seat_marks).items():
            sides[side_of[entrant]][entrant] = int_if_whole(self.table_points.number(sums))
        better = min if self.table_points.fewest else max
        of_side = {side: better(figures.values()) for side, figures in sides.items()}
        for side, figures in sides.items():
            others = [figure for other, figure in of_side.items() if other != side]
            if not others:  # the others have no hand that counts
                continue
            opponents = tuple([each for other in sides if other != side for each in sides[other]])
            best_other, mean_other = better(others), mean(others)
            for entrant, own in figures.items():
                best = better(own, best_other) == own
                kind, points = Kind.PLAYED, own
                if not at_table[0].played:
                    kind = Kind.FORFEIT_WON if best else Kind.FORFEIT_LOST
                if self.by_matches:
                    points = (
                        match_points[entrant][MATCH_POINTS.key] if entrant in match_points else 0
                    )
                record = RoundRecord(
                    round=at_table[0].number,
                    points=points,
                    kind=kind,
                    opponents=opponents,
                    partners=tuple([each for each in figures if each != entrant]),
                    difference=own - mean_other,
                    won=best and own != best_other,
                )
                yield entrant, record


def round_records(
    criteria_by: Mapping[Tournament, Sequence[Criterion]],
    matches: Mapping[int, Mapping[int, Sums]],
    upto: int | None = None,
) -> dict[int, TournamentRecords]:
    """Return the records of these tournaments by their key, in two queries.

    *matches* are their match points, as from ``match_sums``. *upto* leaves out later rounds.
    """
    records_of = {
        each.pk: TournamentRecords(each, criteria) for each, criteria in criteria_by.items()
    }
    marks = {mark for each in records_of.values() for mark, _weight in each.table_points.terms}
    marks.update(mark for each in records_of.values() for mark in each.table_points.per)
    rows, rests = read_stint_sums(records_of, {"hands", *marks}, upto) if records_of else ([], [])
    for tournament, number, entrant in rests:
        records_of[tournament].resting[number].add(entrant)
    for _sitting, group in groupby(rows, key=attrgetter("sitting")):
        at_table = list(group)
        table = at_table[0]  # all rows of a table have the same columns of it and of its round
        records = records_of[table.tournament]
        seated: set[int] = set()
        if table.state == RoundState.CLOSED:
            records.closed.add(table.number)
        if is_over(length=table, state=table.state, table=table):
            match_points = matches.get(table.tournament, {}).get(table.number, {})
            for entrant, record in records.records_at(at_table, match_points):
                records.records[entrant].append(record)
                seated.add(entrant)
        # Who was replaced before the first hand that counts was not there.
        records.seated[table.number] |= seated or {row.entrant for row in at_table}
    return records_of


def _sums_at(
    at_table: Sequence[StintSums], seat_marks: Collection[str]
) -> dict[int, dict[str, int]]:
    """Return the sums of each entrant with a hand that counts at a table, from its rows."""
    sums: dict[int, dict[str, int]] = {}
    sides: dict[int, dict[int, SideStint]] = defaultdict(dict)
    takeover = any(row.from_hand > 1 or row.to_hand is not None for row in at_table)
    for row in at_table:
        if row.entrant not in sums and not takeover:
            sums[row.entrant] = row.sums
            continue
        # A mark of a whole side is stored at each of its places: it counts at the first.
        own = sums.setdefault(row.entrant, {})
        for key, amount in row.sums.items():
            if key in seat_marks:
                own[key] = own.get(key, 0) + amount
            elif takeover:
                stints, last = sides[row.side], NO_END if row.to_hand is None else row.to_hand
                if row.seat not in stints:
                    stints[row.seat] = SideStint(row.entrant, row.place, row.from_hand, last)
                stints[row.seat].sums[key] += amount
    for stints in sides.values():
        for entrant, marks in sums_of_side(stints.values()):
            for key, amount in marks.items():
                sums[entrant][key] = sums[entrant].get(key, 0) + amount
    return {entrant: marks for entrant, marks in sums.items() if marks.get("hands")}
