"""A hand that was written down wrongly is right again after five taps, wherever they begin."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import phones, waiting_hall, waiting_phones
from tests.browser.reader import Reader
from tests.browser.rest import settle
from tests.browser.visiting import Visitors, sign_in
from tests.browser.waiting_phones import Table


def _swap(reader: Reader) -> None:
    reader.tap(reader.page.get_by_role("button", name="Swap A and B"))


def _type(reader: Reader) -> None:
    """Type another count; its digits and the return key are keys, and no taps."""
    page = reader.page
    reader.tap(phones.total(page, waiting_hall.PAIRS[0]))
    settle(page)  # until its script is there, the return key sends the form
    for key in ("End", "Backspace", "Backspace", *"50", "Enter", *"70", "Enter"):
        page.keyboard.press(key)
    reader.tap(page.locator("label.tap", has_text="Typing slip"))


@pytest.mark.parametrize(("how", "taps"), [(_swap, 4), (_type, 5)])
def test_an_organiser_corrects_a_hand_in_five_taps(
    visitors: Visitors, table: Table, how: Callable[[Reader], None], taps: int
) -> None:
    phone = visitors.phone()
    phone.goto(table.path)
    waiting_phones.write(phone, 70, 50)
    phones.save(phone)
    phones.expect_saved(phone, 1)
    organiser = _at_the_desk(visitors, table)
    reader = Reader(organiser)

    reader.tap(organiser.get_by_role("region", name="Tables").get_by_role("link").first)
    reader.tap(organiser.get_by_role("link", name="Correct hand 1", exact=True))
    how(reader)
    expect(organiser.get_by_role("heading", level=2).first).to_have_text(
        f"Hand 1: 70–\u206050 becomes 50–\u206070; {waiting_hall.PAIRS[1]} win · 1 victory point."
    )
    reader.tap(organiser.get_by_role("button", name="Apply this correction"))

    expect(organiser.get_by_text("Hand 1 corrected.")).to_be_visible()
    assert table.hands() == [[50, 70]]
    assert reader.taps == taps


def _at_the_desk(visitors: Visitors, table: Table) -> Page:
    organiser = visitors.phone()
    sign_in(organiser, *waiting_hall.ORGANISER)
    organiser.goto(table.desk)
    return organiser
