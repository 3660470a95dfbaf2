"""Layout of the hall's screen: columns in the largest letters that fit.

A *sheet* is one screenful, an *item* what is kept together: a name, or a table with its people.
Lengths are hundredths of the screen's height, unless they are in lines or letters. The script of
the page tries the same letter sizes again with the real font.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Generic, TypeVar

T = TypeVar("T")

# Letter heights. The smallest, a twenty-fifth of the screen, can be read from the last table.
SIZES = (13.0, 10.8, 9.0, 7.6, 6.6, 5.8, 5.1, 4.5, 4.1)
LINE_HEIGHT, LETTER_WIDTH = 1.23, 0.54  # in letter heights
BODY_HEIGHT = 80.0  # without head and foot of the page
WIDE, NARROW = 166.0, 122.0  # the widths of a 16:9 and of a 4:3 screen without margins
COLUMN_GAP = 5.0


@dataclass(frozen=True, slots=True)
class ScreenSheet(Generic[T]):
    """The columns of a screenful, and the index of its letter size in ``SIZES``."""

    columns: tuple[tuple[T, ...], ...]
    size: int


def lay_out_sheets(
    items: Sequence[T], heights: Sequence[float], letters: float, *, share: float = 1
) -> list[ScreenSheet[T]]:
    """Lay out items on as few sheets as possible, in letters as large as that allows.

    *heights* are in lines, *letters* is the width of the widest item in letters, *share* the part
    of the screen's width to use. Without items there is one empty sheet.

    If all items fit on one sheet in some letter size, the largest such size is taken. Otherwise the
    items are divided into about equal parts in the smallest size, and each part is laid out as one.

    >>> [len(column) for column in lay_out_sheets("abcdefgh", [2] * 8, 12)[0].columns]
    [4, 4]
    >>> [sum(map(len, sheet.columns)) for sheet in lay_out_sheets(range(200), [1] * 200, 12)]
    [67, 67, 66]
    """
    narrow = _largest_size(items, heights, letters, NARROW * share)
    wide = _largest_size(items, heights, letters, WIDE * share)
    if wide is not None:
        # The size for the narrow screen suits both, unless its index is two or more steps higher.
        size = wide if narrow is None or narrow > wide + 1 else narrow
        room = _lines_per_column(SIZES[size])
        column_count = len(_fill_columns(items, heights, room))
        return [ScreenSheet(_even_columns(items, heights, column_count, room), size)]
    columns_per_sheet = _columns_that_fit(WIDE * share, SIZES[-1], letters)
    column_count = len(_fill_columns(items, heights, _lines_per_column(SIZES[-1])))
    # Equal parts, so that no name stands alone on the last sheet.
    items_per_sheet = ceil(len(items) / ceil(column_count / columns_per_sheet))
    sheets: list[ScreenSheet[T]] = []
    for start in range(0, len(items), items_per_sheet):
        part = slice(start, start + items_per_sheet)
        sheets += lay_out_sheets(items[part], heights[part], letters, share=share)
    return sheets


def _largest_size(
    items: Sequence[T], heights: Sequence[float], letters: float, width: float
) -> int | None:
    """Return the index of the largest letter size in which all items fit on one sheet, if any."""
    for size, letter_height in enumerate(SIZES):
        columns = _fill_columns(items, heights, _lines_per_column(letter_height))
        if len(columns) <= _columns_that_fit(width, letter_height, letters):
            return size
    return None


def _lines_per_column(letter_height: float) -> float:
    return BODY_HEIGHT / (letter_height * LINE_HEIGHT)


def _columns_that_fit(width: float, letter_height: float, letters: float) -> int:
    """Return how many columns of this number of letters fit beside each other, at least one."""
    column_width = letters * LETTER_WIDTH * letter_height
    return max(1, int((width + COLUMN_GAP) / (column_width + COLUMN_GAP)))


def _fill_columns(items: Sequence[T], heights: Sequence[float], room: float) -> list[tuple[T, ...]]:
    """Fill columns with items, each up to a height of *room* lines.

    >>> _fill_columns("abcd", [14, 2, 12, 1], 14)
    [('a',), ('b', 'c'), ('d',)]
    """
    columns: list[list[T]] = [[]]
    room_left = room
    for item, height in zip(items, heights, strict=True):
        if height > room_left and columns[-1]:
            columns.append([])
            room_left = room
        columns[-1].append(item)
        room_left -= height
    return [tuple(column) for column in columns]


def _even_columns(
    items: Sequence[T], heights: Sequence[float], column_count: int, room: float
) -> tuple[tuple[T, ...], ...]:
    """Return the items in at most *column_count* columns, about equally long.

    Takes the first height that fits, from the average (or the highest item) to *room*.

    >>> _even_columns("abcde", [1] * 5, 2, 4)
    (('a', 'b', 'c'), ('d', 'e'))
    """
    for lines in range(ceil(max([sum(heights) / column_count, *heights])), ceil(room)):
        filled = _fill_columns(items, heights, lines)
        if len(filled) <= column_count:
            return tuple(filled)
    return tuple(_fill_columns(items, heights, room))
