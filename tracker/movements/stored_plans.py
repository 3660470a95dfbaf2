"""Known schedules with few repeated meetings, from algebra or stored from a long search.

Players are numbers from 0. A *row* has the players of a round, table after table. In most schedules
they form *groups*, numbered one after the other; each table seats one player of each.
"""

import json
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain, product
from math import gcd
from pathlib import Path
from random import Random
from string import ascii_letters, digits

from tracker.movements.finite_fields import FiniteField, finite_field
from tracker.movements.types import TableShape
from tracker.movements.whist import KNOWN_SIZES, Row, perfect_whist

# Each letter in the files is a number, its index here: digits, letters, Latin letters with accents.
LETTERS = digits + ascii_letters + "".join(map(chr, range(0xC0, 0x100)))
COLUMNS, PLANS, REPEAT_FREE = (  # found by ``tests.lab.seating``
    Path(__file__).with_name(f"{name}.json") for name in ("columns", "plans", "repeat_free")
)
_TWO_PAIRS = ((0, 2), (1, 3))


def _stored(file: Path, key: str) -> list[list[int]]:
    """Return the numbers of the letters of each word; the list is empty if none are stored."""
    words = json.loads(file.read_text()).get(key, "").split()
    return [[LETTERS.index(letter) for letter in word] for word in words]


@cache
def social_golfer(tables: int, size: int, *, stored: bool = True) -> tuple[Row, ...]:
    """Return the longest known schedule in which no two meet twice: the social golfer problem.

    Each table has *size* players. Unless *stored*, only schedules from algebra are considered.

    >>> [len(social_golfer(tables, 4)) for tables in (4, 5, 7, 10, 6)]
    [5, 5, 9, 13, 5]
    """
    schedules: list[tuple[Row, ...]] = [(tuple(range(tables * size)),)]
    if size == 2:
        turns = range(2 * tables - 1)
        schedules.append(tuple(tuple(chain(*berger(2 * tables, turn))) for turn in turns))
    # Unless others are stored, group i moves by m * i tables in round m. Two groups are as far apart
    # again after so many rounds as there are tables, divided by the common divisor with the
    # difference of the groups.
    rounds = min(tables // gcd(tables, difference) for difference in range(1, size))
    columns = [[m * group for group in range(size)] for m in range(rounds)]
    if stored:
        columns = _stored(COLUMNS, f"{tables}x{size}") or columns
    schedules.append(_from_columns(tables, size, columns))
    schedules += [_transversal(tables, size), _threefold(tables, size)]
    return max(schedules, key=len)


def berger(places: int, row: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs of places in a *row* of Berger's tables, all from 0; *places* is even.

    >>> berger(8, 1)
    ((7, 4), (5, 3), (6, 2), (0, 1))
    """
    # The last place stays, and the others move round a circle, by half of it in each row.
    moving = places - 1
    shift = row * places // 2
    of_last = (shift % moving, moving)
    others = (
        ((place + shift) % moving, (moving - place + shift) % moving)
        for place in range(1, places // 2)
    )
    # The last place stands in front in every second row.
    return (of_last if row % 2 == 0 else of_last[::-1], *others)


def _from_columns(tables: int, size: int, columns: Iterable[Sequence[int]]) -> tuple[Row, ...]:
    """Return a round for each *column*: by how many tables each group moves; then within groups."""
    rows = (
        tuple(
            group * tables + (table + by) % tables
            for table in range(tables)
            for group, by in enumerate(column)
        )
        for column in columns
    )
    return (*rows, *_within_groups(tables, size))


def _within_groups(tables: int, size: int) -> tuple[Row, ...]:
    """Return rounds in which each group, of *tables* players, fills tables; empty if it cannot."""
    of_group = () if tables % size else social_golfer(tables // size, size)
    starts = range(0, tables * size, tables)
    return tuple(tuple(start + player for start in starts for player in row) for row in of_group)


def _transversal(tables: int, size: int) -> tuple[Row, ...]:
    """Return as many rounds as tables, in which players of two groups meet at most once.

    Players of a group, tables and rounds are numbered by the elements of a *ring*: tuples of one
    element of each of several fields, which are added and multiplied field by field. Player x of
    group i sits in round m at table x - m * i. Player y of group j sits there too if
    x - y = m * (i - j). That is in one round only, as i - j has an inverse if *size* is at most the
    order of each field; otherwise there are no rounds. Rounds within the groups follow.
    """
    fields = _fields(tables)
    if not fields or size > min(field.order for field in fields):
        return ()
    rows = []
    ring = list(product(*(range(field.order) for field in fields)))
    number_of = {element: number for number, element in enumerate(ring)}
    for m in ring:
        players_at: list[list[int]] = [[] for _ in range(tables)]
        for i, x in product(range(size), ring):
            table = tuple(
                field.minus(x_part, field.times(m_part, i))
                for field, x_part, m_part in zip(fields, x, m, strict=True)
            )
            players_at[number_of[table]].append(i * tables + number_of[x])
        rows.append(tuple(chain(*players_at)))
    return (*rows, *_within_groups(tables, size))


def _fields(size: int) -> list[FiniteField]:
    """Return fields whose orders have the product *size*: one for each prime factor."""
    fields = []
    for prime in range(2, size + 1):
        power = 1
        while size % prime == 0:
            size, power = size // prime, power * prime
        if power > 1:
            fields.append(finite_field(power))
    return fields


def _threefold(tables: int, size: int) -> tuple[Row, ...]:
    """Return q rounds of 3q + 1 players at tables of four, in which all meet once, if q = 4t + 1.

    This is a design of R. C. Bose, 1939; it is empty for other numbers, and if q is no prime power.
    The players are three copies of a field's q elements, and one more, *infinity*. In the first round
    infinity sits with the three 0s. The other tables, with w primitive, have w^i and -w^i of a copy
    and w^(i+m) and -w^(i+m) of the next copy, for i = 0, 2, .. 2t - 2, where m is odd and
    (w^m + 1) / (w^m - 1) no square. Each element, added to all players, makes a round.

    With that m, each difference of elements, within a copy and between copies, occurs once in the
    first round. Adding an element keeps differences, so all meet once.
    """
    q = (4 * tables - 1) // 3
    if size != 4 or 3 * q + 1 != 4 * tables or q % 4 != 1:
        return ()
    try:
        field = finite_field(q)
    except ValueError:
        return ()
    power, half, infinity = field.power, (q - 1) // 2, 3 * q  # w to the power *half* is -1

    def suits(m: int) -> bool:
        """Return whether (w^m + 1) / (w^m - 1) is an odd power of w, and so no square."""
        over, under = field.sums[power(m)][1], field.minus(power(m), 1)
        return over > 0 and (field.powers.index(over) - field.powers.index(under)) % 2 == 1

    m = next(m for m in range(1, q - 1, 2) if suits(m))
    rows = []
    for plus in field.sums:  # the sums of one element and each element
        row = [infinity, plus[0], q + plus[0], 2 * q + plus[0]]
        for copy, i in product(range(3), range(0, half, 2)):
            a, minus_a, b, minus_b = (plus[power(n)] for n in (i, i + half, i + m, i + m + half))
            here, there = copy * q, (copy + 1) % 3 * q  # the first players of the two copies
            row += here + a, here + minus_a, there + b, there + minus_b
        rows.append(tuple(row))
    return tuple(rows)


@cache
def repeat_free(players: int) -> tuple[Row, ...]:
    """Return the stored rounds of tables of four in which no two meet twice, and nobody rests twice.

    They are stored for some numbers of players that are no multiple of four, after their number. If
    there is only one row, each further round adds 1 to every player, modulo the number of players.
    """
    if not (stored := _stored(REPEAT_FREE, str(players))):
        return ()
    (rounds,), *rows = stored
    if len(rows) == 1:
        rows = [[(player + turn) % players for player in rows[0]] for turn in range(rounds)]
    return tuple(map(tuple, rows))


def stored_plan(players: int, rounds: int) -> Sequence[Row]:
    """Return the stored schedule of tables of two pairs; empty if none is stored.

    Players missing in a round rest, none of them twice.
    """
    return [*map(tuple, _stored(PLANS, f"{players}x{rounds}"))]


def known_schedule(
    present: Sequence[Sequence[int]], shape: TableShape, rng: Random
) -> tuple[list[list[int]], bool] | None:
    """Return the unit at each place, round by round, and whether no better schedule is known.

    *present* are the units that play in each round, at full tables of one shape. A *unit*, a player
    or a fixed team, becomes a player of the schedule by lot. If a search may find a better one, it
    can start from this. ``None`` if no schedule is known, as when a unit is missing twice.
    """
    rounds, tables = len(present), len(present[0]) // shape.size
    everybody = sorted({unit for units in present for unit in units})
    players = len(everybody)
    is_best_known = True
    rows: Sequence[Row] = ()
    if all(len(units) == players for units in present):
        rows = social_golfer(tables, shape.size)
    elif shape.size == 4 and rounds > 1:
        rows = repeat_free(players)
    if len(rows) < rounds:
        rows = stored_plan(players, rounds) if shape.sides == _TWO_PAIRS else ()
        if not rows and shape.sides == _TWO_PAIRS and players in KNOWN_SIZES:
            rows = _from_perfect(players, rounds)
            is_best_known = rounds >= len(perfect_whist(players))
    with_units = _with_units(rows[:rounds], present, everybody, rng) if rows else None
    return (with_units, is_best_known) if with_units else None


def _from_perfect(players: int, rounds: int) -> Sequence[Row]:
    """Return the first rounds of a perfect schedule, or all of it and then another schedule.

    It is empty if no schedule is known for the rounds after it, or the rounds are too few.
    """
    whole = perfect_whist(players)
    # For two thirds of the rounds or fewer a search finds a better schedule.
    if 3 * rounds <= 2 * len(whole):
        return ()
    if rounds <= len(whole):
        return whole[:rounds]
    rounds_after = rounds - len(whole)
    more = stored_plan(players, rounds_after) or _from_perfect(players, rounds_after)
    if not more and players % 4 == 0 and rounds_after <= len(social_golfer(players // 4, 4)):
        more = social_golfer(players // 4, 4)[:rounds_after]
    return [*whole, *more] if more else ()


def _with_units(
    rows: Sequence[Row], present: Sequence[Sequence[int]], everybody: Sequence[int], rng: Random
) -> list[list[int]] | None:
    """Return the rows with units instead of players, so that each rests in the right round.

    ``None`` if other numbers of units rest than of players, or one of either rests twice.
    """
    players = range(len(everybody))
    unit_of: dict[int, int] = {}  # keyed by the player
    # In each round the units that rest become the players that rest, in random order.
    for row, units in zip(rows, present, strict=True):
        resting_players = [player for player in players if player not in row]
        resting_units = [unit for unit in everybody if unit not in units]
        rng.shuffle(resting_units)
        player_rests_again = not unit_of.keys().isdisjoint(resting_players)
        if player_rests_again or len(resting_players) != len(resting_units):
            return None
        unit_of.update(zip(resting_players, resting_units, strict=True))
    others = [unit for unit in everybody if unit not in unit_of.values()]
    rng.shuffle(others)
    if len(set(unit_of.values())) < len(unit_of):
        return None  # a unit rests twice
    never_rest = (player for player in players if player not in unit_of)
    unit_of.update(zip(never_rest, others, strict=True))
    return [[unit_of[player] for player in row] for row in rows]
