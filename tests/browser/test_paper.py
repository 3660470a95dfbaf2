"""A paper is typed without leaving the number keys: 70 Return 50 Return."""

import re
from pathlib import Path

from playwright.sync_api import Page, StorageState, expect

from tests.browser.laid import Club
from tests.browser.visiting import Visitors


def cell(page: Page, line: int, whose: str) -> str:
    return f"Line {line}: How much did each side eat? {whose}"


def test_return_goes_from_cell_to_cell_and_lines_show_their_sums(desk: Page, club: Club) -> None:
    desk.goto(club.pages["paper, nothing written"])
    line = desk.locator("[data-line]").nth(0)

    expect(desk.get_by_label(cell(desk, 1, "Asha & Juma"))).to_be_focused()
    sum_of_line = line.locator("[data-line-sum]")
    for typed in ("80", "30"):
        desk.keyboard.type(typed)
        desk.keyboard.press("Enter")
    expect(sum_of_line).to_have_class("sum bad")
    desk.get_by_label(cell(desk, 1, "Neema & Baraka")).fill("40")
    desk.keyboard.press("Enter")

    expect(sum_of_line).to_have_text("120")
    expect(sum_of_line).to_have_class("sum good")
    expect(desk.get_by_label(cell(desk, 2, "Asha & Juma"))).to_be_focused()
    desk.get_by_role("button", name="Save", exact=True).click()
    expect(desk.get_by_text("Table 1 saved: 1 new result.")).to_be_visible()
    expect(desk.locator("[data-line]").nth(0)).to_contain_text("80–40")


def test_cards_and_papers_can_be_printed(desk: Page, club: Club, tmp_path: Path) -> None:
    for name in (
        "print-cards",
        "print-seats",
        "print-sheets, albastini",
        "print-results, of forty",
    ):
        desk.goto(club.pages[name])
        expect(desk.get_by_role("button", name="Print")).to_be_visible()
        printed = desk.pdf(path=tmp_path / "printed.pdf", format="A4")
        assert printed.startswith(b"%PDF")
        desk.emulate_media(media="print")
        expect(desk.locator(".site-header")).to_be_hidden()
        desk.emulate_media(media="null")  # a PDF is of the medium that is emulated
    expect(desk.locator("tbody tr")).to_have_count(40)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1


def test_on_a_phone_every_box_stands_below_its_head_and_is_seen_whole(
    mobile: Page, club: Club
) -> None:
    for game, named in (
        ("albastini", "Asha & Juma"),
        ("briscola", "Asha & Juma"),
        ("dalmuti", "Asha"),
        ("mambassa", "How did the deal end?"),
    ):
        mobile.goto(club.pages[f"paper, {game}"])
        if not mobile.locator(".paper-more").evaluate("(fold) => fold.open"):
            mobile.locator(".paper-more summary").click()
        line = mobile.locator("[data-line]").nth(0)
        boxes = line.locator("input:not([type=hidden]), select")
        for box in boxes.all():
            place = box.bounding_box()
            assert place is not None
            assert place["x"] + place["width"] <= 390, game
        head = mobile.locator(".paper-names > span").first
        expect(head).to_have_text(named)
        expect(head).to_be_visible()
        above, below = head.bounding_box(), boxes.first.bounding_box()
        assert above is not None
        assert below is not None
        assert abs(above["x"] - below["x"]) <= 1, game


def test_score_sheets_are_seen_whole_on_a_phone(mobile: Page, club: Club) -> None:
    for name, path in club.pages.items():
        if name.startswith(("print-sheets", "print-blank")):
            mobile.goto(path)
            for sheet in mobile.locator(".print-paper .scroll").all():
                assert sheet.evaluate("(box) => box.scrollWidth <= box.clientWidth"), name


def test_on_a_laptop_what_is_seldom_written_takes_no_column(desk: Page, club: Club) -> None:
    desk.goto(club.pages["paper, nothing written"])

    expect(desk.get_by_role("columnheader", name="Dealt")).to_be_visible()
    uncounted = desk.get_by_role("columnheader", name="Nobody counted the cards?")
    expect(uncounted).to_have_count(0)
    desk.locator(".paper-more summary").click()
    expect(uncounted).to_be_visible()


def test_a_phone_shows_four_lines_and_asks_for_the_rest_in_a_fold(
    visitors: Visitors, club: Club, organiser: StorageState
) -> None:
    page = visitors.phone(
        host="127.0.0.1", storage_state=organiser, viewport={"width": 390, "height": 664}
    )
    page.goto(club.pages["paper, nothing written"])

    lines = page.locator("[data-line]")
    fourth, bar = lines.nth(3).bounding_box(), page.locator(".site-nav").bounding_box()
    assert fourth is not None
    assert bar is not None
    assert fourth["y"] + fourth["height"] <= bar["y"]
    dealt = page.get_by_label("Line 1: Who dealt?")
    expect(dealt).to_be_hidden()
    page.locator(".paper-more summary").click()
    expect(dealt).to_be_visible()
    turns = [
        page.get_by_label(f"Line {line}: Who dealt?").locator("option").first.text_content() or ""
        for line in (1, 2, 3)
    ]
    assert [turn.endswith(", by the rule") for turn in turns].count(True) == 1  # the coming hand
