"""Where entrants stand in many tournaments at once, at the cost of one."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from games.sheet import Measure
from tracker.logic.ranking import rank, settle
from tracker.logic.tiebreaks import merit
from tracker.models import Entrant, Tournament
from tracker.queries.awards import amounts, live_awards, rounds_played
from tracker.queries.deciding import deciding_of
from tracker.queries.prizes import settled_orders


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """The place of an entrant among so many, and the points that gave it."""

    place: int
    tied: bool
    of: int
    points: Fraction
    measure: Measure
    hands: int


def finishes(tournaments: Collection[Tournament]) -> dict[int, Finish]:
    """Return by entrant where everybody of these tournaments stands today.

    It agrees with ``standings`` of each, and takes three queries at most. Tournaments of which
    nobody has played a hand are left out.
    """
    settled = {tournament.pk: settled_orders(tournament) for tournament in tournaments}
    deciding = deciding_of(tournaments)
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
    points = {tournament: measures[0] for tournament, measures in deciding.items()}
    besides: dict[int, Fraction] = defaultdict(Fraction)
    for one in amounts(awards, points, gathered, rounds_played(awards)):
        besides[one.entrant] += one.points
    found: dict[int, Finish] = {}
    for tournament, entrants in entered.items():
        if any(gathered[entrant]["hands"] for entrant in entrants):
            found |= _placed(entrants, deciding[tournament], gathered, besides, settled[tournament])
    return found


def _placed(
    entrants: Sequence[int],
    measures: Sequence[Measure],
    gathered: dict[int, Counter[str]],
    besides: Mapping[int, Fraction],
    orders: Iterable[Sequence[int]],
) -> dict[int, Finish]:
    figures = {
        entrant: {measure.key: measure.value(gathered[entrant]) for measure in measures}
        for entrant in entrants
    }
    points = measures[0]
    for entrant in entrants:
        figures[entrant][points.key] += besides.get(entrant, Fraction(0))
    placed = rank(entrants, key=lambda entrant: merit(figures[entrant], measures))
    return {
        one.item: Finish(
            place=one.place,
            tied=one.tied,
            of=len(entrants),
            points=figures[one.item][points.key],
            measure=points,
            hands=gathered[one.item]["hands"],
        )
        for one in settle(placed, orders)
    }
