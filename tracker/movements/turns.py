"""Turns: who rests, sits at an odd table, deals first, or takes a place of a side, evenly shared.

A unit is *due* to open if it is its turn. Its *share* are the turns that it would have had by now
if they were divided equally in each round: 1/4 opening in a round of 3 tables and 12 units.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, combinations
from math import ceil, inf
from random import Random
from typing import Any

from tracker.movements.even_shares import share_evenly
from tracker.movements.types import (
    DealCounts,
    OpenedBy,
    Question,
    RoundFrame,
    RoundSeating,
    TableKey,
    TableSeating,
    TableShape,
    tables_by_key,
    with_tables,
)


@dataclass(slots=True)
class TurnCounts:
    """How many turns of one kind each unit had, and its share in the rounds it was present.

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

    def record_one(self, unit: int | None, among: Collection[int]) -> None:
        """Count a turn for one unit, if any has it, *among* all who could."""
        self.share_out(1, among)
        if unit is not None:
            self.times[unit] += 1

    def ahead(self, unit: int) -> Fraction:
        """Return how many turns the unit had more than its share."""
        return self.times[unit] - self.share.get(unit, Fraction())

    def stay_even(self, groups: Iterable[Sequence[int]]) -> bool:
        """Return whether turns are even, within one, if the first unit of each group has one."""
        after = TurnCounts(Counter(self.times), dict(self.share))
        for units in groups:
            after.record_one(units[0], units)
        ahead = [after.ahead(unit) for unit in after.share]
        return max(ahead, default=0) - min(ahead, default=0) <= 1

    def uneven_if_chosen(self, units: Collection[int]) -> dict[int, int]:
        """Return the square of how many turns each unit had more than the one with the fewest."""
        least = min((self.times[unit] for unit in units), default=0)
        return {unit: (self.times[unit] - least) ** 2 for unit in units}

    def sort_key(self, unit: int, seen: Collection[int]) -> tuple[bool, Fraction, bool]:
        """Return the sort key by which units come first whose turn it is.

        Units without a turn come first, then those with the fewest turns above their share, and
        among equals units *seen* in an earlier round.
        """
        return self.times[unit] > 0, self.ahead(unit), unit not in seen


@dataclass(slots=True)
class Turns:
    """The turns of each kind, and the units ``seen``, in all rounds so far."""

    rests: TurnCounts = field(default_factory=TurnCounts)
    odd: TurnCounts = field(default_factory=TurnCounts)
    openings: TurnCounts = field(default_factory=TurnCounts)
    seen: set[int] = field(default_factory=set)
    # Whether units are due to open. They are not if openings do not go by turns, nor once every unit
    # has opened exactly its share: from then on any seats allow even openings.
    any_due: bool = True

    @classmethod
    def before(cls, question: Question) -> "Turns":
        """Return the turns in the played rounds, numbered below 0: 0 is the first planned one.

        Openings of units that are not in ``question.deal_counts`` are counted at the tables.
        """
        turns = cls(any_due=question.opened_by is OpenedBy.TURN)
        for number, past in enumerate(question.played, start=-len(question.played)):
            turns.record(past, question, number)
            # Not the set ``past.seated``: where tables form freely, a unit may sit at two in a round.
            turns.openings.share_out(len(past.tables), [u for t in past.tables for u in t.units])
            openers = (table.opening_unit for table in past.tables)
            turns.openings.times.update(unit for unit in openers if unit is not None)
        for unit, counts in question.deal_counts.items():
            turns.openings.times[unit] = counts.opened
        return turns

    def record(self, seating: RoundSeating, question: Question, number: int) -> None:
        """Count the rests and the units at odd tables of a round."""
        self.rests.record(seating.resting, seating.units, number)
        self.odd.record(units_at_odd_tables(seating.tables, question), seating.seated, number)
        self.seen.update(seating.units)

    def rounds_left(
        self, expected: Collection[int], seated: Collection[int], tables: int
    ) -> dict[int, int]:
        """Return within how many rounds each seated unit must open, keyed by the unit; 0 is now.

        It is empty if no unit is due. *expected* are the units of this and of later rounds. The
        openings of this round, one at each of the *tables*, are added to the shares.
        """
        if not any(map(self.openings.ahead, expected)):
            self.any_due = False
        if not self.any_due or not seated:
            return {}
        part = self.openings.share_out(tables, seated)
        # Each round adds that part, until without an opening a unit is a whole one behind its share.
        return {unit: max(0, ceil((self.openings.ahead(unit) + 1) / part)) for unit in seated}


def units_at_odd_tables(tables: Iterable[TableSeating], question: Question) -> list[int]:
    """Return the units at tables of another shape than the question's, in their order."""
    odd = (table.units for table in tables if table.shape.code != question.shape.code)
    return list(dict.fromkeys(chain(*odd)))


def draw_lots(units: Collection[int], dice: Random) -> dict[int, int]:
    """Return a random order of the units, as the position of each."""
    return dict(zip(sorted(units), dice.sample(range(len(units)), len(units)), strict=True))


def units_to_rest(
    free: Sequence[int],
    too_many: int,
    *,
    keepers: Collection[int],
    turns: Turns,
    lot: Mapping[int, int],
) -> list[int]:
    """Return the units whose turn it is to rest; *too_many* is their number, *keepers* come last.

    Among equals, units in their first round are spared, then those that rested in the last round
    in which any did; units rest in varying company; the least *lot* decides.
    """
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


def lowest_to_rest(units: Sequence[int], too_many: int, rests: TurnCounts) -> list[int]:
    """Return the units that rest: the last ones of those that rested least, *too_many* in all."""
    upwards = units[::-1]
    return sorted(upwards, key=rests.times.__getitem__)[:too_many]


def units_to_sit_odd(
    units: Sequence[int],
    shapes: Sequence[TableShape],
    keepers_of: Mapping[int, Sequence[int]],
    question: Question,
    *,
    turns: Turns,
    lot: Mapping[int, int],
    rounds_left: Mapping[int, int],
) -> frozenset[int]:
    """Return the units whose turn it is to sit at odd tables; among equals the least *lot* decides.

    The units that keep the same table, a *group*, go there together. Of units with equally many
    turns those are chosen that give both kinds of tables enough units with few *rounds_left*.
    """
    sort_keys: dict[int, tuple[Any, ...]] = {}
    for unit in units:
        last = turns.odd.last_round.get(unit, -inf)
        sort_keys[unit] = (*turns.odd.sort_key(unit, turns.seen), last, lot[unit])
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
    had = {unit: key[:3] for unit, key in sort_keys.items() if unit not in keepers}
    tables = len(usual_sizes), len(odd_sizes)
    of_these = {unit: rounds_left[unit] for unit in sort_keys}  # without units at locked tables
    return _with_openers(frozenset(odd), had, tables, of_these)


def _with_openers(
    odd: frozenset[int],
    had: Mapping[int, object],
    tables: tuple[int, int],
    rounds_left: Mapping[int, int],
) -> frozenset[int]:
    """Swap units that *had* equal turns until both kinds of tables have as many openers as they need.

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
            (had[unit], unit in odd, rounds_left[unit] < last, rounds_left[unit] <= last): unit
            for unit in had
        }
        swaps = (
            odd.symmetric_difference((unit, other))
            for (unit_had, unit_is_odd, *_), unit in alike.items()
            for (other_had, other_is_odd, *_), other in alike.items()
            if unit_is_odd and not other_is_odd and unit_had == other_had
        )
        better = min(swaps, key=lack, default=odd)
        if lack(better) >= fewest:
            break
        odd = better
    return odd


def due_to_open(
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
        lot = draw_lots(units, dice)
        by_rounds_left = sorted(units, key=lambda unit: (rounds_left[unit], lot[unit]))
        if ahead or rounds_left[by_rounds_left[0]] == 0:
            due.update(by_rounds_left[:tables])
        else:
            last = rounds_left[by_rounds_left[tables - 1]]
            due.update(unit for unit in units if rounds_left[unit] <= last)
    return frozenset(due)


def choose_first_dealers(
    question: Question, rounds: Sequence[RoundSeating]
) -> tuple[RoundSeating, ...]:
    """Return the rounds with an opener, given as a place, at every table.

    Openings are shared out by `share_evenly`. Among equals the unit opens that dealt least, then the
    one that dealt longest ago. An opener that a table has already stays.
    """
    if question.opened_by is OpenedBy.TABLE:
        return tuple(rounds)
    dice, by_lot = Random(f"{question.seed} deal"), question.opened_by is OpenedBy.LOT
    tables = tables_by_key(rounds)
    given: dict[TableKey, int] = {}
    for key, table in tables.items():
        if table.opening_unit is not None:
            given[key] = table.opening_unit
        elif by_lot:
            given[key] = table.units[dice.randrange(table.shape.size)]

    def dealt(unit: int) -> tuple[float, ...]:
        counts = question.deal_counts.get(unit, DealCounts())
        return counts.dealt, -inf if counts.last_dealt is None else counts.last_dealt

    ahead = Turns.before(question).openings.ahead
    units_at = {key: table.units for key, table in tables.items()}
    openers = share_evenly(units_at, ahead, given=given, tie=dealt)
    opened = {
        key: replace(table, opener=table.units.index(openers[key])) for key, table in tables.items()
    }
    return with_tables(rounds, opened)
