"""Who deals the first hand of every table, so that openings rotate over a tournament."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Somebody at a table, how often they opened one before, and for whom they score."""

    opened: int
    entrant: int


def first_dealers(
    tables: Sequence[Sequence[Candidate]], opened: Mapping[int, int]
) -> tuple[int, ...]:
    """Return the place that opens each table; *opened* counts by entrant.

    Whoever opened least at the table opens it. Where several did, the tables are
    matched so that openings are spread evenly over the entrants, of whom one may sit
    at several tables; what is still open then goes by the order of the seats.

    >>> asha, juma = Candidate(opened=1, entrant=7), Candidate(opened=0, entrant=8)
    >>> first_dealers([[asha, juma]], {7: 1})
    (1,)
    """
    if not tables:
        return ()
    flow = nx.max_flow_min_cost(_network(tables, opened), "start", "end")
    return tuple(
        next(place for place in range(len(table)) if flow["table", number]["seat", number, place])
        for number, table in enumerate(tables)
    )


def _network(tables: Sequence[Sequence[Candidate]], opened: Mapping[int, int]) -> "nx.DiGraph[Any]":
    """Return the ways an opening can go: to a table, a seat, its entrant, one of their turns.

    An entrant's second opening costs one more than the first, so that the cheapest
    flow shares them out. A step of more weight is worth all the steps of less.
    """
    entrant_step = 1 + sum(len(table) for table in tables)
    most = len(tables) + max(opened.values(), default=0)
    player_step = entrant_step * (1 + len(tables) * most)

    ways: nx.DiGraph[Any] = nx.DiGraph()
    for number, table in enumerate(tables):
        ways.add_edge("start", ("table", number), capacity=1, weight=0)
        for place, candidate in enumerate(table):
            seat = ("seat", number, place)
            cost = candidate.opened * player_step + place
            ways.add_edge(("table", number), seat, capacity=1, weight=cost)
            ways.add_edge(seat, ("entrant", candidate.entrant), capacity=1, weight=0)
    for entrant in {candidate.entrant for table in tables for candidate in table}:
        for turn in range(len(tables)):
            cost = (opened.get(entrant, 0) + turn) * entrant_step
            ways.add_edge(("entrant", entrant), ("turn", entrant, turn), capacity=1, weight=cost)
            ways.add_edge(("turn", entrant, turn), "end", capacity=1, weight=0)
    return ways
