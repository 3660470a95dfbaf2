"""Who met whom, who rested and who opened, in the rounds of a question and of its plan."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from tracker.seating.logic.movements.seam import (
    Account,
    Kind,
    Note,
    Question,
    Repeat,
    RoundSeating,
    TableSeating,
)


def pair(one: int, other: int) -> tuple[int, int]:
    """Return the two units in the one order by which meetings are counted."""
    return (one, other) if one < other else (other, one)


def times_met(rounds: Sequence[RoundSeating]) -> Counter[tuple[int, int]]:
    """Return how often two units sat at one table, by the pair in rising order."""
    return Counter(
        met
        for played in rounds
        for table in played.tables
        for met in combinations(sorted(table.units), 2)
    )


def times_rested(rounds: Sequence[RoundSeating]) -> Counter[int]:
    """Return how many rounds each unit rested."""
    return Counter(unit for played in rounds for unit in played.resting)


def times_seated(rounds: Sequence[RoundSeating]) -> Counter[int]:
    """Return how many rounds each unit played."""
    return Counter(unit for played in rounds for table in played.tables for unit in table.units)


def times_opened(question: Question) -> Counter[int]:
    """Return how often each unit opened: as counted for us, else at the tables played."""
    opened = Counter(
        table.units[table.opener]
        for played in question.played
        for table in played.tables
        if table.opener is not None
    )
    for unit, dealt in question.dealt.items():
        opened[unit] = dealt.opened
    return opened


def account(
    question: Question,
    rounds: Sequence[RoundSeating],
    *,
    bounds: Mapping[Kind, int] | None = None,
    notes: Sequence[Note] = (),
) -> Account:
    """Return what *rounds*, planned after those played, repeat of each kind."""
    met: dict[tuple[Kind, int, int], tuple[int, ...]] = {}
    repeats = []
    everything = (*question.played, *rounds)
    for number, coming in enumerate(everything, start=1):
        for key in (key for table in coming.tables for key in _meetings(table)):
            before = met.get(key, ())
            met[key] = (*before, number)
            if before and number > len(question.played):
                kind, one, other = key
                repeats.append(Repeat(kind=kind, units=(one, other), round=number, before=before))
    return Account(repeats=tuple(repeats), bounds=dict(bounds or {}), notes=tuple(notes))


def _meetings(table: TableSeating) -> list[tuple[Kind, int, int]]:
    side = {place: number for number, places in enumerate(table.shape.sides) for place in places}
    meetings = []
    for one, other in combinations(range(len(table.units)), 2):
        units = pair(table.units[one], table.units[other])
        kind = Kind.PARTNERS if side[one] == side[other] else Kind.OPPONENTS
        meetings += [(Kind.MEETING, *units), (kind, *units)]
    return meetings


def fewest_meetings_again(question: Question, rounds: Sequence[RoundSeating]) -> Mapping[Kind, int]:
    """Return the bound on repeated meetings, given who plays in which of *rounds*.

    Somebody who sits down with 9 others in all, and has 7 left to meet, meets 2 again, and a
    meeting again is one of two people.
    """
    met = times_met(question.played)
    everybody = sorted({unit for present in question.present for unit in present})
    sits_with: Counter[int] = Counter()
    for coming in rounds:
        for table in coming.tables:
            sits_with.update({unit: len(table.units) - 1 for unit in table.units})
    again = 0
    for unit in everybody:
        unmet = sum(not met[pair(unit, other)] for other in everybody if other != unit)
        again += max(0, sits_with[unit] - unmet)
    return {Kind.MEETING: (again + 1) // 2}


def by_standing(question: Question, units: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return *units* by place, the level in one tuple; whoever has no place yet comes last."""
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
    """Return tables of *size*, with those first who open so that openings are as even as can be.

    Even is to have opened one in *size* of what one played. As long as somebody opened a round
    too many beside another whom a chain of tables leads to, openings are handed down the chain.

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
    """Return tables with their next openers, from one who opens too often to one too seldom."""
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
