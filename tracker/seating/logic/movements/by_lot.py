"""By lot: units at tables as the lot falls."""

from random import Random

from tracker.seating.logic.movements.filling import complete, seat_in_order
from tracker.seating.logic.movements.seam import Plan, Question
from tracker.seating.logic.movements.turns import frames


def plan(question: Question) -> Plan:
    """Draw each round by lot, and fill one table after the other.

    Wishes hold, and whose turn it is to rest, to sit at the odd table and to open.

    :raises UnseatableError: on the terms of ``frames`` and ``mend``.
    """
    dice, planned = Random(f"{question.seed} lot"), frames(question)
    rows = [dice.sample(sorted(frame.units), len(frame.units)) for frame in planned]
    tables = [seat_in_order(frame, row, question) for frame, row in zip(planned, rows, strict=True)]
    return complete(question, planned, tables)
