"""Whose turn it is: to rest, or to sit at the odd table."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from random import Random

from games.errors import gettext_noop
from tracker.seating.logic.movements.due import due_to_open
from tracker.seating.logic.movements.seam import (
    Frame,
    Question,
    RoundSeating,
    Shape,
    TableSeating,
    UnseatableError,
)
from tracker.seating.logic.movements.sizes import table_shapes


@dataclass(frozen=True, slots=True)
class _Turns:
    """Who had how many turns, and how many it would have been had those present shared alike.

    Nobody has a second turn before everybody has had a first. After that, whoever came
    late need not make up for the turns the others had before.
    """

    times: Counter[int] = field(default_factory=Counter)
    share: dict[int, Fraction] = field(default_factory=dict)
    last: dict[int, int] = field(default_factory=dict)
    together: Counter[frozenset[int]] = field(default_factory=Counter)

    def give(self, turn: Collection[int], among: Collection[int], number: int) -> None:
        """Let it have been their turn, *among* all who could, in the round of this number."""
        for unit in among:
            self.share[unit] = self.share.get(unit, Fraction()) + Fraction(len(turn), len(among))
        self.times.update(turn)
        self.last.update(dict.fromkeys(turn, number))
        self.together.update(map(frozenset, combinations(sorted(turn), 2)))

    def order(self, unit: int, seen: Collection[int]) -> tuple[bool, Fraction, bool, float]:
        """Return what sorts those first whose turn it is before the lot need decide."""
        times = self.times[unit]
        last = self.last.get(unit, float("-inf"))
        return times > 0, times - self.share.get(unit, Fraction()), unit not in seen, last

    def company(self, unit: int, others: Iterable[int]) -> int:
        """Return how often the unit had its turn together with these."""
        return sum(self.together[frozenset((unit, other))] for other in others)


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
    rests, odd_turns = _Turns(), _Turns()
    seen: set[int] = set()
    for number, past in enumerate(question.played, start=-len(question.played)):
        seated = {unit for table in past.tables for unit in table.units}
        rests.give(past.resting, seated.union(past.resting), number)
        odd_turns.give(_at_odd_tables(past.tables, question), seated, number)
        seen.update(seated, past.resting)

    planned = []
    for number, present in enumerate(question.present):
        locked = question.locked if number == 0 else ()
        taken = {unit for table in locked for unit in table.units}
        free = [unit for unit in present if unit not in taken]
        shapes = _shapes(len(free), question, locked)
        kept = _kept(free, shapes, question, locked)
        lot = {unit: -place for place, unit in enumerate(free)}
        if not by_number:
            dice = Random(f"{question.seed} {number}")
            lot = dict(zip(sorted(free), dice.sample(range(len(free)), len(free)), strict=True))

        over = len(free) - sum(shape.size for shape in shapes)
        resting = _resting(free=free, over=over, kept=kept, rests=rests, seen=seen, lot=lot)
        units = tuple(unit for unit in free if unit not in resting)
        odd = _odd(
            units=units,
            shapes=shapes,
            kept=kept,
            turns=odd_turns,
            seen=seen,
            lot=lot,
            question=question,
        )
        pinned = _pinned(kept, odd, shapes, question)
        planned.append(Frame(shapes=shapes, units=units, odd=odd, pinned=pinned))

        rests.give(resting, present, number)
        at_locked = _at_odd_tables(locked, question)
        odd_turns.give(odd | at_locked, taken.union(units), number)
        seen.update(present)
    return due_to_open(question, tuple(planned))


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


def _kept(
    free: Sequence[int],
    shapes: Sequence[Shape],
    question: Question,
    locked: Sequence[TableSeating],
) -> Mapping[int, Sequence[int]]:
    """Return by the number of the table who keep it.

    :raises UnseatableError: as ``frames`` says.
    """
    kept: dict[int, list[int]] = {}
    for unit in free:
        if unit in question.wishes.keeps:
            kept.setdefault(question.wishes.keeps[unit], []).append(unit)
    for table, units in kept.items():
        if any(other.number == table for other in locked):
            raise UnseatableError(
                "kept-locked",
                gettext_noop("%(who)s must sit at table %(table)d, which is locked without them."),
                units=tuple(units),
                table=table,
            )
    if len(kept) > len(shapes):
        raise UnseatableError(
            "kept-missing",
            gettext_noop(
                "%(who)s must sit at %(tables)d different tables, but only %(here)d are played."
            ),
            units=tuple(unit for units in kept.values() for unit in units),
            tables=len(kept),
            here=len(shapes),
        )
    # The fullest of them take the largest tables.
    sizes = sorted((shape.size for shape in shapes), reverse=True)
    by_keepers = sorted(kept.items(), key=lambda item: -len(item[1]))
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
    return kept


def _resting(
    *,
    free: Sequence[int],
    over: int,
    kept: Mapping[int, Sequence[int]],
    rests: _Turns,
    seen: Collection[int],
    lot: Mapping[int, int],
) -> tuple[int, ...]:
    keepers = {unit for units in kept.values() for unit in units}
    resting: list[int] = []
    for _ in range(over):

        def turn(unit: int) -> tuple[object, ...]:
            company = rests.company(unit, resting)
            return unit in keepers, rests.order(unit, seen), company, lot[unit]

        resting.append(min((unit for unit in free if unit not in resting), key=turn))
    return tuple(resting)


def _odd(
    *,
    units: Sequence[int],
    shapes: Sequence[Shape],
    kept: Mapping[int, Sequence[int]],
    turns: _Turns,
    seen: Collection[int],
    lot: Mapping[int, int],
    question: Question,
) -> frozenset[int]:
    """Return whose turn it is to sit at tables of another shape.

    Those who keep a table have their turn together.
    """
    odd_sizes = [shape.size for shape in shapes if shape.code != question.shape.code]
    usual_sizes = [shape.size for shape in shapes if shape.code == question.shape.code]
    if not odd_sizes:
        return frozenset()
    if not usual_sizes:
        return frozenset(units)

    def turn(group: Sequence[int]) -> tuple[object, ...]:
        return max((*turns.order(unit, seen), lot[unit]) for unit in group)

    keeping = [[unit for unit in group if unit in units] for group in kept.values()]
    keepers = {unit for group in keeping for unit in group}
    alone = [[unit] for unit in units if unit not in keepers]
    # A table is kept by those who fit there; there are only so many tables of either kind.
    small = [group for group in keeping if len(group) <= min(odd_sizes)]
    must = len(keeping) - len(usual_sizes)
    forced = sorted((group for group in keeping if len(group) > max(usual_sizes)), key=turn)
    small = sorted((group for group in small if group not in forced), key=turn)
    forced += small[: max(0, must - len(forced))]
    odd: list[int] = [unit for group in forced for unit in group]
    tables, places = len(forced), sum(odd_sizes)
    for group in sorted(alone + [group for group in small if group not in forced], key=turn):
        kept_group = group[0] in keepers
        if len(odd) + len(group) > places or (kept_group and tables == len(odd_sizes)):
            continue
        odd += group
        tables += kept_group
    return frozenset(odd)


def _pinned(
    kept: Mapping[int, Sequence[int]],
    odd: Collection[int],
    shapes: Sequence[Shape],
    question: Question,
) -> Mapping[int, int]:
    """Return the index in *shapes* of the table that each unit keeps.

    The table of that number has that index where it can.
    """
    free = set(range(len(shapes)))
    pinned: dict[int, int] = {}
    for table, units in sorted(kept.items(), key=lambda item: (-len(item[1]), item[0])):
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
