"""Seat people so that the fewest meet again: partners first, then anybody, then opponents."""

from tracker.seating.logic.movements.arranging import arrange
from tracker.seating.logic.movements.filling import complete
from tracker.seating.logic.movements.seam import Plan, Question
from tracker.seating.logic.movements.turns import frames


def plan(question: Question) -> Plan:
    """Return the rounds that repeat least, as far as the search finds them.

    Wishes hold, and whose turn it is to rest, to sit at the odd table and to open.

    :raises UnseatableError: on the terms of ``frames`` and ``arrange``.
    """
    planned = frames(question)
    return complete(question, planned, arrange(question, planned))
