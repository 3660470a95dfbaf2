"""Tables that somebody never leaves."""

from collections.abc import Collection, Mapping, Sequence

from games.errors import gettext_noop
from tracker.seating.logic.movements.seam import Question, Shape, TableSeating, UnseatableError


def kept_tables(
    free: Sequence[int],
    shapes: Sequence[Shape],
    question: Question,
    locked: Sequence[TableSeating],
) -> Mapping[int, Sequence[int]]:
    """Return by the number of the table who keep it.

    :raises UnseatableError: ``kept-missing``, ``kept-full`` or ``kept-locked``, if a table is not
        there for all who keep it.
    """
    keepers_of: dict[int, list[int]] = {}
    for unit in free:
        if unit in question.wishes.keeps:
            keepers_of.setdefault(question.wishes.keeps[unit], []).append(unit)
    for table, units in keepers_of.items():
        if any(other.number == table for other in locked):
            raise UnseatableError(
                "kept-locked",
                gettext_noop("%(who)s must sit at table %(table)d, which is locked without them."),
                units=tuple(units),
                table=table,
            )
    if len(keepers_of) > len(shapes):
        raise UnseatableError(
            "kept-missing",
            gettext_noop(
                "%(who)s must sit at %(tables)d different tables, but only %(here)d are played."
            ),
            units=tuple(unit for units in keepers_of.values() for unit in units),
            tables=len(keepers_of),
            here=len(shapes),
        )
    # The fullest of them take the largest tables.
    sizes = sorted((shape.size for shape in shapes), reverse=True)
    by_keepers = sorted(keepers_of.items(), key=lambda item: -len(item[1]))
    for (table, units), size in zip(by_keepers, sizes, strict=False):
        if len(units) > size:
            raise UnseatableError(
                "kept-full",
                gettext_noop(
                    "%(who)s must all sit at table %(table)d, which takes only %(needed)d."
                ),
                units=tuple(units),
                table=table,
                needed=size,
            )
    return keepers_of


def pinned_tables(
    keepers_of: Mapping[int, Sequence[int]],
    odd: Collection[int],
    shapes: Sequence[Shape],
    question: Question,
) -> Mapping[int, int]:
    """Return the index in *shapes* of the table that each unit keeps.

    The table of that number has that index where it can.
    """
    free = set(range(len(shapes)))
    pinned: dict[int, int] = {}
    for table, units in sorted(keepers_of.items(), key=lambda item: (-len(item[1]), item[0])):
        at_odd = units[0] in odd
        fitting = [
            index
            for index in free
            if (shapes[index].code != question.shape.code) == at_odd
            and shapes[index].size >= len(units)
        ]
        index = min(fitting, key=lambda index: (index != table - 1, shapes[index].size, index))
        free.remove(index)
        pinned.update(dict.fromkeys(units, index))
    return pinned
