"""Layout of the race chart: the coordinates of its lines, names and scales."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count

_TICKS = 6  # about so many horizontal rules, and numbers of rounds
_STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartSheet:
    """The size of a chart; the lines end where the longest name beside them needs the room."""

    width: int
    height: int
    letters: int  # font size
    names: int  # the number of runners with a name beside their line
    left: int = 38
    top: int = 16

    @property
    def bottom(self) -> int:
        return self.height - 2 * self.letters

    @property
    def gap(self) -> float:
        """Return the distance from one name to the next."""
        return self.letters * 1.3

    @property
    def longest(self) -> int:
        """Return the most letters of a name, so that the lines keep two fifths of the width."""
        return int((self.width * 0.62 - 22) / self._letter_width)

    def right(self, names: Iterable[str]) -> int:
        """Return where the lines end, with these names beside them."""
        letters = min(max((len(name) for name in names), default=0), self.longest)
        return self.width - round(letters * self._letter_width) - 22

    @property
    def _letter_width(self) -> float:
        return self.letters * 0.68


WIDE = ChartSheet(width=1040, height=480, letters=14, names=20)
NARROW = ChartSheet(width=360, height=400, letters=13, names=10)


@dataclass(frozen=True, slots=True)
class ChartLine:
    """An entrant's line in the chart; ``name_y`` is the height of its name, if it has one."""

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
    lines: tuple[ChartLine, ...]  # those without names first, so that the others are on top
    across: tuple[tuple[float, Fraction], ...]  # y and value of each horizontal rule
    along: tuple[tuple[float, int], ...]  # x and number of each round that is labelled
    right: int  # where the lines end


def draw(
    series: Mapping[int, Sequence[Fraction]],
    named: Mapping[int, str],
    sheet: ChartSheet = WIDE,
    *,
    shares: bool = False,
) -> RaceChart:
    """Return the layout of each runner's figures, from before the first round to after the last.

    All series have the same length, at least two. *named* are the labels beside some of the
    lines. With *shares*, the figures are parts of one.
    """
    left, right, top, bottom = sheet.left, sheet.right(named.values()), sheet.top, sheet.bottom
    values = [value for figures in series.values() for value in figures]
    ticks = across(min(values), max(values), Fraction(1, 20) if shares else Fraction(1))
    low, high = ticks[0], ticks[-1]
    rounds = len(next(iter(series.values()))) - 1

    def x(number: int) -> float:
        return round(left + (right - left) * number / rounds, 1)

    def y(value: Fraction) -> float:
        return round(float(bottom - (bottom - top) * (value - low) / (high - low)), 1)

    lines = {
        key: tuple((x(number), y(value)) for number, value in enumerate(figures))
        for key, figures in series.items()
    }
    ends = [lines[key][-1][1] for key in named]
    heights = dict(zip(named, spread(ends, top=top, bottom=bottom, gap=sheet.gap), strict=True))
    unnamed = [ChartLine(key, line, None) for key, line in lines.items() if key not in heights]
    step = -(-rounds // _TICKS)
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
    """Return about six round values from *low* or below to *high* or above, in steps of *unit* or more.

    >>> [int(value) for value in across(Fraction(0), Fraction(23))]
    [0, 5, 10, 15, 20, 25]
    >>> [str(value) for value in across(Fraction(0), Fraction(0))]
    ['0', '1']
    """
    least = (high - low) / _TICKS
    step = next(
        unit * factor * 10**power
        for power in count()
        for factor in _STEPS
        if unit * factor * 10**power >= least
    )
    first, last = low // step, -(-high // step)
    return [step * number for number in range(first, max(last, first + 1) + 1)]


def spread(wanted: Sequence[float], *, top: float, bottom: float, gap: float) -> list[float]:
    """Return heights near the *wanted* ones, between *top* and *bottom*, at least a *gap* apart.

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
