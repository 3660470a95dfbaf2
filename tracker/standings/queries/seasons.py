"""The standing of a season, over tournaments of any game.

In a tournament a player gets the percentage of the field (all other entrants) that they beat. A
tournament is an event of one or more stages here, keyed by its first stage, the *root*.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeVar

from django.db.models import Sum
from django.utils.translation import gettext

from tracker.common.figures import decimal, figure
from tracker.models import Entrant, Player, RoundState, Season, SeasonRule, SeatTally, Tournament
from tracker.standings.logic.ranking import Merit, RankedItem, rank
from tracker.standings.queries.final_rankings import FinalPlace, final_rankings
from tracker.standings.queries.tournament_stages import events_of

T = TypeVar("T", bound=Hashable)
LEAST_FIELD = 4  # entrants; among fewer, a result would be nearly all or nothing
_HALF = Fraction(1, 2)


def percent_of_field_beaten(places: Mapping[T, int]) -> dict[T, Fraction]:
    """Return the percentage of the field each player beat; empty if the field is too small.

    Players behind count as beaten, players level as half beaten.

    >>> percent_of_field_beaten({"Asha": 1, "Juma": 2, "Neema": 2, "Omari": 4, "Zuwena": 5})["Juma"]
    Fraction(125, 2)
    >>> percent_of_field_beaten({"Asha": 1, "Juma": 2, "Neema": 3})
    {}
    """
    if len(places) < LEAST_FIELD:
        return {}
    everybody = list(places.values())
    others = len(everybody) - 1

    def beaten(place: int) -> Fraction:
        behind = sum(other > place for other in everybody)
        level = everybody.count(place) - 1
        return 100 * (behind + _HALF * level) / others

    return {player: beaten(place) for player, place in places.items()}


def counting(scores: Sequence[Fraction], rule: SeasonRule, best: int | None) -> frozenset[int]:
    """Return the positions of the *scores* that count: all, or the highest, as many as *best*.

    Of equal scores the earlier ones count.

    >>> sorted(counting([Fraction(50), Fraction(75), Fraction(50)], SeasonRule.BEST, 2))
    [0, 1]
    """
    if rule is not SeasonRule.BEST or best is None:
        return frozenset(range(len(scores)))
    best_first = sorted(range(len(scores)), key=lambda position: (-scores[position], position))
    return frozenset(best_first[:best])


def season_points(scores: Sequence[Fraction], rule: SeasonRule, best: int | None) -> Fraction:
    """Return the sum of the *scores* that count, or their average if the rule says so.

    >>> [season_points([Fraction(50), Fraction(100)], rule, 1) for rule in SeasonRule]
    [Fraction(100, 1), Fraction(150, 1), Fraction(75, 1)]
    """
    total = sum((scores[position] for position in counting(scores, rule, best)), Fraction(0))
    return total / max(1, len(scores)) if rule is SeasonRule.AVERAGE else total


def rank_season(
    scores: Mapping[T, Sequence[Fraction]], rule: SeasonRule, *, best: int | None, least: int
) -> tuple[list[RankedItem[T]], list[T]]:
    """Return the players with a place, and those who have played too little, both the best first.

    For an average, a player needs *least* scores: one win must not lead. Equals keep their order.

    >>> scores = {"Asha": [Fraction(100)], "Juma": [Fraction(50)] * 3, "Ali": [Fraction(75)]}
    >>> ranked, unplaced = rank_season(scores, SeasonRule.AVERAGE, best=None, least=3)
    >>> [(placed.place, placed.item) for placed in ranked], unplaced
    ([(1, 'Juma')], ['Asha', 'Ali'])
    """

    def points(player: T) -> Merit:
        return (season_points(scores[player], rule, best),)

    needed = least if rule is SeasonRule.AVERAGE else 0
    ranked = rank((each for each in scores if len(scores[each]) >= needed), key=points)
    unplaced = rank((each for each in scores if len(scores[each]) < needed), key=points)
    return ranked, [placed.item for placed in unplaced]


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The season points (``worth``, out of 100) of one player for one tournament.

    They come from the ``place`` among ``of`` entrants. ``counts``: the season adds them up.
    """

    tournament: Tournament
    place: int
    of: int
    worth: Fraction
    counts: bool = True

    @property
    def worth_in_words(self) -> str:
        return out_of_a_hundred(self.worth)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonRow:
    """A player (a key) with the scores, earliest first; no place if they have played too little."""

    place: int | None
    tied: bool
    player: int
    name: str
    points: Fraction
    scores: tuple[Score, ...]

    @property
    def played(self) -> int:
        return len(self.scores)

    @property
    def average(self) -> Fraction:
        return sum((score.worth for score in self.scores), Fraction(0)) / len(self.scores)

    @property
    def best(self) -> Fraction:
        return max(score.worth for score in self.scores)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonStanding:
    """The rows, those without a place last, and the tournaments, the latest first.

    A tournament has the number of entrants who played as ``field``, and says in words ``why_not``
    it counts; that is empty if it does.
    """

    rows: tuple[SeasonRow, ...]
    tournaments: list[dict[str, Any]]

    @property
    def unplaced(self) -> bool:
        """Return whether a player has played too little for a place."""
        return any(row.place is None for row in self.rows)


def out_of_a_hundred(value: Fraction) -> str:
    """Return season points in words, to one decimal, halves as ½.

    >>> out_of_a_hundred(Fraction(125, 2)), out_of_a_hundred(Fraction(100, 3))
    ('62½', '33.3')
    """
    return figure(value) if (value * 2).denominator == 1 else decimal(value, 1)


def season_standing(season: Season) -> SeasonStanding:
    """Return the standing of a season by today's standings of its tournaments.

    It takes seven queries at most, one more if an award is an average, and one more if a tournament
    has several stages: it counts once, by its final ranking. Tournaments that are not official, and
    too small fields, do not count; players have a row if they are marked as ``in_season``.
    """
    events = {event.root: event for event in events_of(season.tournaments.all())}
    rankings = final_rankings(list(events.values()))
    fields = {
        root: {placed.entrant: placed.place for placed in ranking if placed.hands}
        for root, ranking in rankings.items()
    }
    official = [root for root, event in events.items() if event.official]
    tournaments = []
    for root in sorted(events, key=lambda root: (root.created_at, root.pk), reverse=True):
        why_not = ""
        if root not in official:
            why_not = gettext("not official yet")
        elif len(fields[root.pk]) < LEAST_FIELD:
            why_not = gettext("fewer than %(least)d played") % {"least": LEAST_FIELD}
        shown = {"tournament": root, "field": len(fields[root.pk]), "why_not": why_not}
        tournaments.append(shown)
    rows = _rows(season, _scores(official, fields, _played_for(rankings)))
    return SeasonStanding(rows=tuple(rows), tournaments=tournaments)


def _played_for(rankings: Mapping[int, Sequence[FinalPlace]]) -> dict[int, dict[int, int]]:
    """Return the entrant that a player scores for, keyed by tournament and player, in two queries.

    A player who entered alone scores for that entrant, a player of teams for the team they played
    most hands for; in an event of several stages, for the entrant of the stage in which they ended.
    """
    played_for: dict[int, dict[int, int]] = {root: {} for root in rankings}
    root_of = {placed.entrant: root for root, ranking in rankings.items() for placed in ranking}
    singles = Entrant.objects.filter(pk__in=root_of).exclude(player=None)
    player_of = dict(singles.values_list("pk", "player_id"))
    teams = [entrant for entrant in root_of if entrant not in player_of]
    tallies = SeatTally.objects.filter(key="hands", seat__entrant__in=teams)
    grouped = tallies.exclude(seat__round__state=RoundState.UNDONE).values_list(
        "seat__player_id", "seat__entrant_id"
    )
    hands: dict[tuple[int, int], Counter[int]] = defaultdict(Counter)
    # An order would split the groups of the sums.
    for player, entrant, amount in grouped.annotate(Sum("amount")).order_by():
        if amount > 0:
            hands[root_of[entrant], player][entrant] += amount
    # Of teams with equally many hands, the one that entered first, which has the smallest key.
    for (root, player), by_team in hands.items():
        played_for[root][player] = max(by_team, key=lambda team: (by_team[team], -team))
    for entrant, player in player_of.items():
        played_for[root_of[entrant]][player] = entrant
    # In an event of several stages a place names its players: its entrant replaces any found above.
    for root, ranking in rankings.items():
        for placed in ranking:
            played_for[root] |= dict.fromkeys(placed.players, placed.entrant)
    return played_for


def _scores(
    tournaments: Iterable[Tournament],
    fields: Mapping[int, Mapping[int, int]],
    played_for: Mapping[int, Mapping[int, int]],
) -> dict[int, list[Score]]:
    """Return the scores in these tournaments, keyed by player.

    *fields* are {tournament: {entrant: place}}, *played_for* {tournament: {player: entrant}}.
    """
    scores: dict[int, list[Score]] = defaultdict(list)
    for tournament in tournaments:
        field = fields[tournament.pk]
        beaten = percent_of_field_beaten(field)
        for player, entrant in played_for[tournament.pk].items():
            if entrant in beaten:
                place, worth = field[entrant], beaten[entrant]
                score = Score(tournament=tournament, place=place, of=len(field), worth=worth)
                scores[player].append(score)
    return scores


def _rows(season: Season, scores: Mapping[int, Sequence[Score]]) -> Iterator[SeasonRow]:
    """Yield the rows, the best first, players with equal points in order of name."""
    rule, best = SeasonRule(season.rule), season.best_of
    players = Player.objects.filter(pk__in=scores, in_season=True).order_by("name_key", "pk")
    names = dict(players.values_list("pk", "name"))
    worths = {player: [score.worth for score in scores[player]] for player in names}

    def row(player: int, place: int | None = None, *, tied: bool = False) -> SeasonRow:
        counts = counting(worths[player], rule, best)
        return SeasonRow(
            place=place,
            tied=tied,
            player=player,
            name=names[player],
            points=season_points(worths[player], rule, best),
            scores=tuple(
                score if position in counts else replace(score, counts=False)
                for position, score in enumerate(scores[player])
            ),
        )

    ranked, unplaced = rank_season(worths, rule, best=best, least=season.least_played)
    yield from (row(placed.item, placed.place, tied=placed.tied) for placed in ranked)
    yield from map(row, unplaced)
