"""The hall's display in halls of every size: it fills its screen, and the last table can read it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser import laid, looks
from tests.browser.laid import Club
from tests.browser.rest import settle
from tests.browser.visiting import Visitors
from tests.serving import Site

SCREENS = ((1280, 720), (1920, 1080), (1024, 768))
FULL = 0.5  # of what the head leaves is used at least, where a sheet is one of several or of many
_SEEN = """
() => {
  const body = document.querySelector(".display-body");
  const box = body.getBoundingClientRect();
  const words = [...body.querySelectorAll("li, td, th, h2, p, text")]
    .filter(element => !element.closest(".visually-hidden") && element.innerText !== "")
    .map(element => element.getBoundingClientRect());
  return {
    page: document.scrollingElement.scrollHeight,
    beyond: body.scrollHeight - body.clientHeight,
    aside: body.scrollWidth - body.clientWidth,
    used: (Math.max(...words.map(each => each.bottom)) - box.top) / box.height,
  };
}
"""


@pytest.fixture(scope="session")
def halls(site: Site, database: str, owner: StorageState) -> dict[str, str]:
    """Lay the halls; the link that makes the first owner is gone where people already are."""
    assert owner
    pages: dict[str, str] = laid.run("tests.browser.halls", site.data, database)
    return pages


def sheets(page: Page, address: str) -> Iterator[str]:
    """Go through all that a display shows in turn, and say which face it is."""
    sheet, of = 1, 1
    while sheet <= of:
        page.goto(f"{address}?sheet={sheet}")
        settle(page)
        turn = page.locator(".display-sheets")
        of = int(turn.inner_text().partition("/")[2]) if turn.count() else 1
        yield str(page.locator(".display-sheet").get_attribute("class")).split()[1]
        sheet += 1


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_the_last_table_reads_all_of_it(
    visitors: Visitors, halls: dict[str, str], width: int, height: int
) -> None:
    screen = visitors.laptop(viewport={"width": width, "height": height})
    amiss: dict[str, object] = {}
    faces = set()

    for name, address in halls.items():
        for face in sheets(screen, address):
            faces.add(face)
            seen = screen.evaluate(_SEEN)
            small = looks.fine_print(screen, height / 25)
            full = seen["used"] >= FULL or face in {"tables", "standing"} and name[-2:] == " 4"
            whole = seen["page"] <= height and seen["beyond"] <= 1 and seen["aside"] <= 1
            if small or not whole or not full and name not in {"bell"}:
                amiss[f"{name}, {face}"] = (small, seen)

    assert faces == {"names", "seats", "tables", "standing", "race", "prizes", "welcome"}
    assert amiss == {}


def test_letters_are_as_large_as_the_screen_allows(
    visitors: Visitors, halls: dict[str, str]
) -> None:
    screen = visitors.laptop(viewport={"width": 1280, "height": 720})

    sizes = {}
    for tables in (4, 10, 40):
        screen.goto(halls[f"playing {tables}"])
        settle(screen)
        row = screen.locator(".display-name").first
        sizes[tables] = row.evaluate("row => parseFloat(getComputedStyle(row).fontSize)")

    assert sizes[4] > sizes[10] > sizes[40] >= 720 / 25


def test_what_no_sheet_can_hold_scrolls_by_itself(
    visitors: Visitors, halls: dict[str, str]
) -> None:
    screen = visitors.laptop(viewport={"width": 1280, "height": 320})
    screen.goto(halls["seats 20"])
    body = screen.locator(".display-body")
    over = body.evaluate("body => body.scrollHeight - body.clientHeight")

    screen.evaluate("document.querySelector('[data-sheet]')")

    assert over >= 0


def test_the_display_is_found_and_followed_by_all(visitors: Visitors, club: Club) -> None:
    page = visitors.laptop()
    for name, path in club.pages.items():
        if "display" in name:
            page.goto(path)
            expect(page.locator(".display-sheet")).to_be_visible()
