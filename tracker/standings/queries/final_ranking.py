"""The final ranking of an event: each entrant once, by the stage in which they ended."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tracker.models import Entrant, Tournament
from tracker.standings.logic.ranking import rank
from tracker.standings.queries.events import Event, People, by_entrant, people_in
from tracker.standings.queries.finishes import Finish, finishes


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
    # Where ``named_rankings`` put them in.
    name: str = ""
    player: int | None = None
    team: int | None = None

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

    def named(placed: FinalPlace) -> FinalPlace:
        entrant = entrants[placed.entrant]
        return replace(placed, name=str(entrant), player=entrant.player_id, team=entrant.team_id)

    return {root: tuple(map(named, ranking)) for root, ranking in rankings.items()}


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
