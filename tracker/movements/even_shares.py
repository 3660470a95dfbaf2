"""Turns shared out evenly: in each group of units one has a turn, as of four at a table to deal first.

For the *share* of a unit see ``turns``.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, inf
from typing import TypeAlias

GroupKey: TypeAlias = tuple[int, int]  # the index of a round, and of a group of units in it
Turn: TypeAlias = tuple[int, int]  # a unit, and which of its turns, from 1


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
    least *tie*, then the first in the group. *given* are turns that are settled.

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
    n before. It is *needed* if ``least`` is n in the end. Turns that are *given* stay.
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
    return {**chosen, **{key: unit for key, (unit, _) in turn_of.items()}}


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
