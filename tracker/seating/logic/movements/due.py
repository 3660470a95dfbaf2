"""Whose turn it is to open a table: a share of the openings for every round one plays."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from random import Random

from tracker.seating.logic.movements.seam import Frame, Question


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


@dataclass(frozen=True, slots=True)
class Openings:
    """Each unit's share of the openings, and how many it had, from round to round."""

    share: dict[int, Fraction]
    opened: dict[int, int]

    def even(self, units: Collection[int]) -> bool:
        """Return whether every unit has had exactly its share of openings."""
        return all(self.share.get(unit, 0) == self.opened.get(unit, 0) for unit in units)

    def sit(self, units: Collection[int], tables: int) -> Mapping[int, int]:
        """Add a round's share to each unit that sits down, and return who must open when.

        By unit it is the number of rounds, the coming one 0, in which its count is going
        to be less than its share rounded down.
        """
        part = Fraction(tables, len(units))
        for unit in units:
            self.share[unit] = self.share.get(unit, Fraction()) + part
        return {
            unit: max(0, ceil((self.opened.get(unit, 0) + 1 - self.share[unit]) / part))
            for unit in units
        }


def due_to_open(
    frame: Frame, question: Question, urgency: Mapping[int, int], *, ahead: bool
) -> frozenset[int]:
    """Return the units due to open; every table of a frame should have one of them.

    It is whoever may open without having more than their share. If somebody must open now,
    or other rounds are planned *ahead*, they are as many as there are tables: those for
    whom it is the most urgent.
    """
    dice, due = Random(f"{question.seed} due"), set[int]()
    for tables, units in _kinds(frame, question):
        lot = dict(zip(sorted(units), dice.sample(range(len(units)), len(units)), strict=True))
        by_urgency = sorted(units, key=lambda unit: (urgency[unit], lot[unit]))
        if ahead or urgency[by_urgency[0]] == 0:
            due.update(by_urgency[:tables])
        else:
            last = urgency[by_urgency[tables - 1]]
            due.update(unit for unit in units if urgency[unit] <= last)
    return frozenset(due)


def _kinds(frame: Frame, question: Question) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield how many tables are of the question's shape and of others, and who sits there."""
    usual = sum(shape.code == question.shape.code for shape in frame.shapes)
    if usual:
        yield usual, [unit for unit in frame.units if unit not in frame.odd]
    if frame.odd:
        yield len(frame.shapes) - usual, sorted(frame.odd)
