"""Simulated annealing of the units in the places of all rounds, by the costs of their meetings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import exp
from random import Random
from typing import TypeAlias

APART, NOT_PARTNERS = 1, 2  # the wish about a pair; APART includes NOT_PARTNERS
_KINDS = 3
Change: TypeAlias = Callable[[int, int], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatWeights:
    """The cost of a repeat of each kind, of a broken wish, and of a table without a due opener."""

    wish: int = 0
    due: int = 0
    partners: int = 0
    meetings: int = 0
    opponents: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCosts:
    """The costs of pairs, as lists by the *code* of a pair.

    The code is one number: ``stride`` for each time the two were partners, 1 for each time they
    were opponents, plus ``section`` times the wish about them. ``total`` is the cost of a pair; the
    other lists are its change when the two become ``partners`` or ``opponents`` once more, are so
    once less (``not_partners``, ``not_opponents``), or change ``to_partners`` or ``to_opponents``.
    """

    stride: int
    section: int
    total: list[int]
    partners: list[int]
    opponents: list[int]
    not_partners: list[int]
    not_opponents: list[int]
    to_partners: list[int]
    to_opponents: list[int]


def pair_costs(rounds: int, weights: RepeatWeights) -> PairCosts:
    """Return the costs of pairs that meet in at most so many rounds.

    The second meeting costs 1, the third 2 more and the fourth 3 more, times the weight, so that
    one pair that meets three times is worse than two pairs that meet twice.
    """
    stride = rounds + 3
    section = stride * stride
    total = []
    for code in range(_KINDS * section):
        wish, (partners, opponents) = code // section, divmod(code % section, stride)
        against = {APART: partners + opponents, NOT_PARTNERS: partners}.get(wish, 0)
        total.append(
            weights.partners * _repeated(partners)
            + weights.meetings * _repeated(partners + opponents)
            + weights.opponents * _repeated(opponents)
            + weights.wish * against
        )
    last = len(total)

    def change(step: int) -> list[int]:
        return [
            total[code + step] - total[code] if 0 <= code + step < last else 0
            for code in range(last)
        ]

    return PairCosts(
        stride=stride,
        section=section,
        total=total,
        partners=change(stride),
        opponents=change(1),
        not_partners=change(-stride),
        not_opponents=change(-1),
        to_partners=change(stride - 1),
        to_opponents=change(1 - stride),
    )


def evenly(times: int, pairs: int) -> int:
    """Return the least cost of so many meetings among so many pairs."""
    each, more = divmod(times, max(pairs, 1))
    return (pairs - more) * _repeated(each) + more * _repeated(each + 1)


def _repeated(times: int) -> int:
    return times * (times - 1) // 2


@dataclass(frozen=True, slots=True)
class ArrangedTable:
    """A table of the arrangement: its places by side, numbered through all rounds.

    One unit of ``due`` should sit at it; none of ``barred`` may.
    """

    sides: tuple[tuple[int, ...], ...]
    due: frozenset[int] = frozenset()
    barred: frozenset[int] = frozenset()

    @property
    def places(self) -> tuple[int, ...]:
        """Return its places, one side after the other."""
        return tuple(place for side in self.sides for place in side)


@dataclass(slots=True)
class Arrangement:
    """Units at places (``at``), and how often each two met (``codes``, as in `PairCosts`).

    ``codes`` begin with earlier meetings; `swap` updates them and ``at``. ``free`` are the places of
    each round that may be swapped, grouped by table.
    """

    tables: Sequence[ArrangedTable]
    free: Sequence[Sequence[int]]
    at: list[int]
    codes: list[list[int]]
    costs: PairCosts
    due_cost: int = 0
    partners: list[tuple[int, ...]] = field(default_factory=list)
    opponents: list[tuple[int, ...]] = field(default_factory=list)
    table: list[int] = field(init=False)
    side: list[tuple[int, ...]] = field(init=False)

    def __post_init__(self) -> None:
        self.table = [number for number, table in enumerate(self.tables) for _ in table.places]
        sides = {place: side for table in self.tables for side in table.sides for place in side}
        self.side = [sides[place] for place in range(len(sides))]
        for place, side in enumerate(self.side):
            at_table = self.tables[self.table[place]].places
            self.partners.append(tuple(each for each in side if each != place))
            self.opponents.append(tuple(each for each in at_table if each not in side))

    def seat(self, at: Sequence[int]) -> None:
        """Seat the units as in *at*, and count their meetings."""
        self._count(-1)
        self.at[:] = at
        self._count(1)

    def _count(self, sign: int) -> None:
        stride = self.costs.stride
        for place, unit in enumerate(self.at):
            if unit >= 0:
                row = self.codes[unit]
                for other in self.partners[place]:
                    row[self.at[other]] += sign * stride
                for other in self.opponents[place]:
                    row[self.at[other]] += sign

    def cost(self) -> int:
        """Return the cost of all pairs and of all tables without a due opener."""
        total = self.costs.total
        pairs = sum(total[code] for unit, row in enumerate(self.codes) for code in row[unit + 1 :])
        without_due = [
            table
            for table in self.tables
            if table.due and not any(self.at[place] in table.due for place in table.places)
        ]
        return pairs + self.due_cost * len(without_due)

    def swap(self, here: int, there: int) -> None:
        """Swap the units at two places of a round that are on different sides."""
        at, stride = self.at, self.costs.stride
        first, second = at[here], at[there]
        row_1, row_2, codes = self.codes[first], self.codes[second], self.codes
        for place, row, unit, sign in (
            (here, row_1, first, -1),
            (here, row_2, second, 1),
            (there, row_2, second, -1),
            (there, row_1, first, 1),
        ):
            for other in self.partners[place]:
                who = at[other]
                row[who] += sign * stride
                codes[who][unit] += sign * stride
            for other in self.opponents[place]:
                who = at[other]
                if other not in {here, there}:
                    row[who] += sign
                    codes[who][unit] += sign
        at[here], at[there] = second, first

    def changes(self) -> Change:
        """Return a function of two places on different sides in a round: the change of cost by a swap."""
        fours = all(
            len(table.sides) == 2 and set(map(len, table.sides)) == {2} for table in self.tables
        )
        across = _across_fours(self) if fours else _across(self)
        within, table = _within(self), self.table
        due = _due(self) if any(each.due for each in self.tables) else None

        def change(here: int, there: int) -> int:
            if table[here] == table[there]:
                return within(here, there)
            return across(here, there) + (due(here, there) if due else 0)

        return change


def _across(arrangement: Arrangement) -> Change:
    """Return the function for places at two tables of any shape."""
    at, codes, costs = arrangement.at, arrangement.codes, arrangement.costs
    partners_of, opponents_of = arrangement.partners, arrangement.opponents
    partners, opponents = costs.partners, costs.opponents
    not_partners, not_opponents = costs.not_partners, costs.not_opponents

    def change(here: int, there: int) -> int:
        row_1, row_2 = codes[at[here]], codes[at[there]]
        cost = 0
        for place in partners_of[here]:
            unit = at[place]
            cost += not_partners[row_1[unit]] + partners[row_2[unit]]
        for place in opponents_of[here]:
            unit = at[place]
            cost += not_opponents[row_1[unit]] + opponents[row_2[unit]]
        for place in partners_of[there]:
            unit = at[place]
            cost += not_partners[row_2[unit]] + partners[row_1[unit]]
        for place in opponents_of[there]:
            unit = at[place]
            cost += not_opponents[row_2[unit]] + opponents[row_1[unit]]
        return cost

    return change


def _across_fours(arrangement: Arrangement) -> Change:
    """Return the function for places at two tables of two pairs: a third faster than `_across`."""
    at, codes, costs = arrangement.at, arrangement.codes, arrangement.costs
    partners, opponents = costs.partners, costs.opponents
    not_partners, not_opponents = costs.not_partners, costs.not_opponents
    others = [
        (*mates, *opposite)
        for mates, opposite in zip(arrangement.partners, arrangement.opponents, strict=True)
    ]

    def change(here: int, there: int) -> int:
        row_1, row_2 = codes[at[here]], codes[at[there]]
        mate, left, right = others[here]
        a, b, c = at[mate], at[left], at[right]
        mate, left, right = others[there]
        x, y, z = at[mate], at[left], at[right]
        return (
            not_partners[row_1[a]]
            + not_opponents[row_1[b]]
            + not_opponents[row_1[c]]
            + partners[row_1[x]]
            + opponents[row_1[y]]
            + opponents[row_1[z]]
            + not_partners[row_2[x]]
            + not_opponents[row_2[y]]
            + not_opponents[row_2[z]]
            + partners[row_2[a]]
            + opponents[row_2[b]]
            + opponents[row_2[c]]
        )

    return change


def _within(arrangement: Arrangement) -> Change:
    """Return the function for places on two sides of one table."""
    at, codes, costs = arrangement.at, arrangement.codes, arrangement.costs
    partners_of = arrangement.partners
    to_partners, to_opponents = costs.to_partners, costs.to_opponents

    def change(here: int, there: int) -> int:
        row_1, row_2 = codes[at[here]], codes[at[there]]
        cost = 0
        for place in partners_of[here]:
            unit = at[place]
            cost += to_opponents[row_1[unit]] + to_partners[row_2[unit]]
        for place in partners_of[there]:
            unit = at[place]
            cost += to_opponents[row_2[unit]] + to_partners[row_1[unit]]
        return cost

    return change


def _due(arrangement: Arrangement) -> Change:
    """Return the function for tables that lose or get their only due unit."""
    at, table_of, tables = arrangement.at, arrangement.table, arrangement.tables

    def alone(place: int, due: frozenset[int]) -> bool:
        """Return whether no other unit at the table of this place is due."""
        return not any(
            at[other] in due for other in tables[table_of[place]].places if other != place
        )

    def change(here: int, there: int) -> int:
        due = tables[table_of[here]].due
        first, second = at[here] in due, at[there] in due
        if first == second:
            return 0
        loses, gains = (here, there) if first else (there, here)
        return arrangement.due_cost * (alone(loses, due) - alone(gains, due))

    return change


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """Number of swaps to try, and the temperatures from ``warm`` to ``cold`` in so many steps."""

    moves: int
    warm: float
    cold: float
    steps: int = 40


def anneal(arrangement: Arrangement, effort: Effort, rng: Random, *, good: int = 0) -> int:
    """Change the arrangement to the best one found, and return its cost.

    Stop early at a cost of *good* or less.
    """
    places = [place for free in arrangement.free for place in free]
    rounds = [free for free in arrangement.free for _ in free]
    if not places:
        return arrangement.cost()
    cost = best = arrangement.cost()
    best_at = list(arrangement.at)
    change, swap, random = arrangement.changes(), arrangement.swap, rng.random
    side, at = arrangement.side, arrangement.at
    bars = any(table.barred for table in arrangement.tables)
    barred = [arrangement.tables[table].barred for table in arrangement.table]
    number = len(places)
    for step in range(effort.steps):
        if best <= good:
            break
        heat = effort.warm * (effort.cold / effort.warm) ** (step / max(effort.steps - 1, 1))
        chances = [exp(-rise / heat) for rise in range(int(heat * 12) + 2)]
        most = len(chances)
        for _ in range(effort.moves // effort.steps):
            index = int(random() * number)
            here, others = places[index], rounds[index]
            there = others[int(random() * len(others))]
            if there in side[here]:
                continue
            rise = change(here, there)
            if rise > 0 and (rise >= most or random() >= chances[rise]):
                continue
            if bars and (at[here] in barred[there] or at[there] in barred[here]):
                continue
            swap(here, there)
            cost += rise
            if cost < best:
                best = cost
                best_at = list(at)
                if best <= good:
                    break
    arrangement.seat(best_at)
    return best
