"""The movements by the standing: equals together, or strong with weak."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from random import Random

from games.errors import gettext_noop
from tracker.movements.meetings import partners, times_met
from tracker.movements.table_filling import complete_plan, fill, partner_clashes
from tracker.movements.turn_order import round_frames
from tracker.movements.types import (
    MeetingKind,
    Question,
    SeatingPlan,
    TableSeating,
    TableShape,
    UnseatableError,
    Wishes,
)


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
