"""The ways to build perfect whist schedules, and smaller ones into greater.

Sources: Moore's and Anderson's initial round over a field; the products are Baker's and
Anderson's (I. Anderson, *Combinatorial Designs and Tournaments*, 1997, chapters 10 and 11).
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

    *players* are as many as *outer* and *inner* have: 4m by 4k, or 4m + 1 by 4k + 1 where the
    group that rests plays on its own. As many as *inner* has must be a prime power.
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

    With a perfect schedule of the copies as *own* this makes order times copies players. With one
    of the copies and one more, who is the same for all and has the highest number, it makes one
    player more. The order must be odd and at least 5.

    The tables of a pattern name copies. They are multiplied with the powers of the primitive
    element, which seats all but the zeros of a round's copies, and every element is added in turn
    to make the rounds of it: those who were zero are at leisure for *own*. Where no one is added
    (the first round of a pattern, without the player more), each multiple is a round of its own.

    So any two elements of two copies meet alike, and any two of one copy. ``((i, j), (k, l))`` are
    one table for each power; ``((i, i), (j, j))`` and ``((i, j), (i, j))`` name both an element
    and its negative, and half as many do. All together must make any two copies partners once and
    opponents twice, and each copy its own partner and opponent alike. Of the three tables
    the first makes i and j partners, k and l too, and the others opponents; the second makes i
    and j their own partners and each other's opponents, twice; the third makes i and j partners,
    opponents, and their own opponents, each once.
    """
    elements, copies = field(order), len(pattern)
    spread = [[_multiples(elements, table) for table in tables] for tables in pattern]

    def met(places: Sequence[Pair], shift: int) -> Table:
        return _paired([elements.sums[shift][element] * copies + copy for element, copy in places])

    def at_leisure(tables: Round, shift: int) -> list[Table]:
        numbers = [*range(shift * copies, (shift + 1) * copies), order * copies]
        return [_paired([numbers[player] for pair in table for player in pair]) for table in tables]

    one_more = len(own) > copies
    last = [tables for tables in own if one_more and copies not in seated(tables)]
    rounds = [
        (*(met(places, shift) for table in tables for places in table), *at_leisure(home, shift))
        for tables, home in zip(
            spread if one_more else spread[1:],
            (home for home in own if home not in last),
            strict=True,
        )
        for shift in range(order)
    ]
    if one_more:
        everybody = [at_leisure(home, shift) for home in last for shift in range(order)]
        return (*rounds, tuple(chain.from_iterable(everybody)))
    return (
        *rounds,
        *(
            tuple(met(places, shift) for places in multiple for shift in range(order))
            for multiple in zip(*spread[0], strict=True)
        ),
    )


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
