"""Data that rank the entrants of a tournament: criteria, match points, tables and awards.

A *mark* is a number that a hand gives a player or side by a key; a *criterion* is a figure of them.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from games.sheet import Criterion
from tracker.models import Award, Round, Tournament
from tracker.standings.logic.ranking import RankedEntrant, rank_entrants
from tracker.standings.queries.awards import GivenAward, live_awards
from tracker.standings.queries.match_points import match_sums
from tracker.standings.queries.ranking_criteria import ranks_by_match_points
from tracker.standings.queries.sums import Sums, sums_by_table


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingData:
    """The criteria of a tournament, points first, and what counts besides the sums of marks.

    ``matches`` are {number of a round: match points}, empty if these do not rank. ``tables`` are
    [(number of a round, sums at one table)], empty without a head-to-head tie-break. ``awards`` are
    without amounts, which depend on the sums.
    """

    tournament: Tournament
    criteria: tuple[Criterion, ...]
    matches: Mapping[int, Sums]
    tables: Sequence[tuple[int, Sums]]
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
        return rank_entrants(
            sums,
            self.criteria,
            awards=[*((award.entrant, award.counted_amount) for award in awards), *carried.items()],
            tables=[table for number, table in self.tables if upto is None or number <= upto],
            resolved=self.tournament.resolved_orders if upto is None else (),
            columns=columns,
            bracket=bracket,
        )


def ranking_data(
    criteria_by: Mapping[Tournament, tuple[Criterion, ...]], upto: Round | None = None
) -> dict[int, RankingData]:
    """Return the data of these tournaments keyed by their key, after all rounds or *upto* one.

    It takes one query, and one more each for match points, head-to-head tie-breaks and averages.
    """
    number = upto.number if upto else None
    awards: dict[int, list[Award]] = defaultdict(list)
    for award in live_awards(list(criteria_by), upto):
        awards[award.tournament_id].append(award)
    with_matches = {
        each: criteria for each, criteria in criteria_by.items() if ranks_by_match_points(criteria)
    }
    matches = match_sums(with_matches, number) if with_matches else {}
    # Tournaments with a head-to-head tie-break, and the marks that it compares.
    compared: set[Tournament] = set()
    marks: set[str] = set()
    for tournament, criteria in criteria_by.items():
        for criterion in criteria:
            if criterion.head_to_head:
                compared.add(tournament)
                marks.update(mark for mark, _weight in criterion.terms)
                marks.update(criterion.per)
    tables = sums_by_table(compared, marks, number) if compared else {}
    return {
        tournament.pk: RankingData(
            tournament=tournament,
            criteria=criteria,
            matches=matches.get(tournament.pk, {}),
            tables=tables.get(tournament.pk, ()),
            awards=awards[tournament.pk],
        )
        for tournament, criteria in criteria_by.items()
    }
