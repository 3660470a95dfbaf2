"""A whist schedule as numbers, and the count that says whether it is perfect."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import TypeAlias

Pair: TypeAlias = tuple[int, int]
Table: TypeAlias = tuple[Pair, Pair]
Round: TypeAlias = tuple[Table, ...]
Schedule: TypeAlias = tuple[Round, ...]


def seated(tables: Sequence[Table]) -> list[int]:
    """Return who sits at these tables."""
    return list(chain.from_iterable(chain.from_iterable(tables)))


def resting(tables: Sequence[Table], players: int) -> tuple[int, ...]:
    """Return who of so many players sits at none of these tables."""
    busy = set(seated(tables))
    return tuple(player for player in range(players) if player not in busy)


def check(schedule: Schedule, players: int) -> None:
    """Count from scratch that a schedule of these players, numbered from 0, is perfect.

    :raises ValueError: if somebody sits twice in a round, rests although there is room, does
        not partner everybody once, or does not oppose everybody twice.
    """
    for number, tables in enumerate(schedule, start=1):
        busy = seated(tables)
        if len(busy) != players - players % 4 or not set(busy) <= set(range(players)):
            raise ValueError(f"Round {number} has other players than these {players}.")
        if len(busy) != len(set(busy)):
            raise ValueError(f"Somebody sits twice in round {number}.")
    everybody = players * (players - 1) // 2
    together = Counter(
        (player, other) if player < other else (other, player)
        for tables in schedule
        for table in tables
        for player, other in table
    )
    if len(together) != everybody or set(together.values()) != {1}:
        raise ValueError("Not everybody partners everybody once.")
    against = Counter(
        (player, other) if player < other else (other, player)
        for tables in schedule
        for pair, others in tables
        for player in pair
        for other in others
    )
    if len(against) != everybody or set(against.values()) != {2}:
        raise ValueError("Not everybody opposes everybody twice.")
