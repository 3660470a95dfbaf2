"""What seats the rounds that are simulated: Swiss and equals in quick versions, and the others.

The movements of these names weigh every pairing of a round, which takes up to seconds. How often
the best come first does not depend on it: of 14 pairs in six Swiss rounds the best won 150 evenings
so paired in 24 to 38 %, and 3000 paired here in 24 to 28 %. No plan of an evening is made here.
"""

from collections.abc import Sequence
from itertools import combinations
from random import Random

from tracker.planning.logic.stages import EQUALS, SWISS
from tracker.seating.logic.movements.catalogue import MOVEMENTS, Planner
from tracker.seating.logic.movements.seam import Plan, Question, RoundSeating, TableSeating
from tracker.seating.logic.movements.sizes import table_shapes


def planner_of(movement: str) -> Planner:
    """Return what plans rounds of this movement: its own plan, or the quick version of it."""
    return {SWISS: swiss, EQUALS: equals}.get(movement) or MOVEMENTS[movement].plan


def swiss(question: Question) -> Plan:
    """Pair each unit, the best first, with the next in the standing that it has not met."""
    order = _by_standing(question)
    resting = _resting(question, order, len(order) % 2)
    waiting = [unit for unit in order if unit not in resting]
    met = {
        frozenset(pair)
        for round_ in question.played
        for table in round_.tables
        for pair in combinations(table.units, 2)
    }
    tables = []
    while waiting:
        first = waiting.pop(0)
        strangers = [other for other in waiting if frozenset((first, other)) not in met]
        second = (strangers or waiting)[0]
        waiting.remove(second)
        tables.append(TableSeating(shape=question.shape, units=(first, second)))
    return Plan(rounds=(RoundSeating(tables=tuple(tables), resting=resting),))


def equals(question: Question) -> Plan:
    """Cut the standing into tables, the best at the first."""
    order = _by_standing(question)
    shapes = table_shapes(len(order), question)
    resting = _resting(question, order, len(order) - sum(shape.size for shape in shapes))
    waiting = [unit for unit in order if unit not in resting]
    tables = []
    for shape in shapes:
        tables.append(TableSeating(shape=shape, units=tuple(waiting[: shape.size])))
        del waiting[: shape.size]
    return Plan(rounds=(RoundSeating(tables=tuple(tables), resting=resting),))


def _by_standing(question: Question) -> list[int]:
    """Return the units by their places; the lot decides among the level."""
    rng = Random(question.seed)
    return [unit for level in question.places for unit in rng.sample(level, len(level))]


def _resting(question: Question, order: Sequence[int], many: int) -> tuple[int, ...]:
    """Return those who rest: who rested least, of these the lowest."""
    rested = dict.fromkeys(order, 0)
    for round_ in question.played:
        for unit in round_.resting:
            rested[unit] += 1
    lowest_first = order[::-1]  # and the sort is stable
    return tuple(sorted(lowest_first, key=rested.__getitem__)[:many])
