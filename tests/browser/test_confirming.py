"""Two phones at a table where both sides must agree: yes, no, taken back, and the round closed."""

import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser import club, phones
from tests.browser.visiting import Visitors, violations

FOUR = ("Asha", "Neema", "Juma", "Baraka")


@dataclass(frozen=True)
class BothSides:
    """A table with a phone on either side, and the desk that runs the night."""

    desk: Page
    ours: Page
    theirs: Page
    sides: list[str]

    def write(self, phone: Page, eaten: tuple[int, int]) -> None:
        phones.type_totals(phone, self.sides, eaten)
        phones.save(phone)
        phone.wait_for_url("**saved=*")


@pytest.fixture
def both(visitors: Visitors, owner: StorageState) -> BothSides:
    desk = visitors.laptop(storage_state=owner)
    club.make_club(desk, "Both agree")
    club.add_players(desk, sorted(FOUR))
    (laid,) = club.play_tonight(desk, "Albastini", FOUR)
    _both_must_agree(desk)
    ours, theirs = visitors.phone(), visitors.phone()
    for phone in (ours, theirs):
        phones.scan(phone, laid)
        expect(phone.get_by_role("heading", name="Which side are you?")).to_be_visible()
        assert violations(phone) == []
    sides = ours.locator("#which-side button.big").all_inner_texts()
    for phone, side in zip((ours, theirs), sides, strict=True):
        phone.get_by_role("button", name=side).click()
        expect(phone.get_by_text(f"This phone is with {side}.")).to_be_visible()
    return BothSides(desk, ours, theirs, sides)


def _both_must_agree(desk: Page) -> None:
    """From the night's page, change the tournament; then come back."""
    here = desk.url
    desk.get_by_role("link", name="Standings").first.click()
    desk.get_by_role("link", name="Desk", exact=True).click()
    desk.get_by_text("Settings, prizes, bonus points, file").click()
    desk.get_by_role("link", name="Settings").click()
    desk.get_by_role("radio", name="another side at the table").check()
    desk.get_by_role("button", name="Save").click()
    expect(desk).to_have_url(re.compile("/desk/"))
    desk.goto(here)


def test_the_other_side_says_yes(both: BothSides) -> None:
    ours, theirs, (our_side, their_side) = both.ours, both.theirs, both.sides
    both.write(ours, (70, 50))
    expect(ours.locator(".saved-what")).to_contain_text("70–50")
    expect(ours.get_by_text(f"{their_side} must still say yes").first).to_be_visible()

    theirs.goto(theirs.url)
    asked = theirs.get_by_role("heading", name=f"{our_side} 70, {their_side} 50: is that right?")
    expect(asked).to_be_visible()
    assert violations(theirs) == []
    theirs.get_by_role("button", name="Yes").click()

    expect(theirs.get_by_text("Thank you: your counts agree.")).to_be_visible()
    expect(asked).to_have_count(0)


def test_the_other_side_says_no_and_one_count_is_taken(both: BothSides) -> None:
    both.write(both.ours, (64, 56))
    both.theirs.goto(both.theirs.url)
    both.theirs.get_by_role("link", name="No, we counted…").click()
    both.write(both.theirs, (62, 58))
    expect(both.theirs.get_by_text("both counts are kept")).to_be_visible()

    both.ours.goto(both.ours.url.partition("?")[0])
    phones.settle_two_counts(both.ours, "Take this one")

    both.ours.locator("summary", has_text="Hand 1").click()
    expect(both.ours.locator("#so-far ~ details")).to_contain_text("62–58")


def test_a_hand_is_taken_back_and_a_round_closed_over_one_that_waits(both: BothSides) -> None:
    desk, theirs = both.desk, both.theirs
    both.write(theirs, (80, 40))
    theirs.goto(theirs.url.partition("?")[0])  # also after a reload
    theirs.locator("summary", has_text="Hand 1").click()
    theirs.get_by_role("button", name="Take hand 1 back").click()
    expect(theirs.get_by_text("Hand 1 was undone.")).to_be_visible()
    assert violations(theirs) == []
    theirs.get_by_role("button", name="Bring it back").click()
    expect(theirs.get_by_text(f"{both.sides[0]} must still say yes").first).to_be_visible()

    desk.get_by_role("link", name="Close round 1").first.click()
    expect(desk.get_by_text("1 unconfirmed result")).to_be_visible()
    assert violations(desk) == []
    desk.get_by_role("radio", name="Confirm them").check()
    desk.get_by_role("button", name="Close, results may still come in").click()
    expect(desk.get_by_text("Round 1 is closed.")).to_be_visible()
