"""First dealers of all tables of a plan, chosen so that each unit deals first equally often.

A *unit* is a player or a fixed team. It *opens* a table if it deals the first hand there: it is the
table's *opener*. Its *share* is how often it should open: 1/4 in a round of 3 tables and 12 units.
First the most urgent unit opens each table; a network flow mends counts that are uneven then.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, inf
from random import Random
from typing import TypeAlias

from tracker.movements.turn_order import openings_before
from tracker.movements.types import DealCounts, OpenedBy, Question, RoundSeating

TableKey: TypeAlias = tuple[int, int]  # the index of a planned round, and of a table in it
Step: TypeAlias = tuple[int, int]  # a unit, and an index into the lists of its ``_Course``
END: Step = (-1, -1)  # what comes after the last step of every unit


@dataclass(slots=True)
class _Course:
    """A unit's way through the plan: lists with an entry for each round in which it plays."""

    table_keys: list[TableKey] = field(default_factory=list)
    # How often the unit should open in the plan up to and with the round: its share until then, less
    # its openings before the plan. ``least`` is that rounded down, ``most`` rounded up.
    owed: list[Fraction] = field(default_factory=list)
    least: list[int] = field(default_factory=list)
    most: list[int] = field(default_factory=list)
    # How often it opens in the plan up to and with the round, by the openers chosen so far.
    opened: list[int] = field(default_factory=list)


def choose_first_dealers(
    question: Question, rounds: Sequence[RoundSeating]
) -> tuple[RoundSeating, ...]:
    """Return the rounds with an opener, given as a place, at every table.

    After every round each unit has opened as often as its share, rounded up or down, if any
    choice of openers allows that. So openings of units that played equally long differ by at most
    one. `_most_urgent` decides between such choices. An opener that a table has already stays.
    """
    if question.opened_by is OpenedBy.TABLE:
        return tuple(rounds)
    dice, by_lot = Random(f"{question.seed} deal"), question.opened_by is OpenedBy.LOT
    openers = {} if by_lot else _openers_in_turn(question, rounds)
    with_openers = []
    for round_index, seating in enumerate(rounds):
        tables = []
        for table_index, table in enumerate(seating.tables):
            if table.opener is not None:
                opener = table.opener
            elif by_lot:
                opener = dice.randrange(table.shape.size)
            else:
                opener = table.units.index(openers[round_index, table_index])
            tables.append(replace(table, opener=opener))
        with_openers.append(replace(seating, tables=tuple(tables)))
    return tuple(with_openers)


def _openers_in_turn(question: Question, rounds: Sequence[RoundSeating]) -> dict[TableKey, int]:
    """Return the unit that opens each table: the most urgent one, or as the network flow mends it."""
    openings, courses = openings_before(question), dict[int, _Course]()
    for round_index, seating in enumerate(rounds):
        seated = [unit for table in seating.tables for unit in table.units]
        # ``share`` grows with each round; ``times``, the openings before the plan, stays.
        openings.share_out(len(seating.tables), seated)
        for table_index, table in enumerate(seating.tables):
            for unit in table.units:
                course = courses.setdefault(unit, _Course())
                owed = openings.share[unit] - openings.times[unit]
                course.table_keys.append((round_index, table_index))
                course.owed.append(owed)
                course.least.append(floor(owed))
                course.most.append(ceil(owed))
                course.opened.append(0)
    openers = _most_urgent(question, rounds, courses)
    flow = _Flow(rounds=rounds, courses=courses, openers=openers)
    for unit, course in courses.items():
        for index in range(len(course.owed)):
            flow.mend((unit, index))
    return openers


def _most_urgent(
    question: Question, rounds: Sequence[RoundSeating], courses: Mapping[int, _Course]
) -> dict[TableKey, int]:
    """Return the unit that opens each table, chosen round by round; fill ``opened`` of the courses.

    The unit with the least `sort_key` opens a table, of equal units the one at the first place.
    """
    # How often each unit opened in the plan so far, and how many of the planned rounds it played.
    opened, rounds_played = dict.fromkeys(courses, 0), dict.fromkeys(courses, 0)
    openers: dict[TableKey, int] = {}

    def sort_key(unit: int) -> tuple[float | Fraction, ...]:
        """Return the sort key by which the most urgent unit comes first."""
        course, counts = courses[unit], question.deal_counts.get(unit, DealCounts())
        so_far, index = opened[unit], rounds_played[unit]
        # By how much one more opening would exceed the most.
        above_most = max(0, so_far + 1 - course.most[index])
        # The rounds left until the least exceeds its openings; infinitely many if it never does.
        late = (ahead for ahead, least in enumerate(course.least[index:]) if least > so_far)
        rounds_left = next(late, inf)
        # Openings above what it is owed; hands dealt at all; when it dealt last, -inf for never.
        surplus = so_far - course.owed[index]
        last_dealt = -inf if counts.last_dealt is None else counts.last_dealt
        return above_most, rounds_left, surplus, counts.dealt, last_dealt

    for round_index, seating in enumerate(rounds):
        for table_index, table in enumerate(seating.tables):
            given = table.opener
            opener = min(table.units, key=sort_key) if given is None else table.units[given]
            openers[round_index, table_index] = opener
            opened[opener] += 1
        for table in seating.tables:
            for unit in table.units:
                courses[unit].opened[rounds_played[unit]] = opened[unit]
                rounds_played[unit] += 1
    return openers


@dataclass(slots=True)
class _Flow:
    """Openings as a network flow with bounds: `mend` brings one edge after the other within them.

    A node is a step: a unit in a round in which it plays. An opening enters the network at the step
    of the unit that opens a table. From there it follows that unit from step to step, and from the
    last step to END. So the flow on the edge from a step to the next is the number of the unit's
    openings up to and with that round; its bounds are ``least`` and ``most``.

    To move an opening along a path of the *residual network* changes the flow. Its edges lead *on*
    to the unit's next step: the flow there grows by one; *back* to the step before: the flow falls
    by one; and *across* a table to another unit, which opens it instead. END links all units: when
    one opens once more in all, another opens once less. An edge that lacks an opening gets one if a
    path leads from its end back to its start. An edge with too many loses one if a path leads from
    its start to its end some other way (Fulkerson's out-of-kilter method, 1961).
    """

    rounds: Sequence[RoundSeating]
    courses: Mapping[int, _Course]
    # The unit that opens each table; `mend` changes this, and ``opened`` of the courses.
    openers: dict[TableKey, int]

    def mend(self, step: Step) -> None:
        """Bring the flow from a step to the next within its bounds, and leave no other edge worse.

        If that is impossible, no choice of openers has all counts within their bounds.
        """
        unit, index = step
        course, after = self.courses[unit], self._after(step)
        while course.opened[index] < course.least[index] and (path := self._path(after, step)):
            course.opened[index] += 1
            self._move_opening(path)
        while course.opened[index] > course.most[index] and (path := self._path(step, after)):
            course.opened[index] -= 1
            self._move_opening(path)

    def _after(self, step: Step) -> Step:
        unit, index = step
        return (unit, index + 1) if index + 1 < len(self.courses[unit].owed) else END

    def _neighbours(self, step: Step) -> Iterator[Step]:
        """Yield the steps to which an opening can move from this one, within the bounds."""
        if step == END:  # back to the last step of each unit
            for unit, course in self.courses.items():
                if course.opened[-1] > course.least[-1]:
                    yield unit, len(course.owed) - 1
            return
        unit, index = step
        course = self.courses[unit]
        if course.opened[index] < course.most[index]:  # on
            yield self._after(step)
        if index and course.opened[index - 1] > course.least[index - 1]:  # back
            yield unit, index - 1
        table_key = round_index, table_index = course.table_keys[index]
        table = self.rounds[round_index].tables[table_index]
        # Across, unless the table had an opener before: that one stays.
        if self.openers[table_key] == unit and table.opener is None:
            for other in table.units:
                if other != unit:
                    yield other, self.courses[other].table_keys.index(table_key)

    def _path(self, start: Step, goal: Step) -> tuple[Step, ...]:
        """Return the steps of the shortest path; empty if there is none."""
        came_from: dict[Step, Step] = {start: start}
        queue = deque([start])
        while queue and goal not in came_from:
            step = queue.popleft()
            for neighbour in self._neighbours(step):
                if neighbour not in came_from:
                    came_from[neighbour] = step
                    queue.append(neighbour)
        if goal not in came_from:
            return ()
        path = [goal]
        while path[-1] != start:
            path.append(came_from[path[-1]])
        return tuple(reversed(path))

    def _move_opening(self, path: Sequence[Step]) -> None:
        """Move an opening along a path, by the kinds of edges that `_neighbours` has."""
        for step, following in pairwise(path):
            (unit, index), (next_unit, next_index) = step, following
            if step == END:  # back to the last step of a unit
                self.courses[next_unit].opened[-1] -= 1
            elif following == self._after(step):  # on
                self.courses[unit].opened[index] += 1
            elif next_unit == unit:  # back
                self.courses[unit].opened[next_index] -= 1
            else:  # across
                self.openers[self.courses[unit].table_keys[index]] = next_unit
