"""Swiss system: equals meet, and repeated meetings are avoided while they can be.

A *unit* is a player or a fixed team. It *rests* in a round if it sits at no table, and *opens* a
table if it deals first there. Units are *level* if they share a place in the standing.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from games.errors import gettext_noop
from tracker.movements import meetings
from tracker.movements.matching import Cost, Pairing, cheapest_pairing, split_into_tables
from tracker.movements.plan_account import account_for
from tracker.movements.types import (
    OpenedBy,
    PlanNote,
    Question,
    RoundSeating,
    SeatingPlan,
    TableSeating,
)

# How many opponents to consider for each unit, at first and if that fails; then all, which is slow.
NEAR = (10, 25)
# For how many rounds after the coming one to check that they can be paired without repeats.
LOOK_AHEAD = 4


def plan(question: Question) -> SeatingPlan:
    """Plan the coming round only, since the next one depends on its results.

    In the first round the top half meets the bottom half by seeds, or by an earlier standing, or
    by lot. Later, of all ways to pair the units present, Edmonds' matching finds the best one by
    these rules, the weightiest first: nobody rests twice before everybody has once; few meet
    again; the lowest placed rest; those who meet stand close, by the square of the places between
    them, with level units at one place; openings stay even. If few are left to meet, later rounds
    are considered too. This follows Monrad's system, not FIDE's Dutch one (Handbook C.04.3).
    Larger tables are found by swaps. Place 0 is for the unit that opened least; no opener is named.
    """
    units = [unit for unit in question.present[0] if unit not in question.locked_units]
    ranked = _ranked(question, units)
    seat = _pairs if question.shape.size == 2 else _larger_tables
    groups, at_rest = seat(question, ranked, len(units) % question.shape.size)
    tables = tuple(
        TableSeating(
            shape=question.shape,
            units=tuple(sorted(group, key=lambda unit: (ranked.ahead[unit], ranked.lot[unit]))),
        )
        for group in sorted(groups, key=lambda group: min(ranked.order[unit] for unit in group))
    )
    meetings.check_apart(question, tables)
    tables = meetings.number_in_order(question, (*question.locked, *tables))
    coming = RoundSeating(tables=tables, resting=tuple(at_rest))
    template = gettext_noop("%(who)s: the lowest placed of those who sat out least.")
    number = len(question.played) + 1
    note = PlanNote(code="lowest-rests", template=template, units=coming.resting, round=number)
    reasons = [note] if coming.resting else []
    return SeatingPlan(rounds=(coming,), account=account_for(question, [coming], reasons=reasons))


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedUnits:
    """The units to be seated, with their standing and what they did in earlier rounds.

    Keyed by the unit: ``rank`` is twice the middle of the places of units level with it, ``order``
    its position in the standing, in which level units are in the order of a lot, ``lot`` its
    position in that, and ``ahead`` its openings above its share, times the size of a table.
    ``met`` counts meetings of pairs, ``rested`` rests; pairs that are ``forbidden`` must not meet.
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
    """Rank the units: in the first round by seeds, an earlier standing or lot, as one level."""
    shuffled = sorted(units)
    Random(f"{question.seed}:{len(question.played)}").shuffle(shuffled)
    lot = {unit: index for index, unit in enumerate(shuffled)}
    seeded = {unit: index for index, unit in enumerate(question.seeds)}
    levels = meetings.by_standing(question, shuffled)
    if not question.played and seeded:
        levels = (tuple(sorted(units, key=lambda unit: (seeded.get(unit, len(units)), lot[unit]))),)
    elif not question.played:
        levels = (tuple(unit for level in levels for unit in level),)
    rank: dict[int, int] = {}
    order: dict[int, int] = {}
    for level in levels:
        units_above = len(order)
        for unit in sorted(level, key=lot.__getitem__) if question.played else level:
            order[unit] = len(order)
            rank[unit] = 2 * units_above + len(level) - 1  # from 0 for the first place
    return RankedUnits(
        units=tuple(order),
        rank=rank,
        order=order,
        lot=lot,
        ahead=meetings.openings_ahead(question, units),
        met=meetings.times_met(question.played),
        rested=meetings.times_rested(question.played),
        forbidden=meetings.forbidden_pairs(question),
    )


def _pairs(
    question: Question, ranked: RankedUnits, resting: int
) -> tuple[Sequence[tuple[int, ...]], Sequence[int]]:
    """Return the pairs and the resting units; near opponents are tried before the whole field."""
    # Those who rested least rest, of them the lowest: parts 1 and 4 of `_cost`, 0 for meetings.
    least = min((ranked.rested[unit] for unit in ranked.units), default=0)
    rests: dict[int, Cost] = {
        unit: ((ranked.rested[unit] - least) ** 2, 0, 0, len(ranked.units) - position, 0, 0, 0)
        for unit, position in ranked.order.items()
    }
    costs = {
        meetings.pair(unit, other): _cost(question, ranked, unit, other, resting)
        for unit, other in combinations(ranked.units, 2)
        if meetings.pair(unit, other) not in ranked.forbidden
    }
    for opponents in NEAR:
        pairing = cheapest_pairing(ranked.units, _near(ranked, costs, opponents), rests, resting)
        if pairing and _is_even(pairing):
            break
    else:
        pairing = cheapest_pairing(ranked.units, costs, rests, resting)
    if pairing is None:
        raise meetings.apart_refusal(ranked.forbidden)
    # If repeats come soon though there are none now: the best pairing without each pair is tried.
    if not _is_even(pairing) or _rounds_ahead(ranked, costs, pairing) == LOOK_AHEAD:
        return pairing.pairs, pairing.resting
    pairings = [pairing]
    for two in pairing.pairs:
        others = {other: cost for other, cost in costs.items() if other != meetings.pair(*two)}
        other_pairing = cheapest_pairing(ranked.units, others, rests, resting)
        if other_pairing and _is_even(other_pairing):
            pairings.append(other_pairing)
    best = min(pairings, key=lambda option: (-_rounds_ahead(ranked, costs, option), option.cost))
    return best.pairs, best.resting


def _is_even(pairing: Pairing) -> bool:
    """Return whether rests are as even as can be, and no two meet again."""
    return not any(pairing.cost[:3])


def _rounds_ahead(
    ranked: RankedUnits, costs: Mapping[tuple[int, int], Cost], pairing: Pairing
) -> int:
    """Return how many rounds after this one can be paired without repeats, up to ``LOOK_AHEAD``.

    If each unit has half the field left to meet, it is possible (Dirac's theorem), so that the
    search ends there. Without this check six of eight units met again in the fourth round of five.
    """
    # In later rounds it only counts who may meet and who may rest: all costs are equal.
    unmet = {two: (0,) for two in costs if not ranked.met[two]}
    rested = Counter(ranked.rested)
    for ahead in range(LOOK_AHEAD):
        rested.update(pairing.resting)
        for two in pairing.pairs:
            unmet.pop(meetings.pair(*two), None)
        degree = Counter(unit for two in unmet for unit in two)
        if not unmet or 2 * min(degree[unit] for unit in ranked.units) >= len(ranked.units):
            return LOOK_AHEAD
        least = min(rested[unit] for unit in ranked.units)
        may_rest = {unit: (0,) for unit in ranked.units if rested[unit] == least}
        after = cheapest_pairing(ranked.units, unmet, may_rest, len(pairing.resting))
        if after is None:
            return ahead
        pairing = after
    return LOOK_AHEAD


def _cost(question: Question, ranked: RankedUnits, unit: int, other: int, resting: int) -> Cost:
    """Return the cost of a meeting of two units, its parts in the order of the rules of `plan`."""
    met = ranked.met[meetings.pair(unit, other)]
    # The unit that opened less opens: at a table of two it moves half an opening ahead, which is 1
    # here, and the other half an opening behind. To be 1 from the share is no fault.
    fewer, more = sorted((ranked.ahead[unit], ranked.ahead[other]))
    uneven = max(0, abs(fewer + 1) - 1) ** 2 + max(0, abs(more - 1) - 1) ** 2
    if question.played:
        apart = (ranked.rank[unit] - ranked.rank[other]) ** 2
    else:
        # The first of the top half meets the first of the bottom half, and so on.
        half = (len(ranked.units) - resting) // 2
        apart = (abs(ranked.order[unit] - ranked.order[other]) - half) ** 2
    by_turn = question.opened_by is OpenedBy.TURN
    distance = abs(ranked.order[unit] - ranked.order[other])
    # The first and the fourth part are for rests: uneven ones, and those of high places.
    return (0, int(met > 0), met, 0, apart, uneven if by_turn else 0, distance)


def _near(
    ranked: RankedUnits, costs: Mapping[tuple[int, int], Cost], opponents: int
) -> dict[tuple[int, int], Cost]:
    """Return for each unit its cheapest meetings, and those with the units nearest in order.

    Without the latter, the last unit of an odd level had nobody to meet.
    """
    costs_of: dict[int, list[tuple[Cost, tuple[int, int]]]] = {unit: [] for unit in ranked.units}
    for two, cost in costs.items():
        for unit in two:
            costs_of[unit].append((cost, two))
    near: dict[tuple[int, int], Cost] = {}
    for of_unit in costs_of.values():
        # By the parts of ``_cost`` for repeats and for the distance.
        nearest = sorted(of_unit, key=lambda item: (item[0][1], item[0][-1]))
        near |= {two: cost for cost, two in [*sorted(of_unit)[:opponents], *nearest[:opponents]]}
    return near


def _larger_tables(
    question: Question, ranked: RankedUnits, resting: int
) -> tuple[Sequence[Sequence[int]], Sequence[int]]:
    """Return tables of three and more, and the resting units: the lowest who rested least."""
    by_turn = sorted(ranked.units, key=lambda unit: (ranked.rested[unit], -ranked.order[unit]))
    at_rest = by_turn[:resting]
    units = [unit for unit in ranked.units if unit not in at_rest]
    size = question.shape.size
    tables = len(units) // size
    if not question.played:
        # The first third meets the second and the last, as halves do at tables of two.
        units = [units[part * tables + table] for table in range(tables) for part in range(size)]
    rank = ranked.rank
    if not question.played:
        # The units of a table have one rank, so that swaps keep them together.
        rank = {unit: index // size * size for index, unit in enumerate(units)}
    repeat_cost = 1 + len(units) * (2 * len(ranked.units)) ** 2  # more than all distances together

    def cost(unit: int, other: int) -> int:
        two = meetings.pair(unit, other)
        return (
            (rank[unit] - rank[other]) ** 2
            + ranked.met[two] * repeat_cost
            + (two in ranked.forbidden) * repeat_cost**2
        )

    dice = Random(f"{question.seed}:{len(question.played)}:tables")
    return split_into_tables(units, size, cost, dice, enough=repeat_cost - 1), at_rest
