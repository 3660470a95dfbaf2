"""Stints: from which hand to which a player sits at a place; without an end they still do."""

from typing import TypeAlias

from django.db.models import F, Q

Hands: TypeAlias = tuple[int, int | None]  # the first and the last of a stint


def covers(from_hand: int, to_hand: int | None, number: int) -> bool:
    """Return whether a stint covers the hand of this number.

    >>> covers(3, None, 9), covers(1, 2, 3)
    (True, False)
    """
    return from_hand <= number and (to_hand is None or number <= to_hand)


def covering(number: int | F, prefix: str = "") -> Q:
    """Return the filter of stints that cover the hand of this number.

    *number* may be a column of another row; *prefix* is the lookup of the stint, as
    ``sitting__seats__``.
    """
    begun = Q(**{f"{prefix}from_hand__lte": number})
    return begun & (Q(**{f"{prefix}to_hand": None}) | Q(**{f"{prefix}to_hand__gte": number}))


def overlap(stint: Hands, other: Hands) -> Hands | None:
    """Return the hands that two stints cover both, or ``None`` if there are none.

    >>> overlap((1, None), (3, 5)), overlap((1, 2), (3, None))
    ((3, 5), None)
    """
    first = max(stint[0], other[0])
    last = min((to_hand for _, to_hand in (stint, other) if to_hand is not None), default=None)
    return (first, last) if last is None or first <= last else None
