"""Turns to rest, to sit at the odd table and to deal first, for each round to be planned.

A *unit* is a player or a fixed team. It *rests* in a round if it sits at no table. An *odd* table
has another shape than usual. A unit *opens* a table if it deals first there, and is *due* to open
if it is its turn. By a wish it may *keep* a table that it never leaves: it is *pinned* to it. The
*frame* of a round has all this (its tables, who sits, who is due), but not yet who sits where.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, combinations
from math import ceil, inf
from random import Random
from typing import Any

from games.errors import gettext_noop
from tracker.movements.table_sizes import table_shapes
from tracker.movements.types import (
    OpenedBy,
    Question,
    RoundFrame,
    TableSeating,
    TableShape,
    UnseatableError,
)


@dataclass(slots=True)
class TurnCounts:
    """How many turns of one kind each unit had, and its fair share in the rounds it was present.

    No unit has a second turn before all have had a first. After that, the share decides, so that a
    unit that came late need not make up for the turns of the others. Keyed by the unit: ``times``,
    ``share`` and the number of the ``last_round`` with a turn. ``together`` counts the rounds in
    which two units both had a turn.
    """

    times: Counter[int] = field(default_factory=Counter)
    share: dict[int, Fraction] = field(default_factory=dict)
    last_round: dict[int, int] = field(default_factory=dict)
    together: Counter[frozenset[int]] = field(default_factory=Counter)

    def share_out(self, turns: int, among: Collection[int]) -> Fraction:
        """Add an equal part of these *turns* to the share of each unit, and return that part."""
        part = Fraction(turns, len(among) or 1)
        for unit in among:
            self.share[unit] = self.share.get(unit, Fraction()) + part
        return part

    def record(self, units: Collection[int], among: Collection[int], number: int) -> None:
        """Count a turn for these units, *among* all who could have it, in this round."""
        self.share_out(len(units), among)
        self.times.update(units)
        self.last_round.update(dict.fromkeys(units, number))
        self.together.update(map(frozenset, combinations(sorted(units), 2)))

    def sort_key(self, unit: int, seen: Collection[int]) -> tuple[bool, Fraction, bool]:
        """Return the sort key by which units come first whose turn it is.

        Units without a turn come first, then those with the fewest turns above their share, and
        among equals units *seen* in an earlier round.
        """
        times = self.times[unit]
        return times > 0, times - self.share.get(unit, Fraction()), unit not in seen

    def rounds_until_late(self, unit: int, part: Fraction) -> int:
        """Return after how many rounds without a turn a unit will be a whole turn behind its share.

        Each round adds *part* to its share. 0 means that it needs a turn in the coming round.
        """
        return max(0, ceil((self.times[unit] + 1 - self.share[unit]) / part))


def openings_before(question: Question) -> TurnCounts:
    """Return how often each unit opened a table, and its share of the openings where it sat."""
    openings = TurnCounts()
    for past in question.played:
        # Not the set ``past.seated``: where tables form freely, a unit may sit at two in a round.
        sat = [unit for table in past.tables for unit in table.units]
        openings.share_out(len(past.tables), sat)
    openings.times.update({unit: counts.opened for unit, counts in question.deal_counts.items()})
    return openings


def units_at_odd_tables(tables: Iterable[TableSeating], question: Question) -> list[int]:
    """Return the units at tables of another shape than the question's."""
    usual = question.shape.code
    return [unit for table in tables if table.shape.code != usual for unit in table.units]


def round_frames(question: Question, *, by_number: bool = False) -> tuple[RoundFrame, ...]:
    """Return the frame of each round to be planned, without locked tables and their units.

    Units rest, and sit at odd tables, in turn: see `TurnCounts`. Units present in the same rounds
    do so equally often, within one. Units that keep a table rest only if all others do. Among
    equals, units in their first round are spared, and units rest in varying company; then the lot
    decides, or *by_number* the last of them rest.

    :raises UnseatableError: as ``table_shapes``, or if there are no tables for all units that keep
        one: ``kept-missing``, ``kept-full``, ``kept-locked``.
    """
    turns = _Turns.before(question)
    indices = range(question.rounds)
    return tuple(_round_frame(question, index, turns, by_number=by_number) for index in indices)


@dataclass(slots=True)
class _Turns:
    """The turns of each kind, and the units ``seen``, in all rounds played or planned so far."""

    rests: TurnCounts
    odd: TurnCounts
    openings: TurnCounts
    seen: set[int]
    # Whether units are due to open. They are not if openings do not go by turns, nor once every unit
    # has opened exactly its share: from then on any seats allow even openings.
    any_due: bool

    @classmethod
    def before(cls, question: Question) -> "_Turns":
        """Return the turns in the played rounds, numbered below 0: 0 is the first planned one."""
        rests, odd, seen = TurnCounts(), TurnCounts(), set[int]()
        for number, past in enumerate(question.played, start=-len(question.played)):
            rests.record(past.resting, past.units, number)
            odd.record(set(units_at_odd_tables(past.tables, question)), past.seated, number)
            seen.update(past.units)
        by_turns = question.opened_by is OpenedBy.TURN
        return cls(rests, odd, openings_before(question), seen, any_due=by_turns)


def _round_frame(question: Question, index: int, turns: _Turns, *, by_number: bool) -> RoundFrame:
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
        lot = _draw_lots(free, Random(f"{question.seed} {index}"))
    too_many = len(free) - sum(shape.size for shape in shapes)
    keepers = set(chain(*keepers_of.values()))
    resting = _resting(free, too_many, keepers=keepers, turns=turns, lot=lot)
    units = tuple(unit for unit in free if unit not in resting)
    seated = (*locked_units, *units)
    # Then who sits at the odd tables, at the kept ones, and who is due to open.
    rounds_left = _rounds_left(question, index, turns, seated, tables=len(shapes) + len(locked))
    odd_turns = {unit: turns.odd.sort_key(unit, turns.seen) for unit in units}
    last_odd = {unit: turns.odd.last_round.get(unit, -inf) for unit in units}
    odd_keys = {unit: (*odd_turns[unit], last_odd[unit], lot[unit]) for unit in units}
    odd = _at_odd_tables(odd_keys, shapes, keepers_of, rounds_left=rounds_left, question=question)
    pinned = _pinned_tables(keepers_of, odd, shapes, question)
    frame = RoundFrame(shapes=shapes, units=units, odd=odd, pinned=pinned)
    if turns.any_due and shapes:
        several = question.rounds > 1
        frame = replace(frame, due=_due_to_open(frame, question, rounds_left, ahead=several))
        # The rounds planned after this one count the due units as if they opened.
        turns.openings.times.update(frame.due if several else ())
    turns.rests.record(resting, present, index)
    turns.odd.record({*odd, *units_at_odd_tables(locked, question)}, seated, index)
    turns.seen.update(present)
    return frame


def _rounds_left(
    question: Question, index: int, turns: _Turns, seated: Collection[int], *, tables: int
) -> dict[int, int]:
    """Return within how many rounds each seated unit must open, keyed by the unit; 0 is now.

    It is empty if no unit is due. The openings of this round are added to the shares in *turns*.
    """
    openings = turns.openings
    expected = set(chain(*question.present[index:]))
    if all(openings.share.get(unit, 0) == openings.times[unit] for unit in expected):
        turns.any_due = False
    if not turns.any_due or not seated:
        return {}
    part = openings.share_out(tables, seated)
    return {unit: openings.rounds_until_late(unit, part) for unit in seated}


def _draw_lots(units: Collection[int], dice: Random) -> dict[int, int]:
    """Return a random order of the units, as the position of each."""
    return dict(zip(sorted(units), dice.sample(range(len(units)), len(units)), strict=True))


def _resting(
    free: Sequence[int],
    too_many: int,
    *,
    keepers: Collection[int],
    turns: _Turns,
    lot: Mapping[int, int],
) -> list[int]:
    """Return the units whose turn it is to rest; *too_many* is their number, *keepers* come last."""
    resting: list[int] = []
    rests = turns.rests
    latest_rest_of_all = max(rests.last_round.values(), default=0)

    def sort_key(unit: int) -> tuple[object, ...]:
        fewest_rests = rests.sort_key(unit, turns.seen)
        last_rest = rests.last_round.get(unit, -inf)
        rested_just_now = last_rest == latest_rest_of_all
        # How often the unit rested together with those chosen already.
        company = sum(rests.together[frozenset((unit, other))] for other in resting)
        return unit in keepers, fewest_rests, rested_just_now, company, last_rest, lot[unit]

    for _ in range(too_many):
        resting.append(min((unit for unit in free if unit not in resting), key=sort_key))
    return resting


def _at_odd_tables(
    sort_keys: Mapping[int, tuple[Any, ...]],
    shapes: Sequence[TableShape],
    keepers_of: Mapping[int, Sequence[int]],
    *,
    rounds_left: Mapping[int, int],
    question: Question,
) -> frozenset[int]:
    """Return the units that sit at odd tables: those with the least *sort_keys*.

    The units that keep the same table, a *group*, go there together. Of units with equally many
    turns those are chosen that give both kinds of tables enough units with few *rounds_left*.
    """
    odd_sizes = [shape.size for shape in shapes if shape.code != question.shape.code]
    usual_sizes = [shape.size for shape in shapes if shape.code == question.shape.code]
    if not odd_sizes or not usual_sizes:
        return frozenset(sort_keys if odd_sizes else ())

    def group_sort_key(group: Sequence[int]) -> tuple[Any, ...]:
        return max(sort_keys[unit] for unit in group)

    # First the groups that must: those too large for usual tables, and those that find none left.
    groups = [[unit for unit in group if unit in sort_keys] for group in keepers_of.values()]
    too_large = sorted((g for g in groups if len(g) > max(usual_sizes)), key=group_sort_key)
    small = [g for g in groups if len(g) <= min(odd_sizes) and g not in too_large]
    small.sort(key=group_sort_key)
    without_usual = max(0, len(groups) - len(usual_sizes) - len(too_large))
    forced, may_be_odd = too_large + small[:without_usual], small[without_usual:]
    # Then groups and single units in turn, while there are places, and tables for groups.
    odd = list(chain(*forced))
    kept_tables = len(forced)
    keepers = set(chain(*groups))
    alone = [[unit] for unit in sort_keys if unit not in keepers]
    for group in sorted(alone + may_be_odd, key=group_sort_key):
        keeps = group[0] in keepers
        has_table = not keeps or kept_tables < len(odd_sizes)
        if has_table and len(odd) + len(group) <= sum(odd_sizes):
            odd += group
            kept_tables += keeps
    if not rounds_left:
        return frozenset(odd)
    # Units with equally many turns, the first three parts of the key, may still be exchanged.
    turns = {unit: key[:3] for unit, key in sort_keys.items() if unit not in keepers}
    tables = len(usual_sizes), len(odd_sizes)
    of_these = {unit: rounds_left[unit] for unit in sort_keys}  # without units at locked tables
    return _with_openers(frozenset(odd), turns, tables, of_these)


def _with_openers(
    odd: frozenset[int],
    turns: Mapping[int, object],
    tables: tuple[int, int],
    rounds_left: Mapping[int, int],
) -> frozenset[int]:
    """Swap units with equal *turns* until both kinds of tables have as many openers as they need.

    *tables* are the numbers of usual and of odd tables. Each table needs one opener, and units with
    the fewest *rounds_left* come first. Those with fewer than the *last* that is needed must open,
    those with as many may. Each step makes the best swap, until none helps.
    """
    last = sorted(rounds_left.values())[sum(tables) - 1]

    def lack(odd: Collection[int]) -> int:
        """Return how many units that must open find no table, plus tables without an opener."""
        total = 0
        for is_odd, needed in zip((False, True), tables, strict=True):
            of_kind = [left for unit, left in rounds_left.items() if (unit in odd) is is_odd]
            must, may = sum(left < last for left in of_kind), of_kind.count(last)
            total += max(0, must - needed, needed - must - may)
        return total

    while fewest := lack(odd):
        # Of units alike in turns, kind of table and need to open, one is enough to try.
        alike = {
            (turns[unit], unit in odd, rounds_left[unit] < last, rounds_left[unit] <= last): unit
            for unit in turns
        }
        swaps = (
            odd.symmetric_difference((unit, other))
            for (unit_turns, unit_is_odd, *_), unit in alike.items()
            for (other_turns, other_is_odd, *_), other in alike.items()
            if unit_is_odd and not other_is_odd and unit_turns == other_turns
        )
        better = min(swaps, key=lack, default=odd)
        if lack(better) >= fewest:
            break
        odd = better
    return odd


def _due_to_open(
    frame: RoundFrame, question: Question, rounds_left: Mapping[int, int], *, ahead: bool
) -> frozenset[int]:
    """Return the units due to open: for each kind of table as many as tables, the most urgent ones.

    The most urgent have the fewest *rounds_left*. Units as urgent as the last of them are due too,
    unless one must open in this round, or later rounds are planned as well (*ahead*).
    """
    dice, due = Random(f"{question.seed} due"), set[int]()
    usual_tables = sum(shape.code == question.shape.code for shape in frame.shapes)
    for tables, units in (
        (usual_tables, [unit for unit in frame.units if unit not in frame.odd]),
        (len(frame.shapes) - usual_tables, sorted(frame.odd)),
    ):
        if not units:
            continue
        lot = _draw_lots(units, dice)
        by_rounds_left = sorted(units, key=lambda unit: (rounds_left[unit], lot[unit]))
        if ahead or rounds_left[by_rounds_left[0]] == 0:
            due.update(by_rounds_left[:tables])
        else:
            last = rounds_left[by_rounds_left[tables - 1]]
            due.update(unit for unit in units if rounds_left[unit] <= last)
    return frozenset(due)


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
