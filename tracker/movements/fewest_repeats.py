"""The movement with the fewest repeats, for one round or a whole event, by simulated annealing.

For ``annealing`` units become indices.
"""

import math
from collections.abc import Sequence
from itertools import combinations
from random import Random

from games.errors import gettext_noop
from tracker.movements.annealing import (
    APART,
    NO_WISH,
    NOT_PARTNERS,
    ArrangedTable,
    Arrangement,
    Effort,
    PairCosts,
    RepeatWeights,
    anneal,
    least_repeat_cost,
    pair_costs,
)
from tracker.movements.frames import round_frames
from tracker.movements.meetings import meetings_at
from tracker.movements.stored_plans import known_schedule
from tracker.movements.table_filling import complete_plan
from tracker.movements.types import (
    MeetingKind,
    Question,
    RoundFrame,
    SeatingPlan,
    TableSeating,
    UnseatableError,
)

# Wishes outweigh due units, and these all repeats.
WEIGHTS = RepeatWeights(wish=1_000_000, due=10_000, partners=40, meetings=1, opponents=3)
# For the seats from which the main search starts: here only wishes and due units count.
_FIRST_SEATS_WEIGHTS = RepeatWeights(wish=4, due=1)
_FIRST_SEATS_EFFORT = Effort(moves=20_000, warm=3.0, cold=0.2, steps=20)
_FIRST_SEATS_TRIES = 12  # each from other seats
_NO_PLACE = gettext_noop("There is no place for %(who)s besides those who keep their tables.")
# The code and the template of the error, keyed by the kind of wish that cannot be fulfilled.
_NOT_FULFILLED = {
    APART: ("apart", gettext_noop("%(who)s cannot be kept apart.")),
    NOT_PARTNERS: ("not-partners", gettext_noop("%(who)s cannot be kept from being partners.")),
}


def barred(frame: RoundFrame, usual: str) -> tuple[frozenset[int], ...]:
    """Return the units that may not sit at each table of the frame, in the order of its shapes.

    A *pinned* unit sits only at the table that it keeps. An *odd* table has another shape than the
    *usual* one, given by its code. If the units of ``frame.odd`` fill the odd tables, no others sit
    there. If the odd tables have places for all of them, they sit only there.

    >>> from tracker.movements.types import TableShape
    >>> two = TableShape("2i", ((0,), (1,)))
    >>> three = TableShape("3i", ((0,), (1,), (2,)))
    >>> frame = RoundFrame(shapes=(two, three), units=(1, 2, 3, 4, 5), odd=frozenset({1, 2, 3}))
    >>> barred(frame, "2i") == (frozenset({1, 2, 3}), frozenset({4, 5}))
    True
    """
    units = frozenset(frame.units)
    odd_tables = {index for index, shape in enumerate(frame.shapes) if shape.code != usual}
    odd_places = sum(frame.shapes[index].size for index in odd_tables)
    at_odd = {
        unit
        for unit in units
        if (frame.pinned[unit] in odd_tables if unit in frame.pinned else unit in frame.odd)
    }
    barred_units = []
    for index in range(len(frame.shapes)):
        pinned_here = {unit for unit, table in frame.pinned.items() if table == index}
        barred_here = frozenset(frame.pinned) - pinned_here
        if index in odd_tables and len(at_odd) >= odd_places:
            barred_here |= units - at_odd - pinned_here
        if index not in odd_tables and len(at_odd) <= odd_places:
            barred_here |= at_odd - pinned_here
        barred_units.append(barred_here & units)
    return tuple(barred_units)


def first_seats(
    tables: Sequence[ArrangedTable],
    units: Sequence[int],
    wishes: Sequence[Sequence[int]],
    rng: Random,
) -> list[int]:
    """Return a unit for every place of these tables of one round, in the order of the places.

    No unit sits where it is barred. All *wishes*, indexed by both units of a pair, are fulfilled,
    and every table has a due unit if such seats are found. The search is annealing from random
    seats, and again from others if that fails; repeats cost nothing in it.

    :raises UnseatableError: ``kept-tables`` if there are not enough places, ``apart`` or
        ``not-partners`` with the units of a wish that cannot be fulfilled.
    """
    shuffled = list(units)
    rng.shuffle(shuffled)
    seats = _seats_not_barred(tables, shuffled)
    if not any(map(any, wishes)) and not any(table.due for table in tables):
        return seats
    costs = pair_costs(1, _FIRST_SEATS_WEIGHTS)
    arrangement = Arrangement(
        tables=tables,
        places_by_round=[[place for table in tables for place in table.places]],
        codes=[[costs.section * wish for wish in row] for row in wishes],
        costs=costs,
        due_cost=_FIRST_SEATS_WEIGHTS.due,
    )
    best, best_seats = None, seats
    for _ in range(_FIRST_SEATS_TRIES):
        arrangement.seat(seats)
        cost = anneal(arrangement, _FIRST_SEATS_EFFORT, rng)
        if best is None or cost < best:
            best, best_seats = cost, list(arrangement.unit_at)
        if not cost:
            break
        rng.shuffle(shuffled)
        seats = _seats_not_barred(tables, shuffled)
    arrangement.seat(best_seats)
    # As repeats cost nothing here, the wish about a pair that costs anything is broken.
    for unit, row in enumerate(arrangement.codes):
        for other, code in enumerate(row[:unit]):
            if costs.total[code]:
                raise UnseatableError(*_NOT_FULFILLED[wishes[unit][other]], units=(other, unit))
    return best_seats


def _seats_not_barred(tables: Sequence[ArrangedTable], units: Sequence[int]) -> list[int]:
    """Return a unit for every place, none where it is barred, by *augmenting paths*.

    A unit that finds no free place takes that of another unit, which looks for a place likewise.
    """
    units_at: list[list[int]] = [[] for _ in tables]

    def seat_unit(unit: int, tried: set[int]) -> bool:
        """Seat a unit at a table not yet *tried*, moving others on; return whether that worked."""
        for table_index, table in enumerate(tables):
            if unit in table.barred or table_index in tried:
                continue
            tried.add(table_index)
            sitting = units_at[table_index]
            if len(sitting) < len(table.places):
                sitting.append(unit)
                return True
            for index, other in enumerate(sitting):
                if seat_unit(other, tried):
                    sitting[index] = unit
                    return True
        return False

    # Units barred from most tables come first.
    for unit in sorted(units, key=lambda unit: -sum(unit in table.barred for table in tables)):
        if not seat_unit(unit, set()):
            raise UnseatableError("kept-tables", _NO_PLACE, units=(unit,))
    return [unit for sitting in units_at for unit in sitting]


def fewest_repeats(question: Question) -> SeatingPlan:
    """Return the rounds with the fewest repeats that the search finds.

    Wishes are fulfilled, and units rest, sit at the odd table and open in turn.
    """
    return complete_plan(question, arrange(question, round_frames(question)))


def arrange(
    question: Question, frames: Sequence[RoundFrame]
) -> tuple[tuple[TableSeating, ...], ...]:
    """Return the tables of every frame, in the order of its shapes, with a unit at every place.

    Wishes, pinned units and turns at odd tables come first. Then every table gets a due unit, if
    possible. Then there are few repeats: those of partners weigh most, and a third meeting more
    than a second. Played rounds count as earlier meetings, and so do the locked tables of the
    coming round, whose units are not in the frames. The place on a side is random.
    """
    rng = Random(f"{question.seed} arrange")
    units = sorted({unit for frame in frames for unit in frame.units})
    index_of = {unit: index for index, unit in enumerate(units)}
    tables, places_by_round = _tables(question, frames, index_of)
    # At most so many meetings: the locked tables count as a round of their own.
    costs = pair_costs(len(question.played) + 1 + len(frames), WEIGHTS)
    wishes, codes = _wishes_and_codes(question, index_of, costs)
    arrangement = Arrangement(
        tables=tables,
        places_by_round=places_by_round,
        codes=codes,
        costs=costs,
        due_cost=WEIGHTS.due,
    )
    seats, is_best_known = _seats_of_known_schedule(question, frames, index_of, rng)
    if seats:
        arrangement.seat(seats)
    if not is_best_known:
        try:
            _search(arrangement, question, frames, index_of, wishes=wishes, rng=rng)
        except UnseatableError as error:
            unseatable = tuple(units[index] for index in error.units)
            raise UnseatableError(error.code, error.template, units=unseatable) from None
    seated = (units[index] for index in arrangement.unit_at)
    return tuple(
        tuple(
            TableSeating(shape=shape, units=tuple(next(seated) for _ in range(shape.size)))
            for shape in frame.shapes
        )
        for frame in frames
    )


def _search(
    arrangement: Arrangement,
    question: Question,
    frames: Sequence[RoundFrame],
    index_of: dict[int, int],
    *,
    wishes: Sequence[Sequence[int]],
    rng: Random,
) -> None:
    """Search from new seats; if units sit already, improve those seats too and keep the cheaper.

    The number of swaps depends on the size alone, not on time, so that every machine finds the same
    seats. A swap takes a microsecond or two.
    """
    improved, improved_cost = None, math.inf
    moves = 1_500 * len(arrangement.side_of) + 30_000 * min(len(frames) - 1, 10)
    if arrangement.unit_at:
        moves //= 2  # half for these seats, half for new ones
        improved_cost = anneal(arrangement, Effort(moves=moves, warm=0.8, cold=0.4), rng)
        improved = list(arrangement.unit_at)
    start: list[int] = []
    for frame in frames:
        tables, _ = _tables(question, [frame], index_of)
        start += first_seats(tables, sorted(index_of[unit] for unit in frame.units), wishes, rng)
    arrangement.seat(start)
    effort = Effort(moves=moves, warm=3.0, cold=0.4)
    cost = anneal(arrangement, effort, rng, good=least(arrangement))
    if improved is not None and improved_cost <= cost:
        arrangement.seat(improved)


def least(arrangement: Arrangement) -> int:
    """Return a lower bound of the cost: that of equally many meetings, spread evenly over pairs."""
    costs, units = arrangement.costs, len(arrangement.codes)
    pairs = units * (units - 1) // 2
    partners = opponents = 0
    for unit, other in combinations(range(units), 2):
        meetings = arrangement.codes[unit][other] % costs.section
        partners += meetings // costs.stride
        opponents += meetings % costs.stride
    return (
        WEIGHTS.partners * least_repeat_cost(partners, pairs)
        + WEIGHTS.opponents * least_repeat_cost(opponents, pairs)
        + WEIGHTS.meetings * least_repeat_cost(partners + opponents, pairs)
    )


def _tables(
    question: Question, frames: Sequence[RoundFrame], index_of: dict[int, int]
) -> tuple[list[ArrangedTable], list[list[int]]]:
    """Return the tables of all rounds, and the places of each, numbered through all rounds."""
    tables: list[ArrangedTable] = []
    places_by_round: list[list[int]] = []
    places = 0
    for frame in frames:
        barred_units = barred(frame, question.shape.code)
        first_of_round = places
        for shape, barred_here in zip(frame.shapes, barred_units, strict=True):
            tables.append(
                ArrangedTable(
                    sides=tuple(tuple(places + place for place in side) for side in shape.sides),
                    due=frozenset(index_of[unit] for unit in frame.due if unit in frame.units),
                    barred=frozenset(index_of[unit] for unit in barred_here),
                )
            )
            places += shape.size
        places_by_round.append(list(range(first_of_round, places)))
    return tables, places_by_round


def _wishes_and_codes(
    question: Question, index_of: dict[int, int], costs: PairCosts
) -> tuple[list[list[int]], list[list[int]]]:
    """Return, indexed by both units, the wish about a pair, and its code (see ``PairCosts``)."""
    wishes = [[NO_WISH] * len(index_of) for _ in index_of]
    not_partners, apart = question.wishes.not_partners, question.wishes.apart
    for wish, groups in ((NOT_PARTNERS, not_partners), (APART, apart)):
        for group in groups:
            indices = sorted(index_of[unit] for unit in group if unit in index_of)
            for first, second in combinations(indices, 2):
                wishes[first][second] = wishes[second][first] = wish
    codes = [[costs.section * wish for wish in row] for row in wishes]
    played = (table for past in question.played for table in past.tables)
    for kind, (unit, other) in meetings_at((*played, *question.locked)):
        if kind is not MeetingKind.MEETING and unit in index_of and other in index_of:
            step = costs.stride if kind is MeetingKind.PARTNERS else 1
            codes[index_of[unit]][index_of[other]] += step
            codes[index_of[other]][index_of[unit]] += step
    return wishes, codes


def _seats_of_known_schedule(
    question: Question, frames: Sequence[RoundFrame], index_of: dict[int, int], rng: Random
) -> tuple[list[int], bool]:
    """Return the unit at each place in a known schedule, and whether no better one is known.

    There are no units if none applies. A known schedule has no room for wishes and the like.
    """
    wishes = question.wishes
    shapes = {shape for frame in frames for shape in frame.shapes}
    if question.played or question.locked or wishes.apart or wishes.not_partners:
        return [], False
    if len(shapes) != 1 or any(frame.pinned or frame.due or frame.odd for frame in frames):
        return [], False
    present = [[index_of[unit] for unit in frame.units] for frame in frames]
    rows, is_best_known = known_schedule(present, shapes.pop(), rng) or ([], False)
    return [unit for row in rows for unit in row], is_best_known
