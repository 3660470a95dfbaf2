"""Social golf: rounds in which no two players meet twice, for tables of any size.

The players are numbers from 0; a round is a list of tables, a table a tuple of players.
"""

import json
from functools import cache
from pathlib import Path
from string import ascii_letters, digits
from typing import TypeAlias

from tracker.seating.logic.movements.fields import Field, field

LETTERS = digits + ascii_letters
COLUMNS = Path(__file__).with_name("columns.json")  # found by tests/lab/seating/differences.py
Tables: TypeAlias = tuple[tuple[int, ...], ...]


@cache
def golf(tables: int, size: int, *, stored: bool = True) -> tuple[Tables, ...]:
    """Return as many rounds as are known for so many tables of this size, at least one.

    Without what is *stored* they are those that algebra knows.

    >>> len(golf(4, 4)), len(golf(5, 4)), len(golf(7, 4)), len(golf(10, 4)), len(golf(6, 4))
    (5, 5, 9, 13, 5)
    """
    first = (tuple(tuple(range(at * size, (at + 1) * size)) for at in range(tables)),)
    ways = [first, _circle(tables, size), _transversal(tables, size), _threefold(tables, size)]
    if stored:
        ways.append(_moved(tables, size))
    return max(ways, key=len)


def _circle(tables: int, size: int) -> tuple[Tables, ...]:
    """Return the rounds of a round robin: one stays, and the others move on round the circle."""
    if size != 2:
        return ()
    others = 2 * tables - 1
    return tuple(
        (
            (others, add),
            *(((add + step) % others, (add - step) % others) for step in range(1, tables)),
        )
        for add in range(others)
    )


def _moved(tables: int, size: int) -> tuple[Tables, ...]:
    """Return a round for every column that is stored: how far each group has moved on."""
    columns = json.loads(COLUMNS.read_text()).get(f"{tables}x{size}", "").split()
    return tuple(
        tuple(
            tuple(
                group * tables + (table + LETTERS.index(moved)) % tables
                for group, moved in enumerate(column)
            )
            for table in range(tables)
        )
        for column in columns
    ) + (_within_groups(tables, size) if columns else ())


def _within_groups(tables: int, size: int) -> tuple[Tables, ...]:
    """Return rounds of groups, each of as many players as there are tables, among themselves."""
    if tables % size:
        return ()
    return tuple(
        tuple(tuple(i * tables + player for player in table) for i in range(size) for table in own)
        for own in golf(tables // size, size)
    )


def _transversal(tables: int, size: int) -> tuple[Tables, ...]:
    """Return a round for every element of a ring as large as the number of tables.

    Player (i, x) sits in round m at the table x - m * e(i), for elements e(i) that differ by
    units: so two of them meet in one round at most. Those of one i have not met at all, and
    may go on among themselves.
    """
    ring = _ring(tables)
    if not ring or size > min(each.order for each in ring):
        return ()
    rounds = []
    for factor in _elements(ring):
        at: list[list[int]] = [[] for _ in range(tables)]
        for i in range(size):
            for number, x in enumerate(_elements(ring)):
                parts = [
                    _minus(each, x[axis], each.times(factor[axis], i))
                    for axis, each in enumerate(ring)
                ]
                at[_number(parts, ring)].append(i * tables + number)
        rounds.append(tuple(map(tuple, at)))
    return (*rounds, *_within_groups(tables, size))


def _ring(size: int) -> list[Field]:
    """Return fields whose product has so many elements, by the powers of primes in it."""
    fields = []
    for prime in range(2, size + 1):
        power = 1
        while size % prime == 0:
            size, power = size // prime, power * prime
        if power > 1:
            fields.append(field(power))
    return fields


def _minus(numbers: Field, minuend: int, subtrahend: int) -> int:
    """Return what must be added to *subtrahend* to get *minuend*."""
    return numbers.sums[subtrahend].index(minuend)


def _elements(ring: list[Field]) -> list[list[int]]:
    elements: list[list[int]] = [[]]
    for each in ring:
        elements = [[*element, x] for element in elements for x in range(each.order)]
    return elements


def _number(parts: list[int], ring: list[Field]) -> int:
    number = 0
    for part, each in zip(parts, ring, strict=True):
        number = number * each.order + part
    return number


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
        numbers = field(q)
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
