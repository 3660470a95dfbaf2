"""Which place at its table everybody takes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from math import exp
from random import Random
from typing import TypeAlias

from tracker.seating.logic.movements.seam import Question, RoundSeating, Shape, TableSeating
from tracker.seating.logic.movements.table_numbers import number_tables

Swap: TypeAlias = tuple[tuple[int, int], ...]  # from which place to which

# Measured for 8 to 100 people: within one after a tenth of it, but where the rounds are a
# multiple of the places, and all would have to be exactly equal.
STEPS = 100_000
STEPS_A_TABLE = 4_000
HOT, COLD = 1.0, 0.3
FIRST_COOLING = 200  # steps for every table; each cooling is twice as long as the last


@dataclass(frozen=True, slots=True)
class _Seats:
    """A table, and by place how often its unit took each place of such tables."""

    units: list[int]
    times: list[list[int]]
    swaps: tuple[Swap, ...]


def take_chairs(question: Question, rounds: Sequence[RoundSeating]) -> tuple[RoundSeating, ...]:
    """Return the rounds with everybody on a place, and each table with its number.

    Everybody takes the places of a shape equally often, within one, as far as a search
    finds it; played rounds count. Partners stay partners, whoever opens still does, and the
    coming round's locked tables stay as they are.
    """
    times: dict[tuple[int, str], list[int]] = {}

    def sit(table: TableSeating) -> list[list[int]]:
        rows = [
            times.setdefault((unit, table.shape.code), [0] * table.shape.size)
            for unit in table.units
        ]
        for place, row in enumerate(rows):
            row[place] += 1
        return rows

    for past in question.played:
        for table in past.tables:
            sit(table)
    seats = {
        (number, at): _Seats(list(table.units), sit(table), _swaps(table.shape))
        for number, seating in enumerate(rounds)
        for at, table in enumerate(seating.tables)
    }
    free = [
        chairs
        for (number, at), chairs in seats.items()
        if number or rounds[number].tables[at] not in question.locked
    ]
    _even_out(free, list(times.values()), Random(f"{question.seed} chairs"))
    seated = tuple(
        replace(
            seating,
            tables=tuple(
                _moved(table, seats[number, at].units) for at, table in enumerate(seating.tables)
            ),
        )
        for number, seating in enumerate(rounds)
    )
    return number_tables(question, seated)


def _moved(table: TableSeating, units: Sequence[int]) -> TableSeating:
    opener = None if table.opener is None else units.index(table.units[table.opener])
    return replace(table, units=tuple(units), opener=opener)


@cache
def _swaps(shape: Shape) -> tuple[Swap, ...]:
    """Return the ways to change places in which partners stay partners.

    Two of a side change, or two sides of the same length, each in either order.

    >>> len(_swaps(Shape("4t2", ((0, 2), (1, 3)))))
    4
    """
    within = [[pair] for side in shape.sides for pair in combinations(side, 2)]
    across = [
        list(zip(side, order, strict=True))
        for side, other in combinations(shape.sides, 2)
        if len(side) == len(other)
        for order in {other, other[::-1]}
    ]
    return tuple(
        tuple(move for place, other in pairs for move in ((place, other), (other, place)))
        for pairs in sorted(within + across)
    )


def _even_out(tables: Sequence[_Seats], times: Sequence[Sequence[int]], dice: Random) -> None:
    """Swap places by simulated annealing until nobody's times at two places differ by two."""
    excess = sum(map(_excess, times))
    least, best = excess, [list(table.units) for table in tables]
    steps, cooling = 0, FIRST_COOLING * len(tables)
    while excess and steps < min(STEPS, STEPS_A_TABLE * len(tables)):
        cooling *= 2
        for step in range(0, cooling, 2 * len(tables)):
            heat = HOT * (COLD / HOT) ** (step / cooling)
            for _ in range(2 * len(tables)):
                table = tables[int(dice.random() * len(tables))]
                swap = table.swaps[int(dice.random() * len(table.swaps))]
                rows = [table.times[place] for place, _ in swap]
                more = 2 * sum(
                    row[to] - row[place] + 1 for row, (place, to) in zip(rows, swap, strict=True)
                )
                if more > 0 and dice.random() >= exp(-more / heat):
                    continue
                units = [table.units[place] for place, _ in swap]
                for (place, to), row, unit in zip(swap, rows, units, strict=True):
                    row[place] -= 1
                    row[to] += 1
                    table.times[to] = row
                    table.units[to] = unit
                excess += more
            if excess < least:
                least, best = excess, [list(table.units) for table in tables]
            if not excess:
                break
        steps += cooling
    for table, units in zip(tables, best, strict=True):
        table.units[:] = units


def _excess(times: Sequence[int]) -> int:
    """Return by how much the squares are more than if all were equal, within one."""
    few, more = divmod(sum(times), len(times))
    return sum(count**2 for count in times) - more * (few + 1) ** 2 - (len(times) - more) * few**2
