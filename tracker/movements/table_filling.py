"""The movements by lot and in order: tables filled from a row of units, with swaps for wishes."""

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

_MOST_SWAPS = 300  # more would take longer than a plan by lot or by number should


def by_lot(question: Question) -> SeatingPlan:
    """Draw each round by lot, and fill one table after the other.

    Wishes are fulfilled, and units rest, sit at the odd table and open in turn.
    """
    dice, planned = Random(f"{question.seed} lot"), round_frames(question)
    rows = [dice.sample(sorted(frame.units), len(frame.units)) for frame in planned]
    tables = [_seat(frame, row, question) for frame, row in zip(planned, rows, strict=True)]
    return complete_plan(question, tables)


def in_order(question: Question) -> SeatingPlan:
    """Fill one table after the other in the order of the units, and each place by place.

    Units that rested least rest, the last of them first. If a wish is not fulfilled, units that
    are near each other swap.
    """
    planned = round_frames(replace(question, opened_by=OpenedBy.TABLE), by_number=True)
    rounds = round_seatings(question, [_seat(frame, frame.units, question) for frame in planned])
    rounds = choose_first_dealers(question, number_tables(question, rounds, in_turn=True))
    return SeatingPlan(rounds=rounds, account=account_for(question, rounds))


def _seat(frame: RoundFrame, row: Sequence[int], question: Question) -> list[TableSeating]:
    """Return the tables of a frame filled one after the other from the row, with wishes fulfilled."""
    tables = fill(frame, row, question)
    return [
        TableSeating(
            shape=shape,
            # The given order, or if forbidden partners are in it the first order with the fewest.
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
    """Fill one table after the other from the row, or as a *snake* one place at each in turn.

    Units of ``frame.odd`` sit at odd tables, pinned ones at their table. Then ``mend`` swaps units
    until the wishes are fulfilled.
    """
    tables: list[list[int]] = [[] for _ in frame.shapes]
    for unit, at in frame.pinned.items():
        tables[at].append(unit)
    for odd in (False, True):
        usual = question.shape.code
        of_kind = [at for at, shape in enumerate(frame.shapes) if (shape.code != usual) is odd]
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
    """Swap units that are near each other in the row until the wishes are fulfilled.

    Then swap until every table has a unit that is due to open it, as far as the search finds that.
    """
    dice, position = Random(f"{question.seed} mend"), {unit: at for at, unit in enumerate(row)}

    def fault(at: int, units: Sequence[int]) -> int:
        due = frame.due and not frame.due.intersection(units)
        return clashes(units, frame.shapes[at], question.wishes) * 2 * len(row) + bool(due)

    faults = [fault(at, units) for at, units in enumerate(tables)]
    best = list(map(list, tables))
    fewest = sum(faults)
    for _ in range(_MOST_SWAPS if fewest else 0):
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
        # Sometimes another swap than the best, so that the search does not go round in a circle.
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
    """Yield swaps with other tables: the other table, both tables after the swap, and the units."""
    for unit, there in product(tables[here], range(len(tables))):
        for other in tables[there]:
            same_kind = (unit in frame.odd) == (other in frame.odd)
            pinned = unit in frame.pinned or other in frame.pinned
            if there != here and same_kind and not pinned:
                ours = [other if each == unit else each for each in tables[here]]
                theirs = [unit if each == other else each for each in tables[there]]
                yield there, ours, theirs, (unit, other)


def clashes(units: Sequence[int], shape: TableShape, wishes: Wishes) -> int:
    """Return how many wishes cannot be fulfilled at a table of these units."""
    together = set(map(frozenset, combinations(units, 2)))
    apart = len(together & wishes.apart)
    if not together & wishes.not_partners or shape.individual:
        return apart
    return apart + min(partner_clashes(order, shape, wishes) for order in permutations(units))


def partner_clashes(units: Sequence[int], shape: TableShape, wishes: Wishes) -> int:
    """Return how many of these units, by place, are partners against a wish."""
    return sum(frozenset(two) in wishes.not_partners for two in partners(units, shape))


def round_seatings(
    question: Question, tables: Sequence[Sequence[TableSeating]]
) -> tuple[RoundSeating, ...]:
    """Return the planned rounds: locked tables, then these, and the units that rest."""
    rounds = []
    for number, (present, free) in enumerate(zip(question.present, tables, strict=True)):
        locked = question.locked if number == 0 else ()
        seated = {unit for table in (*locked, *free) for unit in table.units}
        resting = tuple(unit for unit in present if unit not in seated)
        rounds.append(RoundSeating(tables=(*locked, *free), resting=resting))
    return tuple(rounds)


def complete_plan(question: Question, tables: Sequence[Sequence[TableSeating]]) -> SeatingPlan:
    """Return the plan of arranged tables, with places at the table, first dealers and account."""
    rounds = round_seatings(question, tables)
    if question.tables_only:
        return SeatingPlan(rounds=rounds)
    rounds = choose_first_dealers(question, balance_seats(question, rounds))
    return SeatingPlan(rounds=rounds, account=account_for(question, rounds))
