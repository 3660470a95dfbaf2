"""How far a share that was counted may be from the true one."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

_TWO_SIDED_95 = 1.959964


@dataclass(frozen=True, slots=True)
class Share:
    """A share as it was counted, and where the true one is, 19 times out of 20."""

    counted: float
    low: float
    high: float


def share_of(groups: Sequence[tuple[float, float]]) -> Share:
    """Return the share that was won, of pairs ``(won, out of)`` that belong together.

    What is in one group may depend on each other, as hands of the same deal do: how far
    the groups differ says how many independent trials all of them are worth, and of so
    many Wilson's interval is given.

    >>> share_of([(1, 2)] * 10 + [(2, 2)] * 10)
    Share(counted=0.75, low=0.6287..., high=0.8418...)
    """
    out_of = sum(most for _, most in groups)
    if not out_of:
        return Share(0.5, 0.0, 1.0)
    counted = sum(won for won, _ in groups) / out_of
    trials = _worth(groups, counted, out_of)
    return _wilson(counted, trials)


def _worth(groups: Sequence[tuple[float, float]], counted: float, out_of: float) -> float:
    """Return how many independent trials tell as much as these groups."""
    spread = sum((won - counted * most) ** 2 for won, most in groups) / out_of**2
    if len(groups) < 2 or not spread:
        return out_of
    return counted * (1 - counted) * (len(groups) - 1) / (spread * len(groups))


def _wilson(counted: float, trials: float) -> Share:
    square = _TWO_SIDED_95**2
    middle = (counted + square / (2 * trials)) / (1 + square / trials)
    reach = (
        _TWO_SIDED_95
        * sqrt(counted * (1 - counted) / trials + square / (4 * trials**2))
        / (1 + square / trials)
    )
    return Share(counted, max(0.0, middle - reach), min(1.0, middle + reach))
