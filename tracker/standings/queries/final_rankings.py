"""Places of entrants in many tournaments, and the final ranking of an event over its stages."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from games.sheet import Criterion
from tracker.models import Award, CarryOver, Entrant, Tournament
from tracker.standings.logic.ranking import rank, rank_entrants
from tracker.standings.logic.stages import brought
from tracker.standings.queries.awards import amounts, live_awards
from tracker.standings.queries.brackets import bracket_places
from tracker.standings.queries.ranking_criteria import (
    criteria_of,
    head_to_heads,
    match_sums,
    with_matches,
)
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
    """The place of an entrant among so many, and the points that gave it."""

    tournament: int
    place: int
    tied: bool
    of: int
    points: Fraction
    criterion: Criterion
    separated_by: Mapping[Criterion, Fraction]  # from neighbours of equal points
    hands: int

    @property
    def beaten(self) -> Fraction:
        """Return the share of the field they beat, from 0 to 1; alone it is 1."""
        return Fraction(self.of - self.place, self.of - 1) if self.of > 1 else Fraction(1)


def finishes(tournaments: Collection[Tournament]) -> dict[int, Finish]:
    """Return the current place of every entrant of these tournaments, by entrant.

    It agrees with ``standings`` of each, and takes four queries at most, one more where match
    points rank, two where points are carried over from stages before, and those of ``bracket_places``. Tournaments
    of which nobody has played a hand are left out.
    """
    carrying = [tournament.pk for tournament in tournaments if tournament.carries_over]
    events = events_of(Tournament.objects.filter(pk__in=carrying)) if carrying else ()
    people = people_in([stage for event in events for stage in event.stages]) if events else {}
    known = {tournament.pk: tournament for tournament in tournaments}
    for event in events:
        known |= {stage.pk: stage for stage in event.stages}
    everywhere = [known[pk] for pk in sorted(known)]  # what is carried over comes first
    before = {
        stage.pk: event.before(stage)
        for event in events
        for stage in event.stages
        if stage.carries_over
    }

    criteria_by = {each.pk: criteria_of(each) for each in everywhere}
    matches = match_sums({each: criteria_by[each.pk] for each in everywhere})
    sums: dict[int, dict[int, Counter[str]]] = defaultdict(dict)  # by tournament and entrant
    # Tied entrants are in name order, as in a standing.
    named = Entrant.objects.filter(tournament__in=everywhere).by_name()
    rows = named.values_list("pk", "tournament_id", "tallies__key", "tallies__amount")
    for entrant, tournament_id, key, amount in rows:
        own = sums[tournament_id].setdefault(entrant, Counter())
        if key is not None:
            own[key] += amount
    awards: dict[int, list[Award]] = defaultdict(list)
    for award in live_awards(everywhere):
        awards[award.tournament_id].append(award)
    met = head_to_heads({tournament: criteria_by[tournament.pk] for tournament in everywhere})
    bracket = bracket_places(everywhere)

    finish_by: dict[int, Finish] = {}
    for tournament in everywhere:
        criteria = criteria_by[tournament.pk]
        gathered = with_matches(sums[tournament.pk], matches.get(tournament.pk, {}))
        if not any(own["hands"] for own in gathered.values()):
            continue
        live = awards[tournament.pk]
        given = amounts(live, criteria[0], gathered)
        carried = carry(tournament, criteria[0], before.get(tournament.pk, ()), people, finish_by)
        for ranked in rank_entrants(
            gathered,
            criteria,
            awards=[*((award.entrant, award.points) for award in given), *carried.items()],
            tables=[table for _, table in met.get(tournament.pk, ())],
            resolved=tournament.resolved_orders,
            bracket={entrant: bracket[entrant] for entrant in gathered if entrant in bracket},
        ):
            finish_by[ranked.entrant] = Finish(
                tournament=tournament.pk,
                place=ranked.place,
                tied=ranked.tied,
                of=len(gathered),
                points=ranked.figures[criteria[0].key],
                criterion=criteria[0],
                separated_by=ranked.separated_by,
                hands=gathered[ranked.entrant]["hands"],
            )
    asked = {entrant for tournament in tournaments for entrant in sums[tournament.pk]}
    return {entrant: finish for entrant, finish in finish_by.items() if entrant in asked}


def carried_over(tournament: Tournament, points: Criterion) -> Mapping[int, Fraction]:
    """Return by entrant what is carried over from the stages before, as they stand today.

    Ask it of a stage that ``carries_over``. It takes one query for the stages, one for the people,
    and those of ``finishes``.
    """
    before = event_of(tournament).before(tournament)
    return carry(tournament, points, before, people_in([*before, tournament]), finishes(before))


def addable(points: Criterion) -> bool:
    """Say whether points of two stages can be added up: no shares, nor where the fewest is best."""
    return not (points.per or points.percent or points.fewest)


def carry(
    stage: Tournament,
    points: Criterion,
    before: Collection[Tournament],
    people: People,
    finish_by: Mapping[int, Finish],
) -> dict[int, Fraction]:
    """Return by entrant of *stage* the points that it takes over from the stages *before*.

    There are none where they are points of something else by now.
    """
    if not stage.carries_over or not addable(points):
        return {}
    part = Fraction(1, 2) if stage.carry_over == CarryOver.HALF else Fraction(1)
    brings = [
        {
            player: finish_by[entrant].points
            for player, entrant in people[each.pk].items()
            if entrant in finish_by and finish_by[entrant].criterion.key == points.key
        }
        for each in before
    ]
    return {
        entrant: part * brought(sorted(players), brings)
        for entrant, players in by_entrant(people[stage.pk]).items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalPlace:
    """A place in an event; a pair or a team has one together."""

    place: int
    tied: bool
    of: int
    entrant: int  # of the stage in which they ended
    stage: Tournament
    players: frozenset[int]  # where the event has several stages
    finish: Finish | None  # in that stage; ``None`` before a hand is played there
    hands: int  # in all stages
    who: Entrant | None = None  # where ``named_rankings`` put them in

    @property
    def name(self) -> str:
        return str(self.who or "")

    @property
    def overall(self) -> Finish | None:
        """Return the finish in the event, with the points of the stage in which they ended."""
        if self.finish is None:
            return None
        return replace(self.finish, place=self.place, tied=self.tied, of=self.of, hands=self.hands)


def final_ranking(event: Event) -> tuple[FinalPlace, ...]:
    """Return the final ranking of one event with names, in the queries of ``named_rankings``."""
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
    """Return by the event's first stage who came where, the best first.

    The last stage comes first in its order, then those who ended in the others, so that a
    final stands before a consolation and a knock-out before its groups, and groups beside each
    other are level. Everybody who entered stands in it once; of a tournament alone, those for
    whom there are ``finishes``. It takes the queries of these, and one more where an event has
    several stages.
    """
    finish_by = finishes([stage for event in events for stage in event.stages])
    several = [stage for event in events if event.several for stage in event.stages]
    people = people_in(several) if several else {}
    of_stage: dict[int, dict[int, Finish]] = defaultdict(dict)
    for entrant, finish in finish_by.items():
        of_stage[finish.tournament][entrant] = finish
    return {
        event.root.pk: tuple(
            _ranking(event, people, finish_by)
            if event.several
            else _single(event.root, of_stage[event.root.pk])
        )
        for event in events
    }


def _single(tournament: Tournament, finish_by: Mapping[int, Finish]) -> Iterator[FinalPlace]:
    for entrant, finish in finish_by.items():
        yield FinalPlace(
            place=finish.place,
            tied=finish.tied,
            of=finish.of,
            entrant=entrant,
            stage=tournament,
            players=frozenset(),
            finish=finish,
            hands=finish.hands,
        )


def _ranking(event: Event, people: People, finish_by: Mapping[int, Finish]) -> Iterator[FinalPlace]:
    hands: Counter[int] = Counter()
    for stage in event.stages:
        for player, entrant in people[stage.pk].items():
            hands[player] += finish_by[entrant].hands if entrant in finish_by else 0

    ended: list[tuple[int, int, int, Tournament, frozenset[int]]] = []
    ranked: set[int] = set()
    for block, stages in enumerate(_blocks(event, people)):
        for stage in stages:
            entered = by_entrant(people[stage.pk]).items()
            for seed, (entrant, players) in enumerate(entered, start=1):
                if new := players - ranked:
                    # Before a hand is played, they are placed as they are seeded.
                    place = finish_by[entrant].place if entrant in finish_by else seed
                    ended.append((block, place, entrant, stage, new))
                    ranked |= new
    placed = rank(ended, key=lambda each: (-each[0], -each[1]))
    for row in placed:
        _, _, entrant, stage, players = row.item
        yield FinalPlace(
            place=row.place,
            tied=row.tied,
            of=len(placed),
            entrant=entrant,
            stage=stage,
            players=players,
            finish=finish_by.get(entrant),
            hands=max(hands[player] for player in players),
        )


def _blocks(event: Event, people: People) -> list[Sequence[Tournament]]:
    """Return the stages, those first in which the best ended; groups beside each other together."""

    def under(stage: Tournament) -> Iterator[Sequence[Tournament]]:
        acts = event.following(stage)
        there = [{player for each in act for player in people[each.pk]} for act in acts]
        # Whoever came from an act before: a knock-out after its groups stands above them.
        steps: list[int] = []
        for act, players in enumerate(there):
            fed = [steps[earlier] for earlier in range(act) if there[earlier] & players]
            steps.append(max(fed, default=-1) + 1)
        for act in sorted(range(len(acts)), key=lambda act: (-steps[act], act)):
            for each in acts[act]:
                yield from under(each)
            yield acts[act]

    return [*under(event.root), (event.root,)]
