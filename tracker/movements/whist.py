"""Perfect whist schedules: every two players are partners once and opponents twice.

There is one for each of 4n and 4n + 1 players, from 4 to 101. Players are numbered from 0. The
schedules from a field (`from_field`) and from smaller schedules (`grouped`) are classical: I.
Anderson, *Combinatorial Designs and Tournaments*, 1997. Those from copies of a field (`in_copies`)
have no known source; as every other schedule, they are counted by `check` before they are used.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, product
from typing import TypeAlias

from tracker.movements.finite_fields import FiniteField, finite_field
from tracker.movements.meetings import pair

# The players of a round, table after table, in the order of play, so that partners are opposite.
Row: TypeAlias = tuple[int, ...]
Schedule: TypeAlias = tuple[Row, ...]


def _read_round(letters: str) -> Row:
    """Read a round: each letter is a number to base 36."""
    return tuple(int(letter, 36) for letter in letters)


# Starters and patterns were found by simulated annealing: ``python -m tests.lab.whist``.
#
# Keyed by the number of players: a *starter*, the first round of a schedule; see ``developed``.
STARTERS = {
    4: _read_round("1023"),
    8: _read_round("30457612"),
    12: _read_round("102539764ab8"),
    24: _read_round("37m2lbd0j49kngahe5c8f16i"),
    33: _read_round("1dwnoviuf7tj9pkgerhml652ac34bsq8"),
}
# Keyed by a number of copies: a *pattern*, rounds of tables of copies; see ``in_copies``.
PATTERNS = {
    copies: tuple(_read_round(letters) for letters in rounds.split())
    for copies, rounds in {
        4: "1032 20201313 00332211 11003322",
        8: "13075462 52460173 360455117722 316200557744 "
        "074522336611 572144336600 365720204141 210435356767",
        12: "5b28936017a4 5287960b1a43 8b21036547a9 520a938477bb1166 "
        "96421708bb3355aa 1a865b4033779922 a203951b67674488 26471953abab8800 "
        "6a8b519723230044 683a790b45452211 a072b14389896655 24b635870101aa99",
    }.items()
}
# The numbers of players who are the elements of one field; see ``from_field``.
FIELD_ORDERS = (5, 9, 13, 17, 25, 29, 37, 41, 49, 53, 61, 73, 81, 89, 97, 101)
# Keyed by the number of players: how many players are in each group; see ``grouped``.
GROUP_SIZES = {16: 4, 32: 4, 48: 4, 64: 4, 80: 4, 96: 4, 65: 5, 85: 5}
# Keyed by the number of players: in how many copies of a field they are; see ``in_copies``.
COPIES = {
    **dict.fromkeys((20, 21, 28, 36, 44, 45, 52, 68, 69, 76, 77, 92, 93, 100), 4),
    **dict.fromkeys((40, 56, 57, 72, 88), 8),
    **dict.fromkeys((60, 84), 12),
}
KNOWN_SIZES = tuple(sorted({*FIELD_ORDERS, *STARTERS, *GROUP_SIZES, *COPIES}))


def perfect_whist(players: int) -> Schedule:
    """Return the perfect schedule of this number of players: rounds of tables of two pairs.

    4n players have 4n - 1 rounds in which all play; 4n + 1 have 4n + 1 rounds in each of which one
    player rests. The same number always has the same schedule.

    >>> perfect_whist(5)[0]
    (1, 2, 4, 3)

    :raises ValueError: if the number of players is not one of ``KNOWN_SIZES``.
    """
    schedule = _built(players)
    check(schedule, players)
    return schedule


def _built(players: int) -> Schedule:
    """Return the schedule by the construction that is known for this number of players."""
    if players in STARTERS:
        return developed(STARTERS[players])
    if players in FIELD_ORDERS:
        return from_field(players)
    if players in GROUP_SIZES:
        size = GROUP_SIZES[players]
        groups = players // size
        return grouped(_built(groups), _built(size), groups, size)
    if players in COPIES:
        copies = COPIES[players]
        order, extra_players = divmod(players, copies)
        return in_copies(order, PATTERNS[copies], _built(copies + extra_players))
    raise ValueError(f"No perfect schedule of {players} players is known here.")


def tables_of(row: Sequence[int]) -> list[Row]:
    return [tuple(row[first : first + 4]) for first in range(0, len(row), 4)]


def _renumbered(row: Iterable[int], *numberings: Sequence[int]) -> Row:
    """Return the players once for each numbering, a list that gives each player a new number."""
    players = list(row)
    return tuple(new[player] for new in numberings for player in players)


def check(schedule: Schedule, players: int) -> None:
    """Count from scratch that a schedule of this number of players is perfect.

    :raises ValueError: if in some round a player sits twice or too few play, or if two players are
        not partners once and opponents twice.
    """
    for number, busy in enumerate(schedule, start=1):
        if len(busy) != players - players % 4 or not set(busy) <= set(range(players)):
            raise ValueError(f"Round {number} has other players than these {players}.")
        if len(busy) != len(set(busy)):
            raise ValueError(f"Somebody sits twice in round {number}.")
    number_of_pairs = players * (players - 1) // 2
    tables = tables_of([*chain(*schedule)])
    together = Counter(two for a, b, c, d in tables for two in (pair(a, c), pair(b, d)))
    if len(together) != number_of_pairs or set(together.values()) != {1}:
        raise ValueError("Not everybody partners everybody once.")
    against = Counter(pair(*two) for a, b, c, d in tables for two in product((a, c), (b, d)))
    if len(against) != number_of_pairs or set(against.values()) != {2}:
        raise ValueError("Not everybody opposes everybody twice.")


def from_field(players: int) -> Schedule:
    """Return the schedule of 4n + 1 players who are the elements of a field.

    Table i of the first round has the powers i, i + n, i + 2n and i + 3n of the primitive element
    in the order of play; 0 rests. Each element, added to all players, makes a round, in which that
    element rests. The schedule is *directed*: each player sits once on the left of each other
    player, and once on the right.

    :raises ValueError: if the number of players is no prime power, or not one more than 4n.
    """
    elements, quarter = finite_field(players), players // 4
    if players % 4 != 1:
        raise ValueError(f"{players} players are not one more than a multiple of four.")
    first_round = [elements.power(i + turn * quarter) for i in range(quarter) for turn in range(4)]
    return tuple(_renumbered(first_round, plus) for plus in elements.sums)


def developed(starter: Row) -> Schedule:
    """Return the schedule that begins with this round: each further round adds 1 to every player.

    Of 4n players, all play in the first round; the last never moves, and the sums are modulo
    4n - 1. Of 4n + 1 players, player 0 rests in the first round, and the sums are modulo 4n + 1.
    """
    modulus = len(starter) - 1 if 0 in starter else len(starter) + 1
    # Of 4n players, the last has the number *modulus* in every turn.
    numberings = ([*range(turn, modulus), *range(turn), modulus] for turn in range(modulus))
    return tuple(_renumbered(starter, numbering) for numbering in numberings)


def grouped(outer: Schedule, inner: Schedule, groups: int, size: int) -> Schedule:
    """Return the schedule of groups of players: groups meet as the players of *outer* do.

    There are as many groups as *outer* has players, and *size* players in a group, a prime power.
    Players are numbered group by group, and in a group by the elements of a field. Four groups that
    meet play one round for each element, its *slope*. At table x sits player x + slope * c of the
    group with number c, from 0 to 3, as the field counts. So two players of two groups meet once:
    the equations for x and the slope have one solution.

    Players of one group meet in *inner*. If both numbers are multiples of four, all groups play it
    after the other rounds; if both are one more, each plays it while it rests in *outer*, a round
    for each slope.
    """
    elements = finite_field(size)
    members_of = [range(group * size, (group + 1) * size) for group in range(groups)]
    rounds: list[Row] = []
    for meeting in outer:
        resting_groups = set(range(groups)).difference(meeting)
        for slope in range(size):
            # For each of the four groups, the number in the group of its player at each table.
            player_at = [elements.sums[elements.times(slope, c)] for c in range(4)]
            at_tables = (
                members_of[group][at[x]]
                for four in tables_of(meeting)
                for x in range(size)
                for group, at in zip(four, player_at, strict=True)
            )
            within = (_renumbered(inner[slope], members_of[group]) for group in resting_groups)
            rounds.append((*at_tables, *chain(*within)))
    if groups % 4 == 0:
        rounds += [_renumbered(row, *members_of) for row in inner]
    return tuple(rounds)


def in_copies(order: int, pattern: Sequence[Row], own: Schedule) -> Schedule:
    """Return the schedule of players who are the elements of a field in each of several *copies*.

    The order of the field is odd, and 5 or more. *pattern* says which copies meet: in each of its
    rounds each copy sits at one table, and in all of them together it has every copy, itself too,
    once as its partner and twice as an opponent. So there are as many rounds as copies.

    `_multiples` makes several tables of players, the *multiples*, of a table of copies. Those of a
    round of the pattern seat all players but the players of element 0. Adding an element, the
    *shift*, to all of them makes another round, which leaves out the players of the shift. These
    play a round of *own*: the perfect schedule of the players of one element, one in each copy, and
    maybe of an *extra* player, who is in no copy, is numbered last and rests in its last round.

    So each round of the pattern is combined with one of *own*. One round is left over:

    - Without an extra player, it is the first of the pattern, in which no copy sits twice. With all
      shifts at once, one multiple of each of its tables makes a round of all players.
    - With an extra player, it is the last of *own*: the players of all elements play it at once.
    """
    elements, copies = finite_field(order), len(pattern)
    multiples = [
        [_multiples(elements, table, copies) for table in tables_of(row)] for row in pattern
    ]
    # The player of element x in copy c is number x * copies + c; the extra player is the last.
    # So for each element the players of *own*, and for each shift all players, have new numbers:
    of_element = [[*range(x * copies, (x + 1) * copies), order * copies] for x in range(order)]
    shifted_by = [[x * copies + c for x in plus for c in range(copies)] for plus in elements.sums]

    has_extra_player = len(own) > copies
    if has_extra_player:
        combined = zip(multiples, own[:-1], strict=True)
        at_once = [_renumbered(own[-1], *of_element)]
    else:
        combined = zip(multiples[1:], own, strict=True)
        at_once = [
            _renumbered(chain(*tables), *shifted_by) for tables in zip(*multiples[0], strict=True)
        ]
    shift_by_shift = [
        _renumbered(chain(*chain(*tables)), shifted_by[x]) + _renumbered(own_row, of_element[x])
        for tables, own_row in combined
        for x in range(order)
    ]
    return (*shift_by_shift, *at_once)


def _multiples(elements: FiniteField, table: Row, copies: int) -> list[Row]:
    """Return the tables of players made of a table of copies; for their numbers see ``in_copies``.

    Over all of them each copy of the table gets every element but 0 once. With w primitive, the
    elements w**m, w**(m + 1), w**(m + 2) and w**(m + 3) sit together, for all exponents m. Where
    a copy sits twice, it has w**m and -w**m, and the other copy w**(m + 1) and -w**(m + 1): then
    half of the exponents are enough.
    """
    half = elements.order // 2  # w to the power *half* is -1
    first, left, partner, _ = table  # copies
    if first == partner:  # and so are the other partners
        exponents, count = (0, 1, half, half + 1), half
    elif first == left:  # and so are the other opponents
        exponents, count = (0, half, 1, half + 1), half
    else:
        exponents, count = (0, 1, 2, 3), 2 * half
    places = list(zip(exponents, table, strict=True))
    return [
        tuple(elements.power(exponent + m) * copies + copy for exponent, copy in places)
        for m in range(count)
    ]
