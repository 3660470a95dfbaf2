"""Simulated annealing of who sits where in all rounds, so that few meetings are repeated.

A *unit* is a player, or a fixed pair or team; here it is an index from 0. A *place* is a chair in
one round: places are numbered from 0 through all rounds, table by table. A unit is *due* if it is
its turn to deal first: each table should have such a unit. `anneal` draws two places of a round,
again and again. Their units swap if that does not raise the cost, otherwise with the probability
exp(-rise / heat); the heat falls (Kirkpatrick, *Optimization by Simulated Annealing*, 1983).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import exp
from random import Random
from typing import TypeAlias

# The kinds of wish about a pair. Units that are kept apart are not partners either.
WISHES = NO_WISH, APART, NOT_PARTNERS = range(3)
# Returns by how much the cost rises if the units swap at two places, on different sides of a round.
CostChange: TypeAlias = Callable[[int, int], int]
NEGLIGIBLE = 12  # a rise of 12 times the heat has a probability of exp(-12), and is never accepted


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatWeights:
    """The costs of a broken wish, of a table without a due unit, and of a repeat of each kind."""

    wish: int = 0
    due: int = 0
    partners: int = 0
    meetings: int = 0
    opponents: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCosts:
    """The cost of a pair, as a list indexed by its *code*.

    For a fast lookup a pair is one number, ``wish * section + partners * stride + opponents``: the
    wish about the two, and how often they were partners and opponents.
    """

    stride: int
    section: int
    total: list[int]

    def rise(self, step: int) -> list[int]:
        """Return by how much the cost of each code rises with the step; 0 if it leads to no code."""
        total, codes = self.total, range(len(self.total))
        return [total[code + step] - total[code] if code + step in codes else 0 for code in codes]


def pair_costs(rounds: int, weights: RepeatWeights) -> PairCosts:
    """Return the costs of pairs that meet in at most this number of rounds.

    The second meeting costs 1, the third 2 more and the fourth 3 more, times the weight, so that
    one pair that meets three times is worse than two pairs that meet twice.
    """
    # Counts must stay below the stride: they are at most *rounds*, and one more in a swap that is
    # only tried; 3 leaves one to spare. Codes of counts that never occur are computed as well.
    stride = rounds + 3
    total = []
    for wish, partners, opponents in product(WISHES, range(stride), range(stride)):
        broken = {NO_WISH: 0, APART: partners + opponents, NOT_PARTNERS: partners}[wish]
        total.append(
            weights.partners * _repeat_cost(partners)
            + weights.meetings * _repeat_cost(partners + opponents)
            + weights.opponents * _repeat_cost(opponents)
            + weights.wish * broken
        )
    return PairCosts(stride=stride, section=stride * stride, total=total)


def least_repeat_cost(meetings: int, pairs: int) -> int:
    """Return the cost of meetings that are spread over the pairs as evenly as possible."""
    times, pairs_once_more = divmod(meetings, max(pairs, 1))
    pairs_less = pairs - pairs_once_more
    return pairs_less * _repeat_cost(times) + pairs_once_more * _repeat_cost(times + 1)


def _repeat_cost(times: int) -> int:  # 0, 1, 3, 6 for one to four meetings
    return times * (times - 1) // 2


@dataclass(frozen=True, slots=True)
class ArrangedTable:
    """A table of one round. ``due`` are the due units of its round, wherever they sit.

    Units that are ``barred`` from the table never sit there. ``sides`` has the places of each side.
    """

    sides: tuple[tuple[int, ...], ...]
    due: frozenset[int] = frozenset()
    barred: frozenset[int] = frozenset()

    @property
    def places(self) -> tuple[int, ...]:
        return tuple(place for side in self.sides for place in side)


@dataclass(slots=True)
class Arrangement:
    """The unit at each place (``unit_at``, empty at first), and how often every two units met.

    The ``codes`` of pairs (see ``PairCosts``) are indexed by both units, and count earlier rounds
    too. A table without a due unit costs ``due_cost``, unless no unit of its round is due. Indexed
    by place, ``others_of`` has the other places of the table, those of the same side first, and by
    how much a meeting there raises a code; ``table_of`` has the index of the table, and ``side_of``
    all places of the side.
    """

    tables: Sequence[ArrangedTable]
    places_by_round: Sequence[Sequence[int]]
    codes: list[list[int]]
    costs: PairCosts
    due_cost: int = 0
    unit_at: list[int] = field(default_factory=list)
    others_of: list[list[tuple[int, int]]] = field(default_factory=list)
    table_of: list[int] = field(default_factory=list)
    side_of: list[tuple[int, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        sides = {place: side for table in self.tables for side in table.sides for place in side}
        for index, table in enumerate(self.tables):
            for place in sorted(table.places):
                side = sides[place]
                partners = [(other, self.costs.stride) for other in side if other != place]
                opponents = [(other, 1) for other in table.places if other not in side]
                self.others_of.append(partners + opponents)
                self.table_of.append(index)
                self.side_of.append(side)

    def seat(self, units: Sequence[int]) -> None:
        """Seat these units, in the order of the places, instead of those there."""
        self._count(-1)
        self.unit_at[:] = units
        self._count(1)

    def _count(self, sign: int) -> None:
        """Add the meetings at all tables to the codes (*sign* 1), or take them away (-1)."""
        for unit, others in zip(self.unit_at, self.others_of, strict=False):
            for other, step in others:
                self.codes[unit][self.unit_at[other]] += sign * step

    def cost(self) -> int:
        """Return the cost of all pairs and of all tables without a due unit."""
        total = self.costs.total
        pairs = sum(total[code] for unit, row in enumerate(self.codes) for code in row[unit + 1 :])
        without_due = sum(
            bool(table.due) and table.due.isdisjoint(self.unit_at[place] for place in table.places)
            for table in self.tables
        )
        return pairs + self.due_cost * without_due

    def swap(self, first: int, second: int) -> None:
        """Swap the units at two places of a round that are on different sides."""
        unit_at, codes = self.unit_at, self.codes
        unit_1, unit_2 = unit_at[first], unit_at[second]
        # Each unit loses its meetings at its own place (-1), and gets those at the other (1).
        moves = (unit_1, first, -1), (unit_2, first, 1), (unit_2, second, -1), (unit_1, second, 1)
        for unit, place, sign in moves:
            for other, step in self.others_of[place]:
                # Opponents who swap stay opponents.
                if other != first and other != second:  # noqa: PLR1714 - quicker than a set
                    met = unit_at[other]
                    codes[unit][met] += sign * step
                    codes[met][unit] += sign * step
        unit_at[first], unit_at[second] = unit_2, unit_1

    def cost_change(self) -> CostChange:
        """Return the fastest function that is right for these tables."""
        stride, rise_by, table_of = self.costs.stride, self.costs.rise, self.table_of
        # Between two tables all meetings change, within one only who are partners: the old partners
        # of a unit become its opponents, and those of the other unit its partners.
        lists = {step: (rise_by(-step), rise_by(step)) for step in (1, stride)}
        all_others = [[(other, *lists[step]) for other, step in of] for of in self.others_of]
        exchange = rise_by(1 - stride), rise_by(stride - 1)
        partners = [[(at, *exchange) for at, step in of if step == stride] for of in self.others_of]
        within = _meetings_change(self, partners)
        only_two_pairs = all(list(map(len, table.sides)) == [2, 2] for table in self.tables)
        across = _across_two_pairs(self) if only_two_pairs else _meetings_change(self, all_others)
        due = _due_change(self) if any(table.due for table in self.tables) else None

        def change(first: int, second: int) -> int:
            if table_of[first] == table_of[second]:
                return within(first, second)
            return across(first, second) + (due(first, second) if due else 0)

        return change


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """Try ``moves`` swaps, while the heat falls from ``warm`` to ``cold`` in even ``steps``."""

    moves: int
    warm: float
    cold: float
    steps: int = 40


def anneal(arrangement: Arrangement, effort: Effort, rng: Random, *, good: int = 0) -> int:
    """Change the arrangement to the best one found, and return its cost.

    The search ends at a cost of *good* or less. No unit moves to a table from which it is barred.
    """
    cost = best = arrangement.cost()
    if not arrangement.unit_at:
        return cost
    best_units = list(arrangement.unit_at)
    # Local names, as the loop runs up to a million times. These two go round by round, and all other
    # lists by place.
    places = [place for of_round in arrangement.places_by_round for place in of_round]
    same_round = [of_round for of_round in arrangement.places_by_round for _ in of_round]
    change, swap, random = arrangement.cost_change(), arrangement.swap, rng.random
    side_of, unit_at, total = arrangement.side_of, arrangement.unit_at, len(arrangement.unit_at)
    has_bars = any(table.barred for table in arrangement.tables)
    barred = [arrangement.tables[index].barred for index in arrangement.table_of]
    for step in range(effort.steps):
        if best <= good:
            break
        heat = effort.warm * (effort.cold / effort.warm) ** (step / max(effort.steps - 1, 1))
        # The probability of a swap, indexed by the rise of the cost.
        chances = [exp(-rise / heat) for rise in range(int(heat * NEGLIGIBLE) + 2)]
        too_dear = len(chances)
        for _ in range(effort.moves // effort.steps):
            # Choose two places of a round by lot, on different sides.
            index = int(random() * total)
            first, others = places[index], same_round[index]
            second = others[int(random() * len(others))]
            if second in side_of[first]:
                continue
            rise = change(first, second)
            if rise > 0 and (rise >= too_dear or random() >= chances[rise]):
                continue
            if has_bars and (unit_at[first] in barred[second] or unit_at[second] in barred[first]):
                continue
            swap(first, second)
            cost += rise
            if cost < best:
                best = cost
                best_units = list(unit_at)
                if best <= good:
                    break
    arrangement.seat(best_units)
    return best


def _meetings_change(
    arrangement: Arrangement, others_of: Sequence[Sequence[tuple[int, list[int], list[int]]]]
) -> CostChange:
    """Return the function that looks up the changed meetings of both units of a swap.

    Indexed by place, *others_of* has the places of the others that the units meet in another way
    afterwards, and by how much the cost of a code rises for the unit that leaves the place, and for
    the one that comes.
    """
    unit_at, codes = arrangement.unit_at, arrangement.codes

    def change(first: int, second: int) -> int:
        row_1, row_2 = codes[unit_at[first]], codes[unit_at[second]]
        rise = 0
        # The codes of the unit that leaves the place, and of the one that comes.
        for place, leaving, coming in ((first, row_1, row_2), (second, row_2, row_1)):
            for other, drop, add in others_of[place]:
                unit = unit_at[other]
                rise += drop[leaving[unit]] + add[coming[unit]]
        return rise

    return change


def _across_two_pairs(arrangement: Arrangement) -> CostChange:
    """Return the function for places at two tables of two pairs, a third faster."""
    unit_at, codes, costs = arrangement.unit_at, arrangement.codes, arrangement.costs
    add_partners, add_opponents = costs.rise(costs.stride), costs.rise(1)
    drop_partners, drop_opponents = costs.rise(-costs.stride), costs.rise(-1)
    others_of = [[other for other, _ in others] for others in arrangement.others_of]

    def change(first: int, second: int) -> int:
        row_1, row_2 = codes[unit_at[first]], codes[unit_at[second]]
        # The partner and the two opponents: a, b, c of the first unit, x, y, z of the second.
        partner, left, right = others_of[first]
        a, b, c = unit_at[partner], unit_at[left], unit_at[right]
        partner, left, right = others_of[second]
        x, y, z = unit_at[partner], unit_at[left], unit_at[right]
        dropped = drop_partners[row_1[a]] + drop_opponents[row_1[b]] + drop_opponents[row_1[c]]
        dropped += drop_partners[row_2[x]] + drop_opponents[row_2[y]] + drop_opponents[row_2[z]]
        added = add_partners[row_1[x]] + add_opponents[row_1[y]] + add_opponents[row_1[z]]
        added += add_partners[row_2[a]] + add_opponents[row_2[b]] + add_opponents[row_2[c]]
        return dropped + added

    return change


def _due_change(arrangement: Arrangement) -> CostChange:
    """Return the function for tables that lose or get their only due unit; meetings are left out."""
    unit_at, table_of, tables = arrangement.unit_at, arrangement.table_of, arrangement.tables

    def no_other_due(place: int, due: frozenset[int]) -> bool:
        others = (other for other in tables[table_of[place]].places if other != place)
        return not any(unit_at[other] in due for other in others)

    def change(first: int, second: int) -> int:
        due = tables[table_of[first]].due  # all tables of a round have the same
        first_is_due, second_is_due = unit_at[first] in due, unit_at[second] in due
        # If both or neither are due, each table has as many due units as before.
        if first_is_due == second_is_due:
            return 0
        losing, gaining = (first, second) if first_is_due else (second, first)
        return arrangement.due_cost * (no_other_due(losing, due) - no_other_due(gaining, due))

    return change
