"""From nothing to the first hand: so few taps, so few pages, and no more than three minutes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser import club, phones
from tests.browser.club import FIRST_CLUB, OWNER, Laid
from tests.browser.reader import Reader
from tests.browser.visiting import Visitors
from tests.serving import Site, serving

TWELVE = (
    "Asha", "Baraka", "Chausiku", "Daudi", "Eshe", "Faraji",
    "Grace", "Hamisi", "Imani", "Juma", "Khadija", "Lulu",
)  # fmt: skip
PAIR, OTHER = "Asha & Chausiku", "Baraka & Daudi"


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Site]:
    """Serve a site that nobody has opened yet."""
    made = serving(tmp_path, "--workers", "1", environment={"DATABASE_URL": ""}, anew=True)
    with made as site:
        yield site


@pytest.fixture
def hall(empty: Site, browser: Browser) -> Iterator[Visitors]:
    people = Visitors(browser, empty.port)
    yield people
    people.leave()


def test_the_first_hand_is_under_25_taps_and_three_minutes_away(
    empty: Site, hall: Visitors
) -> None:
    organiser = Reader(hall.phone())
    cards = _begin(organiser, empty.owner_link())
    table = Reader(hall.phone())

    table.open(cards[0].card)
    table.look("Table 1")
    _report(table, 1, (7, 0), (5, 0))
    phones.expect_saved(table.page, 1)
    table.look("Table 1")

    expect(table.page.locator(".saved-what")).to_contain_text(
        f"70–50, {PAIR} win · 1 victory point"
    )
    assert organiser.read == ["Open your club", FIRST_CLUB, "Tonight", "Albastini, "]
    assert table.read == ["Table 1", "Table 1"]  # as it was, and with the hand in it
    # Its answers are three; then Tonight, the game, the names and Go.
    assert organiser.taps == 1 + 3 + 1 + 1 + 3
    assert organiser.taps + table.taps == 16
    # One reads after the other, and the table also what became of its hand.
    assert organiser.minutes + table.minutes < 3

    before = table.taps
    _report(table, 2, (4, 8), (7, 2))
    expect(table.page.locator(".saved-what")).to_contain_text(
        f"48–72, {OTHER} win · 1 victory point"
    )
    assert table.taps - before == 6


def test_the_week_after_the_same_twelve_play_after_two_taps(empty: Site, hall: Visitors) -> None:
    organiser, table = Reader(hall.phone()), Reader(hall.phone())
    page = organiser.page
    page.set_viewport_size({"width": 390, "height": 664})
    cards = _begin(organiser, empty.owner_link())
    table.open(cards[0].card)
    _report(table, 1, (7, 0), (5, 0))

    # From the menu to the winners every step leads to the next.
    page.get_by_role("navigation", name="Club", exact=True).get_by_text("Tonight").tap()
    expect(page.get_by_role("region", name="Tables")).to_be_visible()
    page.get_by_role("link", name="Close round 1").tap()
    page.get_by_role("button", name=re.compile("not played$")).tap()
    page.get_by_role("button", name="Finish and publish").tap()
    page.get_by_role("button", name="No objections: make it official").tap()
    for place in (1, 3):
        tie = page.get_by_role("form", name=f"Tied for place {place}")
        tie.get_by_role("radio", name="shared").check()
        tie.get_by_role("button", name="Save").tap()
    page.get_by_role("button", name="End the night").tap()
    winners = page.get_by_role("table", name=re.compile("^Albastini"))
    expect(winners.get_by_role("row")).to_contain_text(
        ["Place", "Asha", "Chausiku", "Baraka", "Daudi"]
    )
    assert "/nights/" in page.url
    assert page.locator("main .button.primary").all_inner_texts() == ["Announce the next night"]
    for name in ("Share", "Show on the display", "Results sheet"):
        expect(page.get_by_role("link", name=name)).to_be_visible()

    organiser.taps = 0
    page.goto("/")
    organiser.tap(page.get_by_role("main").get_by_role("link", name="Tonight"))
    again = page.get_by_role("button", name="As last time: Albastini, 12 people")
    expect(again).to_be_in_viewport(ratio=1)
    organiser.tap(again)
    club.tables(page)
    assert organiser.taps == 2
    tables = page.get_by_role("region", name="Tables").inner_text()
    assert [name for name in TWELVE if name not in tables] == []


def _begin(organiser: Reader, link: str) -> list[Laid]:
    """Open the club by its first link, write twelve names, and seat them."""
    page = organiser.page
    organiser.open(link)
    organiser.look("Open your club")
    organiser.type("What is your club called?", FIRST_CLUB)
    organiser.type("Your name", "Zuhura")
    organiser.type("Choose a password", OWNER[1])
    organiser.tap(page.get_by_role("button", name="Open the club"))

    organiser.look(FIRST_CLUB)
    organiser.tap(page.get_by_role("main").get_by_role("link", name="Tonight"))
    organiser.look("Tonight")
    organiser.tap(page.locator("label.tap", has_text="Albastini"))
    organiser.type("Who’s here?", "\n".join(TWELVE))
    organiser.tap(page.get_by_role("button", name="Go", exact=True))

    organiser.look("Albastini, ")
    return club.tables(page)


def _report(table: Reader, number: int, *counts: tuple[int, ...]) -> None:
    """Tap what each side ate on the pad, and Save."""
    page = table.page
    pad = page.get_by_role("group", name="Number pad")
    for side, digits in enumerate(counts):
        if side:
            table.tap(pad.get_by_role("button", name="Next side"))
        for digit in digits:
            table.tap(pad.get_by_role("button", name=str(digit), exact=True))
    table.tap(page.locator("button.save"))
    phones.expect_saved(page, number)


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


def test_a_fresh_club_has_its_first_hand_within_six_taps_and_a_minute(
    empty: Site, hall: Visitors
) -> None:
    owner = Person(hall.laptop())
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


def test_a_password_is_typed_once_and_can_be_looked_at(empty: Site, hall: Visitors) -> None:
    page = hall.laptop()
    page.goto(empty.owner_link())
    field = page.get_by_label("Choose a password")
    field.fill("four aces")

    page.get_by_label("Show the password").check()

    expect(field).to_have_attribute("type", "text")
    page.get_by_label("Show the password").uncheck()
    expect(field).to_have_attribute("type", "password")
