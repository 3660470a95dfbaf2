"""Confidence: how far a share that was counted may be from the true one."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

_TWO_SIDED_95 = 1.959964
_ROUNDING = 1e-12


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

    >>> share = share_of([(1, 2)] * 10 + [(2, 2)] * 10)
    >>> f"{share.counted:.2f}, from {share.low:.2f} to {share.high:.2f}"
    '0.75, from 0.62 to 0.84'
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
    if spread < _ROUNDING:  # all alike, which says no more than that each was one trial
        return sum(most > 0 for _, most in groups)
    return counted * (1 - counted) * (len(groups) - 1) / (spread * len(groups))


def _wilson(counted: float, trials: float) -> Share:
    square = _TWO_SIDED_95**2
    middle = (counted + square / (2 * trials)) / (1 + square / trials)
    reach = (
        _TWO_SIDED_95
        * sqrt(counted * (1 - counted) / trials + square / (4 * trials**2))
        / (1 + square / trials)
    )
    return Share(
        counted, min(counted, max(0.0, middle - reach)), max(counted, min(1.0, middle + reach))
    )
