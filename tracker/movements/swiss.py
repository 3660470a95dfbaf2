"""Swiss system: equals meet, and repeated meetings are avoided while they can be."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from games.errors import gettext_noop
from tracker.movements.matching import Cost, Pairing, cheapest_pairing, split_into_tables
from tracker.movements.meetings import (
    apart_refusal,
    by_standing,
    check_apart,
    forbidden_pairs,
    number_in_order,
    openings_ahead,
    pair,
    times_met,
    times_rested,
)
from tracker.movements.plan_account import account_for
from tracker.movements.types import (
    OpenedBy,
    PlanNote,
    Question,
    RoundSeating,
    SeatingPlan,
    TableSeating,
)

NEAR = (10, 25)  # opponents considered for each: the whole field takes several times as long
LOOK_AHEAD = 4  # rounds


def plan(question: Question) -> SeatingPlan:
    """Plan the coming round only, since the next one depends on its results.

    In the first round the top half meets the bottom half by seeds, or by an earlier standing, or
    by lot. Later, of all ways to pair the units present, Edmonds' matching finds the best one by
    these rules, the weightiest first: nobody rests twice before everybody has once; few meet
    again; the lowest placed rest; those who meet stand close, by the square of the places between
    them, with level units at one place; openings stay even. If few are left to meet, later rounds
    are considered too. This follows Monrad's system, not FIDE's Dutch one (Handbook C.04.3).
    Tables of three and more are found by swaps instead. Place 0 is for the unit that opened least;
    no opener is named.
    """
    units = [unit for unit in question.present[0] if unit not in question.locked_units]
    ranked = _ranked(question, units)
    seat = _pairs if question.shape.size == 2 else _groups
    groups, at_rest = seat(question, ranked, len(units) % question.shape.size)
    tables = tuple(
        TableSeating(
            shape=question.shape,
            units=tuple(sorted(group, key=lambda unit: (ranked.ahead[unit], ranked.lot[unit]))),
        )
        for group in sorted(groups, key=lambda group: min(ranked.order[unit] for unit in group))
    )
    check_apart(question, tables)
    tables = number_in_order(question, (*question.locked, *tables))
    coming = RoundSeating(tables=tables, resting=tuple(at_rest))
    rests = PlanNote(
        code="lowest-rests",
        template=gettext_noop("%(who)s: the lowest placed of those who sat out least."),
        units=coming.resting,
        round=len(question.played) + 1,
    )
    reasons = [rests] if coming.resting else []
    return SeatingPlan(rounds=(coming,), account=account_for(question, [coming], reasons=reasons))


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedUnits:
    """The units to be seated, with their standing and what they did in earlier rounds.

    ``rank`` is twice the middle place of level units; ``order`` is the position in the standing,
    with level units by ``lot``; ``ahead`` is by how much a unit opened more than its share, in
    parts of a table.
    """

    units: tuple[int, ...]
    rank: Mapping[int, int]
    order: Mapping[int, int]
    lot: Mapping[int, int]
    ahead: Mapping[int, int]
    met: Counter[tuple[int, int]]
    rested: Counter[int]
    forbidden: frozenset[tuple[int, int]]


def _ranked(question: Question, units: Sequence[int]) -> RankedUnits:
    shuffled = sorted(units)
    Random(f"{question.seed}:{len(question.played)}").shuffle(shuffled)
    lot = {unit: index for index, unit in enumerate(shuffled)}
    seeded = {unit: index for index, unit in enumerate(question.seeds)}
    levels = by_standing(question, shuffled)
    if not question.played and seeded:
        levels = (tuple(sorted(units, key=lambda unit: (seeded.get(unit, len(units)), lot[unit]))),)
    elif not question.played and len(levels) > 1:
        levels = (tuple(unit for level in levels for unit in level),)
    rank: dict[int, int] = {}
    order: dict[int, int] = {}
    for level in levels:
        above = len(order)
        among = sorted(level, key=lot.__getitem__) if question.played else level
        for unit in among:
            order[unit] = len(order)
            rank[unit] = 2 * above + len(level) - 1
    return RankedUnits(
        units=tuple(order),
        rank=rank,
        order=order,
        lot=lot,
        ahead=openings_ahead(question, units),
        met=times_met(question.played),
        rested=times_rested(question.played),
        forbidden=forbidden_pairs(question),
    )


def _pairs(
    question: Question, ranked: RankedUnits, resting: int
) -> tuple[Sequence[tuple[int, ...]], Sequence[int]]:
    """Return the pairs and the resting units; near opponents are tried before the whole field."""
    # Units that rested least rest, and of them the lowest placed.
    least = min((ranked.rested[unit] for unit in ranked.units), default=0)
    rests: dict[int, Cost] = {
        unit: ((ranked.rested[unit] - least) ** 2, 0, 0, len(ranked.units) - at, 0, 0, 0)
        for unit, at in ranked.order.items()
    }
    far = {
        pair(unit, other): _cost(question, ranked, unit, other, resting)
        for unit, other in combinations(ranked.units, 2)
        if pair(unit, other) not in ranked.forbidden
    }
    for near in NEAR:
        pairing = cheapest_pairing(ranked.units, _near(ranked, far, near), rests, resting)
        if pairing and not any(pairing.cost[:3]):
            break
    else:
        pairing = cheapest_pairing(ranked.units, far, rests, resting)
    if pairing is None:
        raise apart_refusal(ranked.forbidden)
    if any(pairing.cost[:3]) or _ways_left(ranked, far, pairing) == LOOK_AHEAD:
        return pairing.pairs, pairing.resting
    others = [
        other
        for two in pairing.pairs
        for less in [{each: cost for each, cost in far.items() if each != pair(*two)}]
        if (other := cheapest_pairing(ranked.units, less, rests, resting))
        and not any(other.cost[:3])
    ]
    best = min([pairing, *others], key=lambda each: (-_ways_left(ranked, far, each), each.cost))
    return best.pairs, best.resting


def _ways_left(ranked: RankedUnits, far: Mapping[tuple[int, int], Cost], pairing: Pairing) -> int:
    """Return how many rounds after this one can be paired without repeats, up to ``LOOK_AHEAD``.

    If each unit has half the field left to meet, it is possible (Dirac's theorem), so that the
    search ends there. Without it six of eight entrants met again in the fourth round of five.
    """
    unmet = {two: (0,) for two in far if not ranked.met[two]}
    rested = Counter(ranked.rested)
    for ahead in range(LOOK_AHEAD):
        rested.update(pairing.resting)
        for two in pairing.pairs:
            unmet.pop(pair(*two), None)
        degree = Counter(unit for two in unmet for unit in two)
        if not unmet or 2 * min(degree[unit] for unit in ranked.units) >= len(ranked.units):
            return LOOK_AHEAD
        least = min(rested[unit] for unit in ranked.units)
        chairs = {unit: (0,) for unit in ranked.units if rested[unit] == least}
        after = cheapest_pairing(ranked.units, unmet, chairs, len(pairing.resting))
        if after is None:
            return ahead
        pairing = after
    return LOOK_AHEAD


def _cost(question: Question, ranked: RankedUnits, unit: int, other: int, resting: int) -> Cost:
    """Return the cost of a meeting of two units, the weightiest part first."""
    met = ranked.met[pair(unit, other)]
    behind, before = sorted((ranked.ahead[unit], ranked.ahead[other]))
    uneven = max(0, abs(behind + 1) - 1) ** 2 + max(0, abs(before - 1) - 1) ** 2
    if question.played:
        apart = (ranked.rank[unit] - ranked.rank[other]) ** 2
    else:
        half = (len(ranked.units) - resting) // 2
        apart = (abs(ranked.order[unit] - ranked.order[other]) - half) ** 2
    return (
        0,
        int(met > 0),
        met,
        0,
        apart,
        uneven if question.opened_by is OpenedBy.TURN else 0,
        abs(ranked.order[unit] - ranked.order[other]),
    )


def _near(
    ranked: RankedUnits, far: Mapping[tuple[int, int], Cost], near: int
) -> dict[tuple[int, int], Cost]:
    """Return each unit's cheapest meetings, and those with the units nearest in order.

    Without the latter, the last unit of an odd level had nobody to meet.
    """
    ways: dict[int, list[tuple[Cost, tuple[int, int]]]] = {unit: [] for unit in ranked.units}
    for two, cost in far.items():
        for unit in two:
            ways[unit].append((cost, two))
    ways_near: dict[tuple[int, int], Cost] = {}
    for each in ways.values():
        next_to = sorted(each, key=lambda way: (way[0][1], way[0][-1]))
        ways_near |= {two: cost for cost, two in [*sorted(each)[:near], *next_to[:near]]}
    return ways_near


def _groups(
    question: Question, ranked: RankedUnits, resting: int
) -> tuple[Sequence[Sequence[int]], Sequence[int]]:
    """Return tables of three and more, and the resting units: the lowest who rested least."""
    turn = sorted(ranked.units, key=lambda unit: (ranked.rested[unit], -ranked.order[unit]))
    at_rest = turn[:resting]
    units = [unit for unit in ranked.units if unit not in at_rest]
    size = question.shape.size
    tables = len(units) // size
    if not question.played:
        # The first third meets the second and the last, as halves do at tables of two.
        units = [units[each * tables + table] for table in range(tables) for each in range(size)]
    place = {unit: index for index, unit in enumerate(units)}
    rank = ranked.rank if question.played else {unit: place[unit] // size * size for unit in units}
    again = 1 + len(units) * (2 * len(ranked.units)) ** 2

    def cost(unit: int, other: int) -> int:
        two = pair(unit, other)
        return (
            (rank[unit] - rank[other]) ** 2
            + ranked.met[two] * again
            + (two in ranked.forbidden) * again**2
        )

    dice = Random(f"{question.seed}:{len(question.played)}:tables")
    return split_into_tables(units, size, cost, dice, enough=again - 1), at_rest
