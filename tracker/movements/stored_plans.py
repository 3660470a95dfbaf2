"""Known schedules with few repeats, from algebra or stored from a long search.

Players are numbers from 0; a round is a sequence of tables, a table a tuple of players.
"""

import json
from collections.abc import Sequence
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from string import ascii_letters, digits
from typing import TypeAlias

from tracker.movements.finite_fields import FiniteField, finite_field
from tracker.movements.types import TableShape
from tracker.movements.whist import KNOWN_SIZES, perfect_whist

LETTERS = digits + ascii_letters
COLUMNS = Path(__file__).with_name("columns.json")  # found by tests/lab/seating/differences.py
Tables: TypeAlias = tuple[tuple[int, ...], ...]
PLANS = Path(__file__).with_name("plans.json")  # found by tests/lab/seating/finder.py
_TWO_PAIRS = ((0, 2), (1, 3))
Rows = list[list[int]]


@cache
def social_golfer(tables: int, size: int, *, stored: bool = True) -> tuple[Tables, ...]:
    """Return the longest known schedule in which no two players meet twice: the social golfer problem.

    It has at least one round. Without *stored* ones, only algebraic schedules are considered.

    >>> len(social_golfer(4, 4)), len(social_golfer(5, 4)), len(social_golfer(7, 4)), len(social_golfer(10, 4)), len(social_golfer(6, 4))
    (5, 5, 9, 13, 5)
    """
    first = (tuple(tuple(range(at * size, (at + 1) * size)) for at in range(tables)),)
    ways: list[tuple[Tables, ...]] = [first]
    if size == 2:  # a round robin: one stays, and the others move round the circle
        others = 2 * tables - 1
        ways.append(
            tuple(
                (
                    (others, add),
                    *(((add + step) % others, (add - step) % others) for step in range(1, tables)),
                )
                for add in range(others)
            )
        )
    ways += [_transversal(tables, size), _threefold(tables, size)]
    if stored:
        # A round for each stored column, which tells how far each group has moved.
        columns = json.loads(COLUMNS.read_text()).get(f"{tables}x{size}", "").split()
        rounds = tuple(
            tuple(
                tuple(
                    group * tables + (table + LETTERS.index(moved)) % tables
                    for group, moved in enumerate(column)
                )
                for table in range(tables)
            )
            for column in columns
        )
        ways.append(rounds + (_within_groups(tables, size) if columns else ()))
    return max(ways, key=len)


def _within_groups(tables: int, size: int) -> tuple[Tables, ...]:
    """Return rounds in which groups of as many players as tables play among themselves."""
    if tables % size:
        return ()
    return tuple(
        tuple(tuple(i * tables + player for player in table) for i in range(size) for table in own)
        for own in social_golfer(tables // size, size)
    )


def _transversal(tables: int, size: int) -> tuple[Tables, ...]:
    """Return a round for every element of a ring as large as the number of tables.

    Player (i, x) sits in round m at the table x - m * e(i), for elements e(i) whose differences
    are units: so two players meet at most once. Players with the same i do not meet in these
    rounds, and play among themselves in rounds after them.
    """
    ring = _ring(tables)
    if not ring or size > min(each.order for each in ring):
        return ()
    rounds = []
    elements = list(product(*(range(each.order) for each in ring)))
    for factor in elements:
        at: list[list[int]] = [[] for _ in range(tables)]
        for i in range(size):
            for number, x in enumerate(elements):
                table = 0
                for axis, each in enumerate(ring):
                    part = _minus(each, x[axis], each.times(factor[axis], i))
                    table = table * each.order + part
                at[table].append(i * tables + number)
        rounds.append(tuple(map(tuple, at)))
    return (*rounds, *_within_groups(tables, size))


def _ring(size: int) -> list[FiniteField]:
    """Return fields whose product has so many elements: one for each prime power in it."""
    fields = []
    for prime in range(2, size + 1):
        power = 1
        while size % prime == 0:
            size, power = size // prime, power * prime
        if power > 1:
            fields.append(finite_field(power))
    return fields


def _minus(numbers: FiniteField, minuend: int, subtrahend: int) -> int:
    """Return what must be added to *subtrahend* to get *minuend*."""
    return numbers.sums[subtrahend].index(minuend)


def _threefold(tables: int, size: int) -> tuple[Tables, ...]:
    """Return a round for each element of GF(q), for 3q + 1 players at tables of four, q = 4t + 1.

    Points are GF(q) x Z3, and one more, ∞. To {∞, 0, 0, 0}, 0 in each of the three copies, come
    {w^i, -w^i} in one copy with {w^(i+m), -w^(i+m)} in the next, i = 0, 2, .. 2t - 2, where m is
    odd and (w^m + 1) / (w^m - 1) no square; every element added to them makes a round.
    """
    q = (4 * tables - 1) // 3
    if size != 4 or 3 * q + 1 != 4 * tables or q % 4 != 1:
        return ()
    try:
        numbers = finite_field(q)
    except ValueError:  # no prime power
        return ()
    powers = numbers.powers
    sums, half = numbers.sums, (q - 1) // 2

    def odd_quotient(m: int) -> bool:
        over, under = sums[powers[m]][1], _minus(numbers, powers[m], 1)
        return over > 0 and (powers.index(over) - powers.index(under)) % 2 == 1

    m = next(m for m in range(1, q - 1, 2) if odd_quotient(m))
    infinity = 3 * q
    rounds = []
    for add in range(q):
        tables_now: list[tuple[int, ...]] = [(infinity, add, q + add, 2 * q + add)]
        for copy in range(3):
            following = (copy + 1) % 3
            for i in range(0, half, 2):
                first = (powers[i], powers[i + half])
                second = (powers[(i + m) % (q - 1)], powers[(i + m + half) % (q - 1)])
                tables_now.append(
                    (
                        *(copy * q + sums[x][add] for x in first),
                        *(following * q + sums[x][add] for x in second),
                    )
                )
        rounds.append(tuple(tables_now))
    return tuple(rounds)


def stored_plan(players: int, rounds: int) -> Rows | None:
    """Return the stored schedule of tables of two pairs, by round, four by four; ``None`` if none is.

    Players missing in a round rest, none of them twice.
    """
    plan = json.loads(PLANS.read_text()).get(f"{players}x{rounds}")
    if plan is None:
        return None
    return [[LETTERS.index(letter) for letter in row] for row in plan.split()]


def known_schedule(
    present: Sequence[Sequence[int]], shape: TableShape, rng: Random
) -> tuple[Rows, bool] | None:
    """Return by round the units at full tables of one shape, and whether that is the best known.

    If it is not, it is a start for a search. Units take the numbers of the schedule by lot. There is
    none if units come and go, other than to rest once.
    """
    rounds, tables = len(present), len(present[0]) // shape.size
    everybody = sorted({unit for units in present for unit in units})
    players = len(everybody)
    best = True
    rows: Rows | None = None
    if all(len(units) == players for units in present):
        golf_rounds = social_golfer(tables, shape.size)
        if len(golf_rounds) >= rounds:
            rows = [[unit for table in row for unit in table] for row in golf_rounds[:rounds]]
    if rows is None and shape.sides == _TWO_PAIRS:
        rows = stored_plan(players, rounds)
        if rows is None and players in KNOWN_SIZES:
            rows = _from_perfect(players, rounds)
            best = rows is not None and rounds >= len(perfect_whist(players))
    named = _named(rows, present, everybody, rng) if rows else None
    return (named, best) if named else None


def _from_perfect(players: int, rounds: int) -> Rows | None:
    """Return the first rounds of a perfect schedule, or all of it followed by another schedule."""
    whole = [
        [
            unit
            for (player, partner), (other, others_partner) in tables
            for unit in (player, other, partner, others_partner)
        ]
        for tables in perfect_whist(players)
    ]
    if 3 * rounds <= 2 * len(whole):
        return None  # there are better ones, with fewer repeats
    if rounds <= len(whole):
        return whole[:rounds]
    left = rounds - len(whole)
    more = stored_plan(players, left) or _from_perfect(players, left)
    if more is None and players % 4 == 0 and left <= len(social_golfer(players // 4, 4)):
        more = [
            [unit for table in row for unit in table]
            for row in social_golfer(players // 4, 4)[:left]
        ]
    return None if more is None else [*whole, *more]


def _named(
    rows: Rows, present: Sequence[Sequence[int]], everybody: Sequence[int], rng: Random
) -> Rows | None:
    """Return the rows with units instead of numbers, so that each rests in the right round."""
    numbers = range(len(everybody))
    names: dict[int, int] = {}
    for row, units in zip(rows, present, strict=True):
        rest_here = [number for number in numbers if number not in row]
        rest_there = [unit for unit in everybody if unit not in units]
        rng.shuffle(rest_there)
        if len(rest_here) != len(rest_there) or not names.keys().isdisjoint(rest_here):
            return None
        names.update(zip(rest_here, rest_there, strict=True))
    others = [unit for unit in everybody if unit not in names.values()]
    rng.shuffle(others)
    names.update(zip((number for number in numbers if number not in names), others, strict=False))
    if len(set(names.values())) < len(everybody):
        return None  # somebody rests twice
    return [[names[number] for number in row] for row in rows]
