"""Balance of seats over rounds: each unit's place at its table.

How uneven the places of a unit are is measured by its *excess*: the sum of the squares of how often
it sat at each place, less the least possible sum, which even counts have. For 3 times and once that
is 9 + 1 less 4 + 4, so 2. First sides are swapped by simulated annealing (see ``annealing``) until no
unit has an excess, then places of partners.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from math import exp
from random import Random
from typing import TypeAlias

from tracker.movements.even_shares import share_evenly
from tracker.movements.turns import TurnCounts
from tracker.movements.types import (
    Question,
    RoundSeating,
    TableKey,
    TableSeating,
    TableShape,
    tables_by_key,
    with_tables,
)

TableUnits: TypeAlias = list[int]  # the units of a table by place; changed when partners swap

# The most swaps to try, in all and for each table. Measured for 8 to 100 people: a tenth of it is
# enough, unless the rounds are a multiple of the places, so that all counts have to be equal.
STEPS, STEPS_A_TABLE = 60_000, 4_000
# The heat falls from hot to cold again and again; each *cooling* is twice as long as the last.
HOT, COLD = 1.0, 0.3
FIRST_COOLING = 400  # swaps to try in it, for each table
SWAPS_A_HEAT = 2  # swaps to try before the heat falls a little, for each table


@dataclass(slots=True)
class _TableSides:
    """The sides of a table that can be swapped.

    ``units`` has the units of each side. ``times`` has in their place lists of how often the unit
    sat on each side of tables of this shape. All tables of the shape share the list of a unit, so
    that a swap at one counts at the others. ``swaps`` has the pairs of sides of equal size.
    """

    units: list[tuple[int, ...]]
    times: list[tuple[list[int], ...]]
    swaps: tuple[tuple[int, int], ...]

    def change(self, side: int, other: int) -> int:
        """Return by how much the excess would grow if the units of two sides were swapped.

        Of n times on a side of k places, its least used place has n // k, as the places of a side
        are used evenly. Once more adds 2 * (n // k) + 1 to the squares. To go from n + 1 back to n
        takes as much away. In a swap the + 1 and the - 1 of a unit cancel out.
        """
        size, change = len(self.units[side]), 0
        for times in self.times[side]:
            change += times[other] // size - (times[side] - 1) // size
        for times in self.times[other]:
            change += times[side] // size - (times[other] - 1) // size
        return 2 * change

    def swap(self, side: int, other: int) -> None:
        for leaves, enters in ((side, other), (other, side)):
            for times in self.times[leaves]:
                times[leaves] -= 1
                times[enters] += 1
        self.times[side], self.times[other] = self.times[other], self.times[side]
        self.units[side], self.units[other] = self.units[other], self.units[side]


def balance_seats(question: Question, rounds: Sequence[RoundSeating]) -> tuple[RoundSeating, ...]:
    """Return the rounds with a place for each unit.

    Each unit takes all places of a table shape equally often, within one, as far as a search
    finds that; played rounds count. Partners, first dealers and locked tables stay as they are.
    """
    tables = tables_by_key(rounds)
    # Units may change places at these tables; the others, played or locked, only count.
    free = {key: table for key, table in tables.items() if key[0] or table not in question.locked}
    settled = [table for past in question.played for table in past.tables]
    settled += [table for key, table in tables.items() if key not in free]
    units_of = _balance_sides(free, settled, Random(f"{question.seed} chairs"))
    _balance_partners(units_of, free, settled)
    for key, units in units_of.items():
        table = free[key]
        opener = None if table.opening_unit is None else units.index(table.opening_unit)
        tables[key] = replace(table, units=tuple(units), opener=opener)
    return with_tables(rounds, tables)


def _balance_sides(
    free: Mapping[TableKey, TableSeating], settled: Sequence[TableSeating], dice: Random
) -> dict[TableKey, TableUnits]:
    """Return the units of each free table by place, with every unit on each side equally often."""
    times_of: dict[tuple[int, TableShape], list[int]] = {}

    def count_sides(table: TableSeating) -> _TableSides:
        """Return the sides of a table, and count in ``times_of`` that its units sat there."""
        shape, sides = table.shape, range(len(table.shape.sides))
        units = [tuple(table.units[place] for place in places) for places in shape.sides]
        times = [
            tuple(times_of.setdefault((unit, shape), [0] * len(sides)) for unit in partners)
            for partners in units
        ]
        for side in sides:
            for times_of_unit in times[side]:
                times_of_unit[side] += 1
        two_sides = combinations(sides, 2)
        swaps = tuple((a, b) for a, b in two_sides if len(units[a]) == len(units[b]))
        return _TableSides(units, times, swaps)

    for table in settled:
        count_sides(table)
    sides_of = {key: count_sides(table) for key, table in free.items()}
    excess = sum(_excess(times, shape) for (_, shape), times in times_of.items())
    _swap_sides([sides for sides in sides_of.values() if sides.swaps], excess, dice)
    units_of = {}
    for key, table_sides in sides_of.items():
        places = chain(*free[key].shape.sides)
        unit_at = dict(zip(places, chain(*table_sides.units), strict=True))
        units_of[key] = [unit_at[place] for place in range(len(unit_at))]
    return units_of


def _excess(times: Sequence[int], shape: TableShape) -> int:
    """Return a unit's excess, from the times it sat on each side, evenly at the places of the side.

    >>> pairs = TableShape("4t2", ((0, 2), (1, 3)))
    >>> _excess((3, 2), pairs), _excess((4, 0), pairs)
    (0, 4)
    """

    def least_squares(times: int, places: int) -> int:
        each, places_once_more = divmod(times, places)
        return places * each**2 + places_once_more * (2 * each + 1)

    sides = zip(times, shape.sides, strict=True)
    on_sides = sum(least_squares(on_side, len(side)) for on_side, side in sides)
    return on_sides - least_squares(sum(times), shape.size)


def _swap_sides(tables: Sequence[_TableSides], excess: int, dice: Random) -> None:
    """Swap sides by simulated annealing until no unit has an excess, or keep the best found.

    *excess* is the sum over all units; each swap changes it by what ``change`` says.
    """
    least, best = excess, [list(table.units) for table in tables]
    # Numbers of swaps: tried in earlier coolings, to try in the present one, and to try at one heat.
    steps, cooling, swaps_a_heat = 0, FIRST_COOLING * len(tables), SWAPS_A_HEAT * len(tables)
    while excess and steps < min(STEPS, STEPS_A_TABLE * len(tables)):
        for step in range(0, cooling, swaps_a_heat):
            heat = HOT * (COLD / HOT) ** (step / cooling)
            for _ in range(swaps_a_heat):
                table = tables[int(dice.random() * len(tables))]
                side, other = table.swaps[int(dice.random() * len(table.swaps))]
                change = table.change(side, other)
                if change <= 0 or dice.random() < exp(-change / heat):
                    table.swap(side, other)
                    excess += change
            if excess < least:
                least, best = excess, [list(table.units) for table in tables]
            if not excess:
                break
        steps += cooling
        cooling *= 2
    for table, units in zip(tables, best, strict=True):
        table.units[:] = units


def _balance_partners(
    units_of: Mapping[TableKey, TableUnits],
    free: Mapping[TableKey, TableSeating],
    settled: Sequence[TableSeating],
) -> None:
    """Swap partners so that every unit takes the places of a side equally often after each round.

    The first place of a side is shared out among all partners there, the second among the others,
    and so on.
    """
    for shape in {table.shape: None for table in free.values()}:
        for seats in (side[first:] for side in shape.sides for first in range(len(side) - 1)):
            place, at_first = seats[0], TurnCounts()
            for table in (table for table in settled if table.shape == shape):
                at_first.record_one(table.units[place], [table.units[seat] for seat in seats])
            partners = {
                key: [units[seat] for seat in seats]
                for key, units in units_of.items()
                if free[key].shape == shape
            }
            for key, unit in share_evenly(partners, at_first.ahead).items():
                units = units_of[key]
                swapped = units.index(unit)
                units[place], units[swapped] = unit, units[place]
