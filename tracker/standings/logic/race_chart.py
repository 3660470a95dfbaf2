"""Layout of the race chart: the coordinates of its lines, names and scales."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count

_TICKS = 6  # about so many horizontal lines (rules), and numbers of rounds, are drawn
_STEPS = (1, 2, 5)  # the values of two rules differ by one of these times a power of ten
_BESIDE = 22  # the room between the end of a line and its name, and after the name


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartSheet:
    """The size of a chart of *runners* (entrants); their lines end where the longest name begins.

    ``letters`` is the font size, ``names`` the number of runners with a name beside their line,
    ``left`` and ``top`` where the lines begin. Lengths are in units of the SVG.
    """

    width: int
    height: int
    letters: int
    names: int
    left: int = 38
    top: int = 16

    @property
    def bottom(self) -> int:
        return self.height - 2 * self.letters  # below it are the numbers of rounds

    @property
    def gap(self) -> float:
        """Return the distance from one name to the next."""
        return self.letters * 1.3

    @property
    def longest(self) -> int:
        """Return the most letters of a name, which leave the lines two fifths of the width."""
        return int((self.width * 0.62 - _BESIDE) / self._letter_width)

    def right(self, names: Iterable[str]) -> int:
        """Return where the lines end, with these names beside them; longer ones are cut off."""
        letters = min(max((len(name) for name in names), default=0), self.longest)
        return self.width - round(letters * self._letter_width) - _BESIDE

    @property
    def _letter_width(self) -> float:
        return self.letters * 0.68


WIDE = ChartSheet(width=1040, height=480, letters=14, names=20)
NARROW = ChartSheet(width=360, height=400, letters=13, names=10)


@dataclass(frozen=True, slots=True)
class ChartLine:
    """The line of an entrant (``key``); ``name_y`` is the y of its name, if it has one."""

    key: int
    points: tuple[tuple[float, float], ...]
    name_y: float | None

    @property
    def path(self) -> str:
        """Return the points as SVG writes them."""
        return " ".join(f"{x:g},{y:g}" for x, y in self.points)

    @property
    def end(self) -> tuple[float, float]:
        return self.points[-1]


@dataclass(frozen=True, slots=True)
class RaceChart:
    """The lines, which end at x = ``right``; those without names first, so that others are on top.

    ``across`` are y and value of each horizontal rule, ``along`` x and number of labelled rounds.
    """

    lines: tuple[ChartLine, ...]
    across: tuple[tuple[float, Fraction], ...]
    along: tuple[tuple[float, int], ...]
    right: int


def draw(
    series: Mapping[int, Sequence[Fraction]],
    named: Mapping[int, str],
    sheet: ChartSheet = WIDE,
    *,
    shares: bool = False,
) -> RaceChart:
    """Return the layout of a *series* of points for each runner, a key.

    A series goes from before the first round to after the last; all have the same length, at least
    two. *named* are the labels beside some lines, first places first. With *shares*, the points are
    parts of one, and rules are at least five percent apart.
    """
    left, right, top, bottom = sheet.left, sheet.right(named.values()), sheet.top, sheet.bottom
    values = [value for points in series.values() for value in points]
    ticks = across(min(values), max(values), Fraction(5, 100) if shares else Fraction(1))
    low, high = ticks[0], ticks[-1]
    rounds = len(next(iter(series.values()))) - 1

    def x(number: int) -> float:
        return round(left + (right - left) * number / rounds, 1)

    def y(value: Fraction) -> float:
        return round(float(bottom - (bottom - top) * (value - low) / (high - low)), 1)

    lines = {
        key: tuple((x(number), y(value)) for number, value in enumerate(points))
        for key, points in series.items()
    }
    ends = [lines[key][-1][1] for key in named]
    heights = dict(zip(named, spread(ends, top=top, bottom=bottom, gap=sheet.gap), strict=True))
    unnamed = [ChartLine(key, line, None) for key, line in lines.items() if key not in heights]
    step = -(-rounds // _TICKS)  # rounded up, as below
    return RaceChart(
        lines=(
            *unnamed,
            *(ChartLine(key, lines[key], heights[key]) for key in reversed(list(named))),
        ),
        across=tuple((y(value), value) for value in ticks),
        along=tuple((x(number), number) for number in range(step, rounds + 1, step)),
        right=right,
    )


def across(low: Fraction, high: Fraction, unit: Fraction = Fraction(1)) -> list[Fraction]:
    """Return about six round values from *low* or less to *high* or more, at least *unit* apart.

    >>> [int(value) for value in across(Fraction(0), Fraction(23))]
    [0, 5, 10, 15, 20, 25]
    >>> [str(value) for value in across(Fraction(0), Fraction(0))]
    ['0', '1']
    """
    least = (high - low) / _TICKS
    # The smallest step that is large enough.
    step = next(
        unit * factor * 10**power
        for power in count()
        for factor in _STEPS
        if unit * factor * 10**power >= least
    )
    first, last = low // step, -(-high // step)
    # At least two values, if all points are equal.
    return [step * number for number in range(first, max(last, first + 1) + 1)]


def spread(wanted: Sequence[float], *, top: float, bottom: float, gap: float) -> list[float]:
    """Return heights near the *wanted* ones, between *top* and *bottom*, at least a *gap* apart.

    Downwards, each is moved below the one above it; then upwards from the bottom, so that all fit.

    >>> spread([100.0, 100.0, 300.0], top=16, bottom=450, gap=18.2)
    [100.0, 118.2, 300.0]
    """
    order = sorted(range(len(wanted)), key=lambda index: (wanted[index], index))
    placed: list[float] = []
    for index in order:
        lowest = placed[-1] + gap if placed else top
        placed.append(max(wanted[index], lowest))
    limit = bottom
    for position in reversed(range(len(placed))):
        placed[position] = min(placed[position], limit)
        limit = placed[position] - gap
    return [round(height, 1) for _, height in sorted(zip(order, placed, strict=True))]
