"""Counts of earlier meetings, rests and openings; pairs that must not meet; numbers of tables.

A *unit* is a player or a fixed team. Two units *meet* if they sit at one table, as partners or
opponents. A unit *opens* a table if it deals first there. Pairs of units are in rising order.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, count

from games.errors import gettext_noop
from tracker.movements.types import (
    MeetingKind,
    Question,
    RoundSeating,
    TableSeating,
    TableShape,
    UnseatableError,
)


def pair(unit: int, other: int) -> tuple[int, int]:
    """Return two units in rising order."""
    return (unit, other) if unit < other else (other, unit)


def meetings_at(tables: Iterable[TableSeating]) -> Iterator[tuple[MeetingKind, tuple[int, int]]]:
    """Yield two meetings for every pair at a table: in any way, and as partners or opponents."""
    for table in tables:
        side_of = {place: side for side, places in enumerate(table.shape.sides) for place in places}
        for place, other in combinations(range(len(table.units)), 2):
            two = pair(table.units[place], table.units[other])
            same_side = side_of[place] == side_of[other]
            yield MeetingKind.MEETING, two
            yield MeetingKind.PARTNERS if same_side else MeetingKind.OPPONENTS, two


def partners(units: Sequence[int], shape: TableShape) -> list[tuple[int, int]]:
    """Return the pairs of partners at a table with these units at its places."""
    return [pair(units[a], units[b]) for side in shape.sides for a, b in combinations(side, 2)]


def times_met(
    rounds: Sequence[RoundSeating], kind: MeetingKind = MeetingKind.MEETING
) -> Counter[tuple[int, int]]:
    """Return how often two units met in this way, keyed by the pair."""
    meetings = (meeting for played in rounds for meeting in meetings_at(played.tables))
    return Counter(two for met_as, two in meetings if met_as is kind)


def times_rested(rounds: Sequence[RoundSeating]) -> Counter[int]:
    return Counter(unit for played in rounds for unit in played.resting)


def openings_ahead(question: Question, units: Iterable[int]) -> dict[int, int]:
    """Return how many openings each unit has more than its share, times the size of a table.

    The share is one opening in as many rounds as a table has units; the factor avoids fractions.
    Openings of units that are not in ``question.deal_counts`` are counted at the played tables.
    """
    tables = [table for played in question.played for table in played.tables]
    opened = Counter(table.units[table.opener] for table in tables if table.opener is not None)
    for unit, counts in question.deal_counts.items():
        opened[unit] = counts.opened
    seated = Counter(unit for table in tables for unit in table.units)
    return {unit: question.shape.size * opened[unit] - seated[unit] for unit in units}


def by_standing(question: Question, units: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return *units* in order of the standing, level units in one tuple; new units come last."""
    wanted = set(units)
    levels = [tuple(unit for unit in level if unit in wanted) for level in question.standing]
    placed = {unit for level in levels for unit in level}
    newcomers = tuple(unit for unit in units if unit not in placed)
    return tuple(level for level in (*levels, newcomers) if level)


def evenly_opened(
    tables: Sequence[tuple[int, ...]], size: int, earlier: Mapping[int, int]
) -> list[tuple[int, ...]]:
    """Return the tables with the opener first, so that openings are as even as possible.

    Each table has *size* units, and *earlier* is what ``openings_ahead`` returns. While a chain of
    tables leads from a unit that opened too often to one that opened too seldom, openings are
    passed on along the chain: each unit of the chain opens a table that the unit before it opened.

    >>> evenly_opened([(1, 2), (1, 3), (1, 4)], 2, {})
    [(2, 1), (1, 3), (1, 4)]
    """
    turned = list(tables)
    units = sorted({unit for table in tables for unit in table})
    ahead = {unit: earlier.get(unit, 0) for unit in units}
    for table in turned:
        ahead[table[0]] += size
        for unit in table:
            ahead[unit] -= 1
    while chain := _chain(turned, size, ahead, units):
        # The unit at the start of the chain opens once less, the one at its end once more.
        first_index, _ = chain[0]
        _, last_opener = chain[-1]
        ahead[turned[first_index][0]] -= size
        ahead[last_opener] += size
        for index, opener in chain:
            others = tuple(unit for unit in turned[index] if unit != opener)
            turned[index] = (opener, *others)
    return turned


def _chain(
    turned: Sequence[tuple[int, ...]], size: int, ahead: Mapping[int, int], units: Sequence[int]
) -> list[tuple[int, int]]:
    """Return the index and the new opener of each table of a chain of `evenly_opened`.

    A breadth-first search starts from each unit, those most ahead first, and ends at a unit more
    than one opening behind it. The chain is empty if there is none.
    """
    opened_by: dict[int, list[int]] = {unit: [] for unit in units}
    for index, table in enumerate(turned):
        opened_by[table[0]].append(index)
    for start in sorted(units, key=lambda unit: (-ahead[unit], unit)):
        # Keyed by unit: the table opened by the unit before it. ``reached`` grows in the loop.
        came_by: dict[int, int] = {}
        reached, seen = [start], {start}
        for unit in reached:
            if ahead[start] - ahead[unit] > size:
                # Back from the last unit to the one that opened too often.
                chain = [(came_by[unit], unit)]
                while (before := turned[chain[-1][0]][0]) != start:
                    chain.append((came_by[before], before))
                return chain[::-1]
            for index in opened_by[unit]:
                new = [other for other in turned[index] if other not in seen]
                seen.update(new)
                came_by.update(dict.fromkeys(new, index))
                reached += new
    return []


def forbidden_pairs(question: Question) -> frozenset[tuple[int, int]]:
    """Return the pairs that must not meet: by a wish, or as each keeps (never leaves) its table."""
    keeps = question.wishes.keeps
    wished = {pair(*sorted(two)) for two in question.wishes.apart if len(two) == 2}
    keepers = combinations(sorted(keeps), 2)
    return frozenset(wished.union(two for two in keepers if keeps[two[0]] != keeps[two[1]]))


def apart_refusal(forbidden: frozenset[tuple[int, int]]) -> UnseatableError:
    """Return the error for a round in which units that must not meet cannot be kept apart."""
    template = gettext_noop("There are no tables at which all of %(who)s stay apart who must.")
    units = sorted({unit for two in forbidden for unit in two})
    return UnseatableError("nobody-to-meet", template, units=tuple(units))


def fixed_numbers(
    question: Question, tables: Sequence[TableSeating], *, first_keeper: bool = False
) -> dict[int, int]:
    """Return the numbers of locked and of kept tables, by index; refuse two numbers for a table.

    With *first_keeper*, a locked table at which several units keep a table has the first one's.
    """
    numbers: dict[int, int] = {}
    keeps = question.wishes.keeps
    for index, table in enumerate(tables):
        keepers = tuple(unit for unit in table.units if unit in keeps)
        kept = {keeps[unit] for unit in (keepers[:1] if first_keeper else keepers)}
        fixed = kept if table.number is None else {table.number}
        if len(fixed) > 1 or fixed & set(numbers.values()):
            template = gettext_noop("%(who)s cannot each keep their table in this round.")
            raise UnseatableError("table-kept-twice", template, units=keepers or table.units)
        if fixed:
            numbers[index] = fixed.pop()
    return numbers


def number_in_order(
    question: Question, tables: Sequence[TableSeating], *, first_keeper: bool = False
) -> tuple[TableSeating, ...]:
    """Return the tables with numbers: fixed ones, and the lowest free ones in turn for the others."""
    fixed = fixed_numbers(question, tables, first_keeper=first_keeper)
    free = (number for number in count(1) if number not in fixed.values())
    return tuple(
        replace(table, number=fixed[index] if index in fixed else next(free))
        for index, table in enumerate(tables)
    )


def check_apart(question: Question, tables: Iterable[TableSeating]) -> None:
    """Refuse tables, except locked ones, at which units meet that must not."""
    forbidden = forbidden_pairs(question)
    template = gettext_noop("%(who)s must not meet, and there is no other table for them.")
    for table in tables:
        for two in combinations(sorted(table.units), 2):
            if two in forbidden and table not in question.locked:
                raise UnseatableError("must-not-meet", template, units=two)
