"""The movement with the fewest repeats, for one round or a whole event, by simulated annealing.

A repeat is a pair that is partners, opponents, or at one table in any way once more.
"""

import math
from collections.abc import Sequence
from itertools import combinations
from random import Random

from games.errors import gettext_noop
from tracker.movements.annealing import (
    APART,
    NOT_PARTNERS,
    ArrangedTable,
    Arrangement,
    Effort,
    PairCosts,
    RepeatWeights,
    anneal,
    evenly,
    pair_costs,
)
from tracker.movements.meetings import meetings_at
from tracker.movements.stored_plans import known_schedule
from tracker.movements.table_filling import complete_plan
from tracker.movements.turn_order import round_frames
from tracker.movements.types import (
    MeetingKind,
    Question,
    RoundFrame,
    SeatingPlan,
    TableSeating,
    UnseatableError,
)

_SEATS_WEIGHTS = RepeatWeights(wish=4, due=1)
_SEATS_EFFORT = Effort(moves=20_000, warm=3.0, cold=0.2, steps=20)
_SEATS_TRIES = 12
_NOT_FULFILLED = {
    APART: ("apart", gettext_noop("%(who)s cannot be kept apart.")),
    NOT_PARTNERS: ("not-partners", gettext_noop("%(who)s cannot be kept from being partners.")),
}
WEIGHTS = RepeatWeights(wish=1_000_000, due=10_000, partners=40, meetings=1, opponents=3)


def barred(frame: RoundFrame, usual: str) -> tuple[frozenset[int], ...]:
    """Return for every table of the frame the units that may not sit there.

    A pinned unit sits nowhere else. If ``frame.odd`` fill the tables of another shape than the
    *usual*, no other units sit there; if there are places for all of them, they sit only there.

    >>> from tracker.movements.types import TableShape
    >>> two = TableShape("2i", ((0,), (1,)))
    >>> three = TableShape("3i", ((0,), (1,), (2,)))
    >>> frame = RoundFrame(shapes=(two, three), units=(1, 2, 3, 4, 5), odd=frozenset({1, 2, 3}))
    >>> barred(frame, "2i") == (frozenset({1, 2, 3}), frozenset({4, 5}))
    True
    """
    units = frozenset(frame.units)
    odd_tables = {index for index, shape in enumerate(frame.shapes) if shape.code != usual}
    places = sum(frame.shapes[index].size for index in odd_tables)
    pinned_at_odd = frozenset(unit for unit, index in frame.pinned.items() if index in odd_tables)
    at_odd = (frame.odd & units - frozenset(frame.pinned)) | pinned_at_odd
    bars = []
    for index in range(len(frame.shapes)):
        elsewhere = {unit for unit, table in frame.pinned.items() if table != index}
        pinned_here = {unit for unit, table in frame.pinned.items() if table == index}
        if index in odd_tables and len(at_odd) >= places:
            elsewhere |= units - at_odd - pinned_here
        if odd_tables and index not in odd_tables and len(at_odd) <= places:
            elsewhere |= at_odd - pinned_here
        bars.append(frozenset(elsewhere) & units)
    return tuple(bars)


def first_seats(
    tables: Sequence[ArrangedTable],
    units: Sequence[int],
    wishes: Sequence[Sequence[int]],
    rng: Random,
) -> list[int]:
    """Return a unit for every place of these tables of one round, in the order of the places.

    No unit sits where it is barred; the *wishes*, by pairs of units, are fulfilled; and every table
    has a due unit if the search finds such seats.

    :raises UnseatableError: ``kept-tables`` if there are not enough places, ``apart`` or
        ``not-partners`` with the units of a wish that cannot be fulfilled.
    """
    shuffled = list(units)
    rng.shuffle(shuffled)
    at = _matched(tables, shuffled)
    wished = any(map(any, wishes))
    if not wished and not any(table.due for table in tables):
        return at
    costs = pair_costs(1, _SEATS_WEIGHTS)
    arrangement = Arrangement(
        tables=tables,
        free=[[place for table in tables for place in table.places]],
        at=[-1] * len(at),
        codes=[[costs.section * wish for wish in row] for row in wishes],
        costs=costs,
        due_cost=_SEATS_WEIGHTS.due,
    )
    best, best_at = None, at
    for _ in range(_SEATS_TRIES):
        arrangement.seat(at)
        cost = anneal(arrangement, _SEATS_EFFORT, rng)
        if best is None or cost < best:
            best, best_at = cost, list(arrangement.at)
        if not cost:
            break
        rng.shuffle(shuffled)
        at = _matched(tables, shuffled)
    arrangement.seat(best_at)
    for unit, row in enumerate(arrangement.codes):
        for other, code in enumerate(row[:unit]):
            if costs.total[code]:
                raise UnseatableError(*_NOT_FULFILLED[wishes[unit][other]], units=(other, unit))
    return best_at


def _matched(tables: Sequence[ArrangedTable], units: Sequence[int]) -> list[int]:
    """Return a unit for every place, none where it is barred, found by augmenting paths."""
    at_table: list[list[int]] = [[] for _ in tables]

    def seat_unit(unit: int, tried: set[int]) -> bool:
        for number, table in enumerate(tables):
            if unit in table.barred or number in tried:
                continue
            tried.add(number)
            sitting = at_table[number]
            if len(sitting) < len(table.places):
                sitting.append(unit)
                return True
            for index, other in enumerate(sitting):
                if seat_unit(other, tried):
                    sitting[index] = unit
                    return True
        return False

    most_barred = sorted(units, key=lambda unit: -sum(unit in table.barred for table in tables))
    for unit in most_barred:
        if not seat_unit(unit, set()):
            raise UnseatableError(
                "kept-tables",
                gettext_noop("There is no place for %(who)s besides those who keep their tables."),
                units=(unit,),
            )
    return [unit for sitting in at_table for unit in sitting]


def fewest_repeats(question: Question) -> SeatingPlan:
    """Return the rounds with the fewest repeats that the search finds.

    Wishes are fulfilled, and units rest, sit at the odd table and open in turn.
    """
    return complete_plan(question, arrange(question, round_frames(question)))


def arrange(
    question: Question, frames: Sequence[RoundFrame]
) -> tuple[tuple[TableSeating, ...], ...]:
    """Return the tables of every frame, in the order of its shapes, with a unit at every place.

    Wishes, pinned tables, and turns at tables of another shape come first; then every table has
    a due unit, if possible; then few repeats: partners weigh most, and a third meeting more than
    a second. Played rounds and the locked tables of the coming one, whose units are not in the
    frames, count as earlier meetings. The place on a side is random. The same question and frames
    always give the same answer.
    """
    rng = Random(f"{question.seed} arrange")
    keys = sorted({unit for frame in frames for unit in frame.units})
    numbers = {unit: number for number, unit in enumerate(keys)}
    tables, free = _tables(question, frames, numbers)
    costs = pair_costs(len(question.played) + 1 + len(frames), WEIGHTS)
    wishes, codes = _pairs(question, numbers, costs)
    arrangement = Arrangement(
        tables=tables,
        free=free,
        at=[-1] * sum(map(len, free)),
        codes=codes,
        costs=costs,
        due_cost=WEIGHTS.due,
    )
    seats, finished = _known(question, frames, numbers, rng) or (None, False)
    if seats is not None:
        arrangement.seat(seats)
    if not finished:
        try:
            _search(arrangement, question, frames, numbers, wishes=wishes, rng=rng)
        except UnseatableError as error:
            units = tuple(keys[unit] for unit in error.units)
            raise UnseatableError(error.code, error.template, units=units) from None
    at = iter(arrangement.at)
    return tuple(
        tuple(
            TableSeating(shape=shape, units=tuple(keys[next(at)] for _ in range(shape.size)))
            for shape in frame.shapes
        )
        for frame in frames
    )


def _search(
    arrangement: Arrangement,
    question: Question,
    frames: Sequence[RoundFrame],
    numbers: dict[int, int],
    *,
    wishes: Sequence[Sequence[int]],
    rng: Random,
) -> None:
    """Search from new seats, or improve the given ones if that comes out cheaper.

    The length of the search depends on the size alone, so that every machine finds the same; a
    swap takes a microsecond or two.
    """
    known = list(arrangement.at) if arrangement.at and arrangement.at[0] >= 0 else None
    moves = 1_500 * len(arrangement.at) + 30_000 * min(len(frames) - 1, 10)
    good = math.inf
    if known is not None:
        moves //= 2
        good = anneal(arrangement, Effort(moves=moves, warm=0.8, cold=0.4), rng)
        known = list(arrangement.at)
    start: list[int] = []
    for frame in frames:
        tables, _free = _tables(question, [frame], numbers)
        start += first_seats(tables, sorted(numbers[unit] for unit in frame.units), wishes, rng)
    arrangement.seat(start)
    cost = anneal(
        arrangement, Effort(moves=moves, warm=3.0, cold=0.4), rng, good=least(arrangement)
    )
    if known is not None and good <= cost:
        arrangement.seat(known)


def least(arrangement: Arrangement) -> int:
    """Return a lower bound of the cost: as if each kind of meeting were spread evenly over all pairs."""
    costs, number = arrangement.costs, len(arrangement.codes)
    pairs = number * (number - 1) // 2
    partners = opponents = 0
    for first, second in combinations(range(number), 2):
        often = divmod(arrangement.codes[first][second] % costs.section, costs.stride)
        partners, opponents = partners + often[0], opponents + often[1]
    return (
        WEIGHTS.partners * evenly(partners, pairs)
        + WEIGHTS.opponents * evenly(opponents, pairs)
        + WEIGHTS.meetings * evenly(partners + opponents, pairs)
    )


def _tables(
    question: Question, frames: Sequence[RoundFrame], numbers: dict[int, int]
) -> tuple[list[ArrangedTable], list[list[int]]]:
    """Return the tables of all rounds, and the places of each round."""
    tables: list[ArrangedTable] = []
    free: list[list[int]] = []
    first = 0
    for frame in frames:
        bars = barred(frame, question.shape.code)
        due = frozenset(numbers[unit] for unit in frame.due if unit in frame.units)
        begun = first
        for shape, bar in zip(frame.shapes, bars, strict=True):
            tables.append(
                ArrangedTable(
                    sides=tuple(tuple(first + place for place in side) for side in shape.sides),
                    due=due,
                    barred=frozenset(numbers[unit] for unit in bar),
                )
            )
            first += shape.size
        free.append(list(range(begun, first)))
    return tables, free


def _pairs(
    question: Question, numbers: dict[int, int], costs: PairCosts
) -> tuple[list[list[int]], list[list[int]]]:
    """Return the wish about each pair of units, and their code: the wish and how often they met."""
    wishes = [[0] * len(numbers) for _ in numbers]
    asked = question.wishes
    for wish, groups in ((NOT_PARTNERS, asked.not_partners), (APART, asked.apart)):
        for group in groups:
            here = sorted(numbers[unit] for unit in group if unit in numbers)
            for first, second in combinations(here, 2):
                wishes[first][second] = wishes[second][first] = wish
    codes = [[costs.section * wish for wish in row] for row in wishes]
    played = (table for past in question.played for table in past.tables)
    for kind, (unit, other) in meetings_at((*played, *question.locked)):
        if kind is not MeetingKind.MEETING and unit in numbers and other in numbers:
            step = costs.stride if kind is MeetingKind.PARTNERS else 1
            codes[numbers[unit]][numbers[other]] += step
            codes[numbers[other]][numbers[unit]] += step
    return wishes, codes


def _known(
    question: Question, frames: Sequence[RoundFrame], numbers: dict[int, int], rng: Random
) -> tuple[list[int], bool] | None:
    """Return a known schedule for these rounds, if one applies, and whether it is the best known."""
    wishes = question.wishes
    if question.played or question.locked or wishes.apart or wishes.not_partners:
        return None
    shapes = {shape for frame in frames for shape in frame.shapes}
    if len(shapes) != 1 or any(frame.pinned or frame.due or frame.odd for frame in frames):
        return None
    present = [[numbers[unit] for unit in frame.units] for frame in frames]
    start = known_schedule(present, shapes.pop(), rng)
    return None if start is None else ([unit for row in start[0] for unit in row], start[1])
