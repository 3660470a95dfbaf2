"""A poster: the top of a standing as a PNG, to send around and for link previews.

It is a PNG, as link previews do not support SVG. As it takes 40 ms to draw, its requests have a
lane of their own (``PUBLIC_HEAVY`` in ``lanes.py``), and a process caches posters by their texts.
"""

from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

# The size of link previews; all lengths are pixels.
WIDTH, HEIGHT = 1200, 630
MOST_ROWS = 5
# The margin on all sides, and the height of the border at the bottom.
_MARGIN, _BORDER_HEIGHT = 72, 34
_FELT, _DEEP, _SOFT, _WHITE = "#0c5b4f", "#062e29", "#c7e6dc", "#ffffff"
_COIN, _RED, _LINE = "#ffb71b", "#f0503c", "#2f7a6d"
_REGULAR, _BOLD = 500, 700
# The smallest font size of a long text, which is cut if it still does not fit.
_SMALLEST_SIZE = 26
# The middle of the first row, and the distance between rows.
_FIRST_ROW, _ROW_STEP = 268, 68


@dataclass(frozen=True, slots=True)
class Poster:
    """The texts of a poster. A row is a place, a name and points."""

    club: str
    title: str
    subtitle: str
    rows: tuple[tuple[str, str, str], ...]


@lru_cache(maxsize=32)
def draw_poster(poster: Poster) -> bytes:
    """Return the poster as a PNG file."""
    # Imported here: it takes a third of a second, needed only for the first poster.
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", (WIDTH, HEIGHT), _FELT)
    pen = ImageDraw.Draw(picture)
    left, right = _MARGIN, WIDTH - _MARGIN
    room = right - left
    _write(pen, (left, 44), poster.club, 30, room - 120, colour=_SOFT)
    _write(pen, (right, 44), "Kula", 30, 120, colour=_SOFT, anchor="ra", weight=_BOLD)
    _write(pen, (left, 88), poster.title, 62, room, weight=_BOLD)
    _write(pen, (left, 170), poster.subtitle, 30, room, colour=_SOFT)
    # A row has 96 pixels for the place and 190 for the points; the name gets the rest.
    for index, (place, name, points) in enumerate(poster.rows[:MOST_ROWS]):
        y = _FIRST_ROW + index * _ROW_STEP
        size = 48 if index == 0 else 42
        if index:
            line_y = y - _ROW_STEP // 2
            pen.line((left, line_y, right, line_y), fill=_LINE, width=2)
        _write(pen, (left, y), place, size - 6, 90, colour=_SOFT, anchor="lm")
        _write(pen, (left + 96, y), name, size, room - 300, anchor="lm", weight=_BOLD)
        _write(pen, (right, y), points, size, 190, anchor="rm", weight=_BOLD)
    _draw_border(pen)
    file = BytesIO()
    # Few colours make a small file.
    method, dither = Image.Quantize.FASTOCTREE, Image.Dither.NONE
    picture.quantize(64, method=method, dither=dither).save(file, "PNG")
    return file.getvalue()


def _write(
    pen: "ImageDraw",
    position: tuple[int, int],
    text: str,
    size: int,
    room: int,
    *,
    colour: str = _WHITE,
    anchor: str = "la",
    weight: int = _REGULAR,
) -> None:
    """Draw text in the largest font, up to *size*, that fits into *room*; cut it if none does.

    *anchor* is the point of the text at *position*, in Pillow's letters: "lm" is left, middle.
    """
    while size > _SMALLEST_SIZE and pen.textlength(text, _font(size, weight)) > room:
        size -= 2
    font = _font(size, weight)
    while len(text) > 1 and pen.textlength(text, font) > room:
        text = f"{text.rstrip('…')[:-1].rstrip()}…"
    pen.text(position, text, fill=colour, font=font, anchor=anchor)


@lru_cache(maxsize=64)
def _font(size: int, weight: int) -> "FreeTypeFont":
    import fontpkg
    from PIL import ImageFont

    font = ImageFont.truetype(str(fontpkg.path("Bitter")), size)
    font.set_variation_by_axes([weight])
    return font


def _draw_border(pen: "ImageDraw") -> None:
    """Draw the pattern of a kanga (a cloth) along the lower edge, as in the head of the pages."""
    top = HEIGHT - _BORDER_HEIGHT
    pen.rectangle((0, top, WIDTH, HEIGHT), fill=_DEEP)
    pen.rectangle((0, top, WIDTH, top + 3), fill=_COIN)
    pen.rectangle((0, HEIGHT - 4, WIDTH, HEIGHT), fill=_COIN)
    middle = top + _BORDER_HEIGHT // 2
    for x in range(26, WIDTH, 104):  # each time a diamond, then a red circle and three dots
        pen.polygon([(x, middle - 11), (x + 11, middle), (x, middle + 11), (x - 11, middle)], _COIN)
        pen.polygon([(x, middle - 4), (x + 4, middle), (x, middle + 4), (x - 4, middle)], _DEEP)
        pen.ellipse((x + 42, middle - 10, x + 62, middle + 10), fill=_RED)
        for dot in (x + 24, x + 52, x + 80):
            pen.ellipse((dot - 3, middle - 3, dot + 3, middle + 3), fill=_WHITE)
