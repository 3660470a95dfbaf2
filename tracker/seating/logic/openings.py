"""Who deals the first hand of every table, so that openings rotate over a tournament."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Somebody at a table, what they opened and dealt before, and for whom they score.

    ``dealt_before`` is when they dealt last: ``None`` is never, otherwise the number is
    below 0, and the larger the later.
    """

    opened: int
    entrant: int
    dealt: int = 0
    dealt_before: int | None = None


def first_dealers(
    tables: Sequence[Sequence[Candidate]], opened: Mapping[int, int]
) -> tuple[int, ...]:
    """Return the place that opens each table; *opened* counts by entrant.

    Whoever opened least at the table opens it. Where several did, the tables are
    matched so that openings are spread evenly over the entrants, of whom one may sit
    at several tables. What is still open goes to whoever dealt least, then to whoever
    dealt longest ago, and at last by the order of the seats.

    >>> asha, juma = Candidate(opened=1, entrant=7), Candidate(opened=0, entrant=8)
    >>> first_dealers([[asha, juma]], {7: 1})
    (1,)
    """
    if not tables:
        return ()
    # Only here: it takes 100 ms of every start, and most processes open no round.
    import networkx as nx

    flow = nx.max_flow_min_cost(_network(nx.DiGraph(), tables, opened), "start", "end")
    return tuple(
        next(place for place in range(len(table)) if flow["table", number]["seat", number, place])
        for number, table in enumerate(tables)
    )


def _network(
    ways: "nx.DiGraph[Any]", tables: Sequence[Sequence[Candidate]], opened: Mapping[int, int]
) -> "nx.DiGraph[Any]":
    """Add the ways an opening can go: to a table, a seat, its entrant, one of their turns.

    An entrant's second opening costs one more than the first, so that the cheapest
    flow shares them out. A step of more weight is worth all the steps of less.
    """
    everybody = [candidate for table in tables for candidate in table]
    earliest = min((candidate.dealt_before or 0 for candidate in everybody), default=0)
    memory_step = 1 + sum(len(table) for table in tables)
    dealt_step = memory_step * (1 + len(tables) * (1 - earliest))
    most_dealt = max((candidate.dealt for candidate in everybody), default=0)
    entrant_step = dealt_step * (1 + len(tables) * most_dealt)
    most = len(tables) + max(opened.values(), default=0)
    player_step = entrant_step * (1 + len(tables) * most)

    for number, table in enumerate(tables):
        ways.add_edge("start", ("table", number), capacity=1, weight=0)
        for place, candidate in enumerate(table):
            seat = ("seat", number, place)
            last = candidate.dealt_before
            cost = (
                candidate.opened * player_step
                + candidate.dealt * dealt_step
                + (0 if last is None else last - earliest + 1) * memory_step
                + place
            )
            ways.add_edge(("table", number), seat, capacity=1, weight=cost)
            ways.add_edge(seat, ("entrant", candidate.entrant), capacity=1, weight=0)
    for entrant in {candidate.entrant for candidate in everybody}:
        for turn in range(len(tables)):
            cost = (opened.get(entrant, 0) + turn) * entrant_step
            ways.add_edge(("entrant", entrant), ("turn", entrant, turn), capacity=1, weight=cost)
            ways.add_edge(("turn", entrant, turn), "end", capacity=1, weight=0)
    return ways
