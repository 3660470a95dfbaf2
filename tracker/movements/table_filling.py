"""Tables filled from a row of people, by lot or in order, and mended until the wishes hold."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations, product
from random import Random

from games.errors import gettext_noop
from tracker.movements.first_dealers import choose_first_dealers
from tracker.movements.meetings import partners
from tracker.movements.plan_account import account_for
from tracker.movements.seat_balance import balance_seats, number_tables
from tracker.movements.turn_order import round_frames
from tracker.movements.types import (
    OpenedBy,
    Question,
    RoundFrame,
    RoundSeating,
    SeatingPlan,
    TableSeating,
    TableShape,
    UnseatableError,
    Wishes,
)

PATIENCE = 300  # swaps; whoever plans by lot or by number does not wait for more


def by_lot(question: Question) -> SeatingPlan:
    """Draw each round by lot, and fill one table after the other.

    Wishes hold, and whose turn it is to rest, to sit at the odd table and to open.

    :raises UnseatableError: on the terms of ``round_frames`` and ``mend``.
    """
    dice, planned = Random(f"{question.seed} lot"), round_frames(question)
    rows = [dice.sample(sorted(frame.units), len(frame.units)) for frame in planned]
    tables = [_seat(frame, row, question) for frame, row in zip(planned, rows, strict=True)]
    return complete_plan(question, tables)


def in_order(question: Question) -> SeatingPlan:
    """Fill one table after the other in the order of the units, and each place by place.

    Those rest who rested least, the last of them first. Where a wish does not hold, two
    who are near each other swap.

    :raises UnseatableError: on the terms of ``round_frames`` and ``mend``.
    """
    planned = round_frames(replace(question, opened_by=OpenedBy.TABLE), by_number=True)
    laid = round_seatings(question, [_seat(frame, frame.units, question) for frame in planned])
    rounds = choose_first_dealers(question, number_tables(question, laid, in_turn=True))
    return SeatingPlan(rounds=rounds, account=account_for(question, rounds))


def _seat(frame: RoundFrame, row: Sequence[int], question: Question) -> list[TableSeating]:
    """Return the tables of a frame filled one after the other from the row, wishes held.

    :raises UnseatableError: on the terms of ``mend``.
    """
    tables = fill(frame, row, question)
    return [
        TableSeating(
            shape=shape,
            # The order given, or where partners clash in it the first with the fewest who do.
            units=min(
                permutations(units)
                if partner_clashes(units, shape, question.wishes)
                else [tuple(units)],
                key=lambda order: partner_clashes(order, shape, question.wishes),
            ),
        )
        for shape, units in zip(frame.shapes, tables, strict=True)
    ]


def fill(
    frame: RoundFrame, row: Sequence[int], question: Question, *, snake: bool = False
) -> list[list[int]]:
    """Fill one table after the other from the row, or as a *snake* a place at each in turn.

    Those whose turn it is sit at odd tables, whoever keeps a table at that, and those at a
    table are in the order of the row. Then they are mended until the wishes hold.

    :raises UnseatableError: on the terms of ``mend``.
    """
    tables: list[list[int]] = [[] for _ in frame.shapes]
    for unit, at in frame.pinned.items():
        tables[at].append(unit)
    for odd in (False, True):
        of_kind = [
            at
            for at, shape in enumerate(frame.shapes)
            if (shape.code != question.shape.code) is odd
        ]
        free = [at for at in of_kind for _ in range(frame.shapes[at].size - len(tables[at]))]
        if snake:
            deep = {at: free.count(at) for at in of_kind}
            free = [
                at
                for depth in range(max(deep.values(), default=0))
                for at in (of_kind if depth % 2 == 0 else reversed(of_kind))
                if depth < deep[at]
            ]
        units = [u for u in row if (u in frame.odd) is odd and u not in frame.pinned]
        for unit, at in zip(units, free, strict=True):
            tables[at].append(unit)
    return mend(frame, [sorted(table, key=row.index) for table in tables], row, question)


def mend(
    frame: RoundFrame, tables: list[list[int]], row: Sequence[int], question: Question
) -> list[list[int]]:
    """Swap people who are near each other in the row until the wishes hold.

    Then until every table has a unit that is due to open it, as far as swaps come to that.

    :raises UnseatableError: ``apart`` if no such tables are found.
    """
    dice, position = Random(f"{question.seed} mend"), {unit: at for at, unit in enumerate(row)}

    def fault(at: int, units: Sequence[int]) -> int:
        due = frame.due and not frame.due.intersection(units)
        return clashes(units, frame.shapes[at], question.wishes) * 2 * len(row) + bool(due)

    faults = [fault(at, units) for at, units in enumerate(tables)]
    best = list(map(list, tables))
    fewest = sum(faults)
    for _ in range(PATIENCE if fewest else 0):
        here = dice.choice([at for at, each in enumerate(faults) if each])
        swaps = [
            (
                fault(here, ours) + fault(there, theirs) - faults[there],
                abs(position[unit] - position[other]),
                *(dice.random(), there, ours, theirs),
            )
            for there, ours, theirs, (unit, other) in _swaps(frame, tables, here)
        ]
        if not swaps:
            break
        # Now and then another than the best, so as not to go round in a circle.
        swap = min(swaps) if dice.random() < 0.9 else dice.choice(swaps)
        *_, there, tables[here], tables[there] = swap
        faults[here], faults[there] = fault(here, tables[here]), fault(there, tables[there])
        if sum(faults) < fewest:
            fewest, best = sum(faults), list(map(list, tables))
        if not fewest:
            break
    if fewest >= 2 * len(row):
        wishes = question.wishes
        clashing = {
            unit
            for units, shape in zip(best, frame.shapes, strict=True)
            if clashes(units, shape, wishes)
            for wish in wishes.apart | wishes.not_partners
            if wish.issubset(units)
            for unit in wish
        }
        raise UnseatableError(
            "apart", gettext_noop("%(who)s cannot be kept apart."), units=tuple(sorted(clashing))
        )
    return [sorted(table, key=position.__getitem__) for table in best]


def _swaps(
    frame: RoundFrame, tables: Sequence[list[int]], here: int
) -> Iterator[tuple[int, list[int], list[int], tuple[int, int]]]:
    """Yield swaps with other tables: that table, both as they would be, and the two units."""
    for unit, there in product(tables[here], range(len(tables))):
        for other in tables[there]:
            same_kind = (unit in frame.odd) == (other in frame.odd)
            pinned = unit in frame.pinned or other in frame.pinned
            if there != here and same_kind and not pinned:
                ours = [other if each == unit else each for each in tables[here]]
                theirs = [unit if each == other else each for each in tables[there]]
                yield there, ours, theirs, (unit, other)


def clashes(units: Sequence[int], shape: TableShape, wishes: Wishes) -> int:
    """Return how many wishes cannot hold at a table of these."""
    together = set(map(frozenset, combinations(units, 2)))
    apart = len(together & wishes.apart)
    if not together & wishes.not_partners or shape.individual:
        return apart
    return apart + min(partner_clashes(order, shape, wishes) for order in permutations(units))


def partner_clashes(units: Sequence[int], shape: TableShape, wishes: Wishes) -> int:
    """Return how many are partners against a wish, seated so by place."""
    return sum(frozenset(two) in wishes.not_partners for two in partners(units, shape))


def round_seatings(
    question: Question, tables: Sequence[Sequence[TableSeating]]
) -> tuple[RoundSeating, ...]:
    """Return the rounds to be planned with the tables arranged for each, after the locked ones."""
    rounds = []
    for number, (present, free) in enumerate(zip(question.present, tables, strict=True)):
        locked = question.locked if number == 0 else ()
        seated = {unit for table in (*locked, *free) for unit in table.units}
        resting = tuple(unit for unit in present if unit not in seated)
        rounds.append(RoundSeating(tables=(*locked, *free), resting=resting))
    return tuple(rounds)


def complete_plan(question: Question, tables: Sequence[Sequence[TableSeating]]) -> SeatingPlan:
    """Return the plan of tables that were arranged: chairs, dealers and account are added."""
    laid = round_seatings(question, tables)
    if question.tables_only:
        return SeatingPlan(rounds=laid)
    rounds = choose_first_dealers(question, balance_seats(question, laid))
    return SeatingPlan(rounds=rounds, account=account_for(question, rounds))
