"""Whose turn it is to rest, to sit at the odd table and to open, in each round to be planned."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from math import ceil
from random import Random

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


@dataclass(frozen=True, slots=True)
class TurnCounts:
    """Who had how many turns, and how many it would have been had those present shared alike.

    Nobody has a second turn before everybody has had a first. After that, whoever came
    late need not make up for the turns the others had before.
    """

    times: Counter[int] = field(default_factory=Counter)
    share: dict[int, Fraction] = field(default_factory=dict)
    last: dict[int, int] = field(default_factory=dict)
    together: Counter[frozenset[int]] = field(default_factory=Counter)

    def share_out(self, turns: int, among: Collection[int]) -> Fraction:
        """Add to everybody's share their part of so many turns, and return that part."""
        part = Fraction(turns, len(among) or 1)
        for unit in among:
            self.share[unit] = self.share.get(unit, Fraction()) + part
        return part

    def give(self, turn: Collection[int], among: Collection[int], number: int) -> None:
        """Count a turn for these units, *among* all who could have it, in the round of this number."""
        self.share_out(len(turn), among)
        self.times.update(turn)
        self.last.update(dict.fromkeys(turn, number))
        self.together.update(map(frozenset, combinations(sorted(turn), 2)))

    def order(self, unit: int, seen: Collection[int]) -> tuple[bool, Fraction, bool]:
        """Return what sorts those first whose turn it is, before all else need decide."""
        times = self.times[unit]
        return times > 0, times - self.share.get(unit, Fraction()), unit not in seen

    def late_in(self, unit: int, part: Fraction) -> int:
        """Return in how many rounds, the coming one 0, a unit had fewer turns than it is due.

        It is due its share, rounded down; each round adds *part* to the share.
        """
        return max(0, ceil((self.times[unit] + 1 - self.share[unit]) / part))

    def since(self, unit: int) -> float:
        """Return the round of the last turn, less than any if there was none."""
        return self.last.get(unit, float("-inf"))


def openings_before(question: Question) -> TurnCounts:
    """Return how often each unit opened a table, and its share of the tables it sat at.

    Whoever opened as often as their share, rounded up or down, is even with everybody who played
    as long.
    """
    openings = TurnCounts()
    for past in question.played:
        # Not ``past.seated``: where tables are joined freely, one may have sat at two of a round.
        sat = [unit for table in past.tables for unit in table.units]
        openings.share_out(len(past.tables), sat)
    openings.times.update({unit: dealt.opened for unit, dealt in question.dealt.items()})
    return openings


def units_at_odd_tables(tables: Iterable[TableSeating], question: Question) -> list[int]:
    """Return the units at tables of another shape than the question's."""
    return [
        unit for table in tables if table.shape.code != question.shape.code for unit in table.units
    ]


def round_frames(question: Question, *, by_number: bool = False) -> tuple[RoundFrame, ...]:
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
    rests, odd_turns, openings = TurnCounts(), TurnCounts(), openings_before(question)
    even = question.opened_by is not OpenedBy.TURN
    seen: set[int] = set()
    for number, past in enumerate(question.played, start=-len(question.played)):
        rests.give(past.resting, past.units, number)
        odd_turns.give(set(units_at_odd_tables(past.tables, question)), past.seated, number)
        seen.update(past.units)

    planned = []
    for number, present in enumerate(question.present):
        locked = question.locked if number == 0 else ()
        taken = question.locked_units if locked else set[int]()
        free = [unit for unit in present if unit not in taken]
        shapes = table_shapes(len(free), question, locked=bool(locked))
        keepers_of = _kept_tables(free, shapes, question, locked)
        lot = {unit: -place for place, unit in enumerate(free)}
        if not by_number:
            dice = Random(f"{question.seed} {number}")
            lot = dict(zip(sorted(free), dice.sample(range(len(free)), len(free)), strict=True))

        over = len(free) - sum(shape.size for shape in shapes)
        keepers = {unit for units in keepers_of.values() for unit in units}
        resting = _resting(free, over, keepers=keepers, rests=rests, seen=seen, lot=lot)
        units = tuple(unit for unit in free if unit not in resting)
        seated = (*taken, *units)
        # Once even, whatever is planned at one time can be shared out evenly.
        ahead = {unit for later in question.present[number:] for unit in later}
        even = even or all(openings.share.get(unit, 0) == openings.times[unit] for unit in ahead)
        urgency: dict[int, int] = {}
        if not even and seated:
            part = openings.share_out(len(shapes) + len(locked), seated)
            urgency = {unit: openings.late_in(unit, part) for unit in seated}

        def turn(unit: int, lot: Mapping[int, int] = lot) -> tuple[object, ...]:
            return (*odd_turns.order(unit, seen), odd_turns.since(unit), lot[unit])

        odd = _at_odd_tables(
            units, turn, shapes=shapes, keepers_of=keepers_of, urgency=urgency, question=question
        )
        frame = RoundFrame(
            shapes=shapes,
            units=units,
            odd=odd,
            pinned=_pinned_tables(keepers_of, odd, shapes, question),
        )
        if not even and shapes:
            several = question.rounds > 1
            frame = replace(frame, due=_due_to_open(frame, question, urgency, ahead=several))
            openings.times.update(frame.due if several else ())
        planned.append(frame)

        rests.give(resting, present, number)
        odd_turns.give({*odd, *units_at_odd_tables(locked, question)}, seated, number)
        seen.update(present)
    return tuple(planned)


def _resting(
    free: Sequence[int],
    over: int,
    *,
    keepers: Collection[int],
    rests: TurnCounts,
    seen: Collection[int],
    lot: Mapping[int, int],
) -> list[int]:
    """Return the units that rest, so many as are *over*."""
    resting: list[int] = []
    just_before = max(rests.last.values(), default=0)

    def turn(unit: int) -> tuple[object, ...]:
        since = rests.since(unit)
        company = sum(rests.together[frozenset((unit, other))] for other in resting)
        just_now = since == just_before
        return unit in keepers, rests.order(unit, seen), just_now, company, since, lot[unit]

    for _ in range(over):
        resting.append(min((unit for unit in free if unit not in resting), key=turn))
    return resting


def _at_odd_tables(
    units: Sequence[int],
    turn: Callable[[int], tuple[object, ...]],
    *,
    shapes: Sequence[TableShape],
    keepers_of: Mapping[int, Sequence[int]],
    urgency: Mapping[int, int],
    question: Question,
) -> frozenset[int]:
    """Return which of the units sit at tables of another shape; *turn* sorts those first who should.

    Those who keep a table have their turn together. Among equals they are chosen so that
    the tables of either kind get their part of those who must soon open one, by *urgency*.
    """
    odd_sizes = [shape.size for shape in shapes if shape.code != question.shape.code]
    usual_sizes = [shape.size for shape in shapes if shape.code == question.shape.code]
    if not odd_sizes or not usual_sizes:
        return frozenset(units if odd_sizes else ())

    def turn_of(group: Sequence[int]) -> tuple[object, ...]:
        return max(map(turn, group))

    keeping = [[unit for unit in group if unit in units] for group in keepers_of.values()]
    keepers = {unit for group in keeping for unit in group}
    # A table is kept by those who fit there; there are only so many tables of either kind.
    forced = sorted((group for group in keeping if len(group) > max(usual_sizes)), key=turn_of)
    small = [group for group in keeping if len(group) <= min(odd_sizes) and group not in forced]
    small.sort(key=turn_of)
    must = max(0, len(keeping) - len(usual_sizes) - len(forced))
    forced, small = forced + small[:must], small[must:]
    odd = [unit for group in forced for unit in group]
    tables = len(forced)
    alone = [[unit] for unit in units if unit not in keepers]
    for group in sorted(alone + small, key=turn_of):
        kept = group[0] in keepers
        if len(odd) + len(group) <= sum(odd_sizes) and not (kept and tables == len(odd_sizes)):
            odd += group
            tables += kept
    if not urgency:
        return frozenset(odd)
    movable = {unit: turn(unit)[:3] for unit in units if unit not in keepers}
    needed = len(usual_sizes), len(odd_sizes)
    return _with_openers(frozenset(odd), movable, needed, {unit: urgency[unit] for unit in units})


def _with_openers(
    odd: frozenset[int],
    movable: Mapping[int, object],
    tables: tuple[int, int],
    urgency: Mapping[int, int],
) -> frozenset[int]:
    """Swap equals until the tables of either kind have as many openers as they need."""
    last = sorted(urgency.values())[sum(tables) - 1]

    def lack(odd: Collection[int]) -> int:
        """Return how many units that must open, or tables that need an opener, are left over."""
        count = Counter(
            (unit in odd, soon < last) for unit, soon in urgency.items() if soon <= last
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


def _due_to_open(
    frame: RoundFrame, question: Question, urgency: Mapping[int, int], *, ahead: bool
) -> frozenset[int]:
    """Return the units due to open; every table of a frame should have one of them.

    It is whoever may open without having more than their share. If somebody must open now,
    or other rounds are planned *ahead*, they are as many as there are tables: those for
    whom it is the most urgent.
    """
    dice, due = Random(f"{question.seed} due"), set[int]()
    usual = sum(shape.code == question.shape.code for shape in frame.shapes)
    for tables, units in (
        (usual, [unit for unit in frame.units if unit not in frame.odd]),
        (len(frame.shapes) - usual, sorted(frame.odd)),
    ):
        if not units:
            continue
        lot = dict(zip(sorted(units), dice.sample(range(len(units)), len(units)), strict=True))
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


def _pinned_tables(
    keepers_of: Mapping[int, Sequence[int]],
    odd: Collection[int],
    shapes: Sequence[TableShape],
    question: Question,
) -> Mapping[int, int]:
    """Return the index in *shapes* of the table that each unit keeps.

    The table of that number has that index where it can.
    """
    free = set(range(len(shapes)))
    pinned: dict[int, int] = {}
    for table, units in sorted(keepers_of.items(), key=lambda item: (-len(item[1]), item[0])):
        at_odd_table = units[0] in odd
        fitting = [
            index
            for index in free
            if (shapes[index].code != question.shape.code) == at_odd_table
            and shapes[index].size >= len(units)
        ]
        index = min(fitting, key=lambda index: (index != table - 1, shapes[index].size, index))
        free.remove(index)
        pinned.update(dict.fromkeys(units, index))
    return pinned
