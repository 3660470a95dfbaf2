"""In order: units at tables in the order given."""

from dataclasses import replace

from tracker.seating.logic.movements.account import account
from tracker.seating.logic.movements.filling import fill, mend, with_partners
from tracker.seating.logic.movements.openings import deal_first
from tracker.seating.logic.movements.seam import OpenedBy, Plan, Question, TableSeating
from tracker.seating.logic.movements.table_numbers import number_tables
from tracker.seating.logic.movements.turns import frames, lay


def plan(question: Question) -> Plan:
    """Fill one table after the other in the order of the units, and each place by place.

    Those rest who rested least, the last of them first. Where a wish does not hold, two
    who are near each other swap.

    :raises UnseatableError: on the terms of ``frames`` and ``mend``.
    """
    planned = frames(replace(question, opened_by=OpenedBy.TABLE), by_number=True)
    tables = []
    for frame in planned:
        row = frame.units
        mended = mend(frame, fill(frame, row, question), row, question)
        tables.append(
            [
                TableSeating(shape=shape, units=with_partners(units, shape, question.wishes))
                for shape, units in zip(frame.shapes, mended, strict=True)
            ]
        )
    laid = lay(question, planned, tables)
    rounds = deal_first(question, number_tables(question, laid, in_turn=True))
    return Plan(rounds=rounds, account=account(question, rounds))
