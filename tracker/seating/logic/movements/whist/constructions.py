"""The ways to build perfect whist schedules, and smaller ones into greater.

The first round over a field and the product of two schedules are classical: I. Anderson,
*Combinatorial Designs and Tournaments*, 1997. The copies of a field are frames, and resolvable
designs, that have all multiplications and movements of the field as symmetries: so few tables are
left to look for that a pattern of them serves every field. No source is known here, and none is
needed: every schedule is counted.
"""

from collections.abc import Sequence
from itertools import chain

from tracker.seating.logic.movements.whist.fields import Field, field
from tracker.seating.logic.movements.whist.rounds import (
    Pair,
    Round,
    Schedule,
    Table,
    resting,
    seated,
)


def from_field(players: int) -> Schedule:
    """Let the elements of a field of 4n + 1 play: adding each to all gives the rounds.

    The schedule is *directed*: in the order of play everybody has everybody once on the left and
    once on the right, if the second pair sits between the first.

    :raises ValueError: if so many players are no prime power, or not one more than 4n.
    """
    elements, quarter = field(players), players // 4
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
    """Add 1 to everybody in a first round, again and again.

    One of 4n players never moves, the last; of 4n + 1 each rests once, and 0 the first.
    """
    still = max(starter) if 0 in starter else None
    turns = max(starter) + (still is None)

    def player(start: int, turn: int) -> int:
        return start if start == still else (start + turn) % turns

    return tuple(_in_fours([player(start, turn) for start in starter]) for turn in range(turns))


def product(outer: Schedule, inner: Schedule, players: tuple[int, int]) -> Schedule:
    """Let groups meet as the players of *outer* do, and play *inner* each for itself.

    *players* are as many as *outer* and *inner* have, and those of *inner* a prime power: 4m by 4k,
    where all groups play on their own in the end, or 4m + 1 by 4k + 1, where the group that rests
    does. Four groups meet at tables whose places lie on a line of a plane over the field, with
    the same slope all in one round.
    """
    groups, size = players
    elements = field(size)

    def within(group: int, tables: Round) -> list[Table]:
        return [
            ((a + group * size, b + group * size), (c + group * size, d + group * size))
            for (a, b), (c, d) in tables
        ]

    rounds: list[Round] = []
    for meeting in outer:
        for slope in range(size):
            tables = [
                table for (a, b), (c, d) in meeting for table in _met(elements, slope, (a, b, c, d))
            ]
            for group in resting(meeting, groups):
                tables += within(group, inner[slope])
            rounds.append(tuple(tables))
    if groups % 4 == 0:
        rounds += [
            tuple(table for group in range(groups) for table in within(group, own)) for own in inner
        ]
    return tuple(rounds)


def _met(elements: Field, slope: int, groups: tuple[int, int, int, int]) -> list[Table]:
    # All from four groups meet at as many tables as a group has players.
    lines = [elements.sums[elements.times(slope, place)] for place in range(4)]
    return [
        _paired(
            [
                group * elements.order + line[shift]
                for group, line in zip(groups, lines, strict=True)
            ]
        )
        for shift in range(elements.order)
    ]


def in_copies(order: int, pattern: Sequence[Round], own: Schedule) -> Schedule:
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
    elements, copies = field(order), len(pattern)
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


def in_copies_and_one(order: int, pattern: Sequence[Round], own: Schedule) -> Schedule:
    """Do as ``in_copies``, with one player more, who has the highest number.

    *own* is a perfect schedule of the copies of an element and that player, whom the last number
    means in it. The first round of the pattern is as the others; in the round of *own* that the
    last player rests, the copies of all elements play it at once.
    """
    elements, copies = field(order), len(pattern)
    spread = [[_multiples(elements, table) for table in tables] for tables in pattern]
    alone = next(tables for tables in own if copies not in seated(tables))
    together = [_at_leisure(alone, order, copies, shift) for shift in range(order)]
    others = [tables for tables in own if tables is not alone]
    return (*_moved(elements, copies, spread, others), tuple(chain.from_iterable(together)))


def _moved(
    elements: Field,
    copies: int,
    spread: Sequence[Sequence[Sequence[Sequence[Pair]]]],
    own: Sequence[Round],
) -> list[Round]:
    # Every round of the pattern moved by every element, with a round of those at leisure.
    return [
        (
            *(_at(elements, copies, places, shift) for table in tables for places in table),
            *_at_leisure(leisure, elements.order, copies, shift),
        )
        for tables, leisure in zip(spread, own, strict=True)
        for shift in range(elements.order)
    ]


def _at(elements: Field, copies: int, places: Sequence[Pair], shift: int) -> Table:
    return _paired([elements.sums[shift][element] * copies + copy for element, copy in places])


def _at_leisure(tables: Round, order: int, copies: int, shift: int) -> list[Table]:
    numbers = [*range(shift * copies, (shift + 1) * copies), order * copies]
    return [_paired([numbers[player] for pair in table for player in pair]) for table in tables]


def _multiples(elements: Field, table: Table) -> list[list[Pair]]:
    # The element and the copy of each of the four, once for every table they make.
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


def _in_fours(players: Sequence[int]) -> Round:
    return tuple(_paired(players[start : start + 4]) for start in range(0, len(players), 4))


def _paired(four: Sequence[int]) -> Table:
    a, b, c, d = four
    return (a, b), (c, d)
