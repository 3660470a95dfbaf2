"""What people do with a phone at a table."""

import re
from collections.abc import Sequence

from playwright.sync_api import Locator, Page, expect

from tests.browser.book import Table
from tests.browser.club import Laid
from tests.browser.rest import settle


def scan(page: Page, table: Laid) -> None:
    """Come to a table by the QR code of its card."""
    page.goto(table.card)
    _expect_table(page, table)


def type_code(page: Page, table: Laid) -> None:
    """Come to a table by the code on its card."""
    page.goto("/card/")
    page.get_by_label("code").fill(table.code.lower())
    page.get_by_role("button", name="Go to the table").click()
    _expect_table(page, table)


def _expect_table(page: Page, table: Laid) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Table {table.number}")


def expect_turn(page: Page, table: Table) -> None:
    """See on the page who deals and leads, and of which hand."""
    heads = page.locator("header.page-head")
    expect(heads.locator(".where")).to_contain_text(f"Hand {len(table.hands) + 1}")
    expect(heads.locator(".deals")).to_contain_text(f"{table.deals} deals")
    expect(heads.locator(".deals")).to_contain_text(f"{table.leads} leads")


def total(page: Page, who: str) -> Locator:
    """Return where a side's count is written."""
    return page.get_by_role("textbox", name=who, exact=True)


def dealer(page: Page) -> str:
    """Return who deals, as the page says."""
    page.wait_for_load_state()
    return page.locator(".deals .dealer-badge").inner_text().strip().removesuffix(" deals")


def write(page: Page, table: Table, totals: Sequence[int]) -> None:
    """Type what every side ate."""
    type_totals(page, [table.called(side) for side in range(len(totals))], totals)


def type_totals(page: Page, sides: Sequence[str], totals: Sequence[int]) -> None:
    """Type the totals on the page's own pad, a side after the other."""
    pad = page.get_by_role("group", name="Number pad")
    total(page, sides[0]).click()
    for side, eaten in zip(sides, totals, strict=True):
        expect(total(page, side)).to_be_focused()
        for digit in str(eaten):
            pad.get_by_role("button", name=digit, exact=True).click()
        expect(total(page, side)).to_have_value(str(eaten))
        pad.get_by_role("button", name="Next side").click()


def expect_says(page: Page, sentence: str) -> None:
    """See what the button says it is about to save."""
    expect(page.locator(".save-says")).to_have_text(sentence)


def save(page: Page) -> None:
    """Press the button that speaks."""
    page.locator("button.save").click()


def report(page: Page, table: Table, totals: Sequence[int], left_over: str | None = None) -> None:
    """Write a hand down and see it saved; what it should say is in the book."""
    number = len(table.hands) + 1
    write(page, table, totals)
    if left_over is not None:
        group = page.get_by_role("group", name="Which card was left over?")
        label = "6–3" if left_over in "6543" else left_over
        group.get_by_role("radio", name=label, exact=True).check()
    save(page)
    expect_saved(page, number)


def speak_for(page: Page, who: str) -> None:
    """Say which side writes this down."""
    page.get_by_text("Who dealt, and other details").click()
    page.get_by_label("Who writes this down?").select_option(label=who)


def park(page: Page, winner: str) -> None:
    """Leave a hand to the organiser, and say only who won."""
    leave = page.locator("button", has_text="leave it to the organiser")
    expect(leave).to_be_attached()  # folded away perhaps, but the page is there
    settle(page)
    if not leave.is_visible():
        page.locator("summary", has_text="It won’t add up").click()
    page.get_by_role("radio", name=winner, exact=True).check()
    leave.click()


def settle_two_counts(page: Page, button: str) -> None:
    """Open the line that says that there are two counts, and choose."""
    page.locator("summary", has_text="Settle").click()
    page.get_by_role("button", name=button).click()
    expect(page.locator("summary", has_text="Settle")).to_have_count(0)


def expect_saved(page: Page, number: int) -> None:
    """See that a hand has arrived."""
    said = page.locator(".receipt .saved-what")
    expect(said).to_have_text(re.compile(rf"^\s*\w+ {number}\b"))


def expect_refused(page: Page, sentence: str) -> None:
    """See a sentence that a player understands, and that nothing was saved."""
    alert, look = page.get_by_role("alert"), page.get_by_role("button", name="Look at it")
    expect(alert.or_(look).first).to_be_visible()
    if look.is_visible():  # on a slow machine the phone went on before the club said no
        look.click()
    expect(alert).to_contain_text(sentence)
    expect(page.locator(".receipt")).to_have_count(0)
