"""The sheet in somebody's hand: six taps, no scroll, and nothing typed that is lost or said twice."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser import phones, waiting_hall, waiting_phones
from tests.browser.reader import Reader
from tests.browser.rest import settle
from tests.browser.visiting import Visitors, sign_in
from tests.browser.waiting_hall import PAIRS
from tests.browser.waiting_phones import Phones, Table, hold
from tests.serving import wait_until

# What the bars of a phone's browser leave of the usual screen, and a small one.
SCREENS = [{"width": 390, "height": 664}, {"width": 360, "height": 640}]
COUNTS = ((7, 0), (5, 0)), ((4, 8), (7, 2)), ((6, 4), (5, 6))


def keys(page: Page) -> Locator:
    return page.get_by_role("group", name="Number pad").get_by_role("button")


def out_of_sight(page: Page) -> list[str]:
    """Return what of the sheet lies outside the screen, or under something else."""
    settle(page)
    hidden: list[str] = page.evaluate(
        """() => [...document.querySelectorAll(".score label, .score input, [data-pad] button, .save")]
          .filter((part) => {
            const { left, right, top, bottom } = part.getBoundingClientRect();
            const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
            return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight
              || !(part.contains(there) || there?.contains(part));
          }).map((part) => part.outerHTML.slice(0, 80))"""
    )
    return hidden + [f"scrolled to {top}" for top in [page.evaluate("scrollY")] if top]


def expect_in_sight(page: Page) -> None:
    """See that nothing of the sheet is out of sight, once a page that was just saved has moved on."""
    wait_until(lambda: not out_of_sight(page))


@pytest.mark.parametrize("screen", SCREENS, ids=["390x664", "360x640"])
def test_every_hand_is_six_taps_and_no_scroll(
    hall: Phones, table: Table, screen: dict[str, int]
) -> None:
    reader = Reader(hall.come(viewport=screen))
    page = reader.page
    page.goto(table.path)

    for number, counts in enumerate(COUNTS, start=1):
        expect_in_sight(page)
        before = reader.taps
        for side, digits in enumerate(counts):
            if side:
                reader.tap(keys(page).and_(page.get_by_label("Next side")))
            for digit in digits:
                reader.tap(keys(page).and_(page.get_by_text(str(digit), exact=True)))
        expect_in_sight(page)
        reader.tap(page.locator("button.save"))
        phones.expect_saved(page, number)
        assert reader.taps - before == 6

    expect_in_sight(page)
    assert table.hands() == [[70, 50], [48, 72], [64, 56]]


def test_the_keys_stand_in_one_order_in_every_size(hall: Phones, table: Table) -> None:
    page = hall.at(table)
    browser = page.context.new_cdp_session(page)
    orders = set()

    for size in (16, 24, 32):
        browser.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size}})
        settle(page)
        places = [(key.bounding_box(), key.inner_text()) for key in keys(page).all()]
        read = sorted(places, key=lambda place: (place[0]["y"], place[0]["x"]))  # type: ignore[index]
        orders.add("".join(text for _box, text in read))

    assert orders == {"123456789⌫0↓"}


# Stops the timers of a page that have this length, so that a slow machine has time to look.
NEVER = """
(milliseconds) => {
  const later = window.setTimeout;
  window.setTimeout = (act, wait, ...more) => (wait === milliseconds ? 0 : later(act, wait, ...more));
}
"""


@pytest.fixture
def on_its_way(hall: Phones, table: Table) -> tuple[Page, list[Route]]:
    """Let a phone press *Save*, and hold back what it sends."""
    page = hall.at(table)
    held = hold(page, "**/t/*/", method="POST")
    waiting_phones.write(page, 70, 50)
    page.evaluate(NEVER, 1500)  # ``PATIENCE`` of save.js
    with page.expect_request(lambda sent: sent.method == "POST" and sent.url.endswith(table.path)):
        phones.save(page)
    expect(page.locator(".save-verb")).to_have_text("Saving…")
    return page, held


def test_a_sheet_on_its_way_takes_no_typing(on_its_way: tuple[Page, list[Route]]) -> None:
    page, held = on_its_way

    keys(page).first.dispatch_event("click")
    page.keyboard.type("9")

    counts = page.locator("[data-sheet] .score input")
    assert [count.input_value() for count in counts.all()] == ["70", "50"]
    assert page.locator("[data-sheet] .scores").evaluate("(part) => part.inert")
    held[0].continue_()
    phones.expect_saved(page, 1)
    keys(page).first.click()
    expect(counts.first).to_have_value("1")


def read_aloud(page: Page) -> list[str]:
    """Return what a screen reader is told as it comes, of places that were there before."""
    nodes: list[dict[str, Any]] = page.context.new_cdp_session(page).send(
        "Accessibility.getFullAXTree"
    )["nodes"]
    by_id = {node["nodeId"]: node for node in nodes}

    def text(node: dict[str, Any]) -> str:
        own = node.get("name", {}).get("value", "") if not node.get("childIds") else ""
        return own + "".join(text(by_id[key]) for key in node.get("childIds", []) if key in by_id)

    return [text(node) for node in nodes if node.get("role", {}).get("value") == "status"]


def test_a_saved_hand_is_read_aloud_and_the_next_is_typed_at_once(
    hall: Phones, table: Table
) -> None:
    page = hall.at(table)
    waiting_phones.saved(page, 1, 70, 50)

    expect(phones.total(page, PAIRS[0])).to_be_focused()
    assert any("Hand 1 saved: 70–50" in said for said in read_aloud(page))
    page.keyboard.type("64")
    expect(phones.total(page, PAIRS[0])).to_have_value("64")


def test_no_key_moves_while_a_count_is_typed(hall: Phones, table: Table) -> None:
    page = hall.at(table, viewport=SCREENS[0])
    page.evaluate(NEVER, 2000)  # ``UNTIL_THE_NEXT_DIGIT`` of check.js
    phones.total(page, PAIRS[0]).fill("70")
    field = phones.total(page, PAIRS[1])
    before = keys(page).first.bounding_box()

    with page.expect_response("**/check/"):
        field.fill("5")  # for now 75, which is too few

    expect(page.locator("[data-save-why]")).to_have_text("")
    assert keys(page).first.bounding_box() == before
    field.fill("48")
    expect(page.locator("[data-save-why]")).to_contain_text("Is a Queen missing?")
    told = keys(page).first.bounding_box()
    field.fill("5")
    assert keys(page).first.bounding_box() == told
    field.fill("50")
    phones.expect_says(page, f"{PAIRS[0]} win · 1 VP")


def test_what_is_wrong_is_said_once_and_covers_no_key(hall: Phones, table: Table) -> None:
    page = hall.at(table, viewport=SCREENS[0])
    waiting_phones.write(page, 70, 48)
    phones.save(page)
    phones.expect_refused(page, "Is a Queen missing?")

    expect_in_sight(page)
    assert page.locator("main").inner_text().count("Is a Queen missing?") == 1
    waiting_phones.write(page, 70, 50)
    phones.expect_says(page, f"{PAIRS[0]} win · 1 VP")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_save_names_the_points_in_full_where_there_is_room(hall: Phones, table: Table) -> None:
    for width, points in ((360, "1 VP"), (600, "1 victory point")):
        page = hall.at(table, viewport={"width": width, "height": 664})

        waiting_phones.write(page, 70, 50)

        phones.expect_says(page, f"{PAIRS[0]} win · {points}")
        save = page.get_by_role("button", name=f"win · {points}")
        assert save.evaluate("save => save.lastElementChild.getClientRects().length") == 1


def test_a_phone_on_which_nobody_typed_says_why_it_moved_on(hall: Phones, table: Table) -> None:
    writes, other = hall.at(table), hall.at(table)
    waiting_phones.write(writes, 70, 50)
    phones.save(writes)

    expect(other.locator("#saved")).to_contain_text("Hand 1, from another phone: 70–50")
    expect(other.locator(".save-verb")).to_have_text("Save hand 2")
    expect(other.get_by_role("button", name="Undo")).to_have_count(0)


def test_one_tap_undoes_the_last_hand(hall: Phones, table: Table) -> None:
    page = hall.at(table)
    waiting_phones.saved(page, 1, 70, 50)
    page.goto(table.path)  # also after a while

    page.get_by_role("button", name="Undo").tap()

    expect(page.get_by_text("Hand 1 was undone.")).to_be_visible()
    page.get_by_role("button", name="Bring it back").tap()
    phones.expect_saved(page, 1)
    assert table.hands() == [[70, 50]]


def test_the_last_hand_is_changed_by_two_taps_and_its_new_figures(
    hall: Phones, table: Table
) -> None:
    page, other = hall.come(), hall.come()
    reader = Reader(page)
    for phone in (page, other):
        phone.goto(table.path)
    for number, totals in enumerate(((70, 50), (40, 80)), start=1):
        waiting_phones.saved(page, number, *totals)
    expect(other.locator(".save-verb")).to_have_text("Save hand 3")

    reader.tap(page.get_by_role("button", name="Undo"))
    for side, was in zip(PAIRS, ("40", "80"), strict=True):
        expect(phones.total(page, side)).to_have_value(was)
    expect(page.locator(".save-verb")).to_have_text("Save hand 2")
    expect(page.locator("#head")).to_contain_text("Hand 2")
    # The other phone is told, and has no figures that are not its own.
    expect(other.get_by_text("Hand 2 was undone: write it down again.")).to_be_visible()
    expect(phones.total(other, PAIRS[0])).to_have_value("")
    waiting_phones.write(page, 44, 76)
    reader.tap(page.locator("button.save"))

    phones.expect_saved(page, 2)
    assert reader.taps == 2
    expect(page.locator(".save-verb")).to_have_text("Save hand 3")
    expect(phones.total(page, PAIRS[0])).to_have_value("")
    expect(other.locator(".save-verb")).to_have_text("Save hand 3")
    assert table.hands() == [[70, 50], [44, 76]]
    assert table.verdicts() == [[1, "accepted"], [2, "accepted"], [2, "accepted"]]


def test_two_counts_are_one_line_above_a_sheet_that_stays_in_sight(
    hall: Phones, table: Table
) -> None:
    ours, theirs = hall.come(viewport=SCREENS[0]), hall.come()
    for page, counts in ((ours, (70, 50)), (theirs, (50, 70))):
        page.goto(table.path)
        waiting_phones.write(page, *counts)
    phones.save(ours)
    phones.expect_saved(ours, 1)
    phones.save(theirs)
    theirs.get_by_role("button", name="It is hand 1: we count differently").click()
    line = ours.locator("#conflicts")
    expect(line).to_contain_text("Hand 1: 70–50 or 50–70?")

    assert out_of_sight(ours) == []
    box = line.locator("details").bounding_box()
    assert box is not None
    assert box["height"] <= 48
    phones.settle_two_counts(ours, "Take this one")
    assert table.hands() == [[50, 70]]


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
    phone: Page, visitors: Visitors, table: Table, how: Callable[[Reader], None], taps: int
) -> None:
    phone.goto(table.path)
    waiting_phones.saved(phone, 1, 70, 50)
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
