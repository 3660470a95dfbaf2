"""Stints: from which hand to which somebody sat at a place."""

from django.db.models import F, OuterRef, Q


def covers(from_hand: int, to_hand: float | None, number: float) -> bool:
    """Say whether a hand lies in a stint, which has no last hand while it goes on.

    >>> covers(3, None, 2), covers(3, None, 3), covers(3, 5, 6)
    (False, True, False)
    """
    return from_hand <= number and (to_hand is None or number <= to_hand)


def covering(number: F | OuterRef, prefix: str = "") -> Q:
    """Return the same as a condition of the database, on a seat found behind *prefix*."""
    open_or_later = Q(**{f"{prefix}to_hand": None}) | Q(**{f"{prefix}to_hand__gte": number})
    return Q(**{f"{prefix}from_hand__lte": number}) & open_or_later
