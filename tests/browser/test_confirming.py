"""Two phones at a table where both sides must agree: yes, no, taken back, and the round closed."""

from playwright.sync_api import Page, StorageState, expect

from tests.browser import club, phones
from tests.browser.visiting import Visitors, violations

FOUR = ("Asha", "Neema", "Juma", "Baraka")


def test_two_sides_agree(visitors: Visitors, owner: StorageState) -> None:
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
        expect(phone.get_by_text(f"This phone speaks for {side}.")).to_be_visible()

    _write(ours, sides, (70, 50))
    expect(ours.locator(".saved-what")).to_contain_text("70–50")
    expect(ours.get_by_text(f"Hand 1 waits for {sides[1]}").first).to_be_visible()
    theirs.goto(theirs.url)
    asked = theirs.get_by_role("heading", name=f"{sides[0]} 70, {sides[1]} 50: is that right?")
    expect(asked).to_be_visible()
    assert violations(theirs) == []
    theirs.get_by_role("button", name="Yes").click()
    expect(theirs.get_by_text("Thank you: your counts agree.")).to_be_visible()
    expect(asked).to_have_count(0)

    _write(ours, sides, (64, 56))
    theirs.goto(theirs.url)
    theirs.get_by_role("link", name="No, we counted…").click()
    _write(theirs, sides, (62, 58))
    expect(theirs.get_by_text("both counts are kept")).to_be_visible()
    ours.goto(ours.url.partition("?")[0])
    ours.get_by_role("button", name="Take this one").click()

    _write(theirs, sides, (80, 40))
    theirs.goto(theirs.url.partition("?")[0])  # also after a reload
    theirs.locator("summary", has_text="Hands 1–3").click()
    theirs.get_by_role("button", name="Take hand 3 back").click()
    expect(theirs.get_by_text("Hand 3 was taken back.")).to_be_visible()
    assert violations(theirs) == []
    theirs.get_by_role("button", name="Bring it back").click()
    expect(theirs.get_by_text(f"Hand 3 waits for {sides[0]}").first).to_be_visible()

    desk.get_by_role("link", name="Close round 1").first.click()
    expect(desk.get_by_text("1 result nobody confirmed")).to_be_visible()
    assert violations(desk) == []
    desk.get_by_role("radio", name="I confirm them").check()
    desk.get_by_role("button", name="Close it as it is").click()
    expect(desk.get_by_text("Round 1 is closed.")).to_be_visible()


def _both_must_agree(desk: Page) -> None:
    """From the night's page, change the tournament; then come back."""
    here = desk.url
    desk.get_by_role("link", name="Standings").first.click()
    desk.get_by_role("link", name="Organise").click()
    desk.get_by_role("link", name="Name and rounds").click()
    desk.get_by_role("radio", name="another side must say that it is right").check()
    desk.get_by_role("button", name="Save").click()
    desk.goto(here)


def _write(phone: Page, sides: list[str], eaten: tuple[int, int]) -> None:
    phones.type_totals(phone, sides, eaten)
    phones.save(phone)
    phone.wait_for_url("**saved=*")
