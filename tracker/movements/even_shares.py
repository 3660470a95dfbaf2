"""Turns shared out evenly: in each group of units one has a turn, as of four at a table to deal first.

For the *share* of a unit see ``turns``.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, inf, lcm
from typing import TypeAlias

GroupKey: TypeAlias = tuple[int, int]  # the index of a round, and of a group of units in it
Turn: TypeAlias = tuple[int, int]  # a unit, and which of its turns, from 1
Stop: TypeAlias = tuple[int, GroupKey] | None  # a unit in one of its groups; ``None`` is the end


@dataclass(slots=True)
class _Course:
    """The groups of a unit, round by round, and the bounds of its turns up to and with each."""

    groups: list[GroupKey] = field(default_factory=list)
    # What it is owed: its share until then, less the turns that it had ahead of it before. ``least``
    # is that rounded down, ``most`` rounded up.
    owed: list[Fraction] = field(default_factory=list)
    least: list[int] = field(default_factory=list)
    most: list[int] = field(default_factory=list)


def share_evenly(
    groups: Mapping[GroupKey, Sequence[int]],
    ahead: Callable[[int], Fraction],
    *,
    given: Mapping[GroupKey, int] | None = None,
    tie: Callable[[int], tuple[float, ...]] = lambda _unit: (),
) -> dict[GroupKey, int]:
    """Return the unit of each group that has a turn, so that all have their share of the turns.

    The *groups* are in order of the rounds, and *ahead* returns how many turns a unit had more than
    its share before. After each round, each unit has had its share, rounded up or down, if any
    choice allows that. Between such choices the most urgent unit has the turn, then the one with the
    least *tie*, then the first in the group. If no choice allows it, turns and shares differ as
    little as they can: by squares, added up over all rounds, so that whoever misses a turn has it
    soon. *given* are turns that are settled.

    >>> share_evenly({(0, 0): (1, 2), (1, 0): (1, 3), (2, 0): (1, 2)}, lambda unit: Fraction())
    {(0, 0): 1, (1, 0): 3, (2, 0): 2}
    """
    units_in, groups_in = Counter[int](), Counter[int]()
    for (index, _), group in groups.items():
        units_in[index] += len(group)
        groups_in[index] += 1
    courses: dict[int, _Course] = {}
    for key, group in groups.items():
        for unit in group:
            course = courses.setdefault(unit, _Course())
            owed = course.owed[-1] if course.owed else -ahead(unit)
            owed += Fraction(groups_in[key[0]], units_in[key[0]])
            course.groups.append(key)
            course.owed.append(owed)
            # Nobody has more turns than rounds.
            course.least.append(min(floor(owed), len(course.owed)))
            course.most.append(ceil(owed))
    chosen = _most_urgent(groups, courses, given or {}, tie)
    return _within_bounds(courses, chosen, given or {})


def _most_urgent(
    groups: Mapping[GroupKey, Sequence[int]],
    courses: Mapping[int, _Course],
    given: Mapping[GroupKey, int],
    tie: Callable[[int], tuple[float, ...]],
) -> dict[GroupKey, int]:
    """Return the unit of each group that has a turn, chosen round by round without looking ahead."""
    times, rounds_played = dict.fromkeys(courses, 0), dict.fromkeys(courses, 0)
    chosen: dict[GroupKey, int] = {}

    def sort_key(unit: int) -> tuple[object, ...]:
        course, so_far, index = courses[unit], times[unit], rounds_played[unit]
        above_most = max(0, so_far + 1 - course.most[index])
        late = bisect_right(course.least, so_far)  # the round in which it has too few turns
        rounds_left = max(0, late - index) if late < len(course.least) else inf
        return above_most, rounds_left, so_far - course.owed[index], tie(unit)

    for key, group in groups.items():
        chosen[key] = given[key] if key in given else min(group, key=sort_key)
        times[chosen[key]] += 1
        for unit in group:
            rounds_played[unit] += 1
    return chosen


def _within_bounds(
    courses: Mapping[int, _Course], chosen: Mapping[GroupKey, int], given: Collection[GroupKey]
) -> dict[GroupKey, int]:
    """Return the *chosen* units, changed so that all have their turns within the bounds.

    Turn n of a unit is possible in a round if ``most`` is at least n by then, and ``least`` was not
    n before. It is *needed* if ``least`` is n in the end. Turns that are *given* stay. If a needed
    turn has no such round, or a group no such turn, turns are nearest to the shares instead.
    """
    groups_of: dict[Turn, list[GroupKey]] = {}  # the groups in which each turn is possible
    needed: set[Turn] = set()
    turn_of: dict[GroupKey, Turn] = {}
    for unit, course in courses.items():
        needed.update((unit, n) for n in range(1, course.least[-1] + 1))
        times = least_before = 0
        for key, least, most in zip(course.groups, course.least, course.most, strict=True):
            possible = range(max(1, least_before + 1), most + 1)
            for n in possible if key not in given else ():
                groups_of.setdefault((unit, n), []).append(key)
            if chosen[key] == unit:
                times += 1
                if times in possible or key in given:
                    turn_of[key] = unit, times
            least_before = least
    groups_of.update({turn_of[key]: [key] for key in given})
    for turn in sorted(groups_of, key=lambda turn: (turn not in needed, turn)):
        missing = turn in needed or len(turn_of) < len(chosen)
        if missing and turn not in turn_of.values():
            turn_of |= _augmenting_path(turn, groups_of, turn_of, needed)
    within = {**chosen, **{key: unit for key, (unit, _) in turn_of.items()}}
    if len(turn_of) == len(chosen) and needed.issubset(turn_of.values()):
        return within
    return _nearest_to_shares(courses, within, given)


def _augmenting_path(
    first: Turn,
    groups_of: Mapping[Turn, Sequence[GroupKey]],
    turn_of: Mapping[GroupKey, Turn],
    needed: Collection[Turn],
) -> dict[GroupKey, Turn]:
    """Return new turns of groups by which the *first* turn has one too; empty if there are none.

    The turn takes one of its groups, the turn of that takes another, and so on on the shortest way,
    until a group has no turn, or has one that is not needed while the first is.
    """
    taken_by: dict[GroupKey, Turn] = {}
    reached = [first]
    for turn in reached:  # it grows while the search goes on
        for key in groups_of[turn]:
            if key in taken_by:
                continue
            taken_by[key] = turn
            other = turn_of.get(key)
            if other is not None and (first not in needed or other in needed):
                reached.append(other)
                continue
            # Back from the last group to the first turn.
            group_of = {turn: key for key, turn in turn_of.items()}
            path, back = {key: turn}, turn
            while back != first:
                before = group_of[back]
                path[before] = back = taken_by[before]
            return path
    return {}


def _nearest_to_shares(
    courses: Mapping[int, _Course], chosen: Mapping[GroupKey, int], given: Collection[GroupKey]
) -> dict[GroupKey, int]:
    """Return the *chosen* units, changed so that turns and shares differ least, by squares.

    This is a flow of minimum cost, found by cancelling negative cycles.
    """
    nearest = dict(chosen)
    while better := _negative_cycle(list(_moves(courses, nearest, given))):
        nearest |= better
    return nearest


def _moves(
    courses: Mapping[int, _Course], chosen: Mapping[GroupKey, int], given: Collection[GroupKey]
) -> Iterator[tuple[Stop, Stop, int]]:
    """Yield the edges of the residual network: from, to, and the change of the sum of squares.

    Turns flow from their groups through the later groups of their units to the end. A turn more at a
    stop moves on to the next one, and a turn less moves back. Within a group the turn moves from the
    unit that has it to another.
    """
    scale = lcm(*(owed.denominator for course in courses.values() for owed in course.owed))
    rounds = 1 + max(index for index, _ in chosen)
    for unit, course in courses.items():
        times = 0
        later = [*course.groups[1:], None]
        for key, after, owed in zip(course.groups, later, course.owed, strict=True):
            times += chosen[key] == unit
            # What it has then it keeps through the rounds in which it is in no group.
            lasts = (after[0] if after else rounds) - key[0]
            ahead = times * scale - owed.numerator * (scale // owed.denominator)
            # The square of n + 1 is 1 + 2n more than that of n, and that of n - 1 is 1 - 2n more.
            stop, next_stop = (unit, key), (unit, after) if after else None
            yield stop, next_stop, lasts * (scale + 2 * ahead)
            yield next_stop, stop, lasts * (scale - 2 * ahead)
            if chosen[key] != unit and key not in given:
                yield (chosen[key], key), stop, 0


def _negative_cycle(moves: Sequence[tuple[Stop, Stop, int]]) -> dict[GroupKey, int]:
    """Return the new units of groups by one cycle of moves that lowers the sum; empty without one.

    It is found as Bellman and Ford do. Without such a cycle the sum is the least.
    """
    cost: dict[Stop, int] = dict.fromkeys((stop for move in moves for stop in move[:2]), 0)
    before: dict[Stop, Stop] = {}
    cheaper = True
    while cheaper:
        cheaper = False
        for stop, other, rise in moves:
            if cost[stop] + rise < cost[other]:
                cost[other], before[other] = cost[stop] + rise, stop
                cheaper = True
        if cycle := _cycle_in(before):
            steps = zip(cycle, [*cycle[1:], cycle[0]], strict=True)
            return {to[1]: to[0] for to, stop in steps if to and stop and to[1] == stop[1]}
    return {}


def _cycle_in(before: Mapping[Stop, Stop]) -> list[Stop]:
    """Return a cycle of the graph in which each stop points to the one *before* it, or []."""
    passed = set[Stop]()
    for start in before:
        way, stop = list[Stop](), start
        while stop in before and stop not in passed:
            passed.add(stop)
            way.append(stop)
            stop = before[stop]
        if stop in way:
            return way[way.index(stop) :]
    return []
