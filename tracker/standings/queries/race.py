"""The race of a tournament: points and places of each entrant after each round."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from games.sheet import Criterion
from tracker.common.figures import in_halves
from tracker.models import Entrant, Player, RoundState, Tournament
from tracker.standings.logic.called import PageNames, page_names
from tracker.standings.logic.ranking import RankedEntrant, rank_entrants
from tracker.standings.queries.awards import amounts, live_awards
from tracker.standings.queries.brackets import bracket_places
from tracker.standings.queries.criteria import criteria_of, head_to_heads, match_sums, with_matches
from tracker.standings.queries.finishes import carried_over
from tracker.standings.queries.sums import sums_by_round


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """An entrant, with points before the first round and after each, and places after each."""

    entrant: Entrant
    called: str  # as short as tells the people of the race apart
    points: tuple[Fraction, ...]
    places: tuple[int, ...]
    hands: tuple[int, ...]  # played in each round

    @property
    def name(self) -> str:
        return str(self.entrant)


@dataclass(frozen=True, slots=True, kw_only=True)
class Race:
    runners: tuple[Runner, ...]  # best first, as they stand after the last round
    rounds: tuple[int, ...]  # the numbers of those that were played
    criterion: Criterion
    names: PageNames
    halves: bool  # the points are whole or halves, and no average among them a third


def names_of(players: Iterable[Player]) -> PageNames:
    """Return what these are called on one page, but those who asked to be forgotten."""
    return page_names([(player.pk, player.name) for player in players if not player.erased_at])


def race(tournament: Tournament) -> Race:
    """Return the race as it is known today, in six queries at most and those of ``carried_over``.

    Its last round agrees with ``standings`` now, the others with ``standings`` up to them unless
    a bracket gives the places, or they were announced by what the tournament no longer ranks by.
    """
    criteria = criteria_of(tournament)
    matches = match_sums({tournament: criteria}).get(tournament.pk, {})
    by_round = {
        number: with_matches(sums, {number: matches.get(number, {})})
        for number, sums in sorted(sums_by_round([tournament]).get(tournament.pk, {}).items())
        if any(own["hands"] for own in sums.values())
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
    stood: dict[int, list[RankedEntrant[int]]] = {entrant: [] for entrant in entrants}
    for number, sums in by_round.items():
        for entrant, own in sums.items():
            gathered[entrant].update(own)
            rounds_played[entrant] += bool(own["hands"])
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
            stood[ranked.entrant].append(ranked)

    names = names_of(entrant.player for entrant in entrants.values() if entrant.player)

    def runner(entrant: Entrant) -> Runner:
        points = (each.figures[criteria[0].key] for each in stood[entrant.pk])
        return Runner(
            entrant=entrant,
            called=names.player(entrant.player_id, str(entrant)),
            points=(carried.get(entrant.pk, Fraction(0)), *points),
            places=tuple(each.place for each in stood[entrant.pk]),
            hands=tuple(
                sums[entrant.pk]["hands"] if entrant.pk in sums else 0 for sums in by_round.values()
            ),
        )

    runners = list(map(runner, entrants.values())) if by_round else []
    return Race(
        # Equals stay in the order of their names.
        runners=tuple(sorted(runners, key=lambda runner: runner.places[-1])),
        rounds=tuple(by_round),
        criterion=criteria[0],
        names=names,
        halves=in_halves(points for runner in runners for points in runner.points),
    )
