"""The pile counted at the table by tapping its cards: on a phone, and without a script."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import looks
from tests.browser.laid import Club
from tests.browser.visiting import Scheme, Visitors, violations

OURS, THEIRS = "Asha & Juma", "Neema & Baraka"


def begin(page: Page, club: Club, game: str) -> None:
    page.goto(club.pages[f"table, {game}"])
    page.get_by_text("Count a pile of cards").click()


def whose(page: Page, side: str) -> None:
    pile = page.get_by_role("group", name="Which side’s pile?")
    pile.get_by_role("radio", name=side).check()


def tap(page: Page, *cards: str) -> None:
    for card in cards:
        page.get_by_role("checkbox", name=card, exact=True).check()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_pile_fills_in_the_sheet_as_it_is_tapped(
    visitors: Visitors, club: Club, scheme: Scheme
) -> None:
    page = visitors.phone(color_scheme=scheme)
    begin(page, club, "briscola")

    tap(page, "Ace of coins", "3 of cups")
    expect(page.locator("[data-pile-sum]")).to_have_text("21")
    whose(page, THEIRS)
    expect(page.get_by_role("textbox", name=THEIRS)).to_have_value("21")
    tap(page, "King of swords")
    expect(page.get_by_role("textbox", name=THEIRS)).to_have_value("25")
    whose(page, OURS)
    tap(page, "Ace of coins")

    expect(page.get_by_role("textbox", name=OURS)).to_have_value("11")
    expect(page.get_by_role("textbox", name=THEIRS)).to_have_value("25")
    expect(page.get_by_role("button", name="Use this count")).to_be_hidden()
    assert [*violations(page), *looks.too_wide(page, 320), *looks.too_small(page)] == []


def test_a_pile_is_counted_without_javascript(visitors: Visitors, club: Club) -> None:
    page = visitors.phone(java_script_enabled=False)
    begin(page, club, "albastini")

    whose(page, OURS)
    tap(page, "Ace of spades", "7 of hearts")
    page.get_by_role("button", name="Use this count").click()

    expect(page.get_by_role("textbox", name=OURS)).to_have_value("21")
    expect(page.get_by_role("alert")).to_have_count(0)
