"""Seat people as the lot falls; whoever rested least rests, and the lot decides among equals."""

from collections.abc import Sequence
from random import Random

from games.mode import Mode
from tracker.seating.logic.movements import Seating, Unit
from tracker.seating.logic.movements.filling import complete, fill, mend, with_partners
from tracker.seating.logic.movements.in_order import in_order
from tracker.seating.logic.movements.seam import Plan, Question, TableSeating
from tracker.seating.logic.movements.turns import frames


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


def plan(question: Question) -> Plan:
    """Shake everybody in a hat for each round, and fill one table after the other.

    Wishes hold, and whose turn it is to rest, to sit at the odd table and to open.

    :raises UnseatableError: on the terms of ``frames`` and ``mend``.
    """
    dice, planned, rounds = Random(f"{question.seed} lot"), frames(question), []
    for frame in planned:
        row = dice.sample(sorted(frame.units), len(frame.units))
        tables = mend(frame, fill(frame, row, question), row, question)
        rounds.append(
            [
                TableSeating(shape=shape, units=with_partners(units, shape, question.wishes))
                for shape, units in zip(frame.shapes, tables, strict=True)
            ]
        )
    return complete(question, planned, rounds)
