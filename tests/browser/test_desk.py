"""The organiser's desk in the hand: short, one thing to do, and the next round in three taps."""

from playwright.sync_api import Page, StorageState, ViewportSize, expect

from tests.browser import club as clubs, draws
from tests.browser.laid import Club
from tests.browser.looks import narrow, walk
from tests.browser.overlaps import in_large_letters
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


def test_a_draw_fits_in_any_letters_and_says_each_thing_once(
    visitors: Visitors, club: Club, organiser: StorageState
) -> None:
    page = visitors.phone(host="127.0.0.1", storage_state=organiser)
    drawn = {name: club.pages[name] for name in ("draw, drawn", "draw, each alone")}

    assert walk(page, drawn, narrow, in_large_letters) == {}
    page.goto(drawn["draw, drawn"])
    said = page.get_by_role("main").inner_text()
    assert [said.count(words) for words in ("only you", "Only you", "Sitting out")] == [1, 0, 1]
    expect(page.locator(_FILLED).filter(visible=True)).to_have_text(["Open round 2"])


def _tap_in_sight(page: Page, act: str) -> None:
    """Tap the one filled button of a page, to which nobody has to scroll."""
    button = page.get_by_role("button", name=act)
    expect(button).to_be_in_viewport(ratio=1)
    expect(page.locator(_FILLED).filter(visible=True)).to_have_text([act])
    button.tap()
