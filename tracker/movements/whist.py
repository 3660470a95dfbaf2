"""Perfect whist schedules: every two players are partners once and opponents twice.

There is one for each of 4n and 4n + 1 players, from 4 to 101. Players are numbered from 0. The
schedules from a field (`from_field`) and from smaller schedules (`product`) are classical: I.
Anderson, *Combinatorial Designs and Tournaments*, 1997. Those from copies of a field (`in_copies`)
have no known source; as every other schedule, they are counted by `check` before they are used.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import TypeAlias

from tracker.movements.finite_fields import FiniteField, finite_field
from tracker.movements.meetings import pair

Pair: TypeAlias = tuple[int, int]  # partners
Copy: TypeAlias = tuple[int, int]  # an element of a field, and the number of one of its copies
WhistTable: TypeAlias = tuple[Pair, Pair]
WhistRound: TypeAlias = tuple[WhistTable, ...]
Schedule: TypeAlias = tuple[WhistRound, ...]


def _paired(four: Sequence[int]) -> WhistTable:
    """Return the table at which the first two play as partners against the last two."""
    a, b, c, d = four
    return (a, b), (c, d)


def _read_round(letters: str) -> WhistRound:
    """Read a round. A letter is a number to base 36; four are a table, partners side by side."""
    numbers = [int(letter, 36) for letter in letters]
    return tuple(_paired(numbers[first : first + 4]) for first in range(0, len(numbers), 4))


# Starters and patterns were found by simulated annealing: ``python -m tests.lab.whist``.
#
# A *starter* is a first round that ``developed`` makes into a schedule, four players a table.
_STARTERS = {4: "1203", 8: "34057162", 12: "120537964ba8", 24: "3m72ldb0j94knaghec58f61i"}
_STARTERS |= {33: "1wdnoivuft7j9kpgehrml562a3c4bqs8"}
STARTERS = {v: tuple(int(letter, 36) for letter in starter) for v, starter in _STARTERS.items()}

# Keyed by a number of copies: a *pattern* of as many rounds of tables of copies; see ``in_copies``.
PATTERNS: dict[int, tuple[WhistRound, ...]] = {
    len(rounds): tuple(map(_read_round, rounds))
    for rounds in (
        ("1302", "22001133", "03032121", "10103232"),
        (
            *("10375642", "54260713", "306451517272", "361205057474"),
            *("047523236161", "527143436060", "356722004411", "201433556677"),
        ),
        (
            *("52b896301a74", "5827906b14a3", "82b106354a79", "502a98347b7b1616"),
            *("94621078b3b35a5a", "18a654b037379292", "a023915b66774848", "24671593aabb8080"),
            *("68ab591722330404", "638a709b44552121", "a702b41388996565", "2b4638570011a9a9"),
        ),
    )
}

# The numbers of players with a schedule from a field; see ``from_field``.
DIRECTED = (5, 9, 13, 17, 25, 29, 37, 41, 49, 53, 61, 73, 81, 89, 97, 101)

# Keyed by the number of players: how many groups, and how many players in each; see ``product``.
_GROUPS = {16: (4, 4), 32: (8, 4), 48: (12, 4), 64: (16, 4), 80: (20, 4), 96: (24, 4)}
_GROUPS |= {65: (13, 5), 85: (17, 5)}
# Likewise: how many elements of a field, and how many copies of each; see ``in_copies``.
_COPIES = {20: (5, 4), 28: (7, 4), 36: (9, 4), 44: (11, 4), 52: (13, 4), 68: (17, 4)}
_COPIES |= {76: (19, 4), 92: (23, 4), 100: (25, 4), 40: (5, 8), 56: (7, 8), 72: (9, 8)}
_COPIES |= {88: (11, 8), 60: (5, 12), 84: (7, 12)}
_COPIES |= {21: (5, 4), 45: (11, 4), 69: (17, 4), 77: (19, 4), 93: (23, 4), 57: (7, 8)}

KNOWN_SIZES = tuple(sorted({*DIRECTED, *STARTERS, *_GROUPS, *_COPIES}))


def perfect_whist(v: int) -> Schedule:
    """Return the perfect schedule of players 0 to v - 1: rounds of tables of two pairs.

    If v is a multiple of four it has v - 1 rounds in which all sit, otherwise v rounds in each of
    which one player rests. The same v always has the same schedule.

    >>> perfect_whist(5)[0]
    (((1, 4), (2, 3)),)

    :raises ValueError: if v is not one of ``KNOWN_SIZES``.
    """
    schedule = _built(v)
    check(schedule, v)
    return schedule


def _built(v: int) -> Schedule:
    """Return the schedule of v players by the first construction that is known for v."""
    if v in STARTERS:
        return developed(STARTERS[v])
    if v in DIRECTED:
        return from_field(v)
    if v in _GROUPS:
        groups, size = _GROUPS[v]
        return product(_built(groups), _built(size), (groups, size))
    if v in _COPIES:
        order, copies = _COPIES[v]
        return in_copies(order, PATTERNS[copies], _built(copies + v % 4))  # v % 4 is 0 or 1
    raise ValueError(f"No perfect schedule of {v} players is known here.")


def seated(tables: Sequence[WhistTable]) -> list[int]:
    return list(chain.from_iterable(chain.from_iterable(tables)))


def check(schedule: Schedule, players: int) -> None:
    """Count from scratch that a schedule of this number of players is perfect.

    :raises ValueError: if somebody sits twice in a round, rests although there is room, does
        not partner everybody once, or does not oppose everybody twice.
    """
    for number, tables in enumerate(schedule, start=1):
        busy = seated(tables)
        if len(busy) != players - players % 4 or not set(busy) <= set(range(players)):
            raise ValueError(f"Round {number} has other players than these {players}.")
        if len(busy) != len(set(busy)):
            raise ValueError(f"Somebody sits twice in round {number}.")
    number_of_pairs = players * (players - 1) // 2
    all_tables = [table for tables in schedule for table in tables]
    together = Counter(pair(*two) for table in all_tables for two in table)
    if len(together) != number_of_pairs or set(together.values()) != {1}:
        raise ValueError("Not everybody partners everybody once.")
    against = Counter(pair(a, b) for two, others in all_tables for a in two for b in others)
    if len(against) != number_of_pairs or set(against.values()) != {2}:
        raise ValueError("Not everybody opposes everybody twice.")


def from_field(players: int) -> Schedule:
    """Return the schedule of 4n + 1 players who are the elements of a field.

    Table i of the first round has the powers i, i + n, i + 2n and i + 3n of the primitive element
    in the order of play. Each element, added to all these players, makes a round. The schedule is
    *directed*: everybody sits once on the left of everybody else, and once on the right.

    :raises ValueError: if the number of players is no prime power, or not one more than 4n.
    """
    elements, quarter = finite_field(players), players // 4
    if players % 4 != 1:
        raise ValueError(f"{players} players are not one more than a multiple of four.")
    first_round = [
        tuple(elements.power(first + turn * quarter) for turn in range(4))
        for first in range(quarter)
    ]
    return tuple(
        tuple(((plus[a], plus[c]), (plus[b], plus[d])) for a, b, c, d in first_round)
        for plus in elements.sums
    )


def developed(starter: Sequence[int]) -> Schedule:
    """Return the schedule that begins with *starter*, four players a table, partners side by side.

    Each further round adds 1 to every player, modulo their number. Of 4n players the last never
    moves, and the sums are modulo 4n - 1; of 4n + 1, player 0 rests in the first round.
    """
    # If player 0 plays in the first round, everybody does: there are 4n players.
    never_moves = max(starter) if 0 in starter else None
    rounds = max(starter) if 0 in starter else len(starter) + 1  # also the modulus

    def player(start: int, turn: int) -> int:
        return start if start == never_moves else (start + turn) % rounds

    return tuple(
        tuple(
            _paired([player(start, turn) for start in starter[first : first + 4]])
            for first in range(0, len(starter), 4)
        )
        for turn in range(rounds)
    )


def product(outer: Schedule, inner: Schedule, players: tuple[int, int]) -> Schedule:
    """Return the schedule of groups of players: groups meet as the players of *outer* do.

    *players* are the number of groups, which is that of the players of *outer*, and the number of
    players in a group, a prime power. Players are numbered group by group, and in a group by the
    elements of a field. Four groups that meet play one round for each element, its *slope*. At
    table x sits player x + slope * c of the group with number c, from 0 to 3, as the field counts.
    So two players of two groups meet once: the equations for x and the slope have one solution.

    Players of one group meet in *inner*. If both numbers are multiples of four, all groups play it
    after the other rounds; if both are one more, each plays it while it rests in *outer*.
    """
    groups, size = players
    elements = finite_field(size)

    def within(group: int, tables: WhistRound) -> list[WhistTable]:
        first = group * size
        return [((first + a, first + b), (first + c, first + d)) for (a, b), (c, d) in tables]

    rounds: list[WhistRound] = []
    for meeting in outer:
        for slope in range(size):
            # For each of the four groups, the number in the group of its player at each table.
            player_at = [elements.sums[elements.times(slope, c)] for c in range(4)]
            tables = [
                _paired([four[c] * size + player_at[c][x] for c in range(4)])
                for four in ((*two, *others) for two, others in meeting)
                for x in range(size)
            ]
            for resting_group in set(range(groups)).difference(seated(meeting)):
                tables += within(resting_group, inner[slope])
            rounds.append(tuple(tables))
    if groups % 4 == 0:
        rounds += [
            tuple(table for group in range(groups) for table in within(group, tables))
            for tables in inner
        ]
    return tuple(rounds)


def in_copies(order: int, pattern: Sequence[WhistRound], own: Schedule) -> Schedule:
    """Return the schedule whose players are the elements of a field, each in several *copies*.

    The order of the field is odd, and 5 or more. *pattern* has as many rounds as an element has
    copies. *own* is a perfect schedule of the copies of one element; if it has one player more,
    that is the *extra* player, who is no copy and is numbered last.

    The pattern says which copies meet, and the field which elements. In a pattern each copy sits
    once a round, and every two copies, or a copy and itself, are partners once and opponents twice.
    `_multiples` makes several tables of each of its tables. Those of one round seat all players but
    the copies of element 0. Adding an element to all players, a *shift*, makes another round of
    them: the copies of that element are left over, and play a round of *own*.

    Without an extra player *own* has one round less than the pattern. So the first round of the
    pattern is used otherwise: each multiple of its tables, with all shifts at once, makes a round.
    With an extra player *own* has one round more, in which the extra player rests: the copies of
    every element play it at once.
    """
    elements, copies = finite_field(order), len(pattern)
    spread = [[_multiples(elements, table) for table in tables] for tables in pattern]

    # Copy c of element x is player x * copies + c.
    def shifted(places: Sequence[Copy], shift: int) -> WhistTable:
        return _paired([elements.sums[shift][element] * copies + copy for element, copy in places])

    def of_element(tables: WhistRound, element: int) -> list[WhistTable]:
        """Return a round of *own* as played by the copies of an element and the extra player."""
        players = [*range(element * copies, (element + 1) * copies), order * copies]
        return [_paired([players[number] for two in table for number in two]) for table in tables]

    # The round in which the extra player, number *copies* in *own*, rests.
    at_once = [tables for tables in own if len(own) > copies and copies not in seated(tables)]
    one_by_one = [tables for tables in own if tables not in at_once]
    rounds: list[WhistRound] = [
        (
            *(shifted(places, shift) for multiples in tables for places in multiples),
            *of_element(own_tables, shift),
        )
        for tables, own_tables in zip(spread[0 if at_once else 1 :], one_by_one, strict=True)
        for shift in range(order)
    ]
    if at_once:
        last_round = (of_element(at_once[0], element) for element in range(order))
        return (*rounds, tuple(chain(*last_round)))
    rounds += [
        tuple(shifted(places, shift) for places in multiple for shift in range(order))
        for multiple in zip(*spread[0], strict=True)
    ]
    return tuple(rounds)


def _multiples(elements: FiniteField, table: WhistTable) -> list[list[Copy]]:
    """Return the tables made of a table of the pattern, in which each copy gets an element.

    Over all of them each copy of the table gets every element but 0 once. With w primitive, the
    elements w**m, w**(m + 1), w**(m + 2) and w**(m + 3) sit together, for all exponents m. Where
    a copy sits twice, it has w**m and -w**m, and the other copy w**(m + 1) and -w**(m + 1): then
    half of the exponents are enough.
    """
    half = elements.order // 2  # w to the power *half* is -1
    (a, b), (c, d) = table  # copies
    if a == b:  # and c == d: partners are alike
        exponents, times = (0, half, 1, half + 1), half
    elif a == c:  # and b == d: opponents are alike
        exponents, times = (0, 1, half, half + 1), half
    else:
        exponents, times = (0, 1, 2, 3), 2 * half
    seated = list(zip(exponents, (a, b, c, d), strict=True))
    return [[(elements.power(first + m), copy) for first, copy in seated] for m in range(times)]
