"""Where entrants stand in many tournaments at once, at the cost of one."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from games.sheet import Criterion
from tracker.models import Entrant, Tournament
from tracker.standings.logic.ranking import rank, settle
from tracker.standings.logic.tiebreaks import merits
from tracker.standings.queries.awards import amounts, live_awards, rounds_played
from tracker.standings.queries.criteria import criteria_of_each, tables_met
from tracker.standings.queries.prizes import resolved_orders
from tracker.standings.queries.sums import Sums


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
    settled = {tournament.pk: resolved_orders(tournament) for tournament in tournaments}
    criteria_by = criteria_of_each(tournaments)
    entered: dict[int, list[int]] = defaultdict(list)
    gathered: dict[int, Counter[str]] = {}
    rows = Entrant.objects.filter(tournament__in=tournaments).values_list(
        "pk", "tournament_id", "tallies__key", "tallies__amount"
    )
    for entrant, tournament, key, amount in rows.order_by("pk"):
        if entrant not in gathered:
            gathered[entrant] = Counter()
            entered[tournament].append(entrant)
        if key is not None:
            gathered[entrant][key] += amount
    awards = live_awards(tournaments)
    points = {tournament: criteria[0] for tournament, criteria in criteria_by.items()}
    besides: dict[int, Fraction] = defaultdict(Fraction)
    for one in amounts(awards, points, gathered, rounds_played(awards)):
        besides[one.entrant] += one.points
    met = tables_met({one: criteria_by[one.pk] for one in tournaments})
    found: dict[int, Finish] = {}
    for tournament, entrants in entered.items():
        if any(gathered[entrant]["hands"] for entrant in entrants):
            own = {entrant: gathered[entrant] for entrant in entrants}
            criteria, tables = criteria_by[tournament], met.get(tournament, ())
            compared = _Compared(criteria, [table for _, table in tables], settled[tournament])
            found |= _placed(own, compared, besides)
    return found


@dataclass(frozen=True, slots=True)
class _Compared:
    """By what the entrants of a tournament are compared, and the ties that were settled."""

    criteria: Sequence[Criterion]
    tables: Sequence[Sums]
    orders: Iterable[Sequence[int]]


def _placed(
    gathered: Sums, compared: _Compared, besides: Mapping[int, Fraction]
) -> dict[int, Finish]:
    criteria = compared.criteria
    figures = {
        entrant: {criterion.key: criterion.value(own) for criterion in criteria}
        for entrant, own in gathered.items()
    }
    points = criteria[0]
    for entrant in gathered:
        figures[entrant][points.key] += besides.get(entrant, Fraction(0))
    found = merits(figures, criteria, compared.tables)
    return {
        one.item: Finish(
            place=one.place,
            tied=one.tied,
            of=len(gathered),
            points=figures[one.item][points.key],
            criterion=points,
            hands=gathered[one.item]["hands"],
        )
        for one in settle(rank(gathered, key=found.__getitem__), compared.orders)
    }
