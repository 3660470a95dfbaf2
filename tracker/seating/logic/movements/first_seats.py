"""Seats for one round in which every wish holds, before anybody counts repeats."""

from collections.abc import Sequence
from random import Random

from games.errors import gettext_noop
from tracker.seating.logic.movements.annealing import Effort, anneal
from tracker.seating.logic.movements.board import Board, BoardTable
from tracker.seating.logic.movements.pair_costs import APART, Weights, pair_costs
from tracker.seating.logic.movements.seam import Frame, UnseatableError

_WEIGHTS = Weights(wish=4, due=1)
_EFFORT = Effort(moves=20_000, warm=3.0, cold=0.2, steps=20)
_TRIES = 12


def barred(frame: Frame, usual: str) -> tuple[frozenset[int], ...]:
    """Return for every table of the frame the units that may not sit there.

    Whoever is pinned sits nowhere else. Where it is the turn of enough units to fill the
    tables of another shape than the *usual*, nobody else sits there, and where there are
    places for all of them, they sit there.

    >>> from tracker.seating.logic.movements.seam import Shape
    >>> two = Shape("2i", ((0,), (1,)))
    >>> three = Shape("3i", ((0,), (1,), (2,)))
    >>> frame = Frame(shapes=(two, three), units=(1, 2, 3, 4, 5), odd=frozenset({1, 2, 3}))
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
    tables: Sequence[BoardTable], units: Sequence[int], wishes: Sequence[Sequence[int]], rng: Random
) -> list[int]:
    """Return a unit for every place of these tables of one round, in the order of the places.

    Nobody sits where barred, the *wishes*, by pairs of units, hold, and somebody due is at
    every table if the search finds such seats.

    :raises UnseatableError: ``kept-tables`` if there are not the places, ``apart`` or
        ``not-partners`` with the units of a wish that found no place.
    """
    shuffled = list(units)
    rng.shuffle(shuffled)
    at = _matched(tables, shuffled)
    wished = any(map(any, wishes))
    if not wished and not any(table.due for table in tables):
        return at
    costs = pair_costs(1, _WEIGHTS)
    size = len(wishes)
    board = Board(
        tables=tables,
        free=[[place for table in tables for place in table.places]],
        at=[-1] * len(at),
        codes=[[costs.section * wish for wish in row] for row in wishes],
        costs=costs,
        due_cost=_WEIGHTS.due,
    )
    best, best_at = None, at
    for _ in range(_TRIES):
        board.seat(at)
        cost = anneal(board, _EFFORT, rng)
        if best is None or cost < best:
            best, best_at = cost, list(board.at)
        if not cost:
            break
        rng.shuffle(shuffled)
        at = _matched(tables, shuffled)
    board.seat(best_at)
    for unit in range(size):
        for other in range(unit):
            if costs.total[board.codes[unit][other]]:
                raise _unseatable(wishes[unit][other], unit, other)
    return best_at


def _unseatable(wish: int, unit: int, other: int) -> UnseatableError:
    if wish == APART:
        return UnseatableError(
            "apart", gettext_noop("%(who)s cannot be kept apart."), units=(other, unit)
        )
    return UnseatableError(
        "not-partners",
        gettext_noop("%(who)s cannot be kept from being partners."),
        units=(other, unit),
    )


def _matched(tables: Sequence[BoardTable], units: Sequence[int]) -> list[int]:
    """Return a unit for every place, each where it is not barred: a matching by ways round."""
    at_table: list[list[int]] = [[] for _ in tables]

    def settle(unit: int, asked: set[int]) -> bool:
        for number, table in enumerate(tables):
            if unit in table.barred or number in asked:
                continue
            asked.add(number)
            sitting = at_table[number]
            if len(sitting) < len(table.places):
                sitting.append(unit)
                return True
            for index, other in enumerate(sitting):
                if settle(other, asked):
                    sitting[index] = unit
                    return True
        return False

    bound = sorted(units, key=lambda unit: -sum(unit in table.barred for table in tables))
    for unit in bound:
        if not settle(unit, set()):
            raise UnseatableError(
                "kept-tables",
                gettext_noop("There is no place for %(who)s besides those who keep their tables."),
                units=(unit,),
            )
    return [unit for sitting in at_table for unit in sitting]
