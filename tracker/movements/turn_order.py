"""Turns to rest, to sit at the odd table and to deal first, for each round to be planned.

A *unit* is a player or a fixed team. It *rests* in a round if it sits at no table. An *odd* table
has another shape than the usual one. A unit *opens* a table if it deals first there, and is *due* to
open if it is its turn. It *keeps* a table that it never leaves by a wish, and is *pinned* to it then.
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
    unit that came late need not make up for the turns of the others. ``together`` counts, for two
    units, the rounds in which both had a turn; the others are keyed by unit.
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
        """Count a turn for these units, *among* all who could have it, in the round of this number."""
        self.share_out(len(units), among)
        self.times.update(units)
        self.last_round.update(dict.fromkeys(units, number))
        self.together.update(map(frozenset, combinations(sorted(units), 2)))

    def sort_key(self, unit: int, seen: Collection[int]) -> tuple[bool, Fraction, bool]:
        """Return the sort key by which units with fewer turns come first.

        Units without a turn come first, then those with the fewest above their share, and among
        equals units *seen* in an earlier round.
        """
        times = self.times[unit]
        return times > 0, times - self.share.get(unit, Fraction()), unit not in seen

    def rounds_until_late(self, unit: int, part: Fraction) -> int:
        """Return in how many rounds a unit without another turn is a whole turn behind its share.

        Each round adds *part* to its share; 0 means that it needs a turn in the coming round.
        """
        return max(0, ceil((self.times[unit] + 1 - self.share[unit]) / part))


def openings_before(question: Question) -> TurnCounts:
    """Return how often each unit opened a table, and its share of the openings where it sat."""
    openings = TurnCounts()
    for past in question.played:
        # Not ``past.seated``: where tables are joined freely, one may have sat at two of a round.
        sat = [unit for table in past.tables for unit in table.units]
        openings.share_out(len(past.tables), sat)
    openings.times.update({unit: dealt.opened for unit, dealt in question.dealt.items()})
    return openings


def units_at_odd_tables(tables: Iterable[TableSeating], question: Question) -> list[int]:
    """Return the units at tables of another shape than the question's."""
    usual = question.shape.code
    return [unit for table in tables if table.shape.code != usual for unit in table.units]


def round_frames(question: Question, *, by_number: bool = False) -> tuple[RoundFrame, ...]:
    """Return the table shapes of each round to be planned, and the units that sit at them.

    Units rest, and sit at tables of another shape, in turn: see `TurnCounts`. Units present in the
    same rounds do so equally often, within one. Units that keep a table rest only if all others do.
    Among equals, units in their first round are spared, and units rest in varying company; then the
    lot decides, or *by_number* the last of them rest.

    The coming round's locked tables and their units are left out.

    :raises UnseatableError: as ``table_shapes``, or if there are no tables for all units that keep
        one: ``kept-missing``, ``kept-full``, ``kept-locked``.
    """
    rests, odd_turns, seen = _turns_before(question)
    # No unit has to be due if openings are not chosen by turns, or once they are even.
    openings, no_one_due = openings_before(question), question.opened_by is not OpenedBy.TURN
    several = question.rounds > 1
    planned = []
    for number, present in enumerate(question.present):
        # The tables, and the units that rest.
        locked = question.locked if number == 0 else ()
        locked_units = question.locked_units if locked else set[int]()
        free = [unit for unit in present if unit not in locked_units]
        shapes = table_shapes(len(free), question, locked=bool(locked))
        keepers_of = _kept_tables(free, shapes, question, locked)
        # The lowest lot rests first: *by_number* the last unit.
        lot = {unit: -index for index, unit in enumerate(free)}
        if not by_number:
            lot = _draw_lots(free, Random(f"{question.seed} {number}"))
        over = len(free) - sum(shape.size for shape in shapes)
        keepers = {unit for units in keepers_of.values() for unit in units}
        resting = _resting(free, over, keepers=keepers, rests=rests, seen=seen, lot=lot)
        units = tuple(unit for unit in free if unit not in resting)
        seated = (*locked_units, *units)
        # Once openings are even, those of all rounds planned together can be shared out evenly.
        expected = {unit for later in question.present[number:] for unit in later}
        even = all(openings.share.get(unit, 0) == openings.times[unit] for unit in expected)
        no_one_due = no_one_due or even
        # By unit: in how many rounds it must open at the latest; the most urgent have the least.
        urgency: dict[int, int] = {}
        if not no_one_due and seated:
            part = openings.share_out(len(shapes) + len(locked), seated)
            urgency = {unit: openings.rounds_until_late(unit, part) for unit in seated}
        # Who sits at the odd tables, at the kept ones, and who is due to open.
        odd_sort_keys = {
            unit: (*odd_turns.sort_key(unit, seen), odd_turns.last_round.get(unit, -inf), lot[unit])
            for unit in units
        }
        odd = _at_odd_tables(odd_sort_keys, shapes, keepers_of, urgency=urgency, question=question)
        pinned = _pinned_tables(keepers_of, odd, shapes, question)
        frame = RoundFrame(shapes=shapes, units=units, odd=odd, pinned=pinned)
        if not no_one_due and shapes:
            frame = replace(frame, due=_due_to_open(frame, question, urgency, ahead=several))
            # For the rounds planned after this one.
            openings.times.update(frame.due if several else ())
        planned.append(frame)
        rests.record(resting, present, number)
        odd_turns.record({*odd, *units_at_odd_tables(locked, question)}, seated, number)
        seen.update(present)
    return tuple(planned)


def _turns_before(question: Question) -> tuple[TurnCounts, TurnCounts, set[int]]:
    """Return the rests and the turns at odd tables of the played rounds, and all their units."""
    rests, odd_turns, seen = TurnCounts(), TurnCounts(), set[int]()
    for number, past in enumerate(question.played, start=-len(question.played)):
        rests.record(past.resting, past.units, number)
        odd_turns.record(set(units_at_odd_tables(past.tables, question)), past.seated, number)
        seen.update(past.units)
    return rests, odd_turns, seen


def _draw_lots(units: Collection[int], dice: Random) -> dict[int, int]:
    """Return a random order of the units, as the position of each."""
    return dict(zip(sorted(units), dice.sample(range(len(units)), len(units)), strict=True))


def _resting(
    free: Sequence[int],
    over: int,
    *,
    keepers: Collection[int],
    rests: TurnCounts,
    seen: Collection[int],
    lot: Mapping[int, int],
) -> list[int]:
    """Return the units that rest, in turn; *over* is their number."""
    resting: list[int] = []
    latest_rest_of_all = max(rests.last_round.values(), default=0)

    def sort_key(unit: int) -> tuple[object, ...]:
        turns = rests.sort_key(unit, seen)
        last_rest = rests.last_round.get(unit, -inf)
        rested_just_now = last_rest == latest_rest_of_all
        # How often it rested together with those chosen already.
        company = sum(rests.together[frozenset((unit, other))] for other in resting)
        return unit in keepers, turns, rested_just_now, company, last_rest, lot[unit]

    for _ in range(over):
        resting.append(min((unit for unit in free if unit not in resting), key=sort_key))
    return resting


def _at_odd_tables(
    sort_keys: Mapping[int, tuple[Any, ...]],
    shapes: Sequence[TableShape],
    keepers_of: Mapping[int, Sequence[int]],
    *,
    urgency: Mapping[int, int],
    question: Question,
) -> frozenset[int]:
    """Return the units that sit at odd tables: those with the least *sort_keys*.

    Units that keep the same table go there together. Units with equally many turns are chosen so
    that tables of either kind have enough units that must soon open, by *urgency*.
    """
    odd_sizes = [shape.size for shape in shapes if shape.code != question.shape.code]
    usual_sizes = [shape.size for shape in shapes if shape.code == question.shape.code]
    if not odd_sizes or not usual_sizes:
        return frozenset(sort_keys if odd_sizes else ())

    def latest(group: Sequence[int]) -> tuple[Any, ...]:
        return max(sort_keys[unit] for unit in group)

    # Units that keep one table are a group. Groups that are too large for usual tables go to odd
    # ones, and so do those for which no usual table is left.
    groups = [[unit for unit in group if unit in sort_keys] for group in keepers_of.values()]
    keepers = {unit for group in groups for unit in group}
    forced = sorted((group for group in groups if len(group) > max(usual_sizes)), key=latest)
    small = [group for group in groups if len(group) <= min(odd_sizes) and group not in forced]
    small.sort(key=latest)
    without_usual = max(0, len(groups) - len(usual_sizes) - len(forced))
    forced, small = forced + small[:without_usual], small[without_usual:]
    # Then groups and single units in turn, while there are places, and tables for groups.
    odd = [unit for group in forced for unit in group]
    kept_tables = len(forced)
    alone = [[unit] for unit in sort_keys if unit not in keepers]
    for group in sorted(alone + small, key=latest):
        keeps = group[0] in keepers
        has_table = not keeps or kept_tables < len(odd_sizes)
        if has_table and len(odd) + len(group) <= sum(odd_sizes):
            odd += group
            kept_tables += keeps
    if not urgency:
        return frozenset(odd)
    # Units with equally many turns, the first three parts of the key, may still be exchanged.
    turns = {unit: key[:3] for unit, key in sort_keys.items() if unit not in keepers}
    tables = len(usual_sizes), len(odd_sizes)
    return _with_openers(frozenset(odd), turns, tables, {unit: urgency[unit] for unit in sort_keys})


def _with_openers(
    odd: frozenset[int],
    turns: Mapping[int, object],
    tables: tuple[int, int],
    urgency: Mapping[int, int],
) -> frozenset[int]:
    """Swap units with equal *turns* until usual and odd *tables* have as many openers as they need.

    As many units open as there are tables, those with the least *urgency*, which is the rounds they
    have left. Units with less than the last of them must open, and those with as much may. Each
    step is the best swap of two units; the search ends when none helps.
    """
    last = sorted(urgency.values())[sum(tables) - 1]

    def lack(odd: Collection[int]) -> int:
        """Return how many units that must open find no table, plus tables without an opener."""
        # By whether a unit is odd, and whether it must open or only may.
        count = Counter(
            (unit in odd, urgent < last) for unit, urgent in urgency.items() if urgent <= last
        )
        return sum(
            max(0, count[is_odd, True] - need, need - count[is_odd, True] - count[is_odd, False])
            for is_odd, need in zip((False, True), tables, strict=True)
        )

    while fewest := lack(odd):
        # One of several units that are alike in turns, table and urgency is enough.
        alike = {
            (turns[unit], unit in odd, urgency[unit] < last, urgency[unit] <= last): unit
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
    frame: RoundFrame, question: Question, urgency: Mapping[int, int], *, ahead: bool
) -> frozenset[int]:
    """Return the units due to open: the most urgent ones, as many as tables of each kind.

    Units as urgent as the last of them are due too, unless one must open in this round, or later
    rounds are planned as well (*ahead*).
    """
    dice, due = Random(f"{question.seed} due"), set[int]()
    usual = sum(shape.code == question.shape.code for shape in frame.shapes)
    for tables, units in (
        (usual, [unit for unit in frame.units if unit not in frame.odd]),
        (len(frame.shapes) - usual, sorted(frame.odd)),
    ):
        if not units:
            continue
        lot = _draw_lots(units, dice)
        by_urgency = sorted(units, key=lambda unit: (urgency[unit], lot[unit]))
        if ahead or urgency[by_urgency[0]] == 0:
            due.update(by_urgency[:tables])
        else:
            last = urgency[by_urgency[tables - 1]]
            due.update(unit for unit in units if urgency[unit] <= last)
    return frozenset(due)


def _kept_tables(
    free: Sequence[int],
    shapes: Sequence[TableShape],
    question: Question,
    locked: Sequence[TableSeating],
) -> Mapping[int, Sequence[int]]:
    """Return the units that keep a table, keyed by the table's number; check that all of them fit."""
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
        numbers = {"tables": len(keepers_of), "here": len(shapes)}
        keepers = tuple(chain(*keepers_of.values()))
        raise UnseatableError("kept-missing", template, units=keepers, **numbers)
    # Check that the largest tables are large enough for the most keepers.
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

    It is the number of the table less 1, if a table of the right kind and size is there.
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
