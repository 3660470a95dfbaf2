"""What came out of simulated events: how often the best were first, and how sure that is."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from math import sqrt

FIRST_FOUR = 4
_TWO_SIDED_95 = 1.959964


@dataclass(frozen=True, slots=True)
class Findings:
    """Sums over ``runs`` events.

    ``first`` is how often the strongest came first, ``four`` how often the four strongest were
    the first four, ``of_four`` how many of them were in all.
    """

    runs: int = 0
    first: int = 0
    four: int = 0
    of_four: int = 0

    def __add__(self, other: "Findings") -> "Findings":
        return Findings(*map(sum, zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True, slots=True)
class Share:
    """A share as it was counted, and where the true one is, 19 times out of 20."""

    counted: float
    low: float
    high: float


def counted(orders: Sequence[Sequence[int]]) -> Findings:
    """Count finishing orders, of units by their rank in strength from 0.

    >>> counted([(0, 1, 2), (1, 0, 2)])
    Findings(runs=2, first=1, four=2, of_four=6)
    """
    best = min(FIRST_FOUR, len(orders[0]))
    of_four = [sum(rank < best for rank in order[:best]) for order in orders]
    return Findings(
        runs=len(orders),
        first=sum(order[0] == 0 for order in orders),
        four=of_four.count(best),
        of_four=sum(of_four),
    )


def share_of(times: int, runs: int) -> Share:
    """Return a share of independent runs, with Wilson's interval.

    >>> share = share_of(30, 100)
    >>> f"{share.counted:.2f}, from {share.low:.2f} to {share.high:.2f}"
    '0.30, from 0.22 to 0.40'
    """
    square = _TWO_SIDED_95**2
    share = times / runs
    middle = (share + square / (2 * runs)) / (1 + square / runs)
    spread = sqrt(share * (1 - share) / runs + square / (4 * runs**2))
    reach = _TWO_SIDED_95 * spread / (1 + square / runs)
    return Share(share, max(0.0, middle - reach), min(1.0, middle + reach))
