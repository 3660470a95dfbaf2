"""Seat people in the order given; whoever is over rests, each in turn."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from games.mode import Mode
from tracker.seating.logic.movements import Seating, Unit, at_a_table, fit
from tracker.seating.logic.movements.account import account
from tracker.seating.logic.movements.filling import fill, mend, with_partners
from tracker.seating.logic.movements.openings import deal_first
from tracker.seating.logic.movements.seam import OpenedBy, Plan, Question, TableSeating
from tracker.seating.logic.movements.table_numbers import number_tables
from tracker.seating.logic.movements.turns import frames, lay


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
