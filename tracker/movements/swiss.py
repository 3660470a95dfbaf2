"""Swiss system: equals meet, and repeated meetings are avoided while they can be."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import NamedTuple

from games.errors import gettext_noop
from tracker.movements import meetings
from tracker.movements.matching import Cost, Pairing, cheapest_pairing, split_into_tables
from tracker.movements.plan_account import one_round_plan
from tracker.movements.turns import TurnCounts, Turns, lowest_to_rest
from tracker.movements.types import (
    OpenedBy,
    Question,
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
    by lot. Later Edmonds' matching finds the best way to pair the units present, by the rules of
    `_Cost`. If a unit has few others left to meet, later rounds are considered too. This follows
    Monrad's system, not FIDE's Dutch one (Handbook C.04.3). Tables of three and more are found by
    swaps. The unit that opened least sits at place 0; no opener is named.
    """
    units = [unit for unit in question.present[0] if unit not in question.locked_units]
    ranked = _ranked(question, units)
    seat = _pairs if question.shape.size == 2 else _larger_tables
    groups, at_rest = seat(question, ranked, len(units) % question.shape.size)
    seated = []
    for group in sorted(groups, key=lambda group: min(ranked.order[unit] for unit in group)):
        units = sorted(group, key=lambda unit: (ranked.ahead[unit], ranked.lot[unit]))
        seated.append(TableSeating(shape=question.shape, units=tuple(units)))
    meetings.check_apart(question, seated)
    tables = (*question.locked, *seated)
    template = gettext_noop("%(who)s: the lowest placed of those who sat out least.")
    return one_round_plan(question, tables, at_rest, "lowest-rests", template)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedUnits:
    """The units to be seated, with their standing and what they did in earlier rounds.

    Keyed by the unit: ``rank`` is twice the middle of the places that it shares with level units
    (twice, to be whole). ``lot`` is its position in a drawn order of all units, and ``order`` its
    position in the standing, in which the lot orders level units. ``ahead`` are its openings above
    its share, times the size of a table. ``met`` counts meetings of pairs, ``rests`` the rests of
    units; pairs that are ``forbidden`` must not meet.
    """

    units: tuple[int, ...]
    rank: Mapping[int, int]
    order: Mapping[int, int]
    lot: Mapping[int, int]
    ahead: Mapping[int, int]
    met: Counter[tuple[int, int]]
    rests: TurnCounts
    forbidden: frozenset[tuple[int, int]]


class _Cost(NamedTuple):
    """The cost of a meeting or a rest: a part for each rule, the weightiest first."""

    uneven_rest: int = 0  # nobody rests twice before everybody rested once
    repeat: int = 0  # few meet again: 1 if the two met before
    times_met: int = 0  # and few of them a third time
    high_rest: int = 0  # the lowest placed rest
    # Those who meet are near in rank, in the first round half the field apart: the square of the
    # difference from that.
    apart: int = 0
    uneven_openings: int = 0
    distance: int = 0  # of level units, neighbours in the order meet


def _ranked(question: Question, units: Sequence[int]) -> RankedUnits:
    """Return the units by the standing; in the first round by seeds or the like, and all level."""
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
    turns = Turns.before(question)
    return RankedUnits(
        units=tuple(order),
        rank=rank,
        order=order,
        lot=lot,
        ahead={unit: round(question.shape.size * turns.openings.ahead(unit)) for unit in units},
        met=meetings.times_met(question.played),
        rests=turns.rests,
        forbidden=meetings.forbidden_pairs(question),
    )


def _pairs(
    question: Question, ranked: RankedUnits, resting: int
) -> tuple[Sequence[tuple[int, ...]], Sequence[int]]:
    """Return the pairs and the resting units; near opponents are tried before the whole field."""
    rests = {
        unit: _Cost(uneven_rest=uneven, high_rest=len(ranked.units) - ranked.order[unit])
        for unit, uneven in ranked.rests.uneven_if_chosen(ranked.units).items()
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
    # If repeats come soon though there are none now, the best pairings are tried that lack one pair.
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
    cost = _Cost(*pairing.cost)  # an empty pairing has no parts: all are 0
    return not cost.uneven_rest and not cost.repeat


def _rounds_ahead(
    ranked: RankedUnits, costs: Mapping[tuple[int, int], Cost], pairing: Pairing
) -> int:
    """Return how many rounds after this one can be paired without repeats, up to ``LOOK_AHEAD``.

    If each unit has half the field left to meet, it is possible (Dirac's theorem), so that the
    search ends there. Without this check six of eight units met again in the fourth round of five.
    """
    # In later rounds it only counts who may meet and who may rest: all costs are equal.
    unmet = {two: (0,) for two in costs if not ranked.met[two]}
    rested = Counter(ranked.rests.times)
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


def _cost(question: Question, ranked: RankedUnits, unit: int, other: int, resting: int) -> _Cost:
    """Return the cost of a meeting of two units; the one that opened less opens."""
    met = ranked.met[meetings.pair(unit, other)]
    # At a table of two the opener moves half an opening ahead, which is 1 here, and the other unit
    # half an opening behind. To be 1 from the share is no fault.
    fewer, more = sorted((ranked.ahead[unit], ranked.ahead[other]))
    uneven = max(0, abs(fewer + 1) - 1) ** 2 + max(0, abs(more - 1) - 1) ** 2
    if question.played:
        apart = (ranked.rank[unit] - ranked.rank[other]) ** 2
    else:
        # The first of the top half meets the first of the bottom half, and so on.
        half = (len(ranked.units) - resting) // 2
        apart = (abs(ranked.order[unit] - ranked.order[other]) - half) ** 2
    return _Cost(
        repeat=int(met > 0),
        times_met=met,
        apart=apart,
        uneven_openings=uneven if question.opened_by is OpenedBy.TURN else 0,
        distance=abs(ranked.order[unit] - ranked.order[other]),
    )


def _near(
    ranked: RankedUnits, costs: Mapping[tuple[int, int], _Cost], opponents: int
) -> dict[tuple[int, int], _Cost]:
    """Return the costs of each unit's cheapest meetings, and of those with its neighbours in order.

    *opponents* is their number, of either kind. Without the neighbours, the last unit of a level
    with an odd number of units had nobody to meet.
    """
    costs_of: dict[int, list[tuple[_Cost, tuple[int, int]]]] = {unit: [] for unit in ranked.units}
    for two, cost in costs.items():
        for unit in two:
            costs_of[unit].append((cost, two))
    near: dict[tuple[int, int], _Cost] = {}
    for of_unit in costs_of.values():
        nearest = sorted(of_unit, key=lambda item: (item[0].repeat, item[0].distance))
        near |= {two: cost for cost, two in [*sorted(of_unit)[:opponents], *nearest[:opponents]]}
    return near


def _larger_tables(
    question: Question, ranked: RankedUnits, resting: int
) -> tuple[Sequence[Sequence[int]], Sequence[int]]:
    """Return tables of three and more, and the resting units: the lowest who rested least."""
    at_rest = lowest_to_rest(ranked.units, resting, ranked.rests)
    units = [unit for unit in ranked.units if unit not in at_rest]
    size = question.shape.size
    tables = len(units) // size
    rank = ranked.rank
    if not question.played:
        # At tables of three the first third meets the second and the last, as halves do in pairs.
        units = [units[part * tables + table] for table in range(tables) for part in range(size)]
        # The units of a table have one rank, so that swaps keep them together.
        rank = {unit: index // size * size for index, unit in enumerate(units)}
    repeat_cost = 1 + len(units) * (2 * len(ranked.units)) ** 2  # more than all distances together

    def cost(unit: int, other: int) -> int:
        two = meetings.pair(unit, other)
        repeats = ranked.met[two] * repeat_cost + (two in ranked.forbidden) * repeat_cost**2
        return (rank[unit] - rank[other]) ** 2 + repeats

    dice = Random(f"{question.seed}:{len(question.played)}:tables")
    return split_into_tables(units, size, cost, dice, enough=repeat_cost - 1), at_rest
