"""A poster: the first of a standing as a picture to send around, and for previews of links.

A PNG, as those who show previews of links take no SVG. It is drawn in the site's own typeface and
colours, and kept by what is on it: the same words are drawn once in a process. Before that it takes
some forty thousandths of a second, and so is a strangers' matter (``lanes.py``).
"""

from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

WIDTH, HEIGHT = 1200, 630  # as previews of links are cut
MOST_ROWS = 5
_EDGE = 72
_BAND = 34  # of the kanga's border
_FELT, _DEEP, _SOFT, _WHITE = "#0c5b4f", "#062e29", "#c7e6dc", "#ffffff"
_COIN, _RED = "#ffb71b", "#f0503c"
_REGULAR, _BOLD = 500, 700
_LEAST = 26  # the smallest letters in which a long name is still written whole


@dataclass(frozen=True, slots=True)
class Poster:
    """What a poster says. A row is a place, a name and points, as people write them."""

    club: str
    title: str
    says: str
    rows: tuple[tuple[str, str, str], ...]


@lru_cache(maxsize=32)
def drawn(poster: Poster) -> bytes:
    """Return the poster as a PNG file."""
    # A third of a second, which only who asks for the first poster spends.
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", (WIDTH, HEIGHT), _FELT)
    pen = ImageDraw.Draw(picture)
    room = WIDTH - 2 * _EDGE
    _write(pen, (_EDGE, 44), poster.club, 30, room - 120, colour=_SOFT)
    _write(pen, (WIDTH - _EDGE, 44), "Kula", 30, 120, colour=_SOFT, anchor="ra", weight=_BOLD)
    _write(pen, (_EDGE, 88), poster.title, 62, room, weight=_BOLD)
    _write(pen, (_EDGE, 170), poster.says, 30, room, colour=_SOFT)
    step = 68
    for number, (place, name, points) in enumerate(poster.rows[:MOST_ROWS]):
        y = 268 + number * step
        size = 48 if number == 0 else 42
        if number:
            pen.line((_EDGE, y - step // 2, WIDTH - _EDGE, y - step // 2), fill="#2f7a6d", width=2)
        _write(pen, (_EDGE, y), place, size - 6, 90, colour=_SOFT, anchor="lm")
        _write(pen, (_EDGE + 96, y), name, size, room - 300, anchor="lm", weight=_BOLD)
        _write(pen, (WIDTH - _EDGE, y), points, size, 190, anchor="rm", weight=_BOLD)
    _border(pen)
    file = BytesIO()
    # A few colours are enough, and make a file that a phone sends at once.
    picture.quantize(64, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
        file, "PNG"
    )
    return file.getvalue()


def _write(
    pen: "ImageDraw",
    at: tuple[int, int],
    words: str,
    size: int,
    room: int,
    *,
    colour: str = _WHITE,
    anchor: str = "la",
    weight: int = _REGULAR,
) -> None:
    """Write words as large as they may be in so much room; what is too long even small is cut."""
    while size > _LEAST and pen.textlength(words, _font(size, weight)) > room:
        size -= 2
    font = _font(size, weight)
    shown = words
    while len(shown) > 1 and pen.textlength(shown, font) > room:
        shown = f"{shown.rstrip('…')[:-1].rstrip()}…"
    pen.text(at, shown, fill=colour, font=font, anchor=anchor)


@lru_cache(maxsize=64)
def _font(size: int, weight: int) -> "FreeTypeFont":
    import fontpkg
    from PIL import ImageFont

    font = ImageFont.truetype(str(fontpkg.path("Bitter")), size)
    font.set_variation_by_axes([weight])
    return font


def _border(pen: "ImageDraw") -> None:
    """Draw the border of a kanga along the lower edge, as the pages have it below their heads."""
    top = HEIGHT - _BAND
    pen.rectangle((0, top, WIDTH, HEIGHT), fill=_DEEP)
    pen.rectangle((0, top, WIDTH, top + 3), fill=_COIN)
    pen.rectangle((0, HEIGHT - 4, WIDTH, HEIGHT), fill=_COIN)
    middle = top + _BAND // 2
    for x in range(26, WIDTH, 104):
        pen.polygon([(x, middle - 11), (x + 11, middle), (x, middle + 11), (x - 11, middle)], _COIN)
        pen.polygon([(x, middle - 4), (x + 4, middle), (x, middle + 4), (x - 4, middle)], _DEEP)
        pen.ellipse((x + 42, middle - 10, x + 62, middle + 10), fill=_RED)
        for dot in (x + 24, x + 52, x + 80):
            pen.ellipse((dot - 3, middle - 3, dot + 3, middle + 3), fill=_WHITE)
