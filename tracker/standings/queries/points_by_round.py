"""The race of a tournament: points and places of every entrant after each round."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext

from games.sheet import Criterion
from tracker.common.figures import figure, in_halves
from tracker.common.names import PageNames, page_names
from tracker.common.wording import together
from tracker.models import Entrant, Player, RoundState, Tournament
from tracker.standings.logic.ranking import RankedEntrant, rank_entrants
from tracker.standings.queries.awards import amounts, live_awards
from tracker.standings.queries.brackets import bracket_places
from tracker.standings.queries.final_rankings import carried_over
from tracker.standings.queries.ranking_criteria import (
    criteria_of,
    head_to_heads,
    match_sums,
    with_matches,
)
from tracker.standings.queries.sums import sums_by_round


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """An entrant with the points before the first round and after each, and the places after each."""

    entrant: Entrant
    called: str  # the short name
    points: tuple[Fraction, ...]
    places: tuple[int, ...]
    hands: tuple[int, ...]  # played in each round

    @property
    def name(self) -> str:
        return str(self.entrant)


@dataclass(frozen=True, slots=True, kw_only=True)
class Race:
    runners: tuple[Runner, ...]  # best first, as they are placed after the last round
    rounds: tuple[int, ...]  # the numbers of the rounds played
    criterion: Criterion
    names: PageNames
    halves: bool  # all points are whole or halves

    def points_after(self, runner: Runner, position: int) -> str:
        """Return the points of a runner after the round at this position of ``rounds``, in words."""
        points = runner.points[position + 1]
        return figure(points, percent=self.criterion.percent, halves=self.halves)

    @property
    def summary(self) -> str:
        """Describe the chart of the race in a sentence."""
        leaders = [runner.called for runner in self.runners if runner.places[-1] == 1]
        sentence = gettext(
            "The race of points over %(rounds)d rounds; in the lead: %(names)s, with %(points)s."
        )
        return sentence % {
            "rounds": len(self.rounds),
            "names": together(leaders),
            "points": self.points_after(self.runners[0], len(self.rounds) - 1),
        }


def names_of(players: Iterable[Player]) -> PageNames:
    """Return the short names of these players on one page, without those who were erased."""
    return page_names([(player.pk, player.name) for player in players if not player.erased_at])


def race(tournament: Tournament) -> Race:
    """Return the race by today's results, in six queries at most and those of ``carried_over``.

    After the last round it agrees with ``standings``, after the others with ``standings(upto=…)``,
    unless a bracket gives the places or the tournament was ranked otherwise when they were published.
    """
    criteria = criteria_of(tournament)
    matches = match_sums({tournament: criteria}).get(tournament.pk, {})
    by_round = {
        number: with_matches(sums, {number: matches.get(number, {})})
        for number, sums in sorted(sums_by_round([tournament]).get(tournament.pk, {}).items())
        if any(marks["hands"] for marks in sums.values())
    }
    named = Entrant.objects.filter(tournament=tournament).by_name()
    entrants = {entrant.pk: entrant for entrant in named}
    awards = live_awards([tournament])
    carried = carried_over(tournament, criteria[0]) if tournament.carries_over else {}
    met = head_to_heads({tournament: criteria}).get(tournament.pk, ())
    closed = tournament.rounds.exclude(state=RoundState.UNDONE).values_list("number", "closed_at")
    closed_at = dict(closed) if any(award.round is None for award in awards) else {}

    gathered: dict[int, Counter[str]] = {entrant: Counter() for entrant in entrants}
    rounds_played: Counter[int] = Counter()
    after_rounds: dict[int, list[RankedEntrant[int]]] = {entrant: [] for entrant in entrants}
    for number, sums in by_round.items():
        for entrant, marks in sums.items():
            gathered[entrant].update(marks)
            rounds_played[entrant] += bool(marks["hands"])
        last = number == max(by_round)
        live = [
            award for award in awards if last or award.stands_after(number, closed_at.get(number))
        ]
        given = amounts(live, criteria[0], gathered, rounds_played)
        for ranked in rank_entrants(
            gathered,
            criteria,
            awards=[*((award.entrant, award.points) for award in given), *carried.items()],
            tables=[table for round_, table in met if round_ <= number],
            resolved=tournament.resolved_orders if last else (),
            bracket=bracket_places([tournament]) if last else {},
        ):
            after_rounds[ranked.entrant].append(ranked)

    names = names_of(entrant.player for entrant in entrants.values() if entrant.player)

    def runner(entrant: Entrant) -> Runner:
        points = (each.figures[criteria[0].key] for each in after_rounds[entrant.pk])
        return Runner(
            entrant=entrant,
            called=names.player(entrant.player_id, str(entrant)),
            points=(carried.get(entrant.pk, Fraction(0)), *points),
            places=tuple(each.place for each in after_rounds[entrant.pk]),
            hands=tuple(
                sums[entrant.pk]["hands"] if entrant.pk in sums else 0 for sums in by_round.values()
            ),
        )

    runners = list(map(runner, entrants.values())) if by_round else []
    return Race(
        # Equals keep the order of their names.
        runners=tuple(sorted(runners, key=lambda runner: runner.places[-1])),
        rounds=tuple(by_round),
        criterion=criteria[0],
        names=names,
        halves=in_halves(points for runner in runners for points in runner.points),
    )
