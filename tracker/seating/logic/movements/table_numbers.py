"""The tables of the hall, by number: who keeps one, and who goes round."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, count
from random import Random

from tracker.seating.logic.movements.seam import Question, RoundSeating, TableSeating


def number_tables(
    question: Question, rounds: Sequence[RoundSeating], *, in_turn: bool = False
) -> tuple[RoundSeating, ...]:
    """Return the rounds with a number for each table, and the tables by number.

    Whoever keeps a table sits at it, and locked tables keep theirs. The others take the
    lowest numbers left, so that nobody sits at one table more often than need be; no swap of two
    tables would be better for that; *in_turn* they take them in the order of the tables given.
    """
    sat = Counter(
        (unit, table.number)
        for past in question.played
        for table in past.tables
        if table.number is not None
        for unit in table.units
    )
    dice = Random(f"{question.seed} hall")
    numbered = []
    for seating in rounds:
        fixed: dict[int, int] = {}
        for at, table in enumerate(seating.tables):
            if table.number is not None:
                fixed[at] = table.number
            wanted = [question.wishes.keeps[u] for u in table.units if u in question.wishes.keeps]
            if wanted and at not in fixed:
                fixed[at] = wanted[0]
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
    """Swap the numbers of two tables as long as people then know them less."""
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
