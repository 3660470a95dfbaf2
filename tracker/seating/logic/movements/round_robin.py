"""Round robin by the circle method, also when people come and go."""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import gcd
from random import Random

from games.errors import gettext_noop
from tracker.seating.logic.movements.account import account
from tracker.seating.logic.movements.groups import Cost, cheapest, split
from tracker.seating.logic.movements.met import (
    evenly_opened,
    numbered,
    pair,
    refuse_meeting,
    strangers,
    times_met,
    times_opened,
    times_rested,
    times_seated,
)
from tracker.seating.logic.movements.seam import (
    OpenedBy,
    Question,
    RoundSeating,
    SeatingPlan,
    TableSeating,
    UnseatableError,
)

TRIES = 12  # more find a better way on for few units, and take too long for many


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleRow:
    """A round of the schedule: who meets whom, besides the tables that are locked; who rests."""

    tables: tuple[tuple[int, ...], ...]
    resting: tuple[int, ...] = ()
    locked: tuple[TableSeating, ...] = ()

    @property
    def met(self) -> tuple[tuple[int, ...], ...]:
        """Return all who meet, locked tables too."""
        return (*(table.units for table in self.locked), *self.tables)


def plan(question: Question) -> SeatingPlan:
    """Plan all the rounds asked for, so that all units meet once before any meet twice.

    Pairs follow Berger's tables (FIDE Handbook C.05, annex 1), which are the circle method;
    the second time round, whoever opened does not. Where people came or went since, or who
    must not meet would, each round left is matched with as few repeats as can be found.
    Tables of three and more follow a transversal design while it lasts. The unit at place 0
    opens, and nobody opens more than one round more than another who played as long.

    :raises UnseatableError: if those who must not meet leave no way to seat the others.
    """
    pairs = question.shape.size == 2
    rows = _matched(question, _circle(question)) if pairs else _in_groups(question)
    rounds = _seated(question, _evenly(question, rows))
    return SeatingPlan(rounds=rounds, account=account(question, rounds))


def rounds_left(units: Collection[int], size: int, met: Mapping[tuple[int, int], int]) -> int:
    """Return the fewest rounds in which all units can meet whom they have not met, 0 at the end.

    >>> rounds_left(range(5), 2, {}), rounds_left(range(3), 2, {(0, 1): 1, (0, 2): 1, (1, 2): 2})
    (5, 0)
    """
    left = [two for two in combinations(sorted(units), 2) if not met.get(two)]
    a_round = len(units) // size * math.comb(size, 2)
    if not left or not a_round:
        return 0
    most = max(Counter(unit for two in left for unit in two).values())
    return max(-(-most // (size - 1)), -(-len(left) // a_round))


def _seated(question: Question, rows: Sequence[ScheduleRow]) -> tuple[RoundSeating, ...]:
    """Return the rounds with tables numbered, and place 0 to open them where turns decide."""
    dice = Random(f"{question.seed}:openers")
    rounds = []
    for row in rows:
        tables = list(row.locked)
        for units in row.tables:
            opener = 0 if question.opened_by is OpenedBy.TURN else None
            if question.opened_by is OpenedBy.LOT:
                opener = dice.randrange(len(units))
            tables.append(TableSeating(shape=question.shape, units=units, opener=opener))
        rounds.append(RoundSeating(tables=numbered(question, tables), resting=row.resting))
    return tuple(rounds)


def _circle(question: Question) -> list[ScheduleRow]:
    """Return the rows of Berger's tables that are next, as far as they still hold.

    They hold while the rounds played were theirs, but for those who were not there: one who
    left gives a rest to the others in turn, and one who came takes the chair to rest in.
    """
    units = question.present[0]
    constant = all(set(units) == set(present) for present in question.present)
    if len(units) < 2 or question.locked or not constant:
        return []
    gaps = range(len(units), -1, -1) if len(units) % 2 else [0]
    forbidden = strangers(question)
    for gap in gaps:
        places = [*units[:gap], None, *units[gap:]] if len(units) % 2 else [*units]
        rows = [_row(places, number) for number in range(len(question.played) + question.rounds)]
        matches = [
            _matches(row, played, units) for row, played in zip(rows, question.played, strict=False)
        ]
        if None not in matches:
            last = len(rows) if all(matches) else max(len(question.played), len(places) - 1)
            coming = rows[len(question.played) : last]
            meet = {pair(*table) for row in coming for table in row.tables}
            return [] if meet & forbidden else coming
    return []


def _row(places: Sequence[int | None], number: int) -> ScheduleRow:
    """Return the round of this number, from 0; a unit paired with the empty place rests."""
    cycle, row = divmod(number, len(places) - 1)
    met = [(places[place], places[other]) for place, other in berger(len(places), row)]
    tables = [(unit, other) for unit, other in met if unit is not None and other is not None]
    return ScheduleRow(
        tables=tuple(table[::-1] if cycle % 2 else table for table in tables),
        resting=tuple(unit for two in met if None in two for unit in two if unit is not None),
    )


def _matches(row: ScheduleRow, played: RoundSeating, units: Sequence[int]) -> bool | None:
    """Return whether *played* was all of this row, or ``None`` if it was another row."""
    still = {frozenset(t.units) for t in played.tables if set(t.units) <= set(units)}
    due = {frozenset(table) for table in row.tables}
    here = played.units
    if still != {table for table in due if table <= here}:
        return None
    return still == due and here == set(units)


def _matched(question: Question, rows: Sequence[ScheduleRow]) -> list[ScheduleRow]:
    """Return *rows*, and after them the rounds in which fewest meet again, of several tries."""
    if len(rows) == question.rounds:
        return list(rows)
    tries = []
    for number in range(TRIES):
        tries.append(_one_way_on(question, rows, Random(f"{question.seed}:{number}")))
        if not any(tries[-1][0]):
            break
    return min(tries, key=lambda way: way[0])[1]


def _one_way_on(
    question: Question, rows: Sequence[ScheduleRow], rng: Random
) -> tuple[tuple[int, ...], list[ScheduleRow]]:
    """Return *rows* and the rounds after them, each the best for itself, and what they repeat."""
    way = list(rows)
    met, rested = times_met(question.played), times_rested(question.played)
    for row in rows:
        met.update(pair(*table) for table in row.met)
        rested.update(row.resting)
    total: tuple[int, ...] = (0, 0, 0)
    for present in question.present[len(rows) :]:
        locked = question.locked if not way else ()
        units = sorted(set(present) - (question.locked_units if locked else set()))
        least = min((rested[unit] for unit in units), default=0)
        forbidden = strangers(question)
        meetings: dict[tuple[int, int], Cost] = {
            two: (0, int(met[two] > 0), met[two], rng.randrange(1000))
            for two in combinations(units, 2)
            if two not in forbidden
        }
        rests: dict[int, Cost] = {
            unit: ((rested[unit] - least) ** 2, 0, 0, rng.randrange(1000)) for unit in units
        }
        pairing = cheapest(units, meetings, rests, len(units) % 2)
        if pairing is None:
            raise UnseatableError(
                "nobody-to-meet",
                gettext_noop("There are no tables at which all of %(who)s stay apart who must."),
                units=tuple(sorted({unit for two in forbidden for unit in two})),
            )
        total = tuple(map(sum, zip(total, pairing.cost[:3] or (0, 0, 0), strict=True)))
        way.append(ScheduleRow(tables=pairing.pairs, resting=pairing.resting, locked=locked))
        met.update(pair(*table) for table in way[-1].met)
        rested.update(pairing.resting)
    return total, way


def _evenly(question: Question, rows: Sequence[ScheduleRow]) -> list[ScheduleRow]:
    """Return *rows* with every table turned so that openings are even."""
    opened, seated = times_opened(question), times_seated(question.played)
    for row in rows:
        for table in row.locked:
            seated.update(table.units)
            if table.opener is not None:
                opened[table.units[table.opener]] += 1
    tables = [table for row in rows for table in row.tables]
    turned = iter(evenly_opened(tables, question.shape.size, opened, seated))
    return [replace(row, tables=tuple(next(turned) for _ in row.tables)) for row in rows]


def _in_groups(question: Question) -> list[ScheduleRow]:
    """Return rows of tables of three and more, in which few meet again."""
    met, rested = times_met(question.played), times_rested(question.played)
    rows: list[ScheduleRow] = []
    for index, present in enumerate(question.present):
        dice = Random(f"{question.seed}:{len(question.played) + index}")
        locked = question.locked if not index else ()
        at_table = question.locked_units if locked else set()
        units = [unit for unit in present if unit not in at_table]
        turn = sorted(units, key=lambda unit: (rested[unit], dice.random()))
        resting = set(turn[: len(units) % question.shape.size])
        units = [unit for unit in units if unit not in resting]
        row = ScheduleRow(
            tables=tuple(map(tuple, _groups(question, units, index, met, dice))),
            resting=tuple(unit for unit in present if unit in resting),
            locked=locked,
        )
        rows.append(row)
        met.update(two for group in row.met for two in combinations(sorted(group), 2))
        rested.update(resting)
    return rows


def _groups(
    question: Question,
    units: Sequence[int],
    index: int,
    met: Counter[tuple[int, int]],
    dice: Random,
) -> list[list[int]]:
    """Return the tables of one round: of a design if no units meet again, else by search."""
    forbidden = strangers(question)
    groups = transversal(units, question.shape.size, len(question.played) + index)
    meetings = [two for group in groups for two in combinations(sorted(group), 2)]
    if groups and not any(met[two] or two in forbidden for two in meetings):
        return groups

    def cost(unit: int, other: int) -> int:
        return met[pair(unit, other)] + 10**6 * (pair(unit, other) in forbidden)

    shaken = dice.sample(units, len(units))
    groups = split(shaken, question.shape.size, cost, dice, enough=0)
    refuse_meeting(
        question, [TableSeating(shape=question.shape, units=tuple(group)) for group in groups]
    )
    return groups


def berger(places: int, row: int) -> tuple[tuple[int, int], ...]:
    """Return a row of Berger's tables, from 0, for an even number of *places*, also from 0.

    >>> berger(8, 1)
    ((7, 4), (5, 3), (6, 2), (0, 1))
    """
    moving = places - 1
    round_by = row * places // 2
    fixed = (round_by % moving, moving)
    return (
        fixed if row % 2 == 0 else fixed[::-1],
        *(
            ((place + round_by) % moving, (moving - place + round_by) % moving)
            for place in range(1, places // 2)
        ),
    )


def transversal(units: Sequence[int], size: int, row: int) -> list[list[int]]:
    """Return a row of a transversal design: no two meet again in as many rounds as tables.

    The units are *size* classes of as many as there are tables, and class ``c`` moves on by
    ``c`` tables a round. Two of two classes meet once if no difference of classes shares a
    divisor with the number of tables; where one does, there is no such row here.
    """
    tables = len(units) // size
    if row >= tables or any(gcd(tables, step) > 1 for step in range(1, size)):
        return []
    return [
        [units[each * tables + (table + each * row) % tables] for each in range(size)]
        for table in range(tables)
    ]
