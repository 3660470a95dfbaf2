"""Tables of units (players or fixed teams) at least cost: pairs by matching, others by swaps."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from random import Random
from typing import TypeAlias

Cost: TypeAlias = tuple[int, ...]  # parts, the weightiest first: compared and summed part by part
# The costs of pairs in ``split_into_tables``, indexed by the numbers of both units, from 0.
Prices: TypeAlias = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """The pairs that meet, the units that rest (sit at no table), and the sum of their costs."""

    pairs: tuple[tuple[int, int], ...]
    resting: tuple[int, ...]
    cost: Cost


def cheapest_pairing(
    units: Sequence[int],
    meetings: Mapping[tuple[int, int], Cost],
    rests: Mapping[int, Cost],
    resting: int,
) -> Pairing | None:
    """Return the pairing of least cost in which *resting* units rest, or ``None`` if there is none.

    *meetings* are the costs of the pairs that may meet, and *rests* those of the units that may
    rest; all costs have equally many parts. The search is Edmonds' matching of maximum weight in a
    graph of units and *chairs*, one for each unit that has to rest: who gets a chair rests.

    >>> meetings = {(1, 2): (0,), (1, 3): (5,), (2, 3): (7,)}
    >>> cheapest_pairing([1, 2, 3], meetings, {1: (0,), 2: (0,), 3: (6,)}, 1).pairs
    ((1, 3),)
    """
    # Imported here, as it takes 100 ms and most processes never need it.
    import networkx as nx

    vertex = {unit: number for number, unit in enumerate(units)}
    chairs = range(len(units), len(units) + resting)
    edges = {(vertex[unit], vertex[other]): cost for (unit, other), cost in meetings.items()}
    edges |= {(vertex[unit], chair): cost for unit, cost in rests.items() for chair in chairs}
    # Each cost becomes one number, in which a part outweighs all that later parts can add.
    bases = [1 + len(units) * max(part, default=0) for part in zip(*edges.values(), strict=True)]
    weights = dict.fromkeys(edges, 0)
    for edge, cost in edges.items():
        for part, base in zip(cost, bases, strict=True):
            weights[edge] = weights[edge] * base + part
    # The matching looks for the largest weights, so the cheapest edge gets the largest one.
    dearest = max(weights.values(), default=0)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from(
        (first, second, dearest + 1 - weight) for (first, second), weight in weights.items()
    )
    matched = [(min(two), max(two)) for two in nx.max_weight_matching(graph, maxcardinality=True)]
    if 2 * len(matched) != len(units) + resting:
        return None
    # A match is in rising order, but a key of *edges* need not be.
    costs = [edges[two] if two in edges else edges[two[::-1]] for two in matched]
    cost = tuple(map(sum, zip(*costs, strict=True)))
    matched.sort()
    pairs = tuple((units[a], units[b]) for a, b in matched if b not in chairs)
    at_chairs = tuple(units[a] for a, b in matched if b in chairs)
    return Pairing(pairs=pairs, resting=at_chairs, cost=cost)


def split_into_tables(
    units: Sequence[int],
    size: int,
    cost: Callable[[int, int], int],
    rng: Random,
    *,
    enough: int,
    tries: int = 40,
) -> list[list[int]]:
    """Return *units* at tables of *size* whose pairs cost as little as a search finds.

    From tables in the given order, two units swap while that is cheaper. While the cost is more
    than *enough*, a few units are swapped at random and the search goes on from there, up to *tries*
    times. At last backtracking looks for tables without a pair that costs more than *enough*.
    """
    prices = [[0 if unit == other else cost(unit, other) for other in units] for unit in units]
    indices = list(range(len(units)))
    best = [indices[start : start + size] for start in range(0, len(units), size)]
    least = _exchange(best, prices)
    for _ in range(tries):
        if least <= enough or len(best) < 2:
            break
        shuffled = [list(table) for table in best]
        # One to three random swaps, the first of them with the dearest table.
        table = max(shuffled, key=lambda units: _price(units, prices))
        for _ in range(rng.randint(1, 3)):
            other_table = shuffled[rng.randrange(len(shuffled))]
            place, other_place = rng.randrange(size), rng.randrange(size)
            unit, other = table[place], other_table[other_place]
            table[place], other_table[other_place] = other, unit
            table = shuffled[rng.randrange(len(shuffled))]
        total = _exchange(shuffled, prices)
        if total < least:
            best, least = shuffled, total
    if least > enough and (tables := _tables_without_dear_pairs(prices, size, enough)):
        _exchange(tables, prices)
        best = tables
    return [[units[index] for index in table] for table in best]


def _price(table: Sequence[int], prices: Prices) -> int:
    return sum(prices[unit][other] for unit in table for other in table) // 2


def _exchange(tables: list[list[int]], prices: Prices) -> int:
    """Swap units of two tables while that is cheaper, and return the cost of all tables."""
    cheaper = True
    while cheaper:
        cheaper = False
        for table, other_table in combinations(tables, 2):
            for place, other_place in product(range(len(table)), range(len(other_table))):
                unit, other = table[place], other_table[other_place]
                # By how much the cost falls if the two swap. Each sum takes off the price of the
                # two, though they meet neither before nor after: put back what both took off.
                gain = 2 * prices[unit][other]
                gain += sum(prices[unit][index] - prices[other][index] for index in table)
                gain += sum(prices[other][index] - prices[unit][index] for index in other_table)
                if gain > 0:
                    table[place], other_table[other_place] = other, unit
                    cheaper = True
    return sum(_price(table, prices) for table in tables)


def _tables_without_dear_pairs(prices: Prices, size: int, enough: int) -> list[list[int]]:
    """Return tables without a pair that costs more than *enough*; empty if none are found soon.

    Tables are completed one after the other, each from the first unit that is left. Where no unit
    fits, the last one seated is replaced by the next that fits (backtracking).
    """
    steps_left = 60_000
    tables: list[list[int]] = []

    def seat(unseated: list[int], table: list[int]) -> bool:
        """Complete the table, then seat the others at further tables; return whether it worked."""
        nonlocal steps_left
        steps_left -= 1
        if len(table) == size:
            tables.append(table)
            if not unseated or seat(unseated[1:], [unseated[0]]):
                return True
            tables.pop()
            return False
        for unit in sorted(unseated, key=lambda unit: sum(prices[unit][met] for met in table)):
            if steps_left < 0:
                return False
            # In rising order only, so that no table is tried twice.
            fits = unit > table[-1] and all(prices[unit][met] <= enough for met in table)
            if fits and seat([other for other in unseated if other != unit], [*table, unit]):
                return True
        return False

    units = list(range(len(prices)))
    return tables if units and seat(units[1:], units[:1]) else []
