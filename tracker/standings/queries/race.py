"""The race of a tournament: everybody's points and places after each round."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from games.sheet import Criterion
from tracker.models import Award, Entrant, Tournament
from tracker.standings.logic.ranking import Placed, rank
from tracker.standings.logic.tiebreaks import merits
from tracker.standings.queries.awards import amounts, live_awards
from tracker.standings.queries.criteria import criteria_of, tables_met
from tracker.standings.queries.sums import Sums, sums_by_round


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """An entrant, with points before the first round and after each, and places after each."""

    entrant: int
    player: int | None
    team: int | None
    name: str
    points: tuple[Fraction, ...]
    places: tuple[int, ...]
    hands: tuple[int, ...]  # played in each round


@dataclass(frozen=True, slots=True, kw_only=True)
class Race:
    runners: tuple[Runner, ...]  # best first, as they stand after the last round
    rounds: tuple[int, ...]  # the numbers of those that were played
    criterion: Criterion


def race(tournament: Tournament) -> Race:
    """Return the race as it is known today, in five queries at most.

    Its last round agrees with ``standings`` now, the others with ``standings`` up to them.
    """
    by_round = {
        number: sums
        for number, sums in sorted(sums_by_round(tournament).items())
        if any(own["hands"] for own in sums.values())
    }
    entrants = _entered(tournament)
    criteria = criteria_of(tournament)
    awards = live_awards([tournament])
    met = tables_met({tournament: criteria}).get(tournament.pk, ())
    tables = list(_standings(entrants, by_round, criteria, awards, met))
    order = [one.item for one, _ in tables[-1]] if tables else []
    return Race(
        runners=tuple(_runner(entrant, tables, by_round) for entrant in order),
        rounds=tuple(by_round),
        criterion=criteria[0],
    )


_Table = list[tuple[Placed[Entrant], Fraction]]


def _entered(tournament: Tournament) -> list[Entrant]:
    entrants = Entrant.objects.filter(tournament=tournament).select_related("player", "team")
    return list(entrants.order_by("player__name_key", "team__name_key", "pk"))


def _standings(
    entrants: Sequence[Entrant],
    by_round: Mapping[int, Sums],
    criteria: Sequence[Criterion],
    awards: Sequence[Award],
    met: Sequence[tuple[int, Sums]],
) -> Iterable[_Table]:
    """Yield who stands where, and with how much, after each round."""
    gathered: dict[int, Counter[str]] = defaultdict(Counter)
    played: Counter[int] = Counter()
    points = criteria[0]
    for number, sums in by_round.items():
        for entrant, own in sums.items():
            gathered[entrant].update(own)
            played[entrant] += bool(own["hands"])
        last = number == max(by_round)
        counted = [
            award
            for award in awards
            if last or (award.round is not None and award.round.number <= number)
        ]
        besides: dict[int, Fraction] = defaultdict(Fraction)
        of_tournament = {award.tournament_id: points for award in counted}
        for given in amounts(counted, of_tournament, gathered, played):
            besides[given.entrant] += given.points
        figures = {
            one.pk: {each.key: each.value(gathered[one.pk]) for each in criteria}
            for one in entrants
        }
        for one in entrants:
            figures[one.pk][points.key] += besides[one.pk]
        seen = [table for round_, table in met if round_ <= number]
        compared = merits(figures, criteria, seen)
        merit = {one: compared[one.pk] for one in entrants}
        placed = rank(entrants, key=merit.__getitem__)
        yield [(one, figures[one.item.pk][points.key]) for one in placed]


def _runner(entrant: Entrant, tables: Sequence[_Table], by_round: Mapping[int, Sums]) -> Runner:
    stood = [next(row for row in table if row[0].item == entrant) for table in tables]
    return Runner(
        entrant=entrant.pk,
        player=entrant.player_id,
        team=entrant.team_id,
        name=str(entrant),
        points=(Fraction(0), *(points for _, points in stood)),
        places=tuple(placed.place for placed, _ in stood),
        hands=tuple(
            sums[entrant.pk]["hands"] if entrant.pk in sums else 0 for sums in by_round.values()
        ),
    )
