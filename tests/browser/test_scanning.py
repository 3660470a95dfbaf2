"""What people look for on a phone is found at a glance: figures, names, the first lines."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.laid import Club
from tests.browser.rest import settle
from tests.browser.visiting import Scheme, Visitors, violations

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
_BEYOND = """
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


def test_at_1280_all_teams_of_a_player_and_change_are_in_sight(
    visitors: Visitors, club: Club, organiser: StorageState
) -> None:
    laptop = visitors.laptop(storage_state=organiser)
    laptop.goto(club.pages["players"])
    settle(laptop)
    teams = ", ".join(f"Abasi Mwinyi & Bahati Josephat {number}" for number in range(4))

    laptop.locator("[data-label=Teams]").first.evaluate(
        "(cell, it) => cell.textContent = it", teams
    )

    assert laptop.evaluate(_BEYOND) == 0
