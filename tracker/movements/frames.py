"""Frames: the tables of each round and who plays, rests, or is due to deal first, before any seats.

By a wish a unit may *keep* a table that it never leaves: it is *pinned* to it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from random import Random

from games.errors import gettext_noop
from tracker.movements.table_sizes import table_shapes
from tracker.movements.turns import (
    Turns,
    draw_lots,
    due_to_open,
    units_at_odd_tables,
    units_to_rest,
    units_to_sit_odd,
)
from tracker.movements.types import (
    Question,
    RoundFrame,
    TableSeating,
    TableShape,
    UnseatableError,
)


def round_frames(question: Question, *, by_number: bool = False) -> tuple[RoundFrame, ...]:
    """Return the frame of each round to be planned, without locked tables and their units.

    Units rest, and sit at odd tables, in turn: see ``turns``. Units present in the same rounds do so
    equally often, within one. Units that keep a table rest only if all others do. Among equals the
    lot decides, or *by_number* the last of them rest.

    :raises UnseatableError: as ``table_shapes``, or if there are no tables for all units that keep
        one: ``kept-missing``, ``kept-full``, ``kept-locked``.
    """
    turns = Turns.before(question)
    indices = range(question.rounds)
    return tuple(_round_frame(question, index, turns, by_number=by_number) for index in indices)


def _round_frame(question: Question, index: int, turns: Turns, *, by_number: bool) -> RoundFrame:
    """Return the frame of the planned round with this index, and count its turns in *turns*."""
    present, locked = question.present[index], question.locked if index == 0 else ()
    locked_units = question.locked_units if locked else set[int]()
    # First the tables, and the units that rest.
    free = [unit for unit in present if unit not in locked_units]
    shapes = table_shapes(len(free), question, locked=bool(locked))
    keepers_of = _kept_tables(free, shapes, question, locked)
    # The lowest lot rests first; *by_number* the last unit has the lowest.
    lot = {unit: -position for position, unit in enumerate(free)}
    if not by_number:
        lot = draw_lots(free, Random(f"{question.seed} {index}"))
    too_many = len(free) - sum(shape.size for shape in shapes)
    keepers = set(chain(*keepers_of.values()))
    resting = units_to_rest(free, too_many, keepers=keepers, turns=turns, lot=lot)
    units = tuple(unit for unit in free if unit not in resting)
    seated = (*locked_units, *units)
    # Then who sits at the odd tables, at the kept ones, and who is due to open.
    expected = set(chain(*question.present[index:]))
    rounds_left = turns.rounds_left(expected, seated, len(shapes) + len(locked))
    odd = units_to_sit_odd(
        units, shapes, keepers_of, question, turns=turns, lot=lot, rounds_left=rounds_left
    )
    pinned = _pinned_tables(keepers_of, odd, shapes, question)
    frame = RoundFrame(shapes=shapes, units=units, odd=odd, pinned=pinned)
    if turns.any_due and shapes:
        several = question.rounds > 1
        frame = replace(frame, due=due_to_open(frame, question, rounds_left, ahead=several))
        # The rounds planned after this one count the due units as if they opened.
        turns.openings.times.update(frame.due if several else ())
    turns.rests.record(resting, present, index)
    turns.odd.record({*odd, *units_at_odd_tables(locked, question)}, seated, index)
    turns.seen.update(present)
    return frame


def _kept_tables(
    free: Sequence[int],
    shapes: Sequence[TableShape],
    question: Question,
    locked: Sequence[TableSeating],
) -> Mapping[int, Sequence[int]]:
    """Return the units that keep each table, keyed by its number; refuse wishes that do not fit."""
    keepers_of: dict[int, list[int]] = {}
    for unit in free:
        if unit in question.wishes.keeps:
            keepers_of.setdefault(question.wishes.keeps[unit], []).append(unit)
    locked_out = gettext_noop("%(who)s must sit at table %(table)d, which is locked without them.")
    for number, units in keepers_of.items():
        if any(table.number == number for table in locked):
            raise UnseatableError("kept-locked", locked_out, units=tuple(units), table=number)
    if len(keepers_of) > len(shapes):
        template = gettext_noop(
            "%(who)s must sit at %(tables)d different tables, but only %(here)d are played."
        )
        keepers = tuple(chain(*keepers_of.values()))
        counts = {"tables": len(keepers_of), "here": len(shapes)}
        raise UnseatableError("kept-missing", template, units=keepers, **counts)
    # The table with the most keepers must fit the largest one, the next the second largest, …
    sizes = sorted((shape.size for shape in shapes), reverse=True)
    by_keepers = sorted(keepers_of.items(), key=lambda item: -len(item[1]))
    full = gettext_noop("%(who)s must all sit at table %(table)d, which takes only %(needed)d.")
    for (number, units), size in zip(by_keepers, sizes, strict=False):
        if len(units) > size:
            raise UnseatableError("kept-full", full, units=tuple(units), table=number, needed=size)
    return keepers_of


def _pinned_tables(
    keepers_of: Mapping[int, Sequence[int]],
    odd: Collection[int],
    shapes: Sequence[TableShape],
    question: Question,
) -> Mapping[int, int]:
    """Return the index in *shapes* of the table that each unit keeps, keyed by the unit.

    If the shape at the table's number (less 1) is of the wrong kind or too small, another is taken.
    """
    free = set(range(len(shapes)))
    pinned: dict[int, int] = {}
    for number, units in sorted(keepers_of.items(), key=lambda item: (-len(item[1]), item[0])):
        at_odd_table = units[0] in odd
        fitting = [
            index
            for index in free
            if (shapes[index].code != question.shape.code) == at_odd_table
            and shapes[index].size >= len(units)
        ]
        index = min(fitting, key=lambda index: (index != number - 1, shapes[index].size, index))
        free.remove(index)
        pinned.update(dict.fromkeys(units, index))
    return pinned
