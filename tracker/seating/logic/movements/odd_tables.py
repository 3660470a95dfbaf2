"""Whose turn it is at the odd table: one of another shape than the question's."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from tracker.seating.logic.movements.fair_turns import Turns
from tracker.seating.logic.movements.seam import Question, Shape


def at_odd_tables(
    *,
    units: Sequence[int],
    shapes: Sequence[Shape],
    keepers_of: Mapping[int, Sequence[int]],
    turns: Turns,
    seen: Collection[int],
    lot: Mapping[int, int],
    urgency: Mapping[int, int],
    question: Question,
) -> frozenset[int]:
    """Return whose turn it is to sit at tables of another shape.

    Those who keep a table have their turn together. Among equals they are chosen so that
    the tables of either kind get their part of those who must soon open one, by *urgency*.
    """
    odd_sizes = [shape.size for shape in shapes if shape.code != question.shape.code]
    usual_sizes = [shape.size for shape in shapes if shape.code == question.shape.code]
    if not odd_sizes:
        return frozenset()
    if not usual_sizes:
        return frozenset(units)

    def turn(group: Sequence[int]) -> tuple[object, ...]:
        return max((*turns.order(unit, seen), turns.since(unit), lot[unit]) for unit in group)

    keeping = [[unit for unit in group if unit in units] for group in keepers_of.values()]
    keepers = {unit for group in keeping for unit in group}
    alone = [[unit] for unit in units if unit not in keepers]
    # A table is kept by those who fit there; there are only so many tables of either kind.
    small = [group for group in keeping if len(group) <= min(odd_sizes)]
    must = len(keeping) - len(usual_sizes)
    forced = sorted((group for group in keeping if len(group) > max(usual_sizes)), key=turn)
    small = sorted((group for group in small if group not in forced), key=turn)
    forced += small[: max(0, must - len(forced))]
    odd = [unit for group in forced for unit in group]
    tables, places = len(forced), sum(odd_sizes)
    for group in sorted(alone + [group for group in small if group not in forced], key=turn):
        kept_group = group[0] in keepers
        if len(odd) + len(group) > places or (kept_group and tables == len(odd_sizes)):
            continue
        odd += group
        tables += kept_group
    if urgency:
        movable = {unit: turns.order(unit, seen) for unit in units if unit not in keepers}
        tables_of = len(usual_sizes), len(odd_sizes)
        return _with_openers(frozenset(odd), units, movable, tables_of, urgency)
    return frozenset(odd)


def _with_openers(
    odd: frozenset[int],
    units: Sequence[int],
    movable: Mapping[int, object],
    tables: tuple[int, int],
    urgency: Mapping[int, int],
) -> frozenset[int]:
    """Swap equals until the tables of either kind have as many openers as they need."""
    last = sorted(urgency[unit] for unit in units)[sum(tables) - 1]

    def lack(odd: Collection[int]) -> int:
        """Return how many units that must open, or tables that need an opener, are left over."""
        count = Counter(
            (unit in odd, unit_urgency < last)
            for unit in units
            if (unit_urgency := urgency[unit]) <= last
        )
        return sum(
            max(0, count[kind, True] - need, need - count[kind, True] - count[kind, False])
            for kind, need in zip((False, True), tables, strict=True)
        )

    while best := lack(odd):
        # One of each sort is as good as another.
        sort = {
            (movable[unit], unit in odd, urgency[unit] < last, urgency[unit] <= last): unit
            for unit in movable
        }
        swaps = (
            odd.symmetric_difference((unit, other))
            for (equal, at_odd, *_), unit in sort.items()
            for (other_equal, other_at_odd, *_), other in sort.items()
            if at_odd and not other_at_odd and equal == other_equal
        )
        better = min(swaps, key=lack, default=odd)
        if lack(better) >= best:
            break
        odd = better
    return odd
