"""Tables of different sizes, so that nobody rests."""

from collections.abc import Sequence

from games.mode import Mode
from tracker.seating.logic.movements import at_a_table


def mixed(units: int, mode: Mode, modes: Sequence[Mode], fixed: bool) -> tuple[Mode, ...]:
    """Return tables at which so many all sit, or none if there are no such tables.

    As many as can be are of *mode*; the fewest others make up the rest, as like it as
    the game has them. No others are of two people, who would only keep each other company.

    >>> from games.mode import individuals, teams
    >>> modes = (individuals(3, ""), teams(4, 2, ""), individuals(5, ""), teams(6, 2, ""))
    >>> [table.code for table in mixed(13, modes[1], modes, fixed=False)]
    ['4t2', '4t2', '5i']
    >>> [table.code for table in mixed(5, modes[1], modes, fixed=True)]
    ['4t2', '6t2']
    """
    size = at_a_table(mode, fixed)
    others = _others(mode, modes, fixed)
    for tables in range(units // size, -1, -1):
        rest = _fewest(units - tables * size, sorted(others))
        if rest is not None:
            return (*[mode] * tables, *(others[each] for each in rest))
    return ()


def _others(mode: Mode, modes: Sequence[Mode], fixed: bool) -> dict[int, Mode]:
    """Return for every other size of table the mode that is most like *mode*."""

    def unlike(other: Mode) -> tuple[bool, bool]:
        return len(other.sides[0]) != len(mode.sides[0]), not other.individual

    most_alike: dict[int, Mode] = {}
    for other in sorted(modes, key=unlike, reverse=True):
        size = at_a_table(other, fixed)
        partners = len(other.sides[0]) == len(mode.sides[0])
        if size != at_a_table(mode, fixed) and other.seats > 2 and (partners or not fixed):
            most_alike[size] = other
    return most_alike


def _fewest(units: int, sizes: Sequence[int]) -> tuple[int, ...] | None:
    """Return the fewest tables of these sizes for so many, the smaller first, if there are any."""
    best: dict[int, tuple[int, ...]] = {0: ()}
    for seated in range(1, units + 1):
        ways = [(*best[seated - size], size) for size in sizes if seated - size in best]
        if ways:
            best[seated] = min(ways, key=len)
    return tuple(sorted(best[units])) if units in best else None
