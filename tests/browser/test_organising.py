"""What organisers tap and look at: nothing moves, is covered, or has to be scrolled to."""

import pytest
from playwright.sync_api import Locator, StorageState, expect

from tests.browser.laid import Club
from tests.browser.rest import settle
from tests.browser.visiting import Visitors

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


def test_a_draw_breaks_no_name_and_no_button(
    visitors: Visitors, club: Club, organiser: StorageState
) -> None:
    page = visitors.phone(host="127.0.0.1", viewport=SIZES[0], storage_state=organiser)
    for name in ("draw, drawn", "draw, each alone"):
        page.goto(club.pages[name])
        lines = page.locator(
            ".draw-actions .button, .draw-summary, .draw-table .face"
        ).evaluate_all(
            """all => all.map(each => {
              const words = document.createRange();
              words.selectNodeContents(each);
              const tops = [...words.getClientRects()].map(line => Math.round(line.top));
              return [each.textContent.trim(), new Set(tops).size];
            }).filter(([words, lines]) => lines > 1)"""
        )
        assert lines == []
