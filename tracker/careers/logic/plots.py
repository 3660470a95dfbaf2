"""Plots of a career: where every figure of a line goes, and how long every bar is."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

WIDTH, HEIGHT = 360, 150
LEFT, RIGHT, TOP, BOTTOM = 56, 350, 12, 122
MOST_POINTS = 24  # of one line: the latest
MOST_BARS = 8


@dataclass(frozen=True, slots=True)
class Plot:
    """A line over time: where its figures stand, and the values that lines across it show."""

    dots: tuple[tuple[float, float], ...]
    across: tuple[tuple[float, Fraction], ...]

    @property
    def path(self) -> str:
        """Return the line as a picture writes it."""
        return " ".join(f"{x:g},{y:g}" for x, y in self.dots)


def over_time(values: Sequence[Fraction], low: Fraction, high: Fraction) -> Plot:
    """Lay out figures one after the other between *low*, which is below, and *high*.

    >>> over_time([Fraction(0), Fraction(1)], Fraction(0), Fraction(1)).path
    '56,122 350,12'
    """

    def y(value: Fraction) -> float:
        return round(float(BOTTOM - (BOTTOM - TOP) * (value - low) / (high - low)), 1)

    steps = max(1, len(values) - 1)
    dots = tuple(
        (round(LEFT + (RIGHT - LEFT) * step / steps, 1), y(value))
        for step, value in enumerate(values)
    )
    return Plot(dots, tuple((y(value), value) for value in (low, (low + high) / 2, high)))


def bounds(values: Sequence[Fraction], step: Fraction) -> tuple[Fraction, Fraction]:
    """Return the multiples of *step* between which all these values lie, never the same.

    >>> [str(each) for each in bounds([Fraction(46, 100), Fraction(57, 100)], Fraction(1, 20))]
    ['9/20', '3/5']
    """
    low, high = min(values) // step * step, -(-max(values) // step) * step
    return (low, high) if low < high else (low, low + step)


def lengths(values: Sequence[Fraction]) -> tuple[int, ...]:
    """Return for each value how many hundredths of the longest bar it takes; none is below 0.

    >>> lengths([Fraction(10), Fraction(5), Fraction(-1)])
    (100, 50, 0)
    """
    longest = max(values, default=Fraction(0))
    if longest <= 0:
        return (0,) * len(values)
    return tuple(max(0, round(100 * value / longest)) for value in values)
