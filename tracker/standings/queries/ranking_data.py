"""Data that rank the entrants of a tournament: criteria, match points, meetings, lots and awards.

A *mark* is a number that a hand gives a player or side by a key; a *criterion* is a figure worked
out from marks, or from who met whom.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from games.sheet import Criterion, Reads
from tracker.criteria.ranking_criteria import any_reads, ranks_by_match_points
from tracker.criteria.results import Results
from tracker.criteria.tie_breaks import draw_lots
from tracker.models import Award, Entrant, Round, Tournament
from tracker.standings.logic.ranking import RankedEntrant, rank_entrants
from tracker.standings.queries.awards import GivenAward, live_awards
from tracker.standings.queries.match_points import match_sums
from tracker.standings.queries.round_records import TournamentRecords, round_records
from tracker.standings.queries.sums import Sums


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingData:
    """The criteria of a tournament, points first, and what counts besides the sums of marks.

    ``matches`` are {number of a round: match points}, empty if these do not rank. ``records`` are
    ``None`` and ``lots`` empty if no criterion reads them. ``awards`` are without amounts, which
    depend on the sums.
    """

    tournament: Tournament
    criteria: tuple[Criterion, ...]
    matches: Mapping[int, Sums]
    records: TournamentRecords | None
    lots: Mapping[int, int]
    awards: Sequence[Award]

    def with_match_points(self, sums: Sums, only_round: int | None = None) -> Sums:
        """Return *sums* with match points added: of all rounds, or of the one with this number.

        Trap: the counters of *sums* are changed.
        """
        total = dict(sums)
        rounds: Iterable[int] = self.matches if only_round is None else [only_round]
        for number in rounds:
            for entrant, marks in self.matches.get(number, {}).items():
                total.setdefault(entrant, Counter()).update(marks)
        return total

    def rank(
        self,
        sums: Sums,
        *,
        awards: Iterable[GivenAward],
        carried: Mapping[int, Fraction],
        bracket: Mapping[int, int],
        upto: int | None = None,
        columns: Iterable[Criterion] = (),
    ) -> list[RankedEntrant[int]]:
        """Return the entrants of *sums* ranked, the best first.

        *carried* are points from earlier stages and *bracket* places given by a bracket, both keyed
        by entrant. *upto* ranks as after the round of that number, when no tie was resolved yet.
        *columns* are further criteria to compute.
        """
        awards = list(awards)
        return rank_entrants(
            sums,
            self.criteria,
            awards=[*((award.entrant, award.counted_amount) for award in awards), *carried.items()],
            results=self.results(sums, awards, carried, upto),
            resolved=self.tournament.resolved_orders if upto is None else (),
            columns=columns,
            bracket=bracket,
        )

    def results(
        self,
        entrants: Iterable[int],
        awards: Iterable[GivenAward],
        carried: Mapping[int, Fraction],
        upto: int | None = None,
    ) -> Results[int] | None:
        """Return what the criteria read besides marks, without scores; ``None`` if nothing."""
        if self.records is not None:
            results = self.records.results(entrants, awards, upto)
            return replace(results, lots=self.lots, carried=carried)
        return Results(records={}, lots=self.lots) if self.lots else None


def ranking_data(
    criteria_by: Mapping[Tournament, tuple[Criterion, ...]],
    upto: Round | None = None,
    *,
    meetings: bool = False,
) -> dict[int, RankingData]:
    """Return the data of these tournaments keyed by their key, after all rounds or *upto* one.

    It takes one query, one more each for match points, lots and awards that are averages, and two
    where a criterion reads who met whom; *meetings* reads that in any case.
    """
    number = upto.number if upto else None
    awards: dict[int, list[Award]] = defaultdict(list)
    for award in live_awards(list(criteria_by), upto):
        awards[award.tournament_id].append(award)
    with_matches = [each for each in criteria_by if ranks_by_match_points(criteria_by[each])]
    matches = match_sums(with_matches, number) if with_matches else {}
    reading = {
        reads: {each: own for each, own in criteria_by.items() if any_reads(own, reads)}
        for reads in Reads
    }
    with_meetings = criteria_by if meetings else reading[Reads.MEETINGS]
    records = round_records(with_meetings, matches, number) if with_meetings else {}
    lots = _lots(reading[Reads.LOTS]) if reading[Reads.LOTS] else {}
    return {
        tournament.pk: RankingData(
            tournament=tournament,
            criteria=criteria,
            matches=matches.get(tournament.pk, {}),
            records=records.get(tournament.pk),
            lots=lots.get(tournament.pk, {}),
            awards=awards[tournament.pk],
        )
        for tournament, criteria in criteria_by.items()
    }


def _lots(tournaments: Iterable[Tournament]) -> dict[int, dict[int, int]]:
    """Return the places that the entrants of these tournaments drew, in one query."""
    uids: dict[int, dict[int, str]] = defaultdict(dict)
    entrants = Entrant.objects.filter(tournament__in=list(tournaments))
    for tournament, entrant, uid in entrants.values_list("tournament", "pk", "uid"):
        uids[tournament][entrant] = str(uid)
    return {each.pk: draw_lots(each.lots_seed or 0, uids[each.pk]) for each in tournaments}
