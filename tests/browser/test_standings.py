"""A standing, a log and a list, on paper and on a phone: what only a browser lays out."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.laid import Club
from tests.browser.rest import settle
from tests.browser.visiting import Scheme, Visitors, violations

_BEYOND = """
() => [...document.querySelectorAll(".table .scroll, .folds .scroll, .book-rules .scroll")]
  .filter(box => box.scrollWidth > box.clientWidth + 1)
  .map(box => `${box.scrollWidth} in ${box.clientWidth}: ${box.getAttribute("aria-label")}`)
"""
_TOP = "element => element.getBoundingClientRect().top + window.scrollY"
FOLDED = (
    "tournament, albastini",
    "tournament, of forty",
    "dealers, albastini",
    "hands, albastini",
    "story, albastini",
    "crosstable, albastini",
    "crosstable, dalmuti",
    "crosstable, mambassa",
    "referee, albastini",
    "referee, briscola",
    "players",
    "teams",
    "tournaments",
    "season",
    "player",
    "pair",
    "team",
)


def test_a_standing_of_forty_is_printed_on_one_page(laptop: Page, club: Club) -> None:
    laptop.goto(club.pages["tournament, of forty"])
    expect(laptop.locator(".standings tbody tr")).to_have_count(40)

    printed = laptop.pdf(format="A4")

    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
    laptop.emulate_media(media="print")
    heads = laptop.locator(".standings thead th")
    for head in ("Place", "Player", "Victory points", "Hands", "Eaten", "Dealt first", "Dealt"):
        expect(heads.filter(has_text=re.compile(f"^\\s*{head}\\s*$"))).to_be_visible()
    expect(laptop.get_by_role("heading", name="Dealers now")).to_be_hidden()


@pytest.mark.parametrize("width", [1280, 390, 360])
def test_nothing_of_a_table_lies_beyond_a_sideways_scroll(
    visitors: Visitors, club: Club, width: int
) -> None:
    phone = visitors.phone(viewport={"width": width, "height": 844})
    beyond = {}
    for name in FOLDED:
        phone.goto(club.pages[name])
        settle(phone)
        if found := phone.evaluate(_BEYOND):
            beyond[name] = found

    assert beyond == {}


def test_a_phone_shows_the_standing_first(phone: Page, club: Club) -> None:
    phone.goto(club.pages["tournament, albastini"])

    first = _top(phone, ".standings tbody tr")

    assert first < 220
    assert first < _top(phone, "#dealers-panel")
    row = phone.locator(".standings tbody tr", has=phone.locator(".dealer-badge"))
    expect(row.first).to_contain_text("deals, table 1")


def _top(page: Page, what: str) -> float:
    top: float = page.locator(what).first.evaluate(_TOP)
    return top


PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 664}}
FIRST = 220  # pixels from the top
_SHOWN = """
(row) => [...row.cells]
  .filter((cell) => cell.getBoundingClientRect().height > 1 && !cell.matches(".tap, .beside"))
  .map((cell) => [
    cell.className, cell.innerText, getComputedStyle(cell, "::after").content.replaceAll('"', ""),
  ])
"""
_COLOURS = """
() => Array.from({ length: 12 }, (_, number) => {
  const mark = document.createElement("b");
  mark.className = `initials hue-${number}`;
  document.body.append(mark);
  const style = getComputedStyle(mark);
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  return [style.color, style.backgroundColor].map((colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  });
})
"""
_OUT_OF_SIGHT = """
() => [...document.querySelectorAll("td a")]
  .filter((link) => link.getBoundingClientRect().right
    > link.closest(".scroll").getBoundingClientRect().right + 1)
  .length
"""


@pytest.mark.parametrize("name", ["tournament, albastini", "tournament, of forty", "season"])
def test_a_standing_begins_with_name_and_points_and_at_most_three_figures_a_row(
    visitors: Visitors, club: Club, name: str
) -> None:
    phone = visitors.phone(**PHONE)
    phone.goto(club.pages[name])
    settle(phone)
    row = phone.locator(".standings tbody tr").first

    for cell in (row.locator("th a"), row.locator(".strong")):
        box = cell.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= FIRST

    place, who, points, *figures = row.evaluate(_SHOWN)
    assert [place[0], points[0]] == ["num rank", "num strong"]
    assert who[1]
    assert len(figures) in ([0] if name == "season" else [1, 2, 3])  # a season: one line a row
    assert all(text[0].isdigit() and after.strip() for _, text, after in figures)


def test_the_other_figures_are_a_tap_away(visitors: Visitors, club: Club) -> None:
    phone = visitors.phone(**PHONE)
    phone.goto(club.pages["tournament, albastini"])
    row = phone.locator(".standings tbody tr").first
    expect(row.locator(".rest").first).to_be_hidden()

    row.get_by_label("More").click()

    for cell in row.locator(".rest").all():
        expect(cell).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_letters_of_every_mark_can_be_read(
    visitors: Visitors, club: Club, scheme: Scheme
) -> None:
    page = visitors.laptop(color_scheme=scheme)
    page.goto(club.pages["home"])

    pairs = page.evaluate(_COLOURS)

    assert min(_contrast(letters, ground) for letters, ground in pairs) >= 4.5
    assert len({tuple(ground) for _, ground in pairs}) == 12


def _contrast(one: list[int], other: list[int]) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: list[int]) -> float:
    """Return the relative luminance as WCAG defines it."""
    linear = [
        value / 255 / 12.92 if value <= 10 else ((value / 255 + 0.055) / 1.055) ** 2.4
        for value in colour
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_log_and_a_player_have_no_fault_of_access(
    visitors: Visitors, club: Club, organiser: StorageState
) -> None:
    phone = visitors.phone(host="127.0.0.1", storage_state=organiser, **PHONE)
    faults = {name: list(_faults(phone, club.pages[name])) for name in ("log", "player", "season")}

    assert faults == {name: [] for name in faults}


def _faults(page: Page, path: str) -> Iterator[str]:
    page.goto(path)
    for fold in page.locator("main details:not([open]) > summary").all():
        if fold.is_visible():
            fold.click()
    yield from violations(page)


def test_at_1280_all_teams_of_a_player_and_change_are_in_sight(desk: Page, club: Club) -> None:
    desk.goto(club.pages["players"])
    settle(desk)
    teams = ", ".join(f"Abasi Mwinyi & Bahati Josephat {number}" for number in range(4))

    desk.locator("[data-label=Teams]").first.evaluate("(cell, it) => cell.textContent = it", teams)

    assert desk.evaluate(_OUT_OF_SIGHT) == 0
