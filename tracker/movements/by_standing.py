"""Movements by the standing: equals together, strong with weak, and the ladder.

On the ladder tables are ranked: winners move up a table, and losers down.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from random import Random

from games.errors import gettext_noop
from tracker.movements.matching import split_into_tables
from tracker.movements.meetings import (
    by_standing,
    check_apart,
    forbidden_pairs,
    number_in_order,
    openings_ahead,
    pair,
    partners,
    times_met,
    times_rested,
)
from tracker.movements.plan_account import account_for
from tracker.movements.table_filling import complete_plan, fill, partner_clashes
from tracker.movements.turn_order import round_frames
from tracker.movements.types import (
    MeetingKind,
    PlanNote,
    Question,
    RoundSeating,
    SeatingPlan,
    TableSeating,
    TableShape,
    UnseatableError,
    Wishes,
)

SHUFFLES = 720  # orders to try: all orders of six units


def ladder(question: Question) -> SeatingPlan:
    """Plan the coming round only: the first by seeds, standing or number, the next by results.

    The better half of a table moves up one table, the other half down; the middle one of an odd
    number stays. Level units are ordered by the standing, then by lot. Units that rested or are
    new come in at the bottom. Of those who rested least, the lowest on the ladder rest. At tables
    with partners, units that were partners least often are partners. Tables are labelled
    ``ladder:1`` from the top. No opener is named: place 0 is for the unit that opened least.
    """
    ladder = [unit for unit in _ladder(question) if unit not in question.locked_units]
    rested = times_rested(question.played)
    turn = sorted(range(len(ladder)), key=lambda rung: (rested[ladder[rung]], -rung))
    resting = {ladder[rung] for rung in turn[: len(ladder) % question.shape.size]}
    groups = _apart(question, [unit for unit in ladder if unit not in resting])
    taken = {_rung(table, 0) for table in question.locked}
    free = (rung for rung in range(len(groups) + len(taken)) if rung not in taken)
    seated = [
        TableSeating(
            shape=question.shape, units=_placed(question, group), label=f"ladder:{rung + 1}"
        )
        for rung, group in zip(free, groups, strict=False)
    ]
    check_apart(question, seated)
    everything = sorted((*question.locked, *seated), key=lambda table: _rung(table, 0))
    coming = RoundSeating(
        tables=number_in_order(question, everything),
        resting=tuple(unit for unit in ladder if unit in resting),
    )
    note = PlanNote(
        code="rests-at-the-bottom",
        template=gettext_noop("%(who)s: the lowest on the ladder of those who sat out least."),
        units=coming.resting,
        round=len(question.played) + 1,
    )
    reasons = [note] if resting else []
    return SeatingPlan(rounds=(coming,), account=account_for(question, [coming], reasons=reasons))


def _rung(table: TableSeating, index: int) -> int:
    """Return the rung of a table, from 0: by its label, else its number, else where it is."""
    if table.label.startswith("ladder:"):
        return int(table.label.removeprefix("ladder:")) - 1
    return index if table.number is None else table.number - 1


def _ladder(question: Question) -> list[int]:
    """Return the units present from the top of the ladder to the bottom."""
    present = question.present[0]
    standing = [unit for level in by_standing(question, present) for unit in level]
    if not question.played:
        seeded = {unit: index for index, unit in enumerate(question.seeds)}
        return sorted(standing, key=lambda unit: seeded.get(unit, len(present)))
    shuffled = sorted(present)
    Random(f"{question.seed}:{len(question.played)}").shuffle(shuffled)
    levels = by_standing(question, shuffled)  # level units are in the order of the lot
    better = {unit: place for place, level in enumerate(levels) for unit in level}
    lot = {unit: index for index, unit in enumerate(shuffled)}
    tables = sorted(
        enumerate(question.played[-1].tables), key=lambda numbered: _rung(numbered[1], numbered[0])
    )
    rungs: list[list[int]] = [[] for _ in tables]
    for rung, (_, table) in enumerate(tables):
        merits = table.merits or ((),) * len(table.units)
        order = sorted(
            zip(table.units, merits, strict=True),
            key=lambda sat: (better.get(sat[0], 0), lot.get(sat[0], 0)),
        )
        order.sort(key=lambda sat: sat[1], reverse=True)
        half = len(order) // 2
        for position, (unit, _) in enumerate(order):
            step = -1 if position < half else int(position >= len(order) - half)
            rungs[min(max(rung + step, 0), len(rungs) - 1)].append(unit)
    ladder = [unit for rung in rungs for unit in rung if unit in lot]
    return [*ladder, *(unit for unit in standing if unit not in set(ladder))]


def _apart(question: Question, climbing: Sequence[int]) -> list[list[int]]:
    """Return the tables from the top, with neighbours swapped if two units must not meet."""
    size = question.shape.size
    groups = [list(climbing[start : start + size]) for start in range(0, len(climbing), size)]
    forbidden = forbidden_pairs(question)
    if not any(pair(*two) in forbidden for group in groups for two in combinations(group, 2)):
        return groups
    rung = {unit: index // size for index, unit in enumerate(climbing)}
    penalty = 1 + len(climbing) ** 4

    def cost(unit: int, other: int) -> int:
        return (rung[unit] - rung[other]) ** 2 + penalty * (pair(unit, other) in forbidden)

    dice = Random(f"{question.seed}:apart")
    groups = split_into_tables(climbing, size, cost, dice, enough=penalty - 1)
    return sorted(groups, key=lambda group: sum(rung[unit] for unit in group))


def _placed(question: Question, group: Sequence[int]) -> tuple[int, ...]:
    """Return a table by place: few repeated partners, and at place 0 the unit that opened least."""
    ahead = openings_ahead(question, group)
    by_openings = tuple(sorted(group, key=lambda unit: (ahead[unit], group.index(unit))))
    if question.shape.individual:
        return by_openings
    partnered = times_met(question.played, MeetingKind.PARTNERS)
    shape, wishes = question.shape, question.wishes

    def cost(units: tuple[int, ...]) -> tuple[int, int, int]:
        again = sum(partnered[two] for two in partners(units, shape))
        return partner_clashes(units, shape, wishes), again, ahead[units[0]]

    orders: Iterable[tuple[int, ...]] = permutations(by_openings)
    if len(by_openings) > 6:
        dice = Random(question.seed)
        orders = (tuple(dice.sample(by_openings, len(by_openings))) for _ in range(SHUFFLES))
    best = min(orders, key=cost)
    if cost(best)[0]:
        raise UnseatableError(
            "must-not-partner",
            gettext_noop("%(who)s must not be partners, and at their table somebody has to be."),
            units=tuple(sorted({unit for two in wishes.not_partners for unit in two} & set(group))),
        )
    return best


def equals(question: Question) -> SeatingPlan:
    """Seat the best four at one table, the next four at another, and so on.

    The first partners the fourth of a table against the second and the third.
    """
    return _plan(question, snake=False)


def strong_with_weak(question: Question) -> SeatingPlan:
    """Give every table a mix of strong and weak units, and strong units weak partners."""
    return _plan(question, snake=True)


def _plan(question: Question, *, snake: bool) -> SeatingPlan:
    """Plan the coming round by the standing; level and new units are ordered by lot."""
    if question.rounds > 1:
        raise UnseatableError(
            "not-ahead",
            gettext_noop("Who sits where by the standings is known for one round at a time."),
        )
    (frame,) = round_frames(question)
    dice = Random(f"{question.seed} standing")
    newcomers = set(frame.units).difference(*question.places)
    levels = [sorted(level) for level in (*question.places, newcomers)]
    row = [
        unit for level in levels for unit in dice.sample(level, len(level)) if unit in frame.units
    ]
    rank: dict[int, Fraction] = {}
    for level in levels:
        present = [unit for unit in level if unit in frame.units]
        # Level units share the middle of their ranks.
        rank |= dict.fromkeys(present, len(rank) + Fraction(len(present) + 1, 2))
    partnered = times_met(question.played, MeetingKind.PARTNERS)
    tables = fill(frame, row, question, snake=snake)
    seated = [
        TableSeating(
            shape=shape, units=_by_strength(units, shape, rank, partnered, question.wishes)
        )
        for shape, units in zip(frame.shapes, tables, strict=True)
    ]
    return complete_plan(question, (seated,))


def _by_strength(
    units: Sequence[int],
    shape: TableShape,
    rank: Mapping[int, Fraction],
    partnered: Mapping[tuple[int, int], int],
    wishes: Wishes,
) -> tuple[int, ...]:
    """Return the units by place so that the sides are equally strong, then with few partners again.

    >>> ranks = {unit: Fraction(unit) for unit in range(1, 5)}
    >>> _by_strength((1, 2, 3, 4), TableShape("4t2", ((0, 2), (1, 3))), ranks, {}, Wishes())
    (1, 2, 4, 3)
    """
    if shape.individual:
        return tuple(units)

    def unfair(order: Sequence[int]) -> tuple[int, Fraction, int]:
        strengths = [sum(rank[order[place]] for place in side) for side in shape.sides]
        again = sum(partnered.get(two, 0) for two in partners(order, shape))
        spread = Fraction(max(strengths) - min(strengths))
        return partner_clashes(order, shape, wishes), spread, again

    return min(permutations(units), key=unfair)
