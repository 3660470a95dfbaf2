"""Seat people in the order given; whoever is over rests, each in turn."""

from collections.abc import Sequence
from random import Random

from games.mode import Mode
from tracker.seating.logic.movements import Seating, Unit, at_a_table, fit


def in_order(units: Sequence[Unit], mode: Mode, fixed: bool, rng: Random) -> Seating:  # noqa: ARG001 - a movement is handed the dice, and this one throws none
    """Fill one table after the other; those rest who rested least, the last of them first.

    >>> from games.mode import individuals
    >>> units = [Unit(key=key) for key in "ABCD"]
    >>> in_order(units, individuals(3, ""), False, Random(1))
    Seating(tables=(('A', 'B', 'C'),), resting=('D',))
    """
    fits = fit(len(units), mode, fixed)
    turn = sorted(range(len(units)), key=lambda position: (units[position].rested, -position))
    resting = set(turn[: fits.resting])
    seated = [unit.key for position, unit in enumerate(units) if position not in resting]
    size = at_a_table(mode, fixed)
    return Seating(
        tables=tuple(
            tuple(seated[table * size : (table + 1) * size]) for table in range(fits.tables)
        ),
        resting=tuple(units[position].key for position in sorted(resting)),
    )
