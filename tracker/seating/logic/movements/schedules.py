"""Rows of known schedules: Berger's tables for pairs, transversal designs for larger tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

from tracker.seating.logic.movements.seam import TableSeating


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A round of the schedule: who meets whom, besides the tables that are locked; who rests."""

    tables: tuple[tuple[int, ...], ...]
    resting: tuple[int, ...] = ()
    locked: tuple[TableSeating, ...] = ()

    @property
    def met(self) -> tuple[tuple[int, ...], ...]:
        """Return all who meet, locked tables too."""
        return (*(table.units for table in self.locked), *self.tables)


def berger(places: int, row: int) -> tuple[tuple[int, int], ...]:
    """Return a row of Berger's tables, from 0, for an even number of *places*, also from 0.

    >>> berger(8, 1)
    ((7, 4), (5, 3), (6, 2), (0, 1))
    """
    moving = places - 1
    round_by = row * places // 2
    fixed = (round_by % moving, moving)
    return (
        fixed if row % 2 == 0 else fixed[::-1],
        *(
            ((place + round_by) % moving, (moving - place + round_by) % moving)
            for place in range(1, places // 2)
        ),
    )


def transversal(units: Sequence[int], size: int, row: int) -> list[list[int]]:
    """Return a row of a transversal design: no two meet again in as many rounds as tables.

    The units are *size* classes of as many as there are tables, and class ``c`` moves on by
    ``c`` tables a round. Two of two classes meet once if no difference of classes shares a
    divisor with the number of tables; where one does, there is no such row here.
    """
    tables = len(units) // size
    if row >= tables or any(gcd(tables, step) > 1 for step in range(1, size)):
        return []
    return [
        [units[each * tables + (table + each * row) % tables] for each in range(size)]
        for table in range(tables)
    ]
