"""Places of entrants in many tournaments at once, and final rankings of events over all stages."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from games.sheet import Criterion
from tracker.models import Award, CarryOver, Entrant, Tournament
from tracker.standings.logic.ranking import rank, rank_entrants
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
    """The place of an entrant in a field of so many (``of``), with the points."""

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

    It agrees with ``standings`` of each. It takes four queries at most, one more if match points
    rank, two more if points are carried over, and those of ``bracket_places``. Tournaments
    without a hand are left out.
    """
    carrying = [tournament.pk for tournament in tournaments if tournament.carries_over]
    events = events_of(Tournament.objects.filter(pk__in=carrying)) if carrying else ()
    people = people_in([stage for event in events for stage in event.stages]) if events else {}
    known = {tournament.pk: tournament for tournament in tournaments}
    for event in events:
        known |= {stage.pk: stage for stage in event.stages}
    everywhere = [known[pk] for pk in sorted(known)]  # earlier stages come first
    before = {
        stage.pk: event.before(stage)
        for event in events
        for stage in event.stages
        if stage.carries_over
    }

    criteria_by = {each.pk: criteria_of(each) for each in everywhere}
    matches = match_sums({each: criteria_by[each.pk] for each in everywhere})
    sums: dict[int, dict[int, Counter[str]]] = defaultdict(dict)  # by tournament and entrant
    # By name, as tied entrants are in a standing.
    named = Entrant.objects.filter(tournament__in=everywhere).by_name()
    rows = named.values_list("pk", "tournament_id", "tallies__key", "tallies__amount")
    for entrant, tournament_id, key, amount in rows:
        marks = sums[tournament_id].setdefault(entrant, Counter())
        if key is not None:
            marks[key] += amount
    awards: dict[int, list[Award]] = defaultdict(list)
    for award in live_awards(everywhere):
        awards[award.tournament_id].append(award)
    met = head_to_heads({tournament: criteria_by[tournament.pk] for tournament in everywhere})
    bracket = bracket_places(everywhere)

    finish_by: dict[int, Finish] = {}
    for tournament in everywhere:
        criteria = criteria_by[tournament.pk]
        gathered = with_matches(sums[tournament.pk], matches.get(tournament.pk, {}))
        if not any(marks["hands"] for marks in gathered.values()):
            continue
        live = awards[tournament.pk]
        given = amounts(live, criteria[0], gathered)
        sources = before.get(tournament.pk, ())
        carried = points_carried(tournament, criteria[0], sources, people, finish_by)
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
    keys = {tournament.pk for tournament in tournaments}
    return {entrant: finish for entrant, finish in finish_by.items() if finish.tournament in keys}


def carried_over(tournament: Tournament, points: Criterion) -> Mapping[int, Fraction]:
    """Return by entrant the points carried over from earlier stages, by their standings of today.

    The tournament must be a stage that ``carries_over``. It takes one query for the stages, one
    for the players, and those of ``finishes``.
    """
    before = event_of(tournament).before(tournament)
    people = people_in([*before, tournament])
    return points_carried(tournament, points, before, people, finishes(before))


def can_be_added(points: Criterion) -> bool:
    """Return whether points of two stages can be added: no shares, and not if the fewest are best."""
    return not (points.per or points.percent or points.fewest)


def points_carried(
    stage: Tournament,
    points: Criterion,
    before: Sequence[Tournament],
    people: People,
    finish_by: Mapping[int, Finish],
) -> dict[int, Fraction]:
    """Return by entrant of *stage* the points carried over from the stages *before*.

    Each player brings the points of the first of these stages in which they have any, and an
    entrant of several players gets their average. Stages that rank by other points give none.
    """
    if not stage.carries_over or not can_be_added(points):
        return {}
    by_player: dict[int, Fraction] = {}
    for source in reversed(before):
        for player, entrant in people[source.pk].items():
            finish = finish_by.get(entrant)
            if finish and finish.criterion.key == points.key:
                by_player[player] = finish.points
    part = Fraction(1, 2) if stage.carry_over == CarryOver.HALF else Fraction(1)
    carried: dict[int, Fraction] = {}
    for entrant, players in by_entrant(people[stage.pk]).items():
        amounts = [by_player[player] for player in players if player in by_player]
        carried[entrant] = part * sum(amounts) / max(1, len(amounts))
    return carried


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalPlace:
    """The place of an entrant in an event of one or more stages."""

    place: int
    tied: bool
    of: int
    entrant: int  # in the last stage they played
    stage: Tournament  # that stage
    players: frozenset[int]  # only in an event of several stages
    finish: Finish | None  # in that stage; ``None`` before a hand is played there
    hands: int  # in all stages
    who: Entrant | None = None  # set by ``named_rankings``

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
    """Return by each event's first stage its final places, the best first.

    The entrants of the last stage come first, then those who ended in the stage before, and so
    on: a final comes before a consolation and a knock-out before its groups, while groups beside
    each other are level. Every player of the event is ranked once; in an event of one stage,
    every entrant with a ``Finish``. It takes the queries of ``finishes``, and one more if an event
    has several stages.
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
    for level, stages in enumerate(_levels(event, people)):
        for stage in stages:
            entered = by_entrant(people[stage.pk]).items()
            for seed, (entrant, players) in enumerate(entered, start=1):
                if new := players - ranked:
                    # Before a hand is played, the seed stands for the place.
                    place = finish_by[entrant].place if entrant in finish_by else seed
                    ended.append((level, place, entrant, stage, new))
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


def _levels(event: Event, people: People) -> list[Sequence[Tournament]]:
    """Return the stages, the deciding ones first; groups beside each other are one level."""

    def under(stage: Tournament) -> Iterator[Sequence[Tournament]]:
        acts = event.following(stage)
        there = [{player for each in act for player in people[each.pk]} for act in acts]
        # Stages with players from an earlier act rank above it, as a knock-out above its groups.
        steps: list[int] = []
        for act, players in enumerate(there):
            fed = [steps[earlier] for earlier in range(act) if there[earlier] & players]
            steps.append(max(fed, default=-1) + 1)
        for act in sorted(range(len(acts)), key=lambda act: (-steps[act], act)):
            for each in acts[act]:
                yield from under(each)
            yield acts[act]

    return [*under(event.root), (event.root,)]
