"""The stylesheet keeps its words readable (WCAG 2.2 AA) by day and by night, and files ask no other host."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

ROOT = Path(__file__).parents[3]
STATIC = ROOT / "tracker/static/tracker"
CSS = (STATIC / "kula.css").read_text(encoding="utf-8")

WORDS = [
    *((ink, ground) for ink in ("ink", "muted", "link") for ground in ("paper", "card", "tint")),
    *((ink, f"{ink}-soft") for ink in ("good", "warn", "bad", "note")),
    *((ink, ground) for ink in ("good", "bad") for ground in ("paper", "card")),
    *(("ink", f"{ground}-soft") for ground in ("good", "warn")),
    *(("muted", f"{ground}-soft") for ground in ("good", "warn")),
    *(("on-felt", ground) for ground in ("felt", "felt-deep")),
    *(("felt-soft", ground) for ground in ("felt", "felt-deep")),
    *(("on-side", f"side-{side}") for side in "abc"),
    ("card-black", "card-face"),
    ("card-red", "card-face"),
    ("on-coin", "coin"),
    ("dealer", "dealer-soft"),
    ("coin", "felt-deep"),
    ("on-go", "go"),
]
EDGES = [
    *((edge, ground) for edge in ("edge", "focus") for ground in ("paper", "card", "tint")),
    ("go", "tint"),
    ("coin", "felt"),
    ("coin", "felt-deep"),
]


def tokens(*, dark: bool) -> dict[str, str]:
    """Return the colours by name, those of the night laid over those of the day."""
    day, night = CSS.split("@media (prefers-color-scheme: dark)", maxsplit=1)
    sheets = [day, night.split("@layer base", maxsplit=1)[0]] if dark else [day]
    colours: dict[str, str] = {}
    for sheet in sheets:
        colours |= dict(re.findall(r"--([\w-]+): #([0-9a-f]{3,6});", sheet))
    return colours


def luminance(colour: str) -> float:
    if len(colour) == 3:
        colour = "".join(digit * 2 for digit in colour)
    parts = [int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(colour: str, other: str) -> float:
    """Return the ratio in which WCAG measures contrast, from 1 to 21.

    >>> contrast("000", "ffffff")
    21.0
    """
    low, high = sorted([luminance(colour), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True], ids=["day", "night"])
@pytest.mark.parametrize(
    ("ink", "ground", "least"),
    [*((*pair, 4.5) for pair in WORDS), *((*pair, 3.0) for pair in EDGES)],
)
def test_colours_laid_on_each_other_can_be_told_apart(
    ink: str, ground: str, least: float, *, dark: bool
) -> None:
    colours = tokens(dark=dark)

    assert contrast(colours[ink], colours[ground]) >= least


def test_every_file_the_stylesheet_names_is_found() -> None:
    named = set(re.findall(r'url\("([^"]+)"\)', CSS))

    assert named
    assert [name for name in sorted(named) if finders.find(f"tracker/{name}") is None] == []


def test_nothing_lies_within_the_stylesheet() -> None:
    assert re.findall(r"url\(\W?data:|@import", CSS) == []


def test_files_name_no_other_host() -> None:
    """Pages ask nobody else for anything."""
    kinds = {".html", ".css", ".js", ".svg", ".txt", ".webmanifest"}
    spaces = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    host = re.compile(r"""(?:https?:)?//[\w-]+\.[\w.-]+[^\s"'<>)]*""")
    named = {
        str(file): others
        for folder in ("templates", "tracker/static")
        for file in (ROOT / folder).rglob("*")
        if file.suffix in kinds
        and (others := {*host.findall(file.read_text(encoding="utf-8"))} - spaces)
    }

    assert named == {}
