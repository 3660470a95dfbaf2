"""Numbers of tables: those that stay, then the lowest free ones, varied for each unit."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, count, islice
from random import Random

from games.errors import gettext_noop
from tracker.movements.types import Question, RoundSeating, TableSeating, UnseatableError


def fixed_numbers(
    question: Question, tables: Sequence[TableSeating], *, first_keeper: bool = False
) -> dict[int, int]:
    """Return the numbers of locked and of kept tables, by index; refuse two numbers for a table.

    With *first_keeper*, a locked table at which several units keep a table has the first one's.
    """
    numbers: dict[int, int] = {}
    keeps = question.wishes.keeps
    for index, table in enumerate(tables):
        keepers = tuple(unit for unit in table.units if unit in keeps)
        kept = {keeps[unit] for unit in (keepers[:1] if first_keeper else keepers)}
        fixed = kept if table.number is None else {table.number}
        if len(fixed) > 1 or fixed & set(numbers.values()):
            template = gettext_noop("%(who)s cannot each keep their table in this round.")
            raise UnseatableError("table-kept-twice", template, units=keepers or table.units)
        if fixed:
            numbers[index] = fixed.pop()
    return numbers


def number_in_order(
    question: Question, tables: Sequence[TableSeating], *, first_keeper: bool = False
) -> tuple[TableSeating, ...]:
    """Return the tables with numbers: fixed ones, and the lowest free ones in turn for the others."""
    fixed = fixed_numbers(question, tables, first_keeper=first_keeper)
    free = (number for number in count(1) if number not in fixed.values())
    return tuple(
        replace(table, number=fixed[index] if index in fixed else next(free))
        for index, table in enumerate(tables)
    )


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
