"""Meetings: who met how often, and pairs that must not meet.

Pairs of units are in rising order.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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


def by_standing(question: Question, units: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return *units* in order of the standing, level units in one tuple; new units come last."""
    wanted = set(units)
    levels = [tuple(unit for unit in level if unit in wanted) for level in question.standing]
    placed = {unit for level in levels for unit in level}
    newcomers = tuple(unit for unit in units if unit not in placed)
    return tuple(level for level in (*levels, newcomers) if level)


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


def check_apart(question: Question, tables: Iterable[TableSeating]) -> None:
    """Refuse tables, except locked ones, at which units meet that must not."""
    forbidden = forbidden_pairs(question)
    template = gettext_noop("%(who)s must not meet, and there is no other table for them.")
    for table in tables:
        for two in combinations(sorted(table.units), 2):
            if two in forbidden and table not in question.locked:
                raise UnseatableError("must-not-meet", template, units=two)
