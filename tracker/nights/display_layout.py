"""Layout of the hall display: sheets of columns in the largest letters that fit, and race lines.

On sheets all lengths are hundredths of the screen's height. The page's script tries the same letter
sizes again with the real font.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Generic, TypeVar

from tracker.standings.logic.race_chart import spread

T = TypeVar("T")

# Letter heights. The smallest, a twenty-fifth of the screen, can be read from the last table.
SIZES = (13.0, 10.8, 9.0, 7.6, 6.6, 5.8, 5.1, 4.5, 4.1)
LINE_HEIGHT = 1.23  # in letter heights
LETTER_WIDTH = 0.54  # in letter heights
BODY_HEIGHT = 80.0  # without head and foot
WIDE, NARROW = 166.0, 122.0  # widths of a 16:9 and of a 4:3 screen
COLUMN_GAP = 5.0

# In units of the race's drawing.
RACE_WIDTH, RACE_LETTER = 1600, 46
_RACE_LEFT, _RACE_TOP, _RACE_BOTTOM = 20, 40, 670
_NAME_GAP = 64


@dataclass(frozen=True, slots=True)
class ScreenSheet(Generic[T]):
    """The columns of a screenful, and the index of its letter size in ``SIZES``."""

    columns: tuple[tuple[T, ...], ...]
    size: int


def lay_out_sheets(
    items: Sequence[T], heights: Sequence[float], letters: float, *, share: float = 1
) -> list[ScreenSheet[T]]:
    """Lay out items on as few sheets as possible, in the largest letters that allows.

    *heights* are in lines, *letters* is the width of the widest item, *share* the part of the
    screen's width to use. Without items there is one empty sheet.

    >>> [len(column) for column in lay_out_sheets("abcdefgh", [2] * 8, 12)[0].columns]
    [4, 4]
    >>> [sum(map(len, sheet.columns)) for sheet in lay_out_sheets(range(200), [1] * 200, 12)]
    [67, 67, 66]
    """
    least = len(SIZES) - 1
    on_narrow, on_wide = (
        _largest_size(items, heights, letters, wide * share) for wide in (NARROW, WIDE)
    )
    if on_wide is not None:
        # The size for the narrow screen suits both, unless it is much smaller.
        size = on_wide if on_narrow is None or on_narrow > on_wide + 1 else on_narrow
        columns = _fill_columns(items, heights, _lines_per_column(SIZES[size]))
        return [
            ScreenSheet(
                _even_columns(items, heights, len(columns), _lines_per_column(SIZES[size])), size
            )
        ]
    per_sheet = _columns_that_fit(WIDE * share, SIZES[least], letters)
    columns = _fill_columns(items, heights, _lines_per_column(SIZES[least]))
    # Sheets about equally full, so that nobody stands alone on the last.
    each = -(-len(items) // -(-len(columns) // per_sheet))
    return [
        sheet
        for start in range(0, len(items), each)
        for sheet in lay_out_sheets(
            items[start : start + each], heights[start : start + each], letters, share=share
        )
    ]


def _largest_size(
    items: Sequence[T], heights: Sequence[float], letters: float, wide: float
) -> int | None:
    """Return the index of the largest letter size in which all items fit on one sheet, if any."""
    for size, height in enumerate(SIZES):
        if len(_fill_columns(items, heights, _lines_per_column(height))) <= _columns_that_fit(
            wide, height, letters
        ):
            return size
    return None


def _lines_per_column(height: float) -> float:
    return BODY_HEIGHT / (height * LINE_HEIGHT)


def _columns_that_fit(wide: float, height: float, letters: float) -> int:
    """Return how many columns of *letters* fit beside each other."""
    return max(1, int((wide + COLUMN_GAP) / (letters * LETTER_WIDTH * height + COLUMN_GAP)))


def _fill_columns(items: Sequence[T], heights: Sequence[float], room: float) -> list[tuple[T, ...]]:
    """Fill columns with items, each up to a height of *room* lines.

    >>> _fill_columns("abcd", [14, 2, 12, 1], 14)
    [('a',), ('b', 'c'), ('d',)]
    """
    filled: list[list[T]] = [[]]
    left = room
    for item, height in zip(items, heights, strict=True):
        if height > left and filled[-1]:
            filled.append([])
            left = room
        filled[-1].append(item)
        left -= height
    return [tuple(column) for column in filled]


def _even_columns(
    items: Sequence[T], heights: Sequence[float], columns: int, room: float
) -> tuple[tuple[T, ...], ...]:
    """Return the items in at most this number of columns, about equally long.

    >>> _even_columns("abcde", [1] * 5, 2, 4)
    (('a', 'b', 'c'), ('d', 'e'))
    """
    low, high = max(heights, default=0), room
    for lines in range(ceil(max(low, sum(heights) / columns)), ceil(high)):
        filled = _fill_columns(items, heights, lines)
        if len(filled) <= columns:
            return tuple(filled)
    return tuple(_fill_columns(items, heights, room))


@dataclass(frozen=True, slots=True)
class RaceLine:
    """The line of an entrant's points over the rounds, and the position of the name at its end."""

    path: str
    end: tuple[float, float]
    name_at: tuple[float, float]
    words: str


def race_lines(runners: Sequence[tuple[str, Sequence[Fraction]]]) -> tuple[RaceLine, ...]:
    """Return a line for each runner: a text, and the points before and after each round.

    >>> race_lines([("Asha 2", (Fraction(0), Fraction(2))), ("Juma 0", (Fraction(0),) * 2)])[0].end
    (1354.4, 40.0)
    """
    if not runners:
        return ()
    all_points = [value for _words, points in runners for value in points]
    low, high = min(all_points), max(all_points)
    height = (high - low) or Fraction(1)
    widest = max(len(words) for words, _points in runners)
    right = max(RACE_WIDTH / 2, RACE_WIDTH - 80 - widest * RACE_LETTER * 0.6)
    steps = max(1, len(runners[0][1]) - 1)

    def at(step: int, value: Fraction) -> tuple[float, float]:
        x = _RACE_LEFT + (right - _RACE_LEFT) * step / steps
        return round(x, 1), round(
            float(_RACE_BOTTOM - (_RACE_BOTTOM - _RACE_TOP) * (value - low) / height), 1
        )

    curves = [[at(step, value) for step, value in enumerate(points)] for _words, points in runners]
    heights = spread(
        [curve[-1][1] for curve in curves], top=_RACE_TOP, bottom=_RACE_BOTTOM, gap=_NAME_GAP
    )
    return tuple(
        RaceLine(
            path=" ".join(f"{x:g},{y:g}" for x, y in curve),
            end=curve[-1],
            name_at=(round(right + 50, 1), name_y),
            words=words,
        )
        for (words, _points), curve, name_y in zip(runners, curves, heights, strict=True)
    )
