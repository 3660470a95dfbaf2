"""Places of entrants in many tournaments at once, and final rankings of events over all stages.

An *event* is a tournament (its *root*) with the *stages* that follow it, which are tournaments too.
``People`` are {stage: {player: entrant}}: for which entrant (alone or a team) each player is in it.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import itemgetter

from games.sheet import Criterion
from tracker.criteria.ranking_criteria import criteria_of
from tracker.models import CarryOver, Entrant, Tournament
from tracker.standings.logic.ranking import Merit, rank
from tracker.standings.queries.awards import with_amounts
from tracker.standings.queries.brackets import bracket_places
from tracker.standings.queries.ranking_data import ranking_data
from tracker.standings.queries.tournament_stages import (
    Event,
    People,
    by_entrant,
    event_of,
    events_of,
    people_in,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """The place of an entrant in a tournament (a key) of ``of`` entrants, with the points.

    ``criterion`` is what the points count; ``separated_by`` are the tie-breaks, with figures, that
    separate the entrant from neighbours of equal points.
    """

    tournament: int
    entrant: int
    place: int
    tied: bool
    of: int
    points: Fraction
    criterion: Criterion
    separated_by: Mapping[Criterion, Fraction]
    hands: int

    @property
    def beaten(self) -> Fraction:
        """Return the share (0 to 1) of the other entrants placed no better; 1 without others."""
        return Fraction(self.of - self.place, self.of - 1) if self.of > 1 else Fraction(1)


def finishes(tournaments: Collection[Tournament]) -> dict[int, Finish]:
    """Return the current place of every entrant of these tournaments, keyed by entrant.

    It agrees with ``standings`` of each. It takes four queries at most, one more if match points
    rank, two more if points are carried over, and those of ``bracket_places``. Tournaments
    without a hand are left out.
    """
    # Stages from which points are carried over are ranked too, and left out of the answer.
    carrying = [tournament.pk for tournament in tournaments if tournament.carries_over]
    events = events_of(Tournament.objects.filter(pk__in=carrying)) if carrying else ()
    people = people_in([stage for event in events for stage in event.stages]) if events else {}
    wanted = {tournament.pk: tournament for tournament in tournaments}
    all_by_key = wanted | {stage.pk: stage for event in events for stage in event.stages}
    sources_of = {stage.pk: event.sources(stage) for event in events for stage in event.stages}
    # Sums of marks (numbers that hands give by a key), keyed by tournament, then by entrant.
    sums: dict[int, dict[int, Counter[str]]] = defaultdict(dict)
    # In order of name, which tied entrants keep.
    named = Entrant.objects.filter(tournament__in=all_by_key).by_name()
    rows = named.values_list("pk", "tournament_id", "tallies__key", "tallies__amount")
    for entrant, tournament_id, key, amount in rows:
        marks = sums[tournament_id].setdefault(entrant, Counter())
        if key is not None:  # else the entrant has no tallies
            marks[key] += amount
    data_by = ranking_data({each: criteria_of(each) for each in all_by_key.values()})
    places_by_brackets = bracket_places(all_by_key.values())
    finish_by: dict[int, Finish] = {}  # keyed by entrant
    # Earlier stages have smaller keys, and come first: later ones carry over from them.
    for pk, tournament in sorted(all_by_key.items()):
        data = data_by[pk]
        points = data.criteria[0]
        own_sums = data.with_match_points(sums[pk])
        if not any(marks["hands"] for marks in own_sums.values()):
            continue
        awards = with_amounts(data.awards, points, own_sums)
        carried = points_carried(tournament, points, sources_of.get(pk, ()), people, finish_by)
        bracket = {key: place for key, place in places_by_brackets.items() if key in own_sums}
        for ranked in data.rank(own_sums, awards=awards, carried=carried, bracket=bracket):
            finish_by[ranked.entrant] = Finish(
                tournament=pk,
                entrant=ranked.entrant,
                place=ranked.place,
                tied=ranked.tied,
                of=len(own_sums),
                points=ranked.figures[points.key],
                criterion=points,
                separated_by=ranked.separated_by,
                hands=own_sums[ranked.entrant]["hands"],
            )
    return {entrant: finish for entrant, finish in finish_by.items() if finish.tournament in wanted}


def carried_over(tournament: Tournament, points: Criterion) -> Mapping[int, Fraction]:
    """Return the points carried over from earlier stages as they stand today, keyed by entrant.

    The tournament must be a stage that ``carries_over``. It takes one query for the stages, one
    for the players, and those of ``finishes``.
    """
    before = event_of(tournament).sources(tournament)
    people = people_in([*before, tournament])
    return points_carried(tournament, points, before, people, finishes(before))


def can_be_added(points: Criterion) -> bool:
    """Return whether points of two stages can be added: no shares, nor if the fewest are best."""
    return not (points.per or points.percent or points.fewest)


def points_carried(
    stage: Tournament,
    points: Criterion,
    before: Sequence[Tournament],
    people: People,
    finish_by: Mapping[int, Finish],
) -> dict[int, Fraction]:
    """Return the points carried over into *stage*, keyed by its entrants.

    *before* are the earlier stages, the latest first, and *finish_by* is keyed by their entrants.
    Each player brings the points of the latest of them in which they have any, and an entrant of
    several players gets their average. Stages that rank by other points give none.
    """
    if not stage.carries_over or not can_be_added(points):
        return {}
    by_player: dict[int, Fraction] = {}
    for source in reversed(before):  # the points of a later stage replace those of an earlier one
        for player, entrant in people[source.pk].items():
            finish = finish_by.get(entrant)
            if finish and finish.criterion.key == points.key:
                by_player[player] = finish.points
    part = Fraction(1, 2) if stage.carry_over == CarryOver.HALF else Fraction(1)
    carried: dict[int, Fraction] = {}
    for entrant, players in by_entrant(people[stage.pk]).items():
        brought = [by_player[player] for player in players if player in by_player]
        carried[entrant] = part * sum(brought) / max(1, len(brought))
    return carried


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalPlace:
    """A place among ``of`` places in an event of one or more stages.

    ``stage`` is the last stage that its players entered, with their ``entrant`` (a key) and
    ``finish`` there, which is ``None`` before a hand is played. ``players`` are those who ended
    there, empty in an event of one stage. ``hands`` counts the hands of all stages, of the player
    with most. ``who``, the entrant itself, is set by ``named_rankings``.
    """

    place: int
    tied: bool
    of: int
    entrant: int
    stage: Tournament
    finish: Finish | None
    hands: int
    players: frozenset[int] = frozenset()
    who: Entrant | None = None

    @property
    def name(self) -> str:
        return str(self.who or "")

    @property
    def overall(self) -> Finish | None:
        """Return the finish in the whole event, with the points of the last stage they played."""
        if self.finish is None:
            return None
        return replace(self.finish, place=self.place, tied=self.tied, of=self.of, hands=self.hands)


def final_ranking(event: Event) -> tuple[FinalPlace, ...]:
    """Return the ranking of one event with names, in the queries of ``named_rankings``."""
    return named_rankings([event])[event.root.pk]


def named_rankings(events: Collection[Event]) -> dict[int, tuple[FinalPlace, ...]]:
    """Return the ``final_rankings`` of these events with names, in one query more."""
    rankings = final_rankings(events)
    entrants = Entrant.objects.select_related("player", "team").in_bulk(
        [placed.entrant for ranking in rankings.values() for placed in ranking]
    )
    return {
        root: tuple(replace(placed, who=entrants[placed.entrant]) for placed in ranking)
        for root, ranking in rankings.items()
    }


def final_rankings(events: Collection[Event]) -> Mapping[int, tuple[FinalPlace, ...]]:
    """Return the final places of each event, the best first, keyed by its first stage.

    The entrants of the last stage come first, then those who ended in the stage before, and so
    on: a final comes before a consolation and a knock-out before its groups, while groups that
    were started at once have the same places. Every player of the event is ranked once; in an
    event of one stage, every entrant with a ``Finish``. It takes the queries of ``finishes``, and
    one more if an event has several stages.
    """
    finish_by = finishes([stage for event in events for stage in event.stages])
    in_events = [stage for event in events if event.several for stage in event.stages]
    people = people_in(in_events) if in_events else {}
    of_stage: dict[int, dict[int, Finish]] = defaultdict(dict)
    for entrant, finish in finish_by.items():
        of_stage[finish.tournament][entrant] = finish
    return {
        event.root.pk: tuple(
            _places_over_stages(event, people, finish_by)
            if event.several
            else _places_of_stage(event.root, of_stage[event.root.pk])
        )
        for event in events
    }


def _places_of_stage(
    tournament: Tournament, finish_by: Mapping[int, Finish]
) -> Iterator[FinalPlace]:
    for entrant, finish in finish_by.items():
        yield FinalPlace(
            place=finish.place,
            tied=finish.tied,
            of=finish.of,
            entrant=entrant,
            stage=tournament,
            finish=finish,
            hands=finish.hands,
        )


def _places_over_stages(
    event: Event, people: People, finish_by: Mapping[int, Finish]
) -> Iterator[FinalPlace]:
    """Yield the final places of an event of several stages, the best first."""
    hands: Counter[int] = Counter()  # of all stages, keyed by player
    for stage in event.stages:
        for player, entrant in people[stage.pk].items():
            hands[player] += finish_by[entrant].hands if entrant in finish_by else 0
    # From the deciding level down: where this loop finds a player first, they played last.
    # Each end: how good it is, the entrant (a key), the stage, and those who ended there.
    ends: list[tuple[Merit, int, Tournament, frozenset[int]]] = []
    found: set[int] = set()
    for level, stages in enumerate(_levels(event, people)):
        for stage in stages:
            entered = by_entrant(people[stage.pk]).items()
            for seed, (entrant, players) in enumerate(entered, start=1):
                if ending_here := players - found:
                    # Before a hand is played, the seed is used as the place.
                    place = finish_by[entrant].place if entrant in finish_by else seed
                    # Level 0 and place 1 are the best, but ``rank`` takes the larger for the better.
                    ends.append(((-level, -place), entrant, stage, ending_here))
                    found |= ending_here
    rows = rank(ends, key=itemgetter(0))
    for row in rows:
        _merit, entrant, stage, players = row.item
        yield FinalPlace(
            place=row.place,
            tied=row.tied,
            of=len(rows),
            entrant=entrant,
            stage=stage,
            players=players,
            finish=finish_by.get(entrant),
            hands=max(hands[player] for player in players),
        )


def _levels(event: Event, people: People) -> list[Sequence[Tournament]]:
    """Return the stages in levels, the deciding level first.

    Stages are a tree. The followers of a stage that were started at once, such as groups, are one
    level. What follows a level comes before it. Of two levels after the same stage, the earlier one
    comes first, as a final before its consolation; but if some of its players are also in the later
    one, that comes first, as a knock-out before its groups.
    """

    def levels_after(stage: Tournament) -> Iterator[Sequence[Tournament]]:
        levels = event.followers_by_start(stage)  # in the order they were started
        players_of = [{player for each in level for player in people[each.pk]} for level in levels]
        # A level is one higher than the highest of the earlier levels with which it shares players.
        heights: list[int] = []
        for players in players_of:
            earlier = zip(heights, players_of, strict=False)  # ends with the heights so far
            below = [height for height, others in earlier if others & players]
            heights.append(max(below, default=0) + 1)
        # The highest come first; sorting keeps the order of equally high ones.
        for _height, level in sorted(zip(heights, levels, strict=True), key=lambda pair: -pair[0]):
            for follower in level:
                yield from levels_after(follower)
            yield level

    return [*levels_after(event.root), (event.root,)]
