"""Layout of the race chart, points by round: the coordinates of its lines, labels and scales."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from math import ceil, floor

_MARKS = 6  # on a scale: about so many values of points, and at most so many rounds
_STEPS = (1, 2, 5)  # marked values are one of these × a power of ten × a given unit apart
_MOST_FOR_LABELS = 0.62  # share of the width that labels may take
_LINE_SPACING, _LETTER_WIDTH = 1.3, 0.68  # from label to label, of a wide letter: in font sizes
_BESIDE = 22  # the room between the end of a line and its label, with the room after the label


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartSheet:
    """The size of a chart of *runners* (entrants); their lines end where the longest label begins.

    Lines begin at ``left`` and ``top``. Lengths are in units of the SVG. The caller gives at most
    ``most_labels``, which stand beside lines, and cuts each to ``longest_label`` letters.
    """

    width: int
    height: int
    font_size: int
    most_labels: int
    left: int = 38
    top: int = 16

    @property
    def bottom(self) -> int:
        return self.height - 2 * self.font_size  # two lines, for the numbers of rounds

    @property
    def gap(self) -> float:
        """Return the distance from one label to the next."""
        return self.font_size * _LINE_SPACING

    @property
    def longest_label(self) -> int:
        """Return how many letters a label can have."""
        return int((self.width * _MOST_FOR_LABELS - _BESIDE) / self._letter_width)

    def right(self, labels: Iterable[str]) -> int:
        """Return where the lines end, with these labels beside them; longer ones are cut off."""
        letters = min(max(map(len, labels), default=0), self.longest_label)
        return self.width - round(letters * self._letter_width) - _BESIDE

    @property
    def _letter_width(self) -> float:
        return self.font_size * _LETTER_WIDTH


WIDE = ChartSheet(width=1040, height=480, font_size=14, most_labels=20)
NARROW = ChartSheet(width=360, height=400, font_size=13, most_labels=10)


@dataclass(frozen=True, slots=True)
class ChartLine:
    """The line of an entrant (``key``); ``label_y`` is the y of its label, if it has one."""

    key: int
    points: tuple[tuple[float, float], ...]
    label_y: float | None

    @property
    def path(self) -> str:
        """Return the points as SVG writes them."""
        return " ".join(f"{x:g},{y:g}" for x, y in self.points)

    @property
    def end(self) -> tuple[float, float]:
        return self.points[-1]


@dataclass(frozen=True, slots=True)
class RaceChart:
    """The lines, which end at x = ``right``; those without labels first, so that others are on top.

    ``y_marks`` are y and value of each horizontal rule, ``x_marks`` x and number of marked rounds.
    """

    lines: tuple[ChartLine, ...]
    y_marks: tuple[tuple[float, Fraction], ...]
    x_marks: tuple[tuple[float, int], ...]
    right: int


def draw(
    series: Mapping[int, Sequence[Fraction]],
    labels: Mapping[int, str],
    sheet: ChartSheet = WIDE,
    *,
    percent: bool = False,
) -> RaceChart:
    """Return the layout of *series* of points, keyed by runner as the *labels* are.

    A series has the points before the first round and after each; all have the same length, at
    least two. *labels* are beside some lines; their order is that of the places, the first first.
    With *percent*, points are parts of 1, and marked values at least five percent apart.
    """
    left, right, top, bottom = sheet.left, sheet.right(labels.values()), sheet.top, sheet.bottom
    values = [value for points in series.values() for value in points]
    marks = round_values(min(values), max(values), Fraction(5, 100) if percent else Fraction(1))
    low, high = marks[0], marks[-1]
    rounds = len(next(iter(series.values()))) - 1

    def x(number: int) -> float:
        return round(left + (right - left) * number / rounds, 1)

    def y(value: Fraction) -> float:
        return round(float(bottom - (bottom - top) * (value - low) / (high - low)), 1)

    lines = {
        key: tuple((x(number), y(value)) for number, value in enumerate(points))
        for key, points in series.items()
    }
    ends = [lines[key][-1][1] for key in labels]
    label_y = dict(zip(labels, spread(ends, top=top, bottom=bottom, gap=sheet.gap), strict=True))
    unlabelled = [ChartLine(key, line, None) for key, line in lines.items() if key not in labels]
    # The first place is drawn last, on top of all others.
    labelled = [ChartLine(key, lines[key], label_y[key]) for key in reversed(list(labels))]
    step = ceil(rounds / _MARKS)
    return RaceChart(
        lines=(*unlabelled, *labelled),
        y_marks=tuple((y(value), value) for value in marks),
        x_marks=tuple((x(number), number) for number in range(step, rounds + 1, step)),
        right=right,
    )


def round_values(low: Fraction, high: Fraction, unit: Fraction = Fraction(1)) -> list[Fraction]:
    """Return about six round values, from *low* or less to *high* or more, at least *unit* apart.

    >>> [int(value) for value in round_values(Fraction(0), Fraction(23))]
    [0, 5, 10, 15, 20, 25]
    >>> [str(value) for value in round_values(Fraction(0), Fraction(0))]
    ['0', '1']
    """
    least = (high - low) / _MARKS
    # The smallest step that is large enough.
    step = next(
        unit * factor * 10**power
        for power in count()
        for factor in _STEPS
        if unit * factor * 10**power >= least
    )
    first, last = floor(low / step), ceil(high / step)
    # Two values even if all points are equal: a scale needs a length.
    return [step * number for number in range(first, max(last, first + 1) + 1)]


def spread(wanted: Sequence[float], *, top: float, bottom: float, gap: float) -> list[float]:
    """Return heights near the *wanted* ones, between *top* and *bottom*, at least a *gap* apart.

    Going down, each is moved below the one above; then, from the bottom up, above the one below.

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
    # Sorted by index: in the order of *wanted* again.
    return [round(height, 1) for _, height in sorted(zip(order, placed, strict=True))]
