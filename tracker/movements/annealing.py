"""Units in the places of all rounds at once: what their meetings cost, and swaps that make them cheaper."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import exp
from random import Random
from typing import TypeAlias

APART, NOT_PARTNERS = 1, 2  # which wish there is about a pair; those apart are never partners
_KINDS = 3
Change: TypeAlias = Callable[[int, int], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatWeights:
    """What a repeat of each kind costs, and a wish or a due opening that is not met."""

    wish: int = 0
    due: int = 0
    partners: int = 0
    meetings: int = 0
    opponents: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCosts:
    """What changes when a pair of this *code* sits together once more or less.

    The code of a pair counts in one number how often the two were partners, ``stride`` each,
    and opponents, one each; pairs about whom there is a wish start ``section`` higher.
    The lists say what it costs to become ``partners`` or ``opponents``, to be so once less
    (``not_partners``, ``not_opponents``), and to change ``to_partners`` or ``to_opponents``.
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
    """Return the costs for pairs who meet in at most so many rounds.

    A second time costs once, a third twice more and a fourth three times more, so that a
    pair that meets thrice is worse than two that meet twice.
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
    """Return what it costs at least that meetings happen so many times between so many pairs."""
    each, more = divmod(times, max(pairs, 1))
    return (pairs - more) * _repeated(each) + more * _repeated(each + 1)


def _repeated(times: int) -> int:
    return times * (times - 1) // 2


@dataclass(frozen=True, slots=True)
class ArrangedTable:
    """A table: its places, numbered through all rounds, by side; who is due there.

    ``due`` are the units of whom one should sit here, ``barred`` those who may not.
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
    """Who sits where, by place, and how often every two met: ``codes`` as in `PairCosts`.

    ``codes`` begin with what was before; `swap` keeps them and ``at`` up to date.
    ``free`` are the places of each round that may be swapped, those of one table together.
    """

    tables: Sequence[ArrangedTable]
    free: Sequence[Sequence[int]]
    at: list[int]
    codes: list[list[int]]
    costs: PairCosts
    due_cost: int = 0
    partners: list[tuple[int, ...]] = field(default_factory=list)
    opponents: list[tuple[int, ...]] = field(default_factory=list)
    table: list[int] = field(default_factory=list)
    side: list[tuple[int, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        places = [place for table in self.tables for place in table.places]
        self.partners = [() for _ in places]
        self.opponents = [() for _ in places]
        self.table = [0] * len(places)
        self.side = [() for _ in places]
        for number, table in enumerate(self.tables):
            for side in table.sides:
                others = [place for place in table.places if place not in side]
                for place in side:
                    self.partners[place] = tuple(each for each in side if each != place)
                    self.opponents[place] = tuple(others)
                    self.table[place] = number
                    self.side[place] = side

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
        """Return what all pairs and all openings cost."""
        total = self.costs.total
        pairs = sum(total[code] for unit, row in enumerate(self.codes) for code in row[unit + 1 :])
        without_due = [
            table
            for table in self.tables
            if table.due and not any(self.at[place] in table.due for place in table.places)
        ]
        return pairs + self.due_cost * len(without_due)

    def swap(self, here: int, there: int) -> None:
        """Swap who sits in two places of a round that are not of one side."""
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
        """Return the function that says what swapping two places of a round would cost.

        The places are not of one side. It costs less than nothing if it is for the better.
        """
        fours = all(
            len(table.sides) == 2 and set(map(len, table.sides)) == {2} for table in self.tables
        )
        across = _across_fours(self) if fours else _across(self)
        within = _within(self)
        due = _due(self)
        table = self.table

        def change(here: int, there: int) -> int:
            if table[here] == table[there]:
                return within(here, there)
            return across(here, there)

        def change_with_due(here: int, there: int) -> int:
            if table[here] == table[there]:
                return within(here, there)
            return across(here, there) + due(here, there)

        return change_with_due if any(each.due for each in self.tables) else change


def _across(board: Arrangement) -> Change:
    """Return what a swap between two tables costs, whatever they are."""
    at, codes, costs = board.at, board.codes, board.costs
    partners_of, opponents_of = board.partners, board.opponents
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


def _across_fours(board: Arrangement) -> Change:
    """Return the same where all tables are of two pairs: a third quicker, for the usual night."""
    at, codes, costs = board.at, board.codes, board.costs
    partners, opponents = costs.partners, costs.opponents
    not_partners, not_opponents = costs.not_partners, costs.not_opponents
    others = [
        (*mates, *opposite) for mates, opposite in zip(board.partners, board.opponents, strict=True)
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


def _within(board: Arrangement) -> Change:
    """Return what a swap of two sides of one table costs."""
    at, codes, costs = board.at, board.codes, board.costs
    partners_of = board.partners
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


def _due(board: Arrangement) -> Change:
    """Return what a swap between two tables costs by leaving a table without anybody due."""
    at, table_of, tables = board.at, board.table, board.tables

    def alone(place: int, due: frozenset[int]) -> bool:
        """Say whether nobody else at the table of this place is due."""
        return not any(
            at[other] in due for other in tables[table_of[place]].places if other != place
        )

    def change(here: int, there: int) -> int:
        due = tables[table_of[here]].due
        first, second = at[here] in due, at[there] in due
        if first == second:
            return 0
        loses, gains = (here, there) if first else (there, here)
        return board.due_cost * (alone(loses, due) - alone(gains, due))

    return change


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How many swaps are looked at, and from which temperature to which; it falls evenly."""

    moves: int
    warm: float
    cold: float
    steps: int = 40


def anneal(board: Arrangement, effort: Effort, rng: Random, *, good: int = 0) -> int:
    """Leave the board at the best that was seen, and return what that costs.

    Stops early where nothing costs more than *good*.
    """
    places = [place for free in board.free for place in free]
    rounds = [free for free in board.free for _ in free]
    if not places:
        return board.cost()
    cost = best = board.cost()
    best_at = list(board.at)
    change, swap, random = board.changes(), board.swap, rng.random
    side, at = board.side, board.at
    bars = any(table.barred for table in board.tables)
    barred = [board.tables[table].barred for table in board.table]
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
    board.seat(best_at)
    return best
