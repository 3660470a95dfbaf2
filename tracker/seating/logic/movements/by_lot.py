"""Seat people as the lot falls; whoever rested least rests, and the lot decides among equals."""

from collections.abc import Sequence
from random import Random

from games.mode import Mode
from tracker.seating.logic.movements import Seating, Unit
from tracker.seating.logic.movements.in_order import in_order


def by_lot(units: Sequence[Unit], mode: Mode, fixed: bool, rng: Random) -> Seating:
    """Shake everybody in a hat, and fill one table after the other.

    >>> from games.mode import individuals
    >>> units = [Unit(key=key) for key in "ABCD"]
    >>> by_lot(units, individuals(3, ""), False, Random(1))
    Seating(tables=(('D', 'A', 'C'),), resting=('B',))
    """
    shaken = sorted(units, key=lambda unit: str(unit.key))  # the seed alone decides
    rng.shuffle(shaken)
    return in_order(shaken, mode, fixed, rng)
