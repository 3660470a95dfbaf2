"""Counts of earlier meetings, rests and openings; pairs that must not meet; numbers of tables."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

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
    """Return the two units in rising order, as the key of their meetings."""
    return (unit, other) if unit < other else (other, unit)


def meetings_at(tables: Iterable[TableSeating]) -> Iterator[tuple[MeetingKind, tuple[int, int]]]:
    """Yield every kind in which two units meet at these tables, with the pair in rising order."""
    for table in tables:
        side_of = {place: side for side, places in enumerate(table.shape.sides) for place in places}
        for place, other in combinations(range(len(table.units)), 2):
            two = pair(table.units[place], table.units[other])
            yield MeetingKind.MEETING, two
            yield (
                MeetingKind.PARTNERS if side_of[place] == side_of[other] else MeetingKind.OPPONENTS,
                two,
            )


def partners(units: Sequence[int], shape: TableShape) -> list[tuple[int, int]]:
    """Return the pairs of partners among units by place."""
    return [pair(units[a], units[b]) for side in shape.sides for a, b in combinations(side, 2)]


def times_met(
    rounds: Sequence[RoundSeating], kind: MeetingKind = MeetingKind.MEETING
) -> Counter[tuple[int, int]]:
    """Return how often two units met in this way, by the pair in rising order."""
    return Counter(
        two for played in rounds for way, two in meetings_at(played.tables) if way is kind
    )


def times_rested(rounds: Sequence[RoundSeating]) -> Counter[int]:
    return Counter(unit for played in rounds for unit in played.resting)


def times_seated(rounds: Sequence[RoundSeating]) -> Counter[int]:
    """Return how many rounds each unit played."""
    return Counter(unit for played in rounds for table in played.tables for unit in table.units)


def times_opened(question: Question) -> Counter[int]:
    """Return how often each unit opened: by ``question.dealt`` if it is there, else by the tables."""
    opened = Counter(
        table.units[table.opener]
        for played in question.played
        for table in played.tables
        if table.opener is not None
    )
    for unit, dealt in question.dealt.items():
        opened[unit] = dealt.opened
    return opened


def openings_ahead(question: Question, units: Iterable[int]) -> dict[int, int]:
    """Return how far each unit opened more tables than its share, in parts of a table's size."""
    opened, seated = times_opened(question), times_seated(question.played)
    return {unit: question.shape.size * opened[unit] - seated[unit] for unit in units}


def by_standing(question: Question, units: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return *units* by standing, level ones in one tuple; those without a place come last."""
    wanted = set(units)
    groups = [tuple(unit for unit in level if unit in wanted) for level in question.places]
    placed = {unit for level in groups for unit in level}
    return (
        *(level for level in groups if level),
        *((newcomers,) if (newcomers := tuple(u for u in units if u not in placed)) else ()),
    )


def evenly_opened(
    tables: Sequence[tuple[int, ...]],
    size: int,
    opened: Mapping[int, int],
    seated: Mapping[int, int],
) -> list[tuple[int, ...]]:
    """Return tables of *size* with the opener first, so that openings are as even as possible.

    A fair share is one opening in *size* rounds. While a unit opened too often and a chain of
    tables leads from it to one that opened too seldom, openings are passed down the chain.

    >>> evenly_opened([(1, 2), (1, 3), (1, 4)], 2, {}, {})
    [(2, 1), (1, 3), (1, 4)]
    """
    turned = list(tables)
    units = sorted({unit for table in tables for unit in table})
    ahead = {unit: size * opened.get(unit, 0) - seated.get(unit, 0) for unit in units}
    for table in turned:
        ahead[table[0]] += size
        for unit in table:
            ahead[unit] -= 1
    while chain := _chain(turned, size, ahead, units):
        ahead[turned[chain[0][0]][0]] -= size
        ahead[chain[-1][1]] += size
        for number, opener in chain:
            others = tuple(unit for unit in turned[number] if unit != opener)
            turned[number] = (opener, *others)
    return turned


def _chain(
    turned: Sequence[tuple[int, ...]], size: int, ahead: Mapping[int, int], units: Sequence[int]
) -> list[tuple[int, int]]:
    """Return tables with new openers, from a unit that opens too often to one that does too seldom."""
    opens: dict[int, list[int]] = {unit: [] for unit in units}
    for number, table in enumerate(turned):
        opens[table[0]].append(number)
    for start in sorted(units, key=lambda unit: (-ahead[unit], unit)):
        came_by: dict[int, int] = {}
        reached, seen = [start], {start}
        for unit in reached:
            if ahead[start] - ahead[unit] > size:
                chain = [(came_by[unit], unit)]
                while (before := turned[chain[-1][0]][0]) != start:
                    chain.append((came_by[before], before))
                return chain[::-1]
            for number in opens[unit]:
                fresh = [other for other in turned[number] if other not in seen]
                seen.update(fresh)
                came_by.update(dict.fromkeys(fresh, number))
                reached += fresh
    return []


def forbidden_pairs(question: Question) -> frozenset[tuple[int, int]]:
    """Return the pairs that must not meet, by a wish or because each keeps a different table."""
    keeps = question.wishes.keeps
    return frozenset(
        {pair(*sorted(two)) for two in question.wishes.apart if len(two) == 2}
        | {
            pair(unit, other)
            for unit, other in combinations(sorted(keeps), 2)
            if keeps[unit] != keeps[other]
        }
    )


def apart_refusal(forbidden: frozenset[tuple[int, int]]) -> UnseatableError:
    """Return the error for a round in which units that must not meet cannot be kept apart."""
    return UnseatableError(
        "nobody-to-meet",
        gettext_noop("There are no tables at which all of %(who)s stay apart who must."),
        units=tuple(sorted({unit for two in forbidden for unit in two})),
    )


def number_in_order(question: Question, tables: Sequence[TableSeating]) -> tuple[TableSeating, ...]:
    """Return the tables with numbers: those of locked or kept tables, and for others the next free."""
    numbers: dict[int, int] = {}
    for index, table in enumerate(tables):
        wanted = {
            question.wishes.keeps[unit] for unit in table.units if unit in question.wishes.keeps
        }
        if table in question.locked and table.number is not None:
            wanted = {table.number}
        if len(wanted) > 1 or wanted & set(numbers.values()):
            raise UnseatableError(
                "table-kept-twice",
                gettext_noop("%(who)s cannot each keep their table in this round."),
                units=tuple(unit for unit in table.units if unit in question.wishes.keeps),
            )
        if wanted:
            numbers[index] = wanted.pop()
    free = (number for number in range(1, 10**6) if number not in set(numbers.values()))
    return tuple(
        replace(table, number=numbers[index] if index in numbers else next(free))
        for index, table in enumerate(tables)
    )


def check_apart(question: Question, tables: Iterable[TableSeating]) -> None:
    """Refuse tables at which units meet that must not."""
    forbidden = forbidden_pairs(question)
    for table in tables:
        for unit, other in combinations(sorted(table.units), 2):
            if (unit, other) in forbidden and table not in question.locked:
                raise UnseatableError(
                    "must-not-meet",
                    gettext_noop("%(who)s must not meet, and there is no other table for them."),
                    units=(unit, other),
                )
