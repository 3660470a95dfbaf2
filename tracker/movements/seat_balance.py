"""Balance of seats over rounds: each unit's place at its table, and each table's number.

A *unit* is a player, or a fixed team. How uneven the places of a unit are is measured by its
*excess*: the sum of the squares of how often it sat at each place, less the least possible sum,
which even counts have. For 3 times and once that is 9 + 1 less 4 + 4, so 2. First sides are swapped
by simulated annealing (see ``annealing``) until no unit has an excess, then places of partners.
"""

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, count, islice
from math import exp
from random import Random
from typing import TypeAlias

from tracker.movements.meetings import fixed_numbers
from tracker.movements.types import Question, RoundSeating, TableSeating, TableShape

TableKey: TypeAlias = tuple[int, int]  # the index of a planned round, and of a table in it
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
    """Return the rounds with a place for each unit, and a number for each table.

    Each unit takes all places of a table shape equally often, within one, as far as a search
    finds that; played rounds count. Partners, first dealers and locked tables stay as they are.
    """
    # The tables at which units may change places, and those, played or locked, that only count.
    free: dict[TableKey, TableSeating] = {}
    settled = [table for past in question.played for table in past.tables]
    for round_index, seating in enumerate(rounds):
        for table_index, table in enumerate(seating.tables):
            if round_index == 0 and table in question.locked:
                settled.append(table)
            else:
                free[round_index, table_index] = table
    units_of = _balance_sides(free, settled, Random(f"{question.seed} chairs"))
    _balance_partners(units_of, free, settled)
    seated = []
    for round_index, seating in enumerate(rounds):
        balanced = []
        for table_index, table in enumerate(seating.tables):
            units = units_of.get((round_index, table_index), [*table.units])
            opener = None if table.opener is None else units.index(table.units[table.opener])
            balanced.append(replace(table, units=tuple(units), opener=opener))
        seated.append(replace(seating, tables=tuple(balanced)))
    return number_tables(question, seated)


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
    """Swap partners so that every unit takes the places of a side equally often.

    A unit that was at a place too often swaps with a partner. This one may then be there too often
    and swaps at another table, and so on, until the chain ends at a unit that was there too seldom.
    There always is a chain, unless it would need a settled table. Two places of a side are balanced
    at a time; on sides of three, a later two may disturb the counts of earlier ones a little.
    """
    with_sides = [replace(free[key], units=tuple(units)) for key, units in units_of.items()]
    for shape in sorted({table.shape for table in free.values()}, key=lambda shape: shape.code):
        of_shape = [units_of[key] for key, table in free.items() if table.shape == shape]
        all_units = [table.units for table in (*settled, *with_sides) if table.shape == shape]
        # How often each unit was at each place, by place and unit.
        places = range(shape.size)
        times_at = {place: Counter(units[place] for units in all_units) for place in places}
        for first, second in (two for side in shape.sides for two in combinations(side, 2)):
            _swap_chains(of_shape, (first, second), times_at)
            _swap_chains(of_shape, (second, first), times_at)


def _swap_chains(
    tables: Sequence[TableUnits], places: tuple[int, int], times_at: Mapping[int, Counter[int]]
) -> None:
    """Move units too often at the first of two places to the second; keep *times_at* up to date."""
    first, second = places
    at_first, at_second = times_at[first], times_at[second]
    for unit in sorted({units[place] for units in tables for place in places}):
        while at_first[unit] - at_second[unit] > 1 and (
            chain := _swap_chain(unit, tables, places, times_at)
        ):
            for units in chain:
                at_first[units[first]] -= 1
                at_second[units[first]] += 1
                at_second[units[second]] -= 1
                at_first[units[second]] += 1
                units[first], units[second] = units[second], units[first]


def _swap_chain(
    start: int,
    tables: Sequence[TableUnits],
    places: tuple[int, int],
    times_at: Mapping[int, Counter[int]],
) -> Sequence[TableUnits]:
    """Return the tables of the shortest chain of `_balance_partners` from the unit *start*.

    It ends at a unit that was at the first of two *places* too seldom; empty if there is none.
    """
    first, second = places
    chains: dict[int, Sequence[TableUnits]] = {start: ()}  # keyed by the unit at their end
    queue = deque([start])
    while queue:
        unit = queue.popleft()
        if times_at[first][unit] < times_at[second][unit]:
            return chains[unit]
        for units in tables:
            if units[first] == unit and units[second] not in chains:
                chains[units[second]] = (*chains[unit], units)
                queue.append(units[second])
    return ()


def number_tables(question: Question, rounds: Sequence[RoundSeating]) -> tuple[RoundSeating, ...]:
    """Return the rounds with a number for each table, and the tables in order of their numbers.

    Locked tables, and those of units that keep a table, have their numbers. The others take the
    lowest free ones, swapped in twos while that makes units sit at the same table less often.
    """
    times_at = Counter(
        (unit, table.number)
        for past in question.played
        for table in past.tables
        if table.number is not None
        for unit in table.units
    )
    dice = Random(f"{question.seed} hall")
    numbered = []
    for seating in rounds:
        numbers = fixed_numbers(question, seating.tables, first_keeper=True)
        not_fixed = [index for index in range(len(seating.tables)) if index not in numbers]
        unused = (number for number in count(1) if number not in numbers.values())
        lots = dice.sample(list(islice(unused, len(not_fixed))), len(not_fixed))
        drawn = dict(zip(not_fixed, lots, strict=True))
        _vary(drawn, seating.tables, times_at)
        numbers |= drawn
        for index, table in enumerate(seating.tables):
            times_at.update((unit, numbers[index]) for unit in table.units)
        in_order = sorted(numbers.items(), key=lambda item: item[1])
        tables = (replace(seating.tables[index], number=number) for index, number in in_order)
        numbered.append(replace(seating, tables=tuple(tables)))
    return tuple(numbered)


def _vary(
    numbers: dict[int, int], tables: Sequence[TableSeating], times_at: Counter[tuple[int, int]]
) -> None:
    """Swap the numbers of two tables while that makes units sit at the same table less often.

    *numbers* are keyed by the index of a table, *times_at* by unit and number. The sum of the
    squares of the times is reduced: one more after n times adds 2n + 1.
    """
    # By table and number: how much the sum grows if the table has this number.
    added = {
        (index, number): sum(times_at[unit, number] * 2 + 1 for unit in tables[index].units)
        for index in numbers
        for number in numbers.values()
    }
    swapped = True
    while swapped:
        swapped = False
        for index, other in combinations(numbers, 2):
            number, others_number = numbers[index], numbers[other]
            unswapped = added[index, number] + added[other, others_number]
            if added[index, others_number] + added[other, number] < unswapped:
                numbers[index], numbers[other] = others_number, number
                swapped = True
