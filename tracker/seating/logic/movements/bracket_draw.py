"""Who starts where in a bracket: seeds in the standard order, byes to the best, the lot."""

from collections.abc import Callable, Sequence
from random import Random

from tracker.seating.logic.movements.brackets import From, Side
from tracker.seating.logic.movements.seam import Question


def standard_order(places: int) -> tuple[int, ...]:
    """Return the seeds from the top of a bracket to the bottom; *places* is a power of two.

    It is the order printed for tournaments everywhere: the sum of the seeds in a first match is
    one more than the places, and if the better always wins that holds in every round.

    >>> standard_order(16)
    (1, 16, 8, 9, 5, 12, 4, 13, 6, 11, 3, 14, 7, 10, 2, 15)
    """
    order = [1]
    while len(order) < places:
        double = 2 * len(order)
        last = double == places
        order = [
            seed
            for index, best in enumerate(order)
            for seed in (
                (best, double + 1 - best) if last or not index else (double + 1 - best, best)
            )
        ]
    return tuple(order)


def drawn(question: Question, label: Callable[[int, int], str]) -> tuple[int | None, ...]:
    """Return the units by the seed they have in the bracket, ``None`` where there is a bye.

    The draw is not stored: the seeded come first in their order, and the lot decides about the
    others. Once the first round is played its tables show where the lot fell, and of those who
    had a bye unseeded the smaller number has the better place, as it had when they were drawn.
    *label* names a match of the first round, of so many matches, from 1.
    """
    first = question.played[0] if question.played else None
    entered = first.units if first else set(question.present[0])
    seeded = [unit for unit in question.seeds if unit in entered]
    others = sorted(entered - set(seeded))
    Random(f"{question.seed}:bracket").shuffle(others)
    places = 1 << max(0, len(entered) - 1).bit_length()  # the smallest bracket with room for all
    byes = places - len(entered)
    tables = [table for played in question.played for table in played.tables if table.label]
    if first is None and not question.locked:
        free = max(0, byes - len(seeded))
        return (*seeded, *sorted(others[:free]), *others[free:], *[None] * byes)
    slots: list[int | None] = [None] * places
    order = standard_order(places)
    labels = {label(places // 2, number + 1): number for number in range(places // 2)}
    for table in (*question.locked, *tables):
        if table.label in labels:
            top = 2 * labels[table.label]
            here = sorted(order[top : top + 2])
            for seed, unit in zip(here, table.units, strict=True):
                slots[seed - 1] = unit
    left = [unit for unit in seeded if unit not in slots]
    left += sorted(entered - set(left) - {unit for unit in slots if unit is not None})
    for seed in range(places - byes):
        if slots[seed] is None and left:
            slots[seed] = left.pop(0)
    return tuple(slots)


def first_sides(seeds: Sequence[int | None]) -> list[Side]:
    """Return the sides of the first matches from the top of the bracket, byes for empty seeds."""
    return [
        Side(
            source=From.DRAW,
            unit=seeds[seed - 1],
            bye=seeds[seed - 1] is None,
            seed=None if seeds[seed - 1] is None else seed,
        )
        for seed in standard_order(len(seeds))
    ]
