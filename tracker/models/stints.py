"""Filters and comparisons of stints: the time of one player at one place, from hand to hand."""

from typing import TypeAlias

from django.db.models import F, Q

# The numbers of the first and the last hand of a stint; ``None`` while it runs.
HandRange: TypeAlias = tuple[int, int | None]


def covers(from_hand: int, to_hand: int | None, number: int) -> bool:
    """Return whether a stint covers the hand of this number.

    >>> covers(3, None, 9), covers(1, 2, 3)
    (True, False)
    """
    return from_hand <= number and (to_hand is None or number <= to_hand)


def covering(number: int | F, prefix: str = "") -> Q:
    """Return the filter for the stints that cover the hand of this number.

    *number* may be a column: in ``Hand.objects.filter(covering(F("number"), "sitting__seats__"))``
    it is that of the hand, and *prefix* leads from the hand to the stints.
    """
    begun = Q(**{f"{prefix}from_hand__lte": number})
    return begun & (Q(**{f"{prefix}to_hand": None}) | Q(**{f"{prefix}to_hand__gte": number}))


def overlap(stint: HandRange, other: HandRange) -> HandRange | None:
    """Return the hands that both stints cover, or ``None`` if there are none.

    >>> overlap((1, None), (3, 5)), overlap((1, 2), (3, None))
    ((3, 5), None)
    """
    first = max(stint[0], other[0])
    last = min((to_hand for _, to_hand in (stint, other) if to_hand is not None), default=None)
    return (first, last) if last is None or first <= last else None
