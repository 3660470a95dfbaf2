"""The cheapest way to pair people off, where some of them may rest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Cost: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """The pairs, and who rests; ``cost`` is summed part by part, the weightiest first."""

    pairs: tuple[tuple[int, int], ...]
    resting: tuple[int, ...]
    cost: Cost


def cheapest(
    units: Sequence[int],
    meetings: Mapping[tuple[int, int], Cost],
    rests: Mapping[int, Cost],
    resting: int,
) -> Pairing | None:
    """Return the pairing of least cost in which *resting* units rest, or ``None`` if none is.

    *meetings* are the pairs who may meet and *rests* those who may rest, all with costs of one
    length, compared part by part. It is Edmonds' matching of maximum weight, in a graph that has
    one more vertex for every chair to rest in.

    >>> meetings = {(1, 2): (0,), (1, 3): (5,), (2, 3): (7,)}
    >>> cheapest([1, 2, 3], meetings, {1: (0,), 2: (0,), 3: (6,)}, 1).pairs
    ((1, 3),)
    """
    # Only here: it takes 100 ms of every start, and most processes pair nobody.
    import networkx as nx

    vertex = {unit: number for number, unit in enumerate(units)}
    chairs = range(len(units), len(units) + resting)
    ways = {(vertex[unit], vertex[other]): cost for (unit, other), cost in meetings.items()}
    ways |= {(vertex[unit], chair): cost for unit, cost in rests.items() for chair in chairs}
    weights = _weights(ways, len(units))
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


def _weights(ways: Mapping[tuple[int, int], Cost], units: int) -> dict[tuple[int, int], int]:
    """Return one number for every cost, in which a part outweighs all that later parts can add."""
    parts = zip(*ways.values(), strict=True)
    most = [1 + units * max(part, default=0) for part in parts]
    weights = {}
    for way, cost in ways.items():
        weight = 0
        for part, room in zip(cost, most, strict=True):
            weight = weight * room + part
        weights[way] = weight
    return weights
