"""What holds at the tables of every format: who must not meet, and the numbers."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

from games.errors import gettext_noop
from tracker.seating.logic.movements.met import pair
from tracker.seating.logic.movements.seam import Question, TableSeating, UnseatableError


def strangers(question: Question) -> frozenset[tuple[int, int]]:
    """Return the pairs who must not meet, by wish or because each keeps another table."""
    keeps = question.wishes.keeps
    return frozenset(
        {pair(*sorted(two)) for two in question.wishes.apart if len(two) == 2}
        | {
            pair(unit, other)
            for unit, other in combinations(sorted(keeps), 2)
            if keeps[unit] != keeps[other]
        }
    )


def numbered(question: Question, tables: Sequence[TableSeating]) -> tuple[TableSeating, ...]:
    """Return the tables with their numbers: those kept or locked, and free ones for the rest."""
    numbers: dict[int, int] = {}
    for index, table in enumerate(tables):
        wanted = {
            question.wishes.keeps[unit] for unit in table.units if unit in question.wishes.keeps
        }
        if table in question.locked and table.number is not None:
            wanted = {table.number}
        if len(wanted) > 1 or wanted & set(numbers.values()):
            raise UnseatableError(
                "table-kept-twice",
                gettext_noop("%(who)s cannot each keep their table in this round."),
                units=tuple(unit for unit in table.units if unit in question.wishes.keeps),
            )
        if wanted:
            numbers[index] = wanted.pop()
    free = (number for number in range(1, 10**6) if number not in set(numbers.values()))
    return tuple(
        replace(table, number=numbers[index] if index in numbers else next(free))
        for index, table in enumerate(tables)
    )


def refuse_meeting(question: Question, tables: Iterable[TableSeating]) -> None:
    """Refuse tables at which units meet that must not.

    :raises UnseatableError: ``must-not-meet``.
    """
    forbidden = strangers(question)
    for table in tables:
        for unit, other in combinations(sorted(table.units), 2):
            if (unit, other) in forbidden and table not in question.locked:
                raise UnseatableError(
                    "must-not-meet",
                    gettext_noop("%(who)s must not meet, and there is no other table for them."),
                    units=(unit, other),
                )
