"""Units at tables at the least cost: pairs by matching, larger tables by swaps."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

Cost: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """Pairs and resting units; ``cost`` is the sum of theirs, part by part, the weightiest first."""

    pairs: tuple[tuple[int, int], ...]
    resting: tuple[int, ...]
    cost: Cost


def cheapest_pairing(
    units: Sequence[int],
    meetings: Mapping[tuple[int, int], Cost],
    rests: Mapping[int, Cost],
    resting: int,
) -> Pairing | None:
    """Return the pairing of least cost in which *resting* units rest, or ``None`` if none is.

    *meetings* are the pairs that may meet and *rests* the units that may rest, with costs of one
    length, compared part by part. It is Edmonds' matching of maximum weight, in a graph with an
    additional vertex for each unit that has to rest.

    >>> meetings = {(1, 2): (0,), (1, 3): (5,), (2, 3): (7,)}
    >>> cheapest_pairing([1, 2, 3], meetings, {1: (0,), 2: (0,), 3: (6,)}, 1).pairs
    ((1, 3),)
    """
    # Imported here, as it takes 100 ms and most processes never need it.
    import networkx as nx

    vertex = {unit: number for number, unit in enumerate(units)}
    chairs = range(len(units), len(units) + resting)
    ways = {(vertex[unit], vertex[other]): cost for (unit, other), cost in meetings.items()}
    ways |= {(vertex[unit], chair): cost for unit, cost in rests.items() for chair in chairs}
    # One number for every cost, in which a part outweighs all that later parts can add.
    most = [1 + len(units) * max(part, default=0) for part in zip(*ways.values(), strict=True)]
    weights = dict.fromkeys(ways, 0)
    for way, cost in ways.items():
        for part, room in zip(cost, most, strict=True):
            weights[way] = weights[way] * room + part
    dearest = max(weights.values(), default=0)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from(
        (first, second, dearest + 1 - weight) for (first, second), weight in weights.items()
    )
    matched = [(min(two), max(two)) for two in nx.max_weight_matching(graph, maxcardinality=True)]
    if 2 * len(matched) != len(units) + resting:
        return None
    spent = [ways[two] if two in ways else ways[two[::-1]] for two in matched]
    return Pairing(
        pairs=tuple(
            (units[first], units[second])
            for first, second in sorted(matched)
            if second not in chairs
        ),
        resting=tuple(units[first] for first, second in sorted(matched) if second in chairs),
        cost=tuple(map(sum, zip(*spent, strict=True))),
    )


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

    It starts with the given order. Two units swap tables while that is cheaper; if the cost is
    more than *enough*, some units are swapped at random and the swaps begin again. If that does not
    help, a short backtracking search looks for tables without a pair that costs more than *enough*.
    """
    number = {unit: index for index, unit in enumerate(units)}
    prices = [[0 if unit == other else cost(unit, other) for other in units] for unit in units]
    best = [
        [number[unit] for unit in units[start : start + size]]
        for start in range(0, len(units), size)
    ]
    least = _exchange(best, prices)
    for _ in range(tries):
        if least <= enough or len(best) < 2:
            break
        shuffled = [list(table) for table in best]
        dearest = max(range(len(shuffled)), key=lambda each: _price(shuffled[each], prices))
        for _ in range(rng.randint(1, 3)):
            other = rng.randrange(len(shuffled))
            here, there = rng.randrange(size), rng.randrange(size)
            shuffled[dearest][here], shuffled[other][there] = (
                shuffled[other][there],
                shuffled[dearest][here],
            )
            dearest = rng.randrange(len(shuffled))
        total = _exchange(shuffled, prices)
        if total < least:
            best, least = shuffled, total
    if least > enough and (tables := _without(prices, size, enough)):
        _exchange(tables, prices)
        best = tables
    return [[units[index] for index in table] for table in best]


def _price(table: Sequence[int], prices: Sequence[Sequence[int]]) -> int:
    return sum(prices[unit][other] for unit in table for other in table) // 2


def _exchange(tables: list[list[int]], prices: Sequence[Sequence[int]]) -> int:
    """Swap units of two tables while that is cheaper, and return the cost of all tables."""
    better = True
    while better:
        better = False
        for index, here in enumerate(tables):
            for there in tables[index + 1 :]:
                for at in range(len(here)):
                    for to in range(len(there)):
                        if _gain(here, at, there, to, prices) > 0:
                            here[at], there[to] = there[to], here[at]
                            better = True
    return sum(_price(table, prices) for table in tables)


def _gain(
    here: Sequence[int], at: int, there: Sequence[int], to: int, prices: Sequence[Sequence[int]]
) -> int:
    """Return by how much the cost falls if two units swap tables."""
    leaves, comes = prices[here[at]], prices[there[to]]
    gain = 2 * leaves[there[to]]  # the two do not meet: taken off again below
    for index in here:
        gain += leaves[index] - comes[index]
    for index in there:
        gain += comes[index] - leaves[index]
    return gain


def _without(prices: Sequence[Sequence[int]], size: int, enough: int) -> list[list[int]]:
    """Return tables without a pair that costs more than *enough*, if a short search finds any."""
    steps = 60_000
    tables: list[list[int]] = []

    def seat(left: list[int], table: list[int]) -> bool:
        nonlocal steps
        steps -= 1
        if len(table) == size:
            tables.append(table)
            if not left or seat(left[1:], [left[0]]):
                return True
            tables.pop()
            return False
        for index in sorted(left, key=lambda each: sum(prices[each][met] for met in table)):
            if steps < 0:
                return False
            fits = index > table[-1] and all(prices[index][met] <= enough for met in table)
            if fits and seat([each for each in left if each != index], [*table, index]):
                return True
        return False

    everybody = list(range(len(prices)))
    return tables if everybody and seat(everybody[1:], everybody[:1]) else []
