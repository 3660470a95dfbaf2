"""Whose turn it is to open a table: a share of the openings for every round one plays."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil
from random import Random

from tracker.seating.logic.movements.seam import Frame, OpenedBy, Question


def shares(question: Question) -> dict[int, Fraction]:
    """Return how many openings would have been each unit's, had all been shared alike.

    In every round the tables are shared by those who sit at one. Whoever opened as often as
    their share, rounded up or down, is even with everybody who played as long.
    """
    share: dict[int, Fraction] = {}
    for past in question.played:
        seated = [unit for table in past.tables for unit in table.units]
        for unit in seated:
            share[unit] = share.get(unit, Fraction()) + Fraction(len(past.tables), len(seated))
    return share


def due_to_open(question: Question, planned: Sequence[Frame]) -> tuple[Frame, ...]:
    """Return the frames with those of whom every table should have one.

    Rounds planned together from a state in which nobody is owed an opening, or has had
    one in advance, need nobody: however they are arranged, the openings can be shared out
    evenly. Otherwise it is for the coming round alone whoever may open, and where more
    rounds are planned ahead, as many as there are tables, each round anew.
    """
    if question.opened_by is not OpenedBy.TURN:
        return tuple(planned)
    share = shares(question)
    opened = {unit: dealt.opened for unit, dealt in question.dealt.items()}
    frames = []
    for number, frame in enumerate(planned):
        locked = question.locked if number == 0 else ()
        at_locked = [unit for table in locked for unit in table.units]
        seated = [*frame.units, *at_locked]
        ahead = {unit for later in planned[number:] for unit in later.units}.union(at_locked)
        even = all(share.get(unit, 0) == opened.get(unit, 0) for unit in ahead)
        if even or not frame.shapes:
            frames.append(frame)
            if even:
                frames += planned[number + 1 :]
                break
            continue
        part = Fraction(len(frame.shapes) + len(locked), len(seated))
        for unit in seated:
            share[unit] = share.get(unit, Fraction()) + part
        due = _due(frame, share, opened, part, Random(f"{question.seed} {number} due"))
        if len(planned) > 1:
            due = due[: len(frame.shapes)]
            for unit in due:
                opened[unit] = opened.get(unit, 0) + 1
        frames.append(replace(frame, due=frozenset(due)))
    return tuple(frames)


def _due(
    frame: Frame,
    share: Mapping[int, Fraction],
    opened: Mapping[int, int],
    part: Fraction,
    dice: Random,
) -> list[int]:
    """Return who may open in a round, those first for whom it is the most urgent."""
    tables = len(frame.shapes)

    def rounds_left(unit: int) -> int:
        """Return in how many rounds the unit must open, counting this one as 0."""
        return ceil((opened.get(unit, 0) + 1 - share[unit]) / part)

    lot = dict(
        zip(
            sorted(frame.units), dice.sample(range(len(frame.units)), len(frame.units)), strict=True
        )
    )
    by_urgency = sorted(frame.units, key=lambda unit: (rounds_left(unit), lot[unit]))
    urgent = [unit for unit in by_urgency if rounds_left(unit) <= 0]
    if urgent:
        return by_urgency[: max(tables, len(urgent))]
    last = rounds_left(by_urgency[tables - 1])
    return [unit for unit in by_urgency if rounds_left(unit) <= last]
