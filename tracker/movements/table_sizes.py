"""Tables for a number of units: their number and shapes, and the mode that suits best.

A *mode* is how many sit at a table, in which sides; its code is ``4t2`` for four in two teams,
``5i`` for five individuals.
"""

from collections.abc import Sequence

from games.errors import gettext_noop
from games.mode import Mode, individuals
from tracker.common.errors import Refused
from tracker.movements.types import Question, TableShape, UnseatableError


def units_at_table(mode: Mode, fixed: bool) -> int:
    """Return how many units a table takes: one a seat, or one a side if teams are fixed.

    >>> from games.mode import teams
    >>> units_at_table(teams(4, 2, ""), fixed=False), units_at_table(teams(4, 2, ""), fixed=True)
    (4, 2)
    """
    return len(mode.sides) if fixed else mode.seats


def check_enough(units: int, mode: Mode, *, fixed: bool) -> None:
    """Check that the units fill at least one table.

    :raises Refused: ``too-few``.
    """
    needed = units_at_table(mode, fixed)
    if units < needed:
        text = gettext_noop("A table takes %(needed)d people here, and only %(here)d are chosen.")
        if fixed:
            text = gettext_noop(
                "A table takes %(needed)d teams here, and only %(here)d are chosen."
            )
        raise Refused("too-few", text, question="people", needed=needed, here=units)


def best_mode(players: int, modes: Sequence[Mode]) -> Mode | None:
    """Return the mode that suits this number of people best; ``None`` if they are too few for any.

    One table for everybody is best. Otherwise few should rest; playing as individuals counts as
    one more who rests, and tables of two are only for two people. Of equally good modes partners
    come before individuals, then fewer tables of individuals, then the earlier of *modes*.

    >>> from games.mode import individuals, teams
    >>> modes = (individuals(2, ""), teams(4, 2, ""), individuals(5, ""), teams(6, 2, ""))
    >>> [best_mode(players, modes).code for players in (4, 5, 6, 10, 13, 14)]
    ['4t2', '5i', '6t2', '5i', '4t2', '4t2']
    """

    def sort_key(mode: Mode) -> tuple[bool, int, bool, int]:
        tables, resting = divmod(players, mode.seats)
        few_tables = tables if mode.individual else 0
        return mode.seats != players, resting + mode.individual, mode.individual, few_tables

    possible = [
        mode for mode in modes if mode.seats <= players and (mode.seats > 2 or players == 2)
    ]
    return min(possible, key=sort_key, default=None)


# A table of two is no odd table: nobody wants to play a round with only one other.
_TWO_ALONE = individuals(2, "").code


def table_shapes(units: int, question: Question, *, locked: bool = False) -> tuple[TableShape, ...]:
    """Return the shapes of the tables for this number of units, the question's shape first.

    Left-over units rest, unless the question takes odd tables. Then all sit: individuals at tables
    of nearly equal size, partners at as many tables of the question's shape as possible and the
    fewest others. If there are *locked* tables, too few other units rest instead of being refused.

    >>> pairs, three, two = ((0, 2), (1, 3)), ((0,), (1,), (2,)), ((0,), (1,))
    >>> club = Question(
    ...     present=(),
    ...     shape=TableShape("4t2", pairs),
    ...     other_shapes=(TableShape("2i", two), TableShape("3i", three)),
    ...     odd_tables=True,
    ... )
    >>> [shape.code for shape in table_shapes(7, club)]
    ['4t2', '3i']

    :raises UnseatableError: ``too-few`` if they do not fill a table, ``tables-unfit`` if the
        game has no tables that seat all of them.
    """
    shape = question.shape
    others: dict[int, TableShape] = {}  # by size
    tables = (shape,) * (units // shape.size)
    if question.odd_tables:
        # For every other size the shape most like the question's: it comes last, and overwrites.
        for other in sorted(
            question.other_shapes,
            key=lambda other: (len(other.sides[0]) == len(shape.sides[0]), other.individual),
        ):
            if other.size != shape.size and other.code != _TWO_ALONE:
                others[other.size] = other
        tables = _even(units, shape, others) or _mix(units, shape, others)
    least = min([shape.size, *others])
    if not tables and units >= least:
        template = gettext_noop("No tables of this game seat all %(here)d: somebody has to rest.")
        raise UnseatableError("tables-unfit", template, here=units)
    if not tables and not locked:
        template = gettext_noop("A table takes %(needed)d here, and only %(here)d are present.")
        raise UnseatableError("too-few", template, needed=least, here=units)
    return tables


def _even(units: int, shape: TableShape, others: dict[int, TableShape]) -> tuple[TableShape, ...]:
    """Return tables whose sizes differ by at most one and are as near the usual as possible.

    There are none for modes with partners, and if the game lacks a size. *others* is keyed by size.
    """
    if not shape.individual:
        return ()
    alone = {size: other for size, other in others.items() if other.individual}
    alone[shape.size] = shape
    splits: list[tuple[int, ...]] = []  # the sizes of all tables
    for tables in range(1, units + 1):
        small, larger = divmod(units, tables)
        sizes = (small + 1,) * larger + (small,) * (tables - larger)
        if all(size in alone for size in sizes):
            splits.append(sizes)
    best = min(splits, key=lambda sizes: max(abs(size - shape.size) for size in sizes), default=())
    nearest = sorted(best, key=lambda size: (size != shape.size, size))
    return tuple(alone[size] for size in nearest)


def _mix(units: int, shape: TableShape, others: dict[int, TableShape]) -> tuple[TableShape, ...]:
    """Return as many tables of *shape* as possible and the fewest others, if they seat all."""
    # Keyed by a number of units: the sizes of the fewest other tables that seat exactly these.
    fewest: dict[int, tuple[int, ...]] = {0: ()}
    for seated in range(1, units + 1):
        sizes = [size for size in sorted(others) if seated - size in fewest]
        if sizes:
            fewest[seated] = min(((*fewest[seated - size], size) for size in sizes), key=len)
    for tables in range(units // shape.size, -1, -1):
        rest = units - tables * shape.size
        if rest in fewest:
            return (*[shape] * tables, *(others[size] for size in sorted(fewest[rest])))
    return ()
