"""A standing on paper and on a phone: what only a browser lays out."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.laid import Club
from tests.browser.rest import settle
from tests.browser.visiting import Visitors

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


def test_a_standing_of_forty_is_printed_on_one_page(visitors: Visitors, club: Club) -> None:
    page = visitors.laptop()
    page.goto(club.pages["tournament, of forty"])
    expect(page.locator(".standings tbody tr")).to_have_count(40)

    printed = page.pdf(format="A4")

    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
    page.emulate_media(media="print")
    heads = page.locator(".standings thead th")
    for head in ("Place", "Player", "Victory points", "Hands", "Eaten", "Dealt first", "Dealt"):
        expect(heads.filter(has_text=re.compile(f"^\\s*{head}\\s*$"))).to_be_visible()
    expect(page.get_by_role("heading", name="Dealers now")).to_be_hidden()


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


def test_a_phone_shows_the_standing_first(visitors: Visitors, club: Club) -> None:
    phone = visitors.phone()
    phone.goto(club.pages["tournament, albastini"])

    first = _top(phone, ".standings tbody tr")

    assert first < 220
    assert first < _top(phone, "#dealers-panel")
    row = phone.locator(".standings tbody tr", has=phone.locator(".dealer-badge"))
    expect(row.first).to_contain_text("deals, table 1")


def _top(page: Page, what: str) -> float:
    top: float = page.locator(what).first.evaluate(_TOP)
    return top
