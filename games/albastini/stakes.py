"""What the totals of a hand are good for, to a search."""

from collections.abc import Sequence
from math import tanh

_CLEAR = 30  # so far ahead, a few points more hardly matter


def prize(points: Sequence[int], side: int) -> float:
    """Return what these totals are good for: from -1 to 1, steepest where the win is decided."""
    others = max(total for place, total in enumerate(points) if place != side)
    return tanh((points[side] - others) / _CLEAR)
