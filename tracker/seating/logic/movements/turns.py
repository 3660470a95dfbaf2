"""Turns: which units rest or sit at the odd table in each round."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random

from games.errors import gettext_noop
from tracker.seating.logic.movements.due import Openings, due_to_open, shares
from tracker.seating.logic.movements.fair_turns import Turns
from tracker.seating.logic.movements.odd_tables import at_odd_tables
from tracker.seating.logic.movements.seam import (
    Frame,
    OpenedBy,
    Question,
    RoundSeating,
    Shape,
    TableSeating,
    UnseatableError,
)
from tracker.seating.logic.movements.sizes import table_shapes


def frames(question: Question, *, by_number: bool = False) -> tuple[Frame, ...]:
    """Return for each round to be planned its tables, and who sits down at them.

    Nobody rests, or sits at a table of another shape, twice before everybody present has
    once, and those present in the same rounds do so equally often, within one. Whoever
    keeps a table does not rest while others can. Among equals those in their first round
    are spared, people rest in varying company, and the lot decides, or *by_number* the
    last of them rest.

    The coming round's locked tables and their people are not in its frame.

    :raises UnseatableError: on the terms of ``table_shapes``, or if a table is not there for
        all who keep it: ``kept-missing``, ``kept-full``, ``kept-locked``.
    """
    rests, odd_turns = Turns(), Turns()
    openings = Openings(shares(question), {u: dealt.opened for u, dealt in question.dealt.items()})
    even = question.opened_by is not OpenedBy.TURN
    seen: set[int] = set()
    for number, past in enumerate(question.played, start=-len(question.played)):
        sat = past.seated
        rests.give(past.resting, sat.union(past.resting), number)
        odd_turns.give(_at_odd_tables(past.tables, question), sat, number)
        seen.update(sat, past.resting)

    planned = []
    for number, present in enumerate(question.present):
        locked = question.locked if number == 0 else ()
        taken = {unit for table in locked for unit in table.units}
        free = [unit for unit in present if unit not in taken]
        shapes = _shapes(len(free), question, locked)
        keepers_of = kept_tables(free, shapes, question, locked)
        lot = {unit: -place for place, unit in enumerate(free)}
        if not by_number:
            dice = Random(f"{question.seed} {number}")
            lot = dict(zip(sorted(free), dice.sample(range(len(free)), len(free)), strict=True))

        over = len(free) - sum(shape.size for shape in shapes)
        resting = _resting(
            free=free, over=over, keepers_of=keepers_of, rests=rests, seen=seen, lot=lot
        )
        units = tuple(unit for unit in free if unit not in resting)
        ahead = {unit for later in question.present[number:] for unit in later}
        # Once even, whatever is planned at one time can be shared out evenly.
        even = even or openings.even(ahead)
        seated = (*taken, *units)
        urgency = openings.sit(seated, len(shapes) + len(locked)) if seated else {}
        odd = at_odd_tables(
            units=units,
            shapes=shapes,
            keepers_of=keepers_of,
            turns=odd_turns,
            seen=seen,
            lot=lot,
            urgency={} if even else urgency,
            question=question,
        )
        pinned = pinned_tables(keepers_of, odd, shapes, question)
        frame = Frame(shapes=shapes, units=units, odd=odd, pinned=pinned)
        if not even and shapes:
            several = question.rounds > 1
            frame = replace(frame, due=due_to_open(frame, question, urgency, ahead=several))
            openings.opened.update(
                {unit: openings.opened.get(unit, 0) + 1 for unit in frame.due if several}
            )
        planned.append(frame)

        rests.give(resting, present, number)
        odd_turns.give(odd | _at_odd_tables(locked, question), seated, number)
        seen.update(present)
    return tuple(planned)


def lay(
    question: Question,
    planned: Sequence[Frame],
    tables: Sequence[Sequence[TableSeating]],
) -> tuple[RoundSeating, ...]:
    """Return the rounds of the frames whose tables were arranged, the locked ones first."""
    rounds = []
    for number, (present, frame, free) in enumerate(
        zip(question.present, planned, tables, strict=True)
    ):
        locked = question.locked if number == 0 else ()
        seated = {unit for table in locked for unit in table.units}.union(frame.units)
        resting = tuple(unit for unit in present if unit not in seated)
        rounds.append(RoundSeating(tables=(*locked, *free), resting=resting))
    return tuple(rounds)


def _at_odd_tables(tables: Iterable[TableSeating], question: Question) -> set[int]:
    return {
        unit for table in tables if table.shape.code != question.shape.code for unit in table.units
    }


def _shapes(units: int, question: Question, locked: Sequence[TableSeating]) -> tuple[Shape, ...]:
    """Return the tables beside the locked ones, none if all that is left must rest."""
    if not locked:
        return table_shapes(units, question)
    hall = None if question.tables is None else max(0, question.tables - len(locked))
    try:
        return table_shapes(units, replace(question, tables=hall))
    except UnseatableError as error:
        if error.code == "too-few":
            return ()
        raise


def _resting(
    *,
    free: Sequence[int],
    over: int,
    keepers_of: Mapping[int, Sequence[int]],
    rests: Turns,
    seen: Collection[int],
    lot: Mapping[int, int],
) -> tuple[int, ...]:
    keepers = {unit for units in keepers_of.values() for unit in units}
    resting: list[int] = []
    just_before = max(rests.last.values(), default=0)
    for _ in range(over):

        def turn(unit: int) -> tuple[object, ...]:
            since, company = rests.since(unit), rests.company(unit, resting)
            just_now = since == just_before
            return unit in keepers, rests.order(unit, seen), just_now, company, since, lot[unit]

        resting.append(min((unit for unit in free if unit not in resting), key=turn))
    return tuple(resting)


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
