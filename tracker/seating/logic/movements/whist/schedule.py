"""Perfect whist schedules of 4n and 4n + 1 players, from 4 to 101."""

from tracker.seating.logic.movements.whist.constructions import (
    developed,
    from_field,
    in_copies,
    in_copies_and_one,
    product,
)
from tracker.seating.logic.movements.whist.rounds import Schedule, check
from tracker.seating.logic.movements.whist.starters import PATTERNS, STARTERS

# Over a field, and so with everybody once on the left of everybody.
DIRECTED = (5, 9, 13, 17, 25, 29, 37, 41, 49, 53, 61, 73, 81, 89, 97, 101)

# How many groups of how many meet, and the elements and copies of a field.
_GROUPS = {16: (4, 4), 32: (8, 4), 48: (12, 4), 64: (16, 4), 80: (20, 4), 96: (24, 4)}
_GROUPS |= {65: (13, 5), 85: (17, 5)}
_COPIES = {20: (5, 4), 28: (7, 4), 36: (9, 4), 44: (11, 4), 52: (13, 4), 68: (17, 4)}
_COPIES |= {76: (19, 4), 92: (23, 4), 100: (25, 4), 40: (5, 8), 56: (7, 8), 72: (9, 8)}
_COPIES |= {88: (11, 8), 60: (5, 12), 84: (7, 12)}
_COPIES_AND_ONE = {21: (5, 4), 45: (11, 4), 69: (17, 4), 77: (19, 4), 93: (23, 4), 57: (7, 8)}

KNOWN_SIZES = tuple(sorted({*DIRECTED, *STARTERS, *_GROUPS, *_COPIES, *_COPIES_AND_ONE}))


def perfect(v: int) -> Schedule:
    """Return the perfect schedule of players 0 to v - 1: rounds of tables of two pairs.

    It is always the same one, in the same order. In each of v - 1 rounds all sit, if v is a
    multiple of four, otherwise in each of v rounds all but one. It has been counted.

    >>> perfect(5)[0]
    (((1, 4), (2, 3)),)

    :raises ValueError: if v is not one of ``KNOWN_SIZES``.
    """
    schedule = _built(v)
    check(schedule, v)
    return schedule


def _built(v: int) -> Schedule:
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
