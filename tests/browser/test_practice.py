"""A hand of every game against bots, on a phone: from the deal to the sheet it leaves."""

import pytest
from playwright.sync_api import Locator, Page, expect

from games import catalogue
from tests.browser import looks
from tests.browser.laid import Club
from tests.browser.visiting import Visitors, violations

MODES = {"albastini": "2i", "briscola": "4t2", "dalmuti": "4i", "mambassa": "4i"}
MOST_TAPS = 60
# What is said of the first card tapped that cannot be played, where the deal has such.
REFUSED = {"dalmuti": "Play cards lower than 2; 12 is not."}


@pytest.mark.parametrize("game", MODES)
def test_a_hand_is_played_from_the_deal_to_the_sheet(
    visitors: Visitors, club: Club, game: str
) -> None:
    page = visitors.phone()
    page.goto("/practice/")
    page.get_by_role("main").get_by_role("link", name=catalogue.GAMES[game].name).click()
    page.get_by_label("How many play?").select_option(MODES[game])
    page.get_by_role("radio", name="Beginners").check()
    tap(page.get_by_role("button", name="Deal"))
    expect(page.get_by_role("region", name="The table")).to_be_visible()

    page.goto(club.pages[f"practice, {game}, dealt"])  # a hand that is the same every time
    expect(hand(page)).to_be_visible()
    assert amiss(page) == []
    tap(page.get_by_role("link", name="Hint"))
    expect(page.get_by_role("status")).to_contain_text("A strong player would: ")
    page.go_back()
    refusal = play_on(page)

    expect(page.locator(".saved-what")).to_be_visible()
    assert amiss(page) == []
    assert refusal == REFUSED.get(game, "")
    page.get_by_text("As a table would write it down").click()
    expect(page.locator("details[open] dd").first).to_be_visible()
    tap(page.get_by_role("button", name="Replay step by step"))
    expect(page.get_by_role("group", name="Steps")).to_be_visible()
    assert amiss(page) == []
    page.go_back()
    expect(page.locator(".saved-what")).to_be_visible()
    tap(page.get_by_role("button", name="Play on"))
    expect(page.locator(".where")).to_contain_text(" 2")


def hand(page: Page) -> Locator:
    return page.get_by_role("form", name="Your hand")


def tap(target: Locator) -> None:
    """Tap what leads on, and wait for the page it leads to.

    A tap returns before the next page is there, and what is counted in between is
    nothing. The whole hand stands in the address, so that every tap changes it.
    """
    page, before = target.page, target.page.url
    target.click()
    page.wait_for_url(lambda address: address != before)


def amiss(page: Page) -> list[str]:
    return [*violations(page), *looks.too_wide(page, 320), *looks.too_small(page)]


def play_on(page: Page) -> str:
    """Tap what can be tapped until the hand is over; return what was said of a wrong card."""
    said = ""
    for _ in range(MOST_TAPS):
        if not hand(page).count():
            return said
        wrong = page.locator(".own-cards .not-now").first
        if not said and wrong.count():
            tap(wrong)
            said = page.get_by_role("alert").inner_text()
        move(page)
    raise AssertionError("the hand does not end")


def move(page: Page) -> None:
    """Make the first move that the page has, as a finger would."""
    picks = page.locator(".own-cards .pick")
    if picks.count():
        for pick in (picks.last, page.locator(".middle .pick").first):
            if not pick.get_by_role("checkbox").is_checked():
                pick.click()
        tap(page.get_by_role("button", name="Swap"))
        return
    ways = (
        ".offers .button.primary",
        ".own-cards button:not(.not-now)",
        ".own-cards a",
        ".offers .button",
    )
    places = (page.locator(f"#mine {way}") for way in ways)
    tap(next(way for way in places if way.count()).first)
