"""How what there is to show fills the hall's screen: letters as large as can be, columns, sheets.

All lengths are hundredths of the screen's height, as letters are read from afar by their height.
The script of the page tries the same sizes once more with the letters the screen has.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Generic, TypeVar

T = TypeVar("T")

# The smallest, a twenty-fifth of the screen's height, is read from the last table.
SIZES = (13.0, 10.8, 9.0, 7.6, 6.6, 5.8, 5.1, 4.5, 4.1)
LINE = 1.23  # of a letter's height
LETTER = 0.54  # the width of one, of its height
HIGH = 80.0  # left by the head and by what stands below
WIDE, NARROW = 166.0, 122.0  # of a screen of 16:9, and of 4:3
GAP = 5.0  # between columns


@dataclass(frozen=True, slots=True)
class ScreenSheet(Generic[T]):
    """What one screen shows, by column, and which of the letter sizes it uses."""

    columns: tuple[tuple[T, ...], ...]
    size: int


def sheets(
    items: Sequence[T], heights: Sequence[float], letters: float, *, share: float = 1
) -> list[ScreenSheet[T]]:
    """Lay out items on as few sheets as can be, in letters as large as that allows.

    *heights* are in lines, *letters* is how many the widest item takes, *share* is how much of
    the screen's width there is. There is one sheet even for nothing.

    >>> [len(column) for column in sheets("abcdefgh", [2] * 8, 12)[0].columns]
    [4, 4]
    >>> [sum(map(len, sheet.columns)) for sheet in sheets(range(200), [1] * 200, 12)]
    [67, 67, 66]
    """
    least = len(SIZES) - 1
    on_narrow, on_wide = (
        _largest(items, heights, letters, wide * share) for wide in (NARROW, WIDE)
    )
    if on_wide is not None:
        # Laid out for the narrow screen it suits both, unless that costs much.
        size = on_wide if on_narrow is None or on_narrow > on_wide + 1 else on_narrow
        columns = _columns(items, heights, _room(SIZES[size]))
        return [ScreenSheet(_evened(items, heights, len(columns), _room(SIZES[size])), size)]
    beside = _beside(WIDE * share, SIZES[least], letters)
    columns = _columns(items, heights, _room(SIZES[least]))
    # All sheets about equally full: nobody stands alone on the last.
    each = -(-len(items) // -(-len(columns) // beside))
    return [
        sheet
        for start in range(0, len(items), each)
        for sheet in sheets(
            items[start : start + each], heights[start : start + each], letters, share=share
        )
    ]


def _largest(
    items: Sequence[T], heights: Sequence[float], letters: float, wide: float
) -> int | None:
    """Return the largest size in which everything is on one sheet, if there is one."""
    for size, height in enumerate(SIZES):
        if len(_columns(items, heights, _room(height))) <= _beside(wide, height, letters):
            return size
    return None


def _room(height: float) -> float:
    """Return how many lines a column has."""
    return HIGH / (height * LINE)


def _beside(wide: float, height: float, letters: float) -> int:
    """Return how many columns have room beside each other."""
    return max(1, int((wide + GAP) / (letters * LETTER * height + GAP)))


def _columns(items: Sequence[T], heights: Sequence[float], room: float) -> list[tuple[T, ...]]:
    """Put items one below the other, and begin a column where the next has no room.

    >>> _columns("abcd", [14, 2, 12, 1], 14)
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


def _evened(
    items: Sequence[T], heights: Sequence[float], columns: int, room: float
) -> tuple[tuple[T, ...], ...]:
    """Return the items in so many columns, all about equally long.

    >>> _evened("abcde", [1] * 5, 2, 4)
    (('a', 'b', 'c'), ('d', 'e'))
    """
    low, high = max(heights, default=0), room
    for lines in range(ceil(max(low, sum(heights) / columns)), ceil(high)):
        filled = _columns(items, heights, lines)
        if len(filled) <= columns:
            return tuple(filled)
    return tuple(_columns(items, heights, room))
