"""Balance of seats over rounds: each unit's place at its table, and each table's number."""

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, count
from math import exp
from random import Random
from typing import TypeAlias

from tracker.movements.types import Question, RoundSeating, TableSeating, TableShape

Cell: TypeAlias = tuple[int, int]  # a round, and a table in it

# Measured for 8 to 100 people: a tenth of it is enough, unless the rounds are a multiple of the
# places, so that the counts of all units would have to be exactly equal.
STEPS = 60_000
STEPS_A_TABLE = 4_000
HOT, COLD = 1.0, 0.3
FIRST_COOLING = 200  # steps for every table; each cooling is twice as long as the last


@dataclass(frozen=True, slots=True)
class _Sides:
    """The units of each side of a table, and how often each sat on each side of such tables."""

    units: list[tuple[int, ...]]
    times: list[tuple[list[int], ...]]
    swaps: tuple[tuple[int, int], ...]

    def change(self, side: int, other: int) -> int:
        """Return by how much the excess would grow if two sides were swapped."""
        size, change = len(self.units[side]), 0
        for row in self.times[side]:
            change += row[other] // size - (row[side] - 1) // size
        for row in self.times[other]:
            change += row[side] // size - (row[other] - 1) // size
        return 2 * change

    def swap(self, side: int, other: int) -> None:
        for here, there in ((side, other), (other, side)):
            for row in self.times[here]:
                row[here] -= 1
                row[there] += 1
        self.times[side], self.times[other] = self.times[other], self.times[side]
        self.units[side], self.units[other] = self.units[other], self.units[side]


def balance_seats(question: Question, rounds: Sequence[RoundSeating]) -> tuple[RoundSeating, ...]:
    """Return the rounds with a place for each unit, and a number for each table.

    Each unit takes the places of a shape equally often, within one, as far as a search finds
    that; played rounds count. Partners, openers and locked tables stay as they are.
    """
    free: dict[Cell, TableSeating] = {}
    settled = [table for past in question.played for table in past.tables]
    for number, seating in enumerate(rounds):
        for at, table in enumerate(seating.tables):
            if number == 0 and table in question.locked:
                settled.append(table)
            else:
                free[number, at] = table
    dice = Random(f"{question.seed} chairs")
    units = _within_sides(_on_sides(free, settled, dice), free, settled)
    seated = tuple(
        replace(
            seating,
            tables=tuple(
                replace(
                    table,
                    units=tuple(seats),
                    opener=None if table.opener is None else seats.index(table.units[table.opener]),
                )
                if (seats := units.get((number, at)))
                else table
                for at, table in enumerate(seating.tables)
            ),
        )
        for number, seating in enumerate(rounds)
    )
    return number_tables(question, seated)


def _on_sides(
    free: Mapping[Cell, TableSeating], settled: Sequence[TableSeating], dice: Random
) -> dict[Cell, list[int]]:
    """Return each table's units by place, with every unit on each side equally often."""
    times: dict[tuple[int, TableShape], list[int]] = {}

    def sit(table: TableSeating) -> _Sides:
        shape, sides = table.shape, table.shape.sides
        units = [tuple(table.units[place] for place in side) for side in sides]
        rows = [
            tuple(times.setdefault((unit, shape), [0] * len(sides)) for unit in partners)
            for partners in units
        ]
        for side, each in enumerate(rows):
            for row in each:
                row[side] += 1
        numbered = combinations(range(len(sides)), 2)
        swaps = tuple((a, b) for a, b in numbered if len(sides[a]) == len(sides[b]))
        return _Sides(units, rows, swaps)

    for table in settled:
        sit(table)
    tables = {cell: sit(table) for cell, table in free.items()}
    _even_out(
        [sides for sides in tables.values() if sides.swaps],
        sum(_excess(row, shape) for (_, shape), row in times.items()),
        dice,
    )
    seats = {}
    for cell, now in tables.items():
        shape = free[cell].shape
        seats[cell] = [0] * shape.size
        for places, partners in zip(shape.sides, now.units, strict=True):
            for place, unit in zip(places, partners, strict=True):
                seats[cell][place] = unit
    return seats


def _excess(times: Sequence[int], shape: TableShape) -> int:
    """Return the excess of the sum of squared times at each place over its least possible value.

    The places of one side are taken equally often, within one.

    >>> pairs = TableShape("4t2", ((0, 2), (1, 3)))
    >>> _excess((3, 2), pairs), _excess((4, 0), pairs)
    (0, 4)
    """

    def squares(times: int, places: int) -> int:
        few, more = divmod(times, places)
        return places * few**2 + more * (2 * few + 1)

    on_sides = (squares(each, len(side)) for each, side in zip(times, shape.sides, strict=True))
    return sum(on_sides) - squares(sum(times), shape.size)


def _even_out(tables: Sequence[_Sides], excess: int, dice: Random) -> None:
    """Swap sides by simulated annealing until all units can take all places equally often."""
    least, best = excess, [list(table.units) for table in tables]
    steps, cooling = 0, FIRST_COOLING * len(tables)
    while excess and steps < min(STEPS, STEPS_A_TABLE * len(tables)):
        cooling *= 2
        for step in range(0, cooling, 2 * len(tables)):
            heat = HOT * (COLD / HOT) ** (step / cooling)
            for _ in range(2 * len(tables)):
                table = tables[int(dice.random() * len(tables))]
                side, other = table.swaps[int(dice.random() * len(table.swaps))]
                more = table.change(side, other)
                if more <= 0 or dice.random() < exp(-more / heat):
                    table.swap(side, other)
                    excess += more
            if excess < least:
                least, best = excess, [list(table.units) for table in tables]
            if not excess:
                break
        steps += cooling
    for table, units in zip(tables, best, strict=True):
        table.units[:] = units


def _within_sides(
    seats: dict[Cell, list[int]], free: Mapping[Cell, TableSeating], settled: Sequence[TableSeating]
) -> dict[Cell, list[int]]:
    """Return the units with partners swapped until they take the places of a side equally often.

    A unit that was at a place too often swaps with a partner, who then may be there too often,
    and so on, until the chain ends at a unit that was there too seldom. There always is one.
    """
    times = Counter(
        (unit, table.shape, place)
        for table in (*settled, *(replace(free[c], units=tuple(u)) for c, u in seats.items()))
        for place, unit in enumerate(table.units)
    )
    for shape in sorted({table.shape for table in free.values()}, key=lambda shape: shape.code):
        rows = [seats[cell] for cell, table in free.items() if table.shape == shape]
        counts = {
            place: Counter({unit: times[unit, shape, place] for unit, *_ in times})
            for place in range(shape.size)
        }
        for here, there in (pair for side in shape.sides for pair in combinations(side, 2)):
            for places in ((here, there), (there, here)):
                _pass_along(rows, places, counts[places[0]], counts[places[1]])
    return seats


def _pass_along(
    rows: Sequence[list[int]], places: tuple[int, int], often: Counter[int], seldom: Counter[int]
) -> None:
    """Move units that were too often at the first of two places to the second."""
    here, there = places
    for unit in sorted({row[place] for row in rows for place in places}):
        while often[unit] - seldom[unit] > 1 and (way := _way(unit, rows, places, often, seldom)):
            for row in way:
                often[row[here]] -= 1
                seldom[row[here]] += 1
                seldom[row[there]] -= 1
                often[row[there]] += 1
                row[here], row[there] = row[there], row[here]


def _way(
    start: int,
    rows: Sequence[list[int]],
    places: tuple[int, int],
    often: Counter[int],
    seldom: Counter[int],
) -> Sequence[list[int]]:
    """Return the chain of tables at which to swap for *start*; empty if there is none."""
    here, there = places
    ways: dict[int, Sequence[list[int]]] = {start: ()}
    queue = deque([start])
    while queue:
        unit = queue.popleft()
        if often[unit] < seldom[unit]:
            return ways[unit]
        for row in rows:
            if row[here] == unit and row[there] not in ways:
                ways[row[there]] = (*ways[unit], row)
                queue.append(row[there])
    return ()


def number_tables(
    question: Question, rounds: Sequence[RoundSeating], *, in_turn: bool = False
) -> tuple[RoundSeating, ...]:
    """Return the rounds with a number for each table, and the tables by number.

    Locked tables, and those of units that keep a table, have their numbers. The others take the
    lowest free numbers so that units sit at the same table as seldom as swaps of two tables can
    make it, or *in_turn* in the order of the given tables.
    """
    sat = Counter(
        (unit, table.number)
        for past in question.played
        for table in past.tables
        if table.number is not None
        for unit in table.units
    )
    dice, keeps = Random(f"{question.seed} hall"), question.wishes.keeps
    numbered = []
    for seating in rounds:
        fixed: dict[int, int] = {}
        for at, table in enumerate(seating.tables):
            kept = (keeps[unit] for unit in table.units if unit in keeps)
            number = next(kept, None) if table.number is None else table.number
            if number is not None:
                fixed[at] = number
        free = [at for at in range(len(seating.tables)) if at not in fixed]
        left = (number for number in count(1) if number not in fixed.values())
        numbers = dict(zip(free, left, strict=False))
        if not in_turn:
            order = dice.sample(list(numbers.values()), len(numbers))
            numbers = _varied(dict(zip(free, order, strict=True)), seating.tables, sat)
        numbers |= fixed
        for at, table in enumerate(seating.tables):
            sat.update((unit, numbers[at]) for unit in table.units)
        numbered.append(
            replace(
                seating,
                tables=tuple(
                    replace(seating.tables[at], number=number)
                    for at, number in sorted(numbers.items(), key=lambda item: item[1])
                ),
            )
        )
    return tuple(numbered)


def _varied(
    numbers: dict[int, int], tables: Sequence[TableSeating], sat: Counter[tuple[int, int]]
) -> dict[int, int]:
    """Swap the numbers of two tables while that makes units sit at the same table less often."""
    known = {
        (at, number): sum(sat[unit, number] * 2 + 1 for unit in tables[at].units)
        for at in numbers
        for number in numbers.values()
    }
    swapped = True
    while swapped:
        swapped = False
        for at, other in combinations(numbers, 2):
            here, there = numbers[at], numbers[other]
            now = known[at, here] + known[other, there]
            if known[at, there] + known[other, here] < now:
                numbers[at], numbers[other] = there, here
                swapped = True
    return numbers
