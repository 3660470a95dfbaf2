"""The movements by lot and in order: tables filled from a row of units, with swaps for wishes."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations, product
from operator import attrgetter
from random import Random

from games.errors import gettext_noop
from tracker.movements.frames import round_frames
from tracker.movements.meetings import partners
from tracker.movements.plan_account import account_for
from tracker.movements.seat_balance import balance_seats
from tracker.movements.table_numbers import number_in_order, number_tables
from tracker.movements.turns import choose_first_dealers
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
    dice = Random(f"{question.seed} lot")
    tables = []
    for frame in round_frames(question):
        row = dice.sample(sorted(frame.units), len(frame.units))
        tables.append(_seat(frame, row, question))
    return complete_plan(question, tables)


def in_order(question: Question) -> SeatingPlan:
    """Fill one table after the other, place by place, in the order of the units.

    Of the units that rested least the last ones rest. For wishes, units near each other swap.
    """
    # Nobody is due in these frames, so that the order alone says who sits where.
    frames = round_frames(replace(question, opened_by=OpenedBy.TABLE), by_number=True)
    seatings = round_seatings(question, [_seat(frame, frame.units, question) for frame in frames])
    numbered = []
    for seating in seatings:
        tables = number_in_order(question, seating.tables, first_keeper=True)
        in_hall = tuple(sorted(tables, key=attrgetter("number")))
        numbered.append(replace(seating, tables=in_hall))
    rounds = choose_first_dealers(question, numbered)
    return SeatingPlan(rounds=rounds, account=account_for(question, rounds))


def _seat(frame: RoundFrame, row: Sequence[int], question: Question) -> list[TableSeating]:
    """Return the tables of a frame filled one after the other from the row, wishes fulfilled."""
    wishes, seated = question.wishes, []
    for shape, units in zip(frame.shapes, fill(frame, row, question), strict=True):
        order = tuple(units)
        if partner_clashes(order, shape, wishes):
            # The first order with the fewest partners that a wish forbids.
            order = min(permutations(units), key=lambda each: partner_clashes(each, shape, wishes))
        seated.append(TableSeating(shape=shape, units=order))
    return seated


def fill(
    frame: RoundFrame, row: Sequence[int], question: Question, *, snake: bool = False
) -> list[list[int]]:
    """Fill one table after the other from the row, or as a *snake* one place at each in turn.

    Units of ``frame.odd`` sit at odd tables, pinned ones at their table. Then ``mend`` swaps units
    until the wishes are fulfilled.
    """
    tables: list[list[int]] = [[] for _ in frame.shapes]
    for unit, index in frame.pinned.items():
        tables[index].append(unit)
    usual = question.shape.code
    for odd in (False, True):
        indices = [
            index for index, shape in enumerate(frame.shapes) if (shape.code != usual) is odd
        ]
        room = {index: frame.shapes[index].size - len(tables[index]) for index in indices}
        # For each free place the index of its table; a snake goes up and down the tables.
        index_of_place = [index for index in indices for _ in range(room[index])]
        if snake:
            index_of_place = [
                index
                for lap in range(max(room.values(), default=0))
                for index in (indices if lap % 2 == 0 else reversed(indices))
                if lap < room[index]
            ]
        units = [unit for unit in row if (unit in frame.odd) is odd and unit not in frame.pinned]
        for unit, index in zip(units, index_of_place, strict=True):
            tables[index].append(unit)
    return mend(frame, [sorted(table, key=row.index) for table in tables], row, question)


def mend(
    frame: RoundFrame, tables: list[list[int]], row: Sequence[int], question: Question
) -> list[list[int]]:
    """Swap units that are near each other in the row until the wishes are fulfilled.

    If there are due units, each table should have one as well. Again and again the search draws a
    table with faults and makes a swap there, mostly the best one. The tables with the fewest faults
    on the way are returned, or refused if they break a wish.
    """
    dice = Random(f"{question.seed} mend")
    position = {unit: index for index, unit in enumerate(row)}
    broken_wish = 1 + len(row)  # more than all tables without a due unit

    def count_faults(index: int, units: Sequence[int]) -> int:
        """Return 1 if no unit of a table is due, plus far more for each broken wish."""
        nobody_due = frame.due and not frame.due.intersection(units)
        return broken_wish * clashes(units, frame.shapes[index], question.wishes) + bool(nobody_due)

    faults = [count_faults(index, units) for index, units in enumerate(tables)]
    best = list(map(list, tables))
    fewest = sum(faults)
    for _ in range(_MOST_SWAPS if fewest else 0):
        index = dice.choice([index for index, number in enumerate(faults) if number])
        swaps = []
        for other_index, units, others, (unit, other) in _swaps(frame, tables, index):
            # The best swap has the least key: fewest faults, then least distance, then lot.
            rise = count_faults(other_index, others) - faults[other_index]
            distance = abs(position[unit] - position[other])
            sort_key = (count_faults(index, units) + rise, distance, dice.random())
            swaps.append((sort_key, other_index, units, others))
        if not swaps:
            break
        # Sometimes another swap than the best, so that the search does not go round in a circle.
        swap = min(swaps) if dice.random() < 0.9 else dice.choice(swaps)
        _, other_index, tables[index], tables[other_index] = swap
        for changed in (index, other_index):
            faults[changed] = count_faults(changed, tables[changed])
        if sum(faults) < fewest:
            fewest, best = sum(faults), list(map(list, tables))
        if not fewest:
            break
    if fewest >= broken_wish:
        raise _apart_error(frame, best, question.wishes)
    return [sorted(table, key=position.__getitem__) for table in best]


def _apart_error(frame: RoundFrame, tables: Sequence[list[int]], wishes: Wishes) -> UnseatableError:
    clashing: set[int] = set()
    for units, shape in zip(tables, frame.shapes, strict=True):
        if clashes(units, shape, wishes):
            broken = (wish for wish in wishes.apart | wishes.not_partners if wish.issubset(units))
            clashing.update(*broken)
    template = gettext_noop("%(who)s cannot be kept apart.")
    return UnseatableError("apart", template, units=tuple(sorted(clashing)))


def _swaps(
    frame: RoundFrame, tables: Sequence[list[int]], index: int
) -> Iterator[tuple[int, list[int], list[int], tuple[int, int]]]:
    """Yield swaps with other tables: its index, the units of both afterwards, the two that swap."""
    for unit, other_index in product(tables[index], range(len(tables))):
        for other in tables[other_index]:
            same_kind = (unit in frame.odd) == (other in frame.odd)
            pinned = unit in frame.pinned or other in frame.pinned
            if other_index != index and same_kind and not pinned:
                units = [other if sits == unit else sits for sits in tables[index]]
                others = [unit if sits == other else sits for sits in tables[other_index]]
                yield other_index, units, others, (unit, other)


def clashes(units: Sequence[int], shape: TableShape, wishes: Wishes) -> int:
    """Return how many wishes cannot be fulfilled at a table of these units, in any order."""
    together = set(map(frozenset, combinations(units, 2)))
    apart = len(together & wishes.apart)
    if not together & wishes.not_partners or shape.individual:
        return apart
    return apart + min(partner_clashes(order, shape, wishes) for order in permutations(units))


def partner_clashes(units: Sequence[int], shape: TableShape, wishes: Wishes) -> int:
    """Return how many pairs of partners break a wish if these units sit in the order of places."""
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
    numbered = number_tables(question, balance_seats(question, rounds))
    rounds = choose_first_dealers(question, numbered)
    return SeatingPlan(rounds=rounds, account=account_for(question, rounds))
