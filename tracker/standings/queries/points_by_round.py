"""The race of a tournament: points and places of its entrants, the *runners*, after each round."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext

from games.sheet import Criterion
from tracker.common.figures import figure, in_halves
from tracker.common.names import PageNames, page_names
from tracker.common.wording import together
from tracker.criteria.ranking_criteria import criteria_of
from tracker.models import Entrant, Player, Tournament
from tracker.standings.logic.ranking import RankedEntrant
from tracker.standings.queries.awards import with_amounts
from tracker.standings.queries.brackets import bracket_places
from tracker.standings.queries.final_rankings import carried_over
from tracker.standings.queries.ranking_data import RankingData, ranking_data
from tracker.standings.queries.sums import Sums, sums_by_round


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """An entrant with points and place after each round, and the hands played in each.

    The first of the ``points`` are those before the first round. ``called`` is the short name.
    """

    entrant: Entrant
    called: str
    points: tuple[Fraction, ...]
    places: tuple[int, ...]
    hands: tuple[int, ...]

    @property
    def name(self) -> str:
        return str(self.entrant)


@dataclass(frozen=True, slots=True, kw_only=True)
class Race:
    """The runners, best first as placed after the last round, and the numbers of the rounds played.

    ``criterion`` is what the points count, ``names`` the short names on the page. ``halves``: all
    points are whole numbers or halves.
    """

    runners: tuple[Runner, ...]
    rounds: tuple[int, ...]
    criterion: Criterion
    names: PageNames
    halves: bool

    def points_after(self, runner: Runner, position: int) -> str:
        """Return a runner's points after the round at this position of ``rounds``, in words."""
        points = runner.points[position + 1]
        return figure(points, percent=self.criterion.percent, halves=self.halves)

    @property
    def summary(self) -> str:
        """Describe the chart of the race in a sentence."""
        leaders = [runner.called for runner in self.runners if runner.places[-1] == 1]
        return gettext(
            "The race of points over %(rounds)d rounds; in the lead: %(names)s, with %(points)s."
        ) % {
            "rounds": len(self.rounds),
            "names": together(leaders),
            "points": self.points_after(self.runners[0], len(self.rounds) - 1),
        }


def names_of(players: Iterable[Player]) -> PageNames:
    """Return the short names of these players on one page, without those who were erased."""
    return page_names([(player.pk, player.name) for player in players if not player.erased_at])


def race(tournament: Tournament) -> Race:
    """Return the race by today's results, in six queries at most and those of ``carried_over``.

    After the last round it agrees with ``standings``. After an earlier round it agrees with
    ``standings(upto=…)``, unless a bracket gives the places, or the tournament was ranked by other
    criteria when that standing was published.
    """
    criteria = criteria_of(tournament)
    points = criteria[0]
    data = ranking_data({tournament: criteria})[tournament.pk]
    sums_of_rounds = {
        number: data.with_match_points(sums, only_round=number)
        for number, sums in sorted(sums_by_round([tournament]).get(tournament.pk, {}).items())
        if any(marks["hands"] for marks in sums.values())
    }
    named = Entrant.objects.filter(tournament=tournament).by_name()
    # Before the first round is played, nobody is in the race.
    entrants = {entrant.pk: entrant for entrant in named} if sums_of_rounds else {}
    carried = carried_over(tournament, points) if tournament.carries_over else {}
    ranked_after = _ranked_after_each(data, sums_of_rounds, entrants, carried)
    names = names_of(entrant.player for entrant in named if entrant.player)
    runners = [
        Runner(
            entrant=entrant,
            called=names.player(entrant.player_id, str(entrant)),
            points=(
                carried.get(pk, Fraction(0)),
                *(ranked.figures[points.key] for ranked in ranked_after[pk]),
            ),
            places=tuple(ranked.place for ranked in ranked_after[pk]),
            hands=tuple(sums[pk]["hands"] if pk in sums else 0 for sums in sums_of_rounds.values()),
        )
        for pk, entrant in entrants.items()
    ]
    return Race(
        # Equals keep the order of their names.
        runners=tuple(sorted(runners, key=lambda runner: runner.places[-1])),
        rounds=tuple(sums_of_rounds),
        criterion=points,
        names=names,
        halves=in_halves(after for runner in runners for after in runner.points),
    )


def _ranked_after_each(
    data: RankingData,
    sums_of_rounds: Mapping[int, Sums],
    entrants: Iterable[int],
    carried: Mapping[int, Fraction],
) -> Mapping[int, Sequence[RankedEntrant[int]]]:
    """Return how each entrant was ranked after each of these rounds, keyed by entrant."""
    closed = data.tournament.rounds.not_undone().values_list("number", "closed_at")
    # An award for no round counts from the first round that closed after it was given. Only for
    # such awards are the times read.
    closed_at = dict(closed) if any(award.round is None for award in data.awards) else {}
    so_far: dict[int, Counter[str]] = {entrant: Counter() for entrant in entrants}
    rounds_played: Counter[int] = Counter()  # keyed by entrant
    ranked_after: dict[int, list[RankedEntrant[int]]] = {entrant: [] for entrant in entrants}
    for number, sums in sums_of_rounds.items():
        for entrant, marks in sums.items():
            so_far[entrant].update(marks)
            rounds_played[entrant] += bool(marks["hands"])
        # After the last round all that counts today: also later awards, resolved ties, a bracket.
        is_last = number == max(sums_of_rounds)
        awards = [
            award
            for award in data.awards
            if is_last or award.stands_after(number, closed_at.get(number))
        ]
        given = with_amounts(awards, data.criteria[0], so_far, rounds_played)
        bracket = bracket_places([data.tournament]) if is_last else {}
        upto = None if is_last else number
        for ranked in data.rank(so_far, awards=given, carried=carried, bracket=bracket, upto=upto):
            ranked_after[ranked.entrant].append(ranked)
    return ranked_after
