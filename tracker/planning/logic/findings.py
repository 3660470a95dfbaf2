"""What came out of simulated events: how often the best were first, and how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

FIRST_FOUR = 4
_ONE_BY_ONE = 8  # so many places are told apart; of more, those after the fourth go by bands
_TWO_SIDED_95 = 1.959964


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """Sums over ``runs`` events.

    ``first`` is how often the strongest came first, ``four`` how often the four strongest were
    the first four, ``of_four`` how many of them were in all. ``places[i][j]`` counts who is of
    band i by strength and ended in band j; the bands are those of ``bands``.
    """

    runs: int
    first: int
    four: int
    of_four: int
    places: tuple[tuple[int, ...], ...]

    def __add__(self, other: "Findings") -> "Findings":
        return Findings(
            runs=self.runs + other.runs,
            first=self.first + other.first,
            four=self.four + other.four,
            of_four=self.of_four + other.of_four,
            places=tuple(
                tuple(map(sum, zip(mine, theirs, strict=True)))
                for mine, theirs in zip(self.places, other.places, strict=True)
            ),
        )


@dataclass(frozen=True, slots=True)
class Share:
    """A share as it was counted, and where the true one is, 19 times out of 20."""

    counted: float
    low: float
    high: float


def bands(units: int) -> tuple[tuple[int, int], ...]:
    """Return the places from 1 by bands, each with its first and its last.

    >>> bands(3), bands(13)
    (((1, 1), (2, 2), (3, 3)), ((1, 1), (2, 2), (3, 3), (4, 4), (5, 8), (9, 13)))
    """
    if units <= _ONE_BY_ONE:
        return tuple((place, place) for place in range(1, units + 1))
    ends = [*range(1, FIRST_FOUR + 1)]
    while ends[-1] < units:
        ends.append(min(2 * ends[-1], units))
    return tuple((before + 1, end) for before, end in zip([0, *ends], ends, strict=False))


def none_yet(units: int) -> Findings:
    many = len(bands(units))
    return Findings(runs=0, first=0, four=0, of_four=0, places=((0,) * many,) * many)


def counted(orders: Sequence[Sequence[int]]) -> Findings:
    """Count finishing orders, of units by their rank in strength from 0.

    >>> counted([(0, 1, 2), (1, 0, 2)]).places
    ((1, 1, 0), (1, 1, 0), (0, 0, 2))
    """
    units = len(orders[0])
    band_of = [band for band, (low, high) in enumerate(bands(units)) for _ in range(low, high + 1)]
    places = [[0] * (band_of[-1] + 1) for _ in range(band_of[-1] + 1)]
    first = four = of_four = 0
    best = min(FIRST_FOUR, units)
    for order in orders:
        for place, rank in enumerate(order):
            places[band_of[rank]][band_of[place]] += 1
        there = sum(rank < best for rank in order[:best])
        first += order[0] == 0
        four += there == best
        of_four += there
    return Findings(
        runs=len(orders),
        first=first,
        four=four,
        of_four=of_four,
        places=tuple(map(tuple, places)),
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
