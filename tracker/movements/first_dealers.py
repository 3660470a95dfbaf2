"""First dealers of all tables of a plan, chosen so that each unit opens equally often."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from random import Random
from typing import TypeAlias

from tracker.movements.turn_order import openings_before
from tracker.movements.types import DealCounts, OpenedBy, Question, RoundSeating

Step: TypeAlias = tuple[int, int]  # a unit, and how many planned rounds it played before
Cell: TypeAlias = tuple[int, int]  # a round, and a table in it
END: Step = (-1, -1)


@dataclass(slots=True)
class _Course:
    """The tables of a unit in the planned rounds, and after each the number of its openings.

    ``owed`` is its share after each round minus what it had opened before the plan; ``least`` and
    ``most`` are that, rounded down and up.
    """

    tables: list[Cell]
    owed: list[Fraction]
    least: list[int]
    most: list[int]
    opened: list[int]


def choose_first_dealers(
    question: Question, rounds: Sequence[RoundSeating]
) -> tuple[RoundSeating, ...]:
    """Return the rounds with the place that opens each table.

    After every round each unit has opened as often as its share, rounded up or down, if any
    choice of dealers allows that; so openings differ by at most one among units that played
    equally long. Otherwise the unit opens that opened least for its rounds, then the one that
    dealt least, then longest ago, then the one at the first place. A given opener stays.
    """
    if question.opened_by is OpenedBy.TABLE:
        return tuple(rounds)
    if question.opened_by is OpenedBy.LOT:
        dice = Random(f"{question.seed} deal")
        openers = {
            (number, at): table.units[dice.randrange(table.shape.size)]
            for number, seating in enumerate(rounds)
            for at, table in enumerate(seating.tables)
            if table.opener is None
        }
    else:
        openers = _by_turns(question, rounds)
    return tuple(
        replace(
            seating,
            tables=tuple(
                replace(table, opener=table.units.index(openers[number, at]))
                if table.opener is None
                else table
                for at, table in enumerate(seating.tables)
            ),
        )
        for number, seating in enumerate(rounds)
    )


def _by_turns(question: Question, rounds: Sequence[RoundSeating]) -> dict[Cell, int]:
    """Return the unit that opens each table, if units open in turn."""
    openings, courses = openings_before(question), dict[int, _Course]()
    for number, seating in enumerate(rounds):
        seated = [unit for table in seating.tables for unit in table.units]
        openings.share_out(len(seating.tables), seated)
        for at, table in enumerate(seating.tables):
            for unit in table.units:
                course = courses.setdefault(unit, _Course([], [], [], [], []))
                course.tables.append((number, at))
                course.owed.append(openings.share[unit] - openings.times[unit])
                course.least.append(floor(course.owed[-1]))
                course.most.append(ceil(course.owed[-1]))
                course.opened.append(0)
    openers = _first_choice(question, rounds, courses)
    flow = _Flow(rounds=rounds, courses=courses, openers=openers)
    for unit, course in courses.items():
        for at in range(len(course.tables)):
            flow.mend((unit, at))
    return openers


def _first_choice(
    question: Question, rounds: Sequence[RoundSeating], courses: Mapping[int, _Course]
) -> dict[Cell, int]:
    """Choose each table's opener, round by round: the unit that must open soonest."""
    never = min((dealt.dealt_before or 0 for dealt in question.dealt.values()), default=0) - 1
    times = dict.fromkeys(courses, 0)
    sat = dict.fromkeys(courses, 0)
    openers: dict[Cell, int] = {}
    for number, seating in enumerate(rounds):
        for table, at_table in enumerate(seating.tables):

            def turn(unit: int) -> tuple[float | Fraction, ...]:
                course, dealt = courses[unit], question.dealt.get(unit, DealCounts())
                count, now = times[unit], sat[unit]
                bounds = enumerate(course.least[now:])
                left = next((rest for rest, least in bounds if least > count), len(rounds))
                last = never if dealt.dealt_before is None else dealt.dealt_before
                early = max(0, count + 1 - course.most[now])
                return early, left, count - course.owed[now], dealt.dealt, last

            given = at_table.opener
            opener = min(at_table.units, key=turn) if given is None else at_table.units[given]
            openers[number, table] = opener
            times[opener] += 1
        for at_table in seating.tables:
            for unit in at_table.units:
                courses[unit].opened[sat[unit]] = times[unit]
                sat[unit] += 1
    return openers


@dataclass(frozen=True, slots=True)
class _Flow:
    """Openings as a network flow: each enters at a table and follows its unit to the last round.

    An edge leads from each step of a unit to the next, with bounds of its openings by then.
    """

    rounds: Sequence[RoundSeating]
    courses: Mapping[int, _Course]
    openers: dict[Cell, int]

    def mend(self, step: Step) -> None:
        """Bring a count of openings within its bounds, if that leaves no other count worse.

        If that is impossible, no choice of dealers has all counts within their bounds.
        """
        course, at, after = self.courses[step[0]], step[1], self._after(step)
        while course.opened[at] < course.least[at] and (way := self._shortest(after, step)):
            course.opened[at] += 1
            self._pass_on(way)
        while course.opened[at] > course.most[at] and (way := self._shortest(step, after)):
            course.opened[at] -= 1
            self._pass_on(way)

    def _after(self, step: Step) -> Step:
        unit, at = step
        return (unit, at + 1) if at + 1 < len(self.courses[unit].tables) else END

    def _ways(self, step: Step) -> Iterator[Step]:
        """Yield the steps to which an opening can move from this one."""
        if step == END:
            for unit, course in self.courses.items():
                if course.opened[-1] > course.least[-1]:
                    yield unit, len(course.tables) - 1
            return
        unit, at = step
        course = self.courses[unit]
        if course.opened[at] < course.most[at]:
            yield self._after(step)
        if at and course.opened[at - 1] > course.least[at - 1]:
            yield unit, at - 1
        cell = course.tables[at]
        table = self.rounds[cell[0]].tables[cell[1]]
        if self.openers[cell] == unit and table.opener is None:
            for other in table.units:
                if other != unit:
                    yield other, self.courses[other].tables.index(cell)

    def _shortest(self, start: Step, goal: Step) -> tuple[Step, ...]:
        """Return the steps of the shortest path; empty if there is none."""
        came_from: dict[Step, Step] = {start: start}
        queue = deque([start])
        while queue and goal not in came_from:
            here = queue.popleft()
            for there in self._ways(here):
                if there not in came_from:
                    came_from[there] = here
                    queue.append(there)
        if goal not in came_from:
            return ()
        way = [goal]
        while way[-1] != start:
            way.append(came_from[way[-1]])
        return tuple(reversed(way))

    def _pass_on(self, way: Sequence[Step]) -> None:
        for here, there in pairwise(way):
            if here == END:
                self.courses[there[0]].opened[-1] -= 1
            elif there == self._after(here):
                self.courses[here[0]].opened[here[1]] += 1
            elif there[0] == here[0]:
                self.courses[there[0]].opened[there[1]] -= 1
            else:
                self.openers[self.courses[here[0]].tables[here[1]]] = there[0]
