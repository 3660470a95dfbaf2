"""The organiser's pages in the hand: short, one thing to do, and nothing that moves or is covered."""

import pytest
from playwright.sync_api import Locator, Page, StorageState, ViewportSize, expect

from tests.browser import club as clubs, draws
from tests.browser.laid import Club
from tests.browser.looks import narrow, walk
from tests.browser.overlaps import in_large_letters
from tests.browser.rest import settle
from tests.browser.test_hall import first_wins, people
from tests.browser.visiting import Visitors

SMALL: ViewportSize = {"width": 390, "height": 664}
_FILLED = ".button.primary, button.save"


def test_a_hall_of_ten_tables_needs_a_short_desk_and_three_taps_a_round(
    visitors: Visitors, owner: StorageState
) -> None:
    desk = visitors.phone(host="127.0.0.1", storage_state=owner, viewport=SMALL)
    clubs.make_club(desk, "Forty on a small phone")
    draws.make_tournament(desk, "Small Cup", movement="new partners and opponents")
    drawn = draws.draw_first(desk, people(40))

    tables = draws.open_round(desk, 1, drawn)
    codes = desk.locator(".codes figure.qr")
    expect(codes.filter(visible=True)).to_have_count(1)
    assert desk.evaluate("document.scrollingElement.scrollHeight") <= 2500
    for number in (2, 3):
        desk.locator(".codes").get_by_role("link", name="Next table").click()
        expect(desk.locator(".codes h3").filter(visible=True)).to_have_text(f"Table {number}")

    draws.report(visitors.port, tables, first_wins)
    desk.goto(desk.url.partition("#")[0])
    desk.reload()
    expect(codes.filter(visible=True)).to_have_count(0)  # the phones have come
    for act in ("Close round 1", "Next round", "Open round 2"):
        _tap_in_sight(desk, act)
    draws.open_tables(desk)
    expect(codes.filter(visible=True)).to_have_count(0)


def test_a_list_on_a_phone_is_sorted_and_filtered_from_one_line(
    visitors: Visitors, club: Club, organiser: StorageState
) -> None:
    page = visitors.phone(host="127.0.0.1", storage_state=organiser, viewport=SMALL)
    for name in ("tournaments", "hands, albastini", "players"):
        page.set_viewport_size(SMALL)
        page.goto(club.pages[name])
        sort = page.locator(".tools .sort")
        heads = page.locator(".folds thead")
        expect(heads.filter(visible=True)).to_have_count(0)
        lines = page.locator(".tools > details").evaluate_all(
            "(all) => all.map(each => each.getBoundingClientRect().top)"
        )
        assert len(set(lines)) == 1, name
        sort.locator("summary").tap()
        way = sort.get_by_role("link").first
        column = way.inner_text()
        way.tap()
        expect(sort.locator("summary")).to_have_text(f"Sort: {column} ▲")
        page.set_viewport_size({"width": 1280, "height": 800})
        expect(sort).to_be_hidden()
        expect(heads.get_by_role("link", name=column)).to_be_visible()


def test_a_draw_fits_in_any_letters_and_says_each_thing_once(mobile: Page, club: Club) -> None:
    drawn = {name: club.pages[name] for name in ("draw, drawn", "draw, each alone")}

    assert walk(mobile, drawn, narrow, in_large_letters) == {}
    mobile.goto(drawn["draw, drawn"])
    said = mobile.get_by_role("main").inner_text()
    assert [said.count(words) for words in ("only you", "Only you", "Sitting out")] == [1, 0, 1]
    expect(mobile.locator(_FILLED).filter(visible=True)).to_have_text(["Open round 2"])


def _tap_in_sight(page: Page, act: str) -> None:
    """Tap the one filled button of a page, to which nobody has to scroll."""
    button = page.get_by_role("button", name=act)
    expect(button).to_be_in_viewport(ratio=1)
    expect(page.locator(_FILLED).filter(visible=True)).to_have_text([act])
    button.tap()


SIZES = [{"width": 390, "height": 664}, {"width": 1280, "height": 800}]

_HEIGHTS = "all => all.map(each => [each.offsetTop, each.offsetHeight])"


def box_of(found: Locator) -> tuple[int, int, int, int]:
    box = found.bounding_box()
    assert box
    return round(box["x"]), round(box["y"]), round(box["width"]), round(box["height"])


@pytest.mark.parametrize("size", SIZES, ids=["phone", "laptop"])
def test_the_buttons_of_a_correction_are_in_sight(
    visitors: Visitors, club: Club, organiser: StorageState, size: dict[str, int]
) -> None:
    page = visitors.phone(host="127.0.0.1", viewport=size, storage_state=organiser)

    for name in ("hand-correct, albastini", "hand-correct, dalmuti", "hand-correct, previewed"):
        page.goto(club.pages[name])
        for act in page.locator(".decide").first.locator("button, a").all():
            expect(act).to_be_in_viewport(ratio=1)


def test_tapping_names_moves_and_covers_nothing(
    visitors: Visitors, club: Club, organiser: StorageState
) -> None:
    page = visitors.phone(host="127.0.0.1", viewport=SIZES[0], storage_state=organiser)
    page.goto(club.pages["tonight"])
    settle(page)
    taps = page.locator("label.tap:has([name=people]:not(:disabled))")
    before = taps.evaluate_all(_HEIGHTS)
    for tap in taps.all():
        tap.locator("input").check()

    assert taps.evaluate_all(_HEIGHTS) == before
    covered = page.evaluate(
        """() => [...document.querySelectorAll("[name=people]:checked + .face")].filter(face => {
          const name = document.createRange();
          name.selectNodeContents(face.firstChild);
          const turn = face.querySelector(".count").getBoundingClientRect();
          return [...name.getClientRects()].some(
            line => line.right > turn.left + 1 && line.top + 1 < turn.bottom);
        }).map(face => face.textContent)"""
    )
    assert covered == []


def test_whoever_arrives_does_not_move_the_head_of_the_night(
    visitors: Visitors, club: Club, organiser: StorageState
) -> None:
    for size in SIZES:
        page = visitors.phone(host="127.0.0.1", viewport=size, storage_state=organiser)
        page.goto(club.pages["night"])
        settle(page)
        before = box_of(page.locator(".page-head"))
        page.locator("[data-arrive] > summary").click()

        expect(page.get_by_label("Who has arrived?")).to_be_focused()
        assert box_of(page.locator(".page-head")) == before
        for part in (page.get_by_label("Who has arrived?"), page.locator(".arrive button")):
            expect(part).to_be_in_viewport(ratio=1)


def test_all_codes_are_shown_where_there_is_room(
    visitors: Visitors, club: Club, organiser: StorageState
) -> None:
    for size, shown in zip(SIZES, (1, 7), strict=True):
        page = visitors.phone(host="127.0.0.1", viewport=size, storage_state=organiser)
        page.goto(club.pages["desk, about to begin"])
        codes = page.locator("#codes > li:visible")
        expect(codes).to_have_count(shown)
    assert box_of(codes.nth(1))[1] == box_of(codes.first)[1]
