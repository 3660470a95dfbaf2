"""In order: units at tables in the order given."""

from dataclasses import replace

from tracker.seating.logic.movements.account import account
from tracker.seating.logic.movements.filling import seat_in_order
from tracker.seating.logic.movements.openings import deal_first
from tracker.seating.logic.movements.seam import OpenedBy, Plan, Question
from tracker.seating.logic.movements.table_numbers import number_tables
from tracker.seating.logic.movements.turns import frames, lay


def plan(question: Question) -> Plan:
    """Fill one table after the other in the order of the units, and each place by place.

    Those rest who rested least, the last of them first. Where a wish does not hold, two
    who are near each other swap.

    :raises UnseatableError: on the terms of ``frames`` and ``mend``.
    """
    planned = frames(replace(question, opened_by=OpenedBy.TABLE), by_number=True)
    tables = [seat_in_order(frame, frame.units, question) for frame in planned]
    laid = lay(question, planned, tables)
    rounds = deal_first(question, number_tables(question, laid, in_turn=True))
    return Plan(rounds=rounds, account=account(question, rounds))
