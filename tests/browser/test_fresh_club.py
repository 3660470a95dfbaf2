"""From the owner's link to the first hand: few taps, little to type, and no more than a minute."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.club import FIRST_CLUB, OWNER
from tests.browser.test_taps import TWELVE
from tests.browser.visiting import Visitors
from tests.serving import Site, serving

# A keystroke model (Card, Moran, Newell): to point and tap, to type a letter, to make up one's mind.
A_TAP, A_KEY, A_STEP = 1.1, 0.28, 1.35  # seconds
MOST_TAPS, MOST_SECONDS = 6, 60


@dataclass
class Person:
    """Somebody at a laptop, of whom every tap, key and step is counted."""

    page: Page
    taps: int = 0
    keys: int = 0
    steps: int = 0

    def tap(self, target: Locator) -> None:
        self.taps, self.steps = self.taps + 1, self.steps + 1
        target.click()

    def type(self, words: str) -> None:
        """Type into whatever has the focus."""
        self.keys, self.steps = self.keys + len(words), self.steps + 1
        self.page.keyboard.insert_text(words)

    def press(self, key: str) -> None:
        self.keys += 1
        self.page.keyboard.press(key)

    @property
    def seconds(self) -> float:
        return self.taps * A_TAP + self.keys * A_KEY + self.steps * A_STEP


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Site]:
    """Serve a site that nobody has opened yet."""
    made = serving(tmp_path, "--workers", "1", environment={"DATABASE_URL": ""}, anew=True)
    with made as site:
        yield site


def test_a_fresh_club_has_its_first_hand_within_six_taps_and_a_minute(
    empty: Site, browser: Browser
) -> None:
    people = Visitors(browser, empty.port)
    owner = Person(people.laptop())
    page = owner.page
    page.goto(empty.owner_link())

    for number, answer in enumerate((FIRST_CLUB, "Zuhura", OWNER[1])):
        if number:
            owner.press("Tab")
        owner.type(answer)
    owner.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(FIRST_CLUB)
    owner.tap(page.get_by_role("main").get_by_role("link", name="Tonight"))
    owner.tap(page.locator("label.tap", has_text="Albastini"))
    owner.tap(page.locator("[name=names]"))
    owner.type("\n".join(TWELVE))
    owner.tap(page.get_by_role("button", name="Go", exact=True))
    owner.tap(page.locator("main a[href^='/t/']").first)
    first = page.locator(".score input").first
    if not first.evaluate("field => field === document.activeElement"):
        owner.tap(first)
    owner.type("70")
    owner.press("Tab")
    owner.type("50")
    owner.press("Enter")
    expect(page.get_by_text("70–50").first).to_be_visible()

    assert owner.taps <= MOST_TAPS
    assert owner.seconds <= MOST_SECONDS
    people.leave()


def test_a_password_is_typed_once_and_can_be_looked_at(empty: Site, browser: Browser) -> None:
    people = Visitors(browser, empty.port)
    page = people.laptop()
    page.goto(empty.owner_link())
    field = page.get_by_label("Choose a password")
    field.fill("four aces")

    page.get_by_label("Show the password").check()

    expect(field).to_have_attribute("type", "text")
    page.get_by_label("Show the password").uncheck()
    expect(field).to_have_attribute("type", "password")
    people.leave()
