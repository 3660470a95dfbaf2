"""Perfect whist schedules: everybody partners everybody once and opposes everybody twice.

There is one for each of 4n and 4n + 1 players, from 4 to 101. The first round over a field and the
product of two schedules are classical: I. Anderson, *Combinatorial Designs and Tournaments*, 1997.
The copies of a field are frames, and resolvable designs, that have all multiplications and
movements of the field as symmetries: so few tables are left to look for that a pattern of them
serves every field. No source is known here, and none is needed: every schedule is counted.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import TypeAlias

from tracker.movements.finite_fields import FiniteField, finite_field
from tracker.movements.meetings import pair

Pair: TypeAlias = tuple[int, int]
WhistTable: TypeAlias = tuple[Pair, Pair]
WhistRound: TypeAlias = tuple[WhistTable, ...]
Schedule: TypeAlias = tuple[WhistRound, ...]

# What no construction gives. ``python -m tests.lab.whist`` found all of it by annealing, with the
# seeds it names.
#
# A *starter* is one round of players 0 to v - 1, four by four, partners beside each other; adding
# 1 to everybody gives the next, modulo v where v = 4n + 1, and modulo v - 1 where v = 4n: there
# the last player never moves.
STARTERS: dict[int, tuple[int, ...]] = {
    4: (1, 2, 0, 3),
    8: (3, 4, 0, 5, 7, 1, 6, 2),
    12: (1, 2, 0, 5, 3, 7, 9, 6, 4, 11, 10, 8),
    24: (3, 22, 7, 2, 21, 13, 11, 0, 19, 9, 4, 20, 23, 10, 16, 17, 14, 12, 5, 8, 15, 6, 1, 18),
    33: (
        *(1, 32, 13, 23, 24, 18, 31, 30, 15, 29, 7, 19, 9, 20, 25, 16),
        *(14, 17, 27, 22, 21, 5, 6, 2, 10, 3, 12, 4, 11, 26, 28, 8),
    ),
}

# A *pattern* of h copies of a field is h rounds of tables that name the copies their players come
# from; ``in_copies`` says what they must add up to.
PATTERNS: dict[int, tuple[WhistRound, ...]] = {
    4: (
        (((1, 3), (0, 2)),),
        (((2, 2), (0, 0)), ((1, 1), (3, 3))),
        (((0, 3), (0, 3)), ((2, 1), (2, 1))),
        (((1, 0), (1, 0)), ((3, 2), (3, 2))),
    ),
    8: (
        (((1, 0), (3, 7)), ((5, 6), (4, 2))),
        (((5, 4), (2, 6)), ((0, 7), (1, 3))),
        (((3, 0), (6, 4)), ((5, 1), (5, 1)), ((7, 2), (7, 2))),
        (((3, 6), (1, 2)), ((0, 5), (0, 5)), ((7, 4), (7, 4))),
        (((0, 4), (7, 5)), ((2, 3), (2, 3)), ((6, 1), (6, 1))),
        (((5, 2), (7, 1)), ((4, 3), (4, 3)), ((6, 0), (6, 0))),
        (((3, 5), (6, 7)), ((2, 2), (0, 0)), ((4, 4), (1, 1))),
        (((2, 0), (1, 4)), ((3, 3), (5, 5)), ((6, 6), (7, 7))),
    ),
    12: (
        (((5, 2), (11, 8)), ((9, 6), (3, 0)), ((1, 10), (7, 4))),
        (((5, 8), (2, 7)), ((9, 0), (6, 11)), ((1, 4), (10, 3))),
        (((8, 2), (11, 1)), ((0, 6), (3, 5)), ((4, 10), (7, 9))),
        (((5, 0), (2, 10)), ((9, 8), (3, 4)), ((7, 11), (7, 11)), ((1, 6), (1, 6))),
        (((9, 4), (6, 2)), ((1, 0), (7, 8)), ((11, 3), (11, 3)), ((5, 10), (5, 10))),
        (((1, 8), (10, 6)), ((5, 4), (11, 0)), ((3, 7), (3, 7)), ((9, 2), (9, 2))),
        (((10, 0), (2, 3)), ((9, 1), (5, 11)), ((6, 6), (7, 7)), ((4, 8), (4, 8))),
        (((2, 4), (6, 7)), ((1, 5), (9, 3)), ((10, 10), (11, 11)), ((8, 0), (8, 0))),
        (((6, 8), (10, 11)), ((5, 9), (1, 7)), ((2, 2), (3, 3)), ((0, 4), (0, 4))),
        (((6, 3), (8, 10)), ((7, 0), (9, 11)), ((4, 4), (5, 5)), ((2, 1), (2, 1))),
        (((10, 7), (0, 2)), ((11, 4), (1, 3)), ((8, 8), (9, 9)), ((6, 5), (6, 5))),
        (((2, 11), (4, 6)), ((3, 8), (5, 7)), ((0, 0), (1, 1)), ((10, 9), (10, 9))),
    ),
}

# The numbers of players with a schedule over a field, in which everybody has everybody once on the
# left; see ``from_field``.
DIRECTED = (5, 9, 13, 17, 25, 29, 37, 41, 49, 53, 61, 73, 81, 89, 97, 101)

# By the number of players: how many groups of how many players meet (see ``product``), and the
# number of elements and copies of a field (see ``in_copies`` and ``in_copies_and_one``).
_GROUPS = {16: (4, 4), 32: (8, 4), 48: (12, 4), 64: (16, 4), 80: (20, 4), 96: (24, 4)}
_GROUPS |= {65: (13, 5), 85: (17, 5)}
_COPIES = {20: (5, 4), 28: (7, 4), 36: (9, 4), 44: (11, 4), 52: (13, 4), 68: (17, 4)}
_COPIES |= {76: (19, 4), 92: (23, 4), 100: (25, 4), 40: (5, 8), 56: (7, 8), 72: (9, 8)}
_COPIES |= {88: (11, 8), 60: (5, 12), 84: (7, 12)}
_COPIES_AND_ONE = {21: (5, 4), 45: (11, 4), 69: (17, 4), 77: (19, 4), 93: (23, 4), 57: (7, 8)}

KNOWN_SIZES = tuple(sorted({*DIRECTED, *STARTERS, *_GROUPS, *_COPIES, *_COPIES_AND_ONE}))


def perfect_whist(v: int) -> Schedule:
    """Return the perfect schedule of players 0 to v - 1: rounds of tables of two pairs.

    It is always the same one, in the same order: v - 1 rounds in which all sit, if v is a multiple
    of four, otherwise v rounds in each of which one player rests. ``check`` has counted it.

    >>> perfect_whist(5)[0]
    (((1, 4), (2, 3)),)

    :raises ValueError: if v is not one of ``KNOWN_SIZES``.
    """
    schedule = _built(v)
    check(schedule, v)
    return schedule


def _built(v: int) -> Schedule:
    """Return the schedule by the first construction that there is for this number of players."""
    if v in STARTERS:
        return developed(STARTERS[v])
    if v in DIRECTED:
        return from_field(v)
    if v in _GROUPS:
        groups, size = _GROUPS[v]
        return product(_built(groups), _built(size), (groups, size))
    if v in _COPIES:
        order, copies = _COPIES[v]
        return in_copies(order, PATTERNS[copies], _built(copies))
    if v in _COPIES_AND_ONE:
        order, copies = _COPIES_AND_ONE[v]
        return in_copies_and_one(order, PATTERNS[copies], _built(copies + 1))
    raise ValueError(f"No perfect schedule of {v} players is known here.")


def seated(tables: Sequence[WhistTable]) -> list[int]:
    return list(chain.from_iterable(chain.from_iterable(tables)))


def check(schedule: Schedule, players: int) -> None:
    """Count from scratch that a schedule of these players, numbered from 0, is perfect.

    :raises ValueError: if somebody sits twice in a round, rests although there is room, does
        not partner everybody once, or does not oppose everybody twice.
    """
    for number, tables in enumerate(schedule, start=1):
        busy = seated(tables)
        if len(busy) != players - players % 4 or not set(busy) <= set(range(players)):
            raise ValueError(f"Round {number} has other players than these {players}.")
        if len(busy) != len(set(busy)):
            raise ValueError(f"Somebody sits twice in round {number}.")
    everybody = players * (players - 1) // 2
    together = Counter(pair(*two) for tables in schedule for table in tables for two in table)
    if len(together) != everybody or set(together.values()) != {1}:
        raise ValueError("Not everybody partners everybody once.")
    against = Counter(
        pair(player, other)
        for tables in schedule
        for two, others in tables
        for player in two
        for other in others
    )
    if len(against) != everybody or set(against.values()) != {2}:
        raise ValueError("Not everybody opposes everybody twice.")


def from_field(players: int) -> Schedule:
    """Let the elements of a field of 4n + 1 play: adding each to all gives the rounds.

    The schedule is *directed*: in the order of play everybody has everybody once on the left and
    once on the right, if the second pair sits between the first.

    :raises ValueError: if so many players are no prime power, or not one more than 4n.
    """
    elements, quarter = finite_field(players), players // 4
    if players % 4 != 1:
        raise ValueError(f"{players} players are not one more than a multiple of four.")
    tables = [
        tuple(elements.power(first + turn * quarter) for turn in range(4))
        for first in range(quarter)
    ]
    return tuple(
        tuple(((row[a], row[c]), (row[b], row[d])) for a, b, c, d in tables)
        for row in elements.sums
    )


def developed(starter: Sequence[int]) -> Schedule:
    """Develop a first round into a schedule, adding 1 to each player again and again.

    One of 4n players never moves, the last; of 4n + 1 each rests once, and 0 the first.
    """
    still = max(starter) if 0 in starter else None
    turns = max(starter) + (still is None)

    def player(start: int, turn: int) -> int:
        return start if start == still else (start + turn) % turns

    return tuple(
        tuple(
            _paired([player(start, turn) for start in starter[first : first + 4]])
            for first in range(0, len(starter), 4)
        )
        for turn in range(turns)
    )


def product(outer: Schedule, inner: Schedule, players: tuple[int, int]) -> Schedule:
    """Let groups meet as the players of *outer* do, and let each group play *inner* for itself.

    *players* are the numbers of players of *outer* and of *inner*; the second is a prime power. If
    they are 4m and 4k, all groups play *inner* in the end; if they are 4m + 1 and 4k + 1, the group
    that rests plays it meanwhile. Where four groups meet, the players of a table lie on a line of a
    plane over the field: the group is one coordinate, and all lines of a round have one slope.
    """
    groups, size = players
    elements = finite_field(size)

    def within(group: int, tables: WhistRound) -> list[WhistTable]:
        return [
            ((a + group * size, b + group * size), (c + group * size, d + group * size))
            for (a, b), (c, d) in tables
        ]

    rounds: list[WhistRound] = []
    for meeting in outer:
        for slope in range(size):
            lines = [elements.sums[elements.times(slope, place)] for place in range(4)]
            # All from four groups meet at as many tables as a group has players.
            tables = [
                _paired(
                    [
                        group * size + line[shift]
                        for group, line in zip((*two, *others), lines, strict=True)
                    ]
                )
                for two, others in meeting
                for shift in range(size)
            ]
            for group in set(range(groups)).difference(seated(meeting)):  # the one that rests
                tables += within(group, inner[slope])
            rounds.append(tuple(tables))
    if groups % 4 == 0:
        rounds += [
            tuple(table for group in range(groups) for table in within(group, own)) for own in inner
        ]
    return tuple(rounds)


def in_copies(order: int, pattern: Sequence[WhistRound], own: Schedule) -> Schedule:
    """Take a field as often as the pattern has copies; the copies of each element play *own*.

    *own* is a perfect schedule of the copies. The order of the field must be odd and at least 5.

    The tables of a pattern name copies. Multiplied with the powers of the primitive element they
    seat all but the zeros, and moved by each element they make a round for it: the zeros, moved
    too, are at leisure for a round of *own*. Only in the first round of the pattern every multiple
    makes a round, of all its moves. So any two elements of two copies meet alike, and any two of
    one. A table ``((i, j), (k, l))`` makes i and j, k and l partners, the others opponents;
    ``((i, i), (j, j))``, where elements sit with their negatives, makes i and j their own partners
    and each other's opponents twice; ``((i, j), (i, j))`` makes i and j partners, opponents, and
    their own opponents. A pattern has every copy once a round, any two copies as partners once
    and as opponents twice, and as often each with itself.
    """
    elements, copies = finite_field(order), len(pattern)
    still, *moved = [[_multiples(elements, table) for table in tables] for tables in pattern]
    return (
        *_moved(elements, copies, moved, own),
        *(
            tuple(
                _at(elements, copies, places, shift)
                for places in multiple
                for shift in range(order)
            )
            for multiple in zip(*still, strict=True)
        ),
    )


def in_copies_and_one(order: int, pattern: Sequence[WhistRound], own: Schedule) -> Schedule:
    """Do as ``in_copies``, with one player more, who has the highest number.

    *own* is a perfect schedule of the copies of an element and that player, whom the last number
    means in it. The first round of the pattern is as the others; in the round of *own* that the
    last player rests, the copies of all elements play it at once.
    """
    elements, copies = finite_field(order), len(pattern)
    spread = [[_multiples(elements, table) for table in tables] for tables in pattern]
    alone = next(tables for tables in own if copies not in seated(tables))
    together = [_at_leisure(alone, order, copies, shift) for shift in range(order)]
    others = [tables for tables in own if tables is not alone]
    return (*_moved(elements, copies, spread, others), tuple(chain.from_iterable(together)))


def _moved(
    elements: FiniteField,
    copies: int,
    spread: Sequence[Sequence[Sequence[Sequence[Pair]]]],
    own: Sequence[WhistRound],
) -> list[WhistRound]:
    """Return every round of the pattern moved by every element, with a round of those at leisure.

    *spread* has for each round and table of the pattern the tables that ``_multiples`` makes of it.
    """
    return [
        (
            *(_at(elements, copies, places, shift) for table in tables for places in table),
            *_at_leisure(leisure, elements.order, copies, shift),
        )
        for tables, leisure in zip(spread, own, strict=True)
        for shift in range(elements.order)
    ]


def _at(elements: FiniteField, copies: int, places: Sequence[Pair], shift: int) -> WhistTable:
    return _paired([elements.sums[shift][element] * copies + copy for element, copy in places])


def _at_leisure(tables: WhistRound, order: int, copies: int, shift: int) -> list[WhistTable]:
    numbers = [*range(shift * copies, (shift + 1) * copies), order * copies]
    return [_paired([numbers[player] for two in table for player in two]) for table in tables]


def _multiples(elements: FiniteField, table: WhistTable) -> list[list[Pair]]:
    """Return the tables that a table of a pattern stands for: the element and copy of each player."""
    half = elements.order // 2
    (a, b), (c, d) = table
    if a == b:
        exponents, times = (0, half, 1, half + 1), half
    elif a == c:
        exponents, times = (0, 1, half, half + 1), half
    else:
        exponents, times = (0, 1, 2, 3), 2 * half
    return [
        [
            (elements.power(exponent + more), copy)
            for exponent, copy in zip(exponents, (a, b, c, d), strict=True)
        ]
        for more in range(times)
    ]


def _paired(four: Sequence[int]) -> WhistTable:
    a, b, c, d = four
    return (a, b), (c, d)
