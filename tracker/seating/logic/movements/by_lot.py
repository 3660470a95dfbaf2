"""By lot: units at tables as the lot falls."""

from random import Random

from tracker.seating.logic.movements.filling import complete, fill, mend, with_partners
from tracker.seating.logic.movements.seam import Plan, Question, TableSeating
from tracker.seating.logic.movements.turns import frames


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
