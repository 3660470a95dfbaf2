"""The hall's display in halls of every size: it fills its screen, and the last table can read it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, StorageState

from tests.browser import laid, looks
from tests.browser.rest import settle
from tests.browser.visiting import Visitors
from tests.serving import Site

SCREENS = ((1280, 720), (1920, 1080), (1024, 768))
FULL = {"names": 0.9, "standing": 0.9, "welcome": 0.9}  # of what the head leaves is used at least
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
    least: document.querySelector("main").className === "fit-8",
    used: (Math.max(...words.map(each => each.bottom)) - box.top) / box.height,
  };
}
"""


@pytest.fixture(scope="session")
def halls(site: Site, database: str, owner: StorageState) -> dict[str, str]:
    """Lay the halls; the link that makes the first owner is gone where people already are."""
    assert owner
    pages: dict[str, str] = laid.run("halls", site.data, database)
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
            full = seen["used"] >= FULL.get(face, 0.5)
            # On a squarer screen long names may be too much: then it scrolls, in the smallest.
            scrolls = (width, height) == (1024, 768) and seen["least"]
            whole = seen["beyond"] <= 1 or scrolls
            if small or not full or not whole or seen["aside"] > 1 or seen["page"] > height:
                amiss[f"{name}, {face}"] = (small, seen)

    assert faces == {"names", "seats", "tables", "standing", "race", "prizes", "welcome"}
    assert amiss == {}


def test_who_deals_next_has_a_line_of_its_own_at_every_table(
    visitors: Visitors, halls: dict[str, str]
) -> None:
    screen = visitors.laptop(viewport={"width": 1280, "height": 720})
    screen.goto(halls["playing 4"])
    settle(screen)

    below = screen.locator(".display-still li").evaluate_all(
        "rows => rows.map(row => [...row.querySelectorAll('.display-next')]"
        ".map(each => each.getBoundingClientRect().top))"
    )

    assert len(below) == 4
    assert all(hand < coming for hand, coming in below)


def test_a_number_stands_beside_its_name(visitors: Visitors, halls: dict[str, str]) -> None:
    screen = visitors.laptop(viewport={"width": 1280, "height": 720})
    screen.goto(halls["seats 10"])
    settle(screen)

    apart = screen.locator(".display-names").first.evaluate(
        "list => Math.min(...[...list.children].map(row => row.lastElementChild.getBoundingClientRect().left"
        " - row.firstElementChild.getBoundingClientRect().right))"
    )

    assert 0 < apart <= 720 / 20


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


def test_what_no_sheet_can_hold_scrolls_by_itself_and_then_turns(
    visitors: Visitors, halls: dict[str, str]
) -> None:
    screen = visitors.laptop(viewport={"width": 1280, "height": 720})
    screen.clock.install()
    screen.goto(halls["seats 20"])
    body, sheet = screen.locator(".display-body"), screen.locator(".display-sheet")
    at_rest = (sheet.get_attribute("data-turn"), body.evaluate("body => body.scrollTop"))

    # Names so long that nobody could lay them out.
    screen.locator(".display-name").evaluate_all(
        "names => names.forEach(name => { name.textContent += ' wa Mwana wa Sultani wa Zanzibar'; })"
    )
    screen.evaluate("document.dispatchEvent(new Event('live'))")
    screen.clock.run_for(4_000)
    screen.clock.run_for(3_000)

    assert at_rest == ("15", 0)
    assert int(sheet.get_attribute("data-turn") or "") > 15
    assert body.evaluate("body => body.scrollTop") > 0
