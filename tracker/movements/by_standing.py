"""Movements by the standing: equals together, strong with weak, and the ladder.

On the ladder tables are ranked: each is a *rung*, 0 the highest. Winners move up, losers down.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import factorial
from random import Random

from games.errors import gettext_noop
from tracker.movements import meetings
from tracker.movements.frames import round_frames
from tracker.movements.matching import split_into_tables
from tracker.movements.plan_account import one_round_plan
from tracker.movements.table_filling import complete_plan, fill, partner_clashes
from tracker.movements.turns import TurnCounts, Turns, lowest_to_rest
from tracker.movements.types import (
    MeetingKind,
    Question,
    SeatingPlan,
    TableSeating,
    TableShape,
    UnseatableError,
    Wishes,
)

SHUFFLES = 720  # orders of a table's units to try: all orders of six units, of more some by lot


def ladder(question: Question) -> SeatingPlan:
    """Plan the coming round only: the first one by seeds, others by the results of the last round.

    In the first round unseeded units follow, in order of the standing, then of entry. Later the
    better half of a table moves up one table, the other half down; the middle one of an odd number
    stays. Equal results are ordered by the standing, then by lot. Units that rested or are new come
    in at the bottom. Of those who rested least, the lowest on the ladder rest. At tables with
    partners, units that were partners least often are partners. Tables are labelled ``ladder:1``
    from the top. No opener is named: place 0 is for the unit that opened least.
    """
    units = [unit for unit in _units_from_the_top(question) if unit not in question.locked_units]
    turns = Turns.before(question)
    resting = lowest_to_rest(units, len(units) % question.shape.size, turns.rests)
    groups = _groups_apart(question, [unit for unit in units if unit not in resting])
    locked = {_rung(table) for table in question.locked}
    # A locked table without label and number counts as the top. Some free rungs may be left over.
    free = (rung for rung in range(len(groups) + len(locked)) if rung not in locked)
    seated = [
        TableSeating(
            shape=question.shape,
            units=_placed(question, group, turns.openings),
            label=f"ladder:{rung + 1}",
        )
        for rung, group in zip(free, groups, strict=False)
    ]
    meetings.check_apart(question, seated)
    from_the_top = sorted((*question.locked, *seated), key=_rung)
    at_rest = [unit for unit in units if unit in resting]
    template = gettext_noop("%(who)s: the lowest on the ladder of those who sat out least.")
    return one_round_plan(question, from_the_top, at_rest, "rests-at-the-bottom", template)


def _rung(table: TableSeating, index: int = 0) -> int:
    """Return a table's rung: by its label, else its number, else *index*, that in its round."""
    if table.label.startswith("ladder:"):
        return int(table.label.removeprefix("ladder:")) - 1
    return index if table.number is None else table.number - 1


def _units_from_the_top(question: Question) -> list[int]:
    """Return the units present in their order on the ladder, after the moves of the last round."""
    present = question.present[0]
    levels = meetings.by_standing(question, present)
    standing = [unit for level in levels for unit in level]
    if not question.played:
        seed = {unit: index for index, unit in enumerate(question.seeds)}
        return sorted(standing, key=lambda unit: seed.get(unit, len(present)))
    lot = sorted(present)
    Random(f"{question.seed}:{len(question.played)}").shuffle(lot)
    rank = {unit: index for index, level in enumerate(levels) for unit in level}
    lot_of = {unit: index for index, unit in enumerate(lot)}

    def strength(result: tuple[int, tuple[Fraction | int, ...]]) -> tuple[object, int, int]:
        # The larger, the better: result, then standing, then lot. Units that left have no rank.
        unit, merit = result
        return merit, -rank.get(unit, 0), -lot_of.get(unit, 0)

    tables = sorted(enumerate(question.played[-1].tables), key=lambda item: _rung(item[1], item[0]))
    rungs: list[list[int]] = [[] for _ in tables]
    for rung, (_, table) in enumerate(tables):
        merits = table.merits or ((),) * len(table.units)
        best_first = sorted(zip(table.units, merits, strict=True), key=strength, reverse=True)
        half = len(best_first) // 2
        for index, (unit, _) in enumerate(best_first):
            # One rung up (-1) in the better half, one down (1) in the other, 0 in the middle.
            step = -1 if index < half else int(index >= len(best_first) - half)
            rungs[min(max(rung + step, 0), len(rungs) - 1)].append(unit)
    from_tables = [unit for rung in rungs for unit in rung if unit in present]
    return [*from_tables, *(unit for unit in standing if unit not in set(from_tables))]


def _groups_apart(question: Question, units: Sequence[int]) -> list[list[int]]:
    """Return the units of each rung, with neighbours swapped if two units must not meet."""
    size = question.shape.size
    groups = [list(units[start : start + size]) for start in range(0, len(units), size)]
    forbidden = meetings.forbidden_pairs(question)
    pairs = (meetings.pair(*two) for group in groups for two in combinations(group, 2))
    if forbidden.isdisjoint(pairs):
        return groups
    rung = {unit: index // size for index, unit in enumerate(units)}
    penalty = 1 + len(units) ** 4  # more than all distances together

    def cost(unit: int, other: int) -> int:
        must_not_meet = meetings.pair(unit, other) in forbidden
        return (rung[unit] - rung[other]) ** 2 + penalty * must_not_meet

    dice = Random(f"{question.seed}:apart")
    groups = split_into_tables(units, size, cost, dice, enough=penalty - 1)
    return sorted(groups, key=lambda group: sum(rung[unit] for unit in group))


def _placed(question: Question, group: Sequence[int], openings: TurnCounts) -> tuple[int, ...]:
    """Place units: no forbidden partners, few repeated ones, then who opened least at place 0."""
    ahead = {unit: openings.ahead(unit) for unit in group}
    by_openings = tuple(sorted(group, key=lambda unit: (ahead[unit], group.index(unit))))
    if question.shape.individual:
        return by_openings
    partnered = meetings.times_met(question.played, MeetingKind.PARTNERS)
    shape, wishes = question.shape, question.wishes

    def cost(units: tuple[int, ...]) -> tuple[int, int, Fraction]:
        again = sum(partnered[two] for two in meetings.partners(units, shape))
        return partner_clashes(units, shape, wishes), again, ahead[units[0]]

    orders: Iterable[tuple[int, ...]] = permutations(by_openings)
    if factorial(len(by_openings)) > SHUFFLES:
        dice = Random(question.seed)
        orders = (tuple(dice.sample(by_openings, len(by_openings))) for _ in range(SHUFFLES))
    best = min(orders, key=cost)
    if partner_clashes(best, shape, wishes):
        text = gettext_noop("%(who)s must not be partners, and at their table somebody has to be.")
        units = set(group) & frozenset().union(*wishes.not_partners)
        raise UnseatableError("must-not-partner", text, units=tuple(sorted(units)))
    return best


def equals(question: Question) -> SeatingPlan:
    """Seat the best units at one table, the next at another, and so on.

    At a table of two pairs the first partners the fourth against the second and the third.
    """
    return _plan(question, snake=False)


def strong_with_weak(question: Question) -> SeatingPlan:
    """Give every table a mix of strong and weak units, and strong units weak partners."""
    return _plan(question, snake=True)


def _plan(question: Question, *, snake: bool) -> SeatingPlan:
    """Plan the coming round by the standing. The lot orders level units, and new ones come last.

    Tables are filled one after the other, or as a *snake*: the best unit at the first table, the
    next at the second and so on, then back from the last table to the first.
    """
    if question.rounds > 1:
        template = gettext_noop("Who sits where by the standings is known for one round at a time.")
        raise UnseatableError("not-ahead", template)
    (frame,) = round_frames(question)
    dice = Random(f"{question.seed} standing")
    newcomers = set(frame.units).difference(*question.standing)
    levels = [sorted(level) for level in (*question.standing, newcomers)]
    ordered = (unit for level in levels for unit in dice.sample(level, len(level)))
    row = [unit for unit in ordered if unit in frame.units]
    # From 1 for the best. Level units all have the middle of the ranks that they take up.
    rank: dict[int, Fraction] = {}
    for level in levels:
        present = [unit for unit in level if unit in frame.units]
        rank |= dict.fromkeys(present, len(rank) + Fraction(len(present) + 1, 2))
    partnered = meetings.times_met(question.played, MeetingKind.PARTNERS)
    tables = fill(frame, row, question, snake=snake)
    seated = [
        TableSeating(shape=shape, units=_fair_sides(units, shape, rank, partnered, question.wishes))
        for shape, units in zip(frame.shapes, tables, strict=True)
    ]
    return complete_plan(question, (seated,))


def _fair_sides(
    units: Sequence[int],
    shape: TableShape,
    rank: Mapping[int, Fraction],
    partnered: Mapping[tuple[int, int], int],
    wishes: Wishes,
) -> tuple[int, ...]:
    """Return the unit at each place: sides of nearly equal strength, then few *partnered* before.

    >>> ranks = {unit: Fraction(unit) for unit in range(1, 5)}
    >>> _fair_sides((1, 2, 3, 4), TableShape("4t2", ((0, 2), (1, 3))), ranks, {}, Wishes())
    (1, 2, 4, 3)
    """
    if shape.individual:
        return tuple(units)

    def cost(order: Sequence[int]) -> tuple[int, Fraction, int]:
        # The sum of the ranks of each side.
        strengths = [sum(rank[order[place]] for place in side) for side in shape.sides]
        again = sum(partnered.get(two, 0) for two in meetings.partners(order, shape))
        spread = Fraction(max(strengths) - min(strengths))
        return partner_clashes(order, shape, wishes), spread, again

    return min(permutations(units), key=cost)
