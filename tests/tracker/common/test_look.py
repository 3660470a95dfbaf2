"""The stylesheet keeps its words readable (WCAG 2.2 AA), by day and by night."""

import re
from colorsys import rgb_to_hsv
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

STATIC = Path(__file__).parents[3] / "tracker" / "static" / "tracker"
STYLESHEETS = sorted(STATIC.glob("*.css"))
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


def hue(colour: str) -> float:
    """Return where a colour stands on the wheel, in degrees from red.

    >>> hue("00ff00")
    120.0
    """
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return 360 * rgb_to_hsv(red, green, blue)[0]


@pytest.mark.parametrize("dark", [False, True], ids=["day", "night"])
def test_warnings_are_not_mistaken_for_the_dealer(*, dark: bool) -> None:
    colours = tokens(dark=dark)
    coin = hue(colours["coin"])

    assert [name for name in ("warn", "warn-soft") if coin - hue(colours[name]) < 15] == []


def test_every_file_the_stylesheet_names_is_found() -> None:
    named = set(re.findall(r'url\("([^"]+)"\)', CSS))

    assert named
    assert [name for name in sorted(named) if finders.find(f"tracker/{name}") is None] == []


def test_stylesheet_asks_no_other_host_and_inlines_nothing() -> None:
    assert re.findall(r"url\(\W?(?:https?:|data:|//)|@import", CSS) == []


# What may be as bright as the coin, and why; beside it the brand has its diamond.
COIN = {
    ".page-head .dealer-badge": "the dealer, in letters on the felt",
    ".display-dealer": "the dealer, on the display",
    ".save": "the one main act of a table’s page",
    ".save:hover": "the same",
    ".button.primary": "the one main act of any other page",
    ".button.primary:hover": "the same",
    ".skip": "on the felt: seen only by whom the keyboard leads there",
    ".site-header :focus-visible": "on the felt: where the keyboard is",
    ".page-head :focus-visible": "the same",
}


def rules() -> list[tuple[str, str]]:
    """Return every rule of every stylesheet: a selector and what it declares."""
    own = re.compile(r"/\*.*?\*/|--coin(?:-deep)?: #\w+;", re.DOTALL)
    sheets = [own.sub("", file.read_text(encoding="utf-8")) for file in STYLESHEETS]
    return [
        (selector.strip(), declared)
        for sheet in sheets
        for selectors, declared in re.findall(r"([^{};]+){([^{}]*)}", sheet)
        for selector in selectors.split(",")
    ]


def test_the_bright_coin_is_kept_for_the_dealer_and_the_main_act() -> None:
    bright = {name for name, declared in rules() if re.search(r"var\(--coin\b|#ffb71b", declared)}

    assert bright == set(COIN)


def test_only_the_main_act_is_filled_with_it() -> None:
    """And the link that only the keyboard finds. The dealer is a tint and no button."""
    fill = re.compile(r"background(?:-color)?: (?:var\(--coin\)|#ffb71b)")
    filled = {name for name, declared in rules() if fill.search(declared)}

    assert filled == {".button.primary", ".button.primary:hover", ".save", ".save:hover", ".skip"}


def test_words_of_headings_stand_apart() -> None:
    """The typeface's own space is narrow: "Klabuya Bahari" read as one word."""
    spaced = {name for name, declared in rules() if "word-spacing" in declared}

    assert {"h1", "h2", "h3", "caption", ".brand-club"} <= spaced


def test_what_stands_apart_is_no_slip_of_a_thumb_away() -> None:
    assert ".apart { margin-block-start: var(--space-4); }" in CSS
    assert "--space-4: 1rem;" in CSS
