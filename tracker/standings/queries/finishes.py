"""Finishes: where entrants stand in many tournaments at once, at the cost of one."""

from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

from games.sheet import Criterion
from tracker.models import Award, Entrant, Tournament
from tracker.standings.logic.standing import rank_entrants
from tracker.standings.queries.awards import amounts, live_awards, rounds_played
from tracker.standings.queries.criteria import criteria_of_each, tables_met


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """The place of an entrant among so many, and the points that gave it."""

    place: int
    tied: bool
    of: int
    points: Fraction
    criterion: Criterion
    hands: int


def finishes(tournaments: Collection[Tournament]) -> dict[int, Finish]:
    """Return by entrant where everybody of these tournaments stands today.

    It agrees with ``standings`` of each, and takes four queries at most. Tournaments of which
    nobody has played a hand are left out.
    """
    criteria_by = criteria_of_each(tournaments)
    sums: dict[int, dict[int, Counter[str]]] = defaultdict(dict)  # by tournament and entrant
    rows = Entrant.objects.filter(tournament__in=tournaments).values_list(
        "pk", "tournament_id", "tallies__key", "tallies__amount"
    )
    for entrant, tournament_id, key, amount in rows.order_by("pk"):
        own = sums[tournament_id].setdefault(entrant, Counter())
        if key is not None:
            own[key] += amount
    awards: dict[int, list[Award]] = defaultdict(list)
    for award in live_awards(tournaments):
        awards[award.tournament_id].append(award)
    met = tables_met({tournament: criteria_by[tournament.pk] for tournament in tournaments})

    finish_by: dict[int, Finish] = {}
    for tournament in tournaments:
        gathered, criteria = sums[tournament.pk], criteria_by[tournament.pk]
        if not any(own["hands"] for own in gathered.values()):
            continue
        live = awards[tournament.pk]
        given = amounts(live, criteria[0], gathered, rounds_played(live))
        for ranked in rank_entrants(
            gathered,
            criteria,
            awards=[(award.entrant, award.points) for award in given],
            tables=[table for _, table in met.get(tournament.pk, ())],
            resolved=tournament.resolved_orders,
        ):
            finish_by[ranked.entrant] = Finish(
                place=ranked.place,
                tied=ranked.tied,
                of=len(gathered),
                points=ranked.figures[criteria[0].key],
                criterion=criteria[0],
                hands=gathered[ranked.entrant]["hands"],
            )
    return finish_by
