"""Every kind of page in a reader's own size of letters: nothing covers another, nothing is cut."""

import pytest
from playwright.sync_api import Page

from tests.browser.laid import Club
from tests.browser.looks import walk
from tests.browser.overlaps import LARGER, LARGEST, USUAL, in_large_letters, overlaps
from tests.browser.test_pages import looked_at
from tests.browser.visiting import Visitors


def test_large_letters_cover_nothing(mobile: Page, club: Club) -> None:
    assert walk(mobile, looked_at(club.pages), in_large_letters) == {}


def test_large_letters_cover_nothing_at_a_table(phone: Page, club: Club) -> None:
    assert walk(phone, club.at_tables, in_large_letters) == {}


@pytest.mark.parametrize(
    ("spoilt", "amiss"),
    [
        ("label { position: absolute }", "overlap"),
        ("form > * { block-size: .5rem; overflow: hidden }", "cut off by"),
        ("button { inline-size: 2rem; white-space: nowrap }", "sticks out of"),
        ("h1 { inline-size: 3ch }", "broken: “Sign”"),
        ("main { min-inline-size: 30rem }", "wide: "),
    ],
)
def test_what_is_amiss_is_seen(phone: Page, spoilt: str, amiss: str) -> None:
    phone.goto("/sign-in/")
    assert overlaps(phone, USUAL) == []
    phone.evaluate(
        "(spoilt) => { const sheet = new CSSStyleSheet(); sheet.replaceSync(spoilt);"
        " document.adoptedStyleSheets = [sheet]; }",
        spoilt,
    )

    assert any(amiss in each for each in overlaps(phone, LARGER))


def test_the_largest_letters_fit_a_small_phone_at_a_table(visitors: Visitors, club: Club) -> None:
    page = visitors.phone(is_mobile=False, viewport={"width": 320, "height": 664})
    letters = {"standard": LARGEST, "fixed": LARGEST}
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": letters})
    wide = {}

    for name, path in club.at_tables.items():
        page.goto(path)
        wide[name] = page.evaluate("document.scrollingElement.scrollWidth")

    assert {name: width for name, width in wide.items() if width > 320} == {}
