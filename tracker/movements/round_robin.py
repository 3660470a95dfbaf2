"""The round robin: all meet once before any meet twice, also if units come and go.

A *row* is a round of a known schedule, a *cycle* the whole of it.
"""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

from tracker.movements import meetings
from tracker.movements.even_shares import share_evenly
from tracker.movements.matching import Cost, Pairing, cheapest_pairing, split_into_tables
from tracker.movements.plan_account import account_for
from tracker.movements.stored_plans import berger, social_golfer
from tracker.movements.table_numbers import number_in_order
from tracker.movements.turns import TurnCounts, Turns, lowest_to_rest
from tracker.movements.types import (
    OpenedBy,
    Question,
    RoundSeating,
    SeatingPlan,
    TableKey,
    TableSeating,
    TableShape,
    tables_by_key,
    with_tables,
)

TRIES = 12  # to continue the rows; more would help little for few units, and take long for many


def plan(question: Question) -> SeatingPlan:
    """Plan all the rounds asked for, so that all units meet once before any meet twice.

    Pairs follow Berger's tables (FIDE Handbook C.05, annex 1), also known as the circle method; in
    the second cycle the other unit opens. If units came or went, or units would meet that must not,
    the rows end, and each later round is matched with as few repeats as a search finds. Tables of
    three and more follow a known schedule while it has rows. The unit at place 0 opens; the openings
    of units that played equally long differ by at most one.
    """
    rounds = _berger_rounds(question) if question.shape.size == 2 else []
    if len(rounds) < question.rounds:
        tries = []
        for number in range(TRIES):
            cost, continued = _continued(question, rounds, Random(f"{question.seed}:{number}"))
            tries.append((cost, continued))
            if not any(cost):
                break
        _, rounds = min(tries, key=lambda attempt: attempt[0])
    planned = _with_openers(question, rounds)
    return SeatingPlan(rounds=planned, account=account_for(question, planned))


def rounds_left(units: Collection[int], size: int, met: Mapping[tuple[int, int], int]) -> int:
    """Return the fewest rounds in which all pairs that have not met can meet.

    >>> rounds_left(range(5), 2, {}), rounds_left(range(3), 2, {(0, 1): 1, (0, 2): 1, (1, 2): 2})
    (5, 0)
    """
    pairs = [two for two in combinations(sorted(units), 2) if not met.get(two)]
    pairs_a_round = len(units) // size * math.comb(size, 2)
    if not pairs or not pairs_a_round:
        return 0
    most_of_a_unit = max(Counter(unit for two in pairs for unit in two).values())
    return max(math.ceil(most_of_a_unit / (size - 1)), math.ceil(len(pairs) / pairs_a_round))


def _with_openers(question: Question, planned: Sequence[RoundSeating]) -> tuple[RoundSeating, ...]:
    """Return the rounds with numbered tables at which the unit at place 0 opens, if in turn.

    The openers of the rows stay if all units open equally often, within one. Otherwise others open
    at the tables that are not locked.
    """
    dice, openings = Random(f"{question.seed}:openers"), Turns.before(question).openings
    tables = tables_by_key(planned)
    free: dict[TableKey, Sequence[int]] = {}  # the units of tables that are not locked
    for key, table in tables.items():
        if key[0] or table not in question.locked:
            free[key] = table.units
        else:
            openings.record_one(table.opening_unit, table.units)
    openers = {key: units[0] for key, units in free.items()}
    if not openings.stay_even(free.values()):
        openers = share_evenly(free, openings.ahead)
    for key, units in free.items():
        opener = 0 if question.opened_by is OpenedBy.TURN else None
        if question.opened_by is OpenedBy.LOT:
            opener = dice.randrange(len(units))
        others = (unit for unit in units if unit != openers[key])
        tables[key] = replace(tables[key], units=(openers[key], *others), opener=opener)
    return tuple(
        replace(seating, tables=number_in_order(question, seating.tables))
        for seating in with_tables(planned, tables)
    )


def _berger_rounds(question: Question) -> list[RoundSeating]:
    """Return the next rows of Berger's tables, as far as they apply.

    They apply if the played rounds followed them, apart from units that were absent. If the number
    of units is odd, one place is empty: the last, or where a unit left. A unit that comes takes it.
    """
    units = question.present[0]
    constant = all(set(units) == set(present) for present in question.present)
    if len(units) < 2 or question.locked or not constant:
        return []
    # An odd number of units leaves a place empty: try each, the last one first.
    gaps = range(len(units), -1, -1) if len(units) % 2 else [0]
    forbidden = meetings.forbidden_pairs(question)
    for gap in gaps:
        places = [*units[:gap], None, *units[gap:]] if len(units) % 2 else [*units]
        numbers = range(len(question.played) + question.rounds)
        rows = [_row(places, number, question.shape) for number in numbers]
        compared = zip(rows, question.played, strict=False)
        complete = [_was_complete(row, played, units) for row, played in compared]
        if None not in complete:
            # If pairs were missed as units were absent, the rows end with the first cycle.
            end = len(rows) if all(complete) else max(len(question.played), len(places) - 1)
            coming = rows[len(question.played) : end]
            return [] if forbidden.intersection(meetings.times_met(coming)) else coming
    return []


def _row(places: Sequence[int | None], number: int, shape: TableShape) -> RoundSeating:
    """Return the round of this number, from 0; a unit paired with the empty place rests."""
    cycle, row = divmod(number, len(places) - 1)
    pairs = [(places[place], places[other]) for place, other in berger(len(places), row)]
    tables = [(unit, other) for unit, other in pairs if unit is not None and other is not None]
    return RoundSeating(
        tables=tuple(
            TableSeating(shape=shape, units=table[::-1] if cycle % 2 else table) for table in tables
        ),
        resting=tuple(unit for two in pairs if None in two for unit in two if unit is not None),
    )


def _was_complete(row: RoundSeating, played: RoundSeating, units: Sequence[int]) -> bool | None:
    """Return whether *played* was this row with all *units*; ``None`` if it was no such row.

    Only tables are compared whose units are present now and were in that round.
    """
    of_units_now = {frozenset(t.units) for t in played.tables if set(t.units) <= set(units)}
    of_row = {frozenset(table.units) for table in row.tables}
    if of_units_now != {table for table in of_row if table <= played.units}:
        return None
    return of_units_now == of_row and played.units == set(units)


def _continued(
    question: Question, rows: Sequence[RoundSeating], rng: Random
) -> tuple[Cost, list[RoundSeating]]:
    """Return the cost of the rounds after *rows*, and *rows* followed by these rounds.

    The cost of a pair or a rest has four parts: uneven rests, 1 for a repeat, earlier meetings, and
    a lot that decides between equals. The returned cost has the sums of the first three. Larger
    tables cost nothing.
    """
    rounds, size = list(rows), question.shape.size
    with_rows = replace(question, played=(*question.played, *rows))
    met, rests = meetings.times_met(with_rows.played), Turns.before(with_rows).rests
    total: Cost = (0, 0, 0)
    for index, present in enumerate(question.present[len(rows) :], start=len(rows)):
        locked = () if index else question.locked
        units = [unit for unit in present if index or unit not in question.locked_units]
        groups: Sequence[Sequence[int]]
        resting: Collection[int]
        if size == 2:
            pairing = _pairing(question, units, met, rests, rng)
            groups, resting = pairing.pairs, pairing.resting
            # Without the lot; a round without pairs and rests has an empty cost.
            total = tuple(map(sum, zip(total, pairing.cost[:3] or (0, 0, 0), strict=True)))
        else:
            number = len(question.played) + index
            dice = Random(f"{question.seed}:{number}")
            resting = lowest_to_rest(dice.sample(units, len(units)), len(units) % size, rests)
            seated = [unit for unit in units if unit not in resting]
            groups = _groups(question, seated, number, met, dice)
        tables = [TableSeating(shape=question.shape, units=tuple(group)) for group in groups]
        meetings.check_apart(question, tables)
        in_order = tuple(unit for unit in present if unit in resting)
        rounds.append(RoundSeating(tables=(*locked, *tables), resting=in_order))
        met.update(meetings.times_met(rounds[-1:]))
        rests.times.update(resting)
    return total, rounds


def _pairing(
    question: Question,
    units: Sequence[int],
    met: Counter[tuple[int, int]],
    rests: TurnCounts,
    rng: Random,
) -> Pairing:
    """Return the cheapest pairs of a round; for the costs see `_continued`."""
    forbidden = meetings.forbidden_pairs(question)
    costs: dict[tuple[int, int], Cost] = {
        two: (0, int(met[two] > 0), met[two], rng.randrange(1000))
        for two in combinations(sorted(units), 2)
        if two not in forbidden
    }
    rest_costs: dict[int, Cost] = {
        unit: (uneven, 0, 0, rng.randrange(1000))
        for unit, uneven in rests.uneven_if_chosen(units).items()
    }
    pairing = cheapest_pairing(sorted(units), costs, rest_costs, len(units) % 2)
    if pairing is None:
        raise meetings.apart_refusal(forbidden)
    return pairing


def _groups(
    question: Question,
    units: Sequence[int],
    number: int,
    met: Counter[tuple[int, int]],
    dice: Random,
) -> list[list[int]]:
    """Return the units of each table: by a known schedule if none meet again, else by a search.

    *number* is that of the round, from 0, and *met* how often pairs have met.
    """
    forbidden, size = meetings.forbidden_pairs(question), question.shape.size
    rows = social_golfer(len(units) // size, size) if units else ()
    for row in rows[number : number + 1]:
        groups = [
            [units[player] for player in row[at : at + size]] for at in range(0, len(row), size)
        ]
        pairs = [two for group in groups for two in combinations(sorted(group), 2)]
        if not any(met[two] or two in forbidden for two in pairs):
            return groups

    def cost(unit: int, other: int) -> int:
        two = meetings.pair(unit, other)
        return met[two] + (10**6 if two in forbidden else 0)

    shuffled = dice.sample(units, len(units))
    return split_into_tables(shuffled, size, cost, dice, enough=0)
