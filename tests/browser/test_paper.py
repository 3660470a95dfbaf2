"""A paper is typed without leaving the number keys: 70 Return 50 Return."""

from pathlib import Path

from playwright.sync_api import Page, StorageState, expect

from tests.browser.laid import Club
from tests.browser.visiting import Visitors


def cell(page: Page, line: int, whose: str) -> str:
    return f"Line {line}: How much did each side eat? {whose}"


def test_return_goes_from_cell_to_cell_and_lines_show_their_sums(
    visitors: Visitors, club: Club, organiser: StorageState
) -> None:
    page = visitors.laptop(storage_state=organiser)
    page.goto(club.pages["paper, nothing written"])
    line = page.locator("[data-line]").nth(0)

    page.get_by_label(cell(page, 1, "Asha 0 & Juma 0")).focus()
    for typed in ("80", "40"):
        page.keyboard.type(typed)
        page.keyboard.press("Enter")

    expect(line.locator("[data-line-sum]")).to_have_text("120")
    expect(page.get_by_label(cell(page, 2, "Asha 0 & Juma 0"))).to_be_focused()
    page.get_by_role("button", name="Write it down", exact=True).click()
    expect(page.get_by_text("Table 1 is written down. 1 new.")).to_be_visible()
    expect(page.locator("[data-line]").nth(0)).to_contain_text("80–40")


def test_cards_and_papers_can_be_printed(
    visitors: Visitors, club: Club, organiser: StorageState, tmp_path: Path
) -> None:
    page = visitors.laptop(storage_state=organiser)

    for name in ("print-cards", "print-seats", "print-sheets, albastini"):
        page.goto(club.pages[name])
        expect(page.get_by_role("button", name="Print")).to_be_visible()
        printed = page.pdf(path=tmp_path / "printed.pdf", format="A4")
        assert printed.startswith(b"%PDF")
        page.emulate_media(media="print")
        expect(page.locator(".site-header")).to_be_hidden()
        page.emulate_media(media="screen")
