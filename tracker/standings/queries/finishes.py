"""Places of entrants in many tournaments, in a fixed number of queries."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction

from games.sheet import Criterion
from tracker.models import Award, CarryOver, Entrant, Tournament
from tracker.standings.logic.stages import brought
from tracker.standings.logic.standing import rank_entrants
from tracker.standings.queries.awards import amounts, live_awards
from tracker.standings.queries.brackets import bracket_places
from tracker.standings.queries.criteria import criteria_of, head_to_heads
from tracker.standings.queries.events import People, by_entrant, event_of, events_of, people_in
from tracker.standings.queries.matches import match_sums, with_matches


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
    carrying = [tournament.pk for tournament in tournaments if carries(tournament)]
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
        if carries(stage)
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

    It takes no query unless the tournament is a stage that carries over: then one for the
    stages, one for the people, and those of ``finishes``.
    """
    if not carries(tournament):
        return {}
    before = event_of(tournament).before(tournament)
    return carry(tournament, points, before, people_in([*before, tournament]), finishes(before))


def carries(stage: Tournament) -> bool:
    """Say whether points of stages before are to count in this one."""
    return stage.carry_over != CarryOver.NOTHING


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
    if not carries(stage) or not addable(points):
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
