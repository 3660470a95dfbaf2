"""The bell rings once when time is up, softly before it, and not again at every look at the site."""

from playwright.sync_api import Page, Route, StorageState, expect

from tests.browser.laid import Club
from tests.browser.visiting import Visitors

# What a look at the site brings: a clock with so much left, in the place of the one before.
_LOOK = """
left => {
  document.querySelector("#heard")?.remove();
  document.querySelector("main").insertAdjacentHTML("beforeend",
    `<p class="clock" role="timer" id="heard"><span class="clock-time" data-clock="${left}"
      data-bell-of="heard" data-warned="180" data-up="Time is up" data-over="{minutes} min over"
      ></span></p>`);
}
"""


def look(page: Page, left: int, *, then: int = 2) -> None:
    """Let a look bring a clock with so many seconds left, and some seconds pass."""
    page.evaluate(_LOOK, left)
    page.clock.run_for(then * 1000)


def played(page: Page) -> str | None:
    return page.locator("[data-sound]").get_attribute("data-played")


def test_the_bell_rings_once_and_a_soft_sound_comes_before(
    visitors: Visitors, club: Club, organiser: StorageState
) -> None:
    page = visitors.laptop(storage_state=organiser)
    page.clock.install()
    page.goto(club.pages["night-display"])
    button = page.locator("[data-sound]")
    expect(button).to_have_attribute("aria-pressed", "false")

    look(page, 2)  # nobody has turned the sound on yet
    look(page, 400)
    button.click()
    silent = played(page)
    look(page, 182, then=1)
    before = played(page)
    look(page, 180)
    look(page, 175)
    warned = played(page)
    near = page.locator("#heard").get_attribute("class")
    look(page, 2, then=3)
    look(page, 0)
    look(page, -15)
    rung = played(page)
    expect(page.locator("#heard")).to_have_text("Time is up")
    look(page, -125)
    expect(page.locator("#heard")).to_have_text("2 min over")
    look(page, 300)  # the table was given more minutes
    look(page, 170)
    look(page, 1, then=3)

    assert (silent, before) == (None, None)
    assert (warned, near) == ("warning", "clock near")
    assert rung == "warning bell"
    assert played(page) == "warning bell warning bell"


def test_on_the_organisers_phone_it_can_be_turned_off_again(
    visitors: Visitors, club: Club, organiser: StorageState
) -> None:
    page = visitors.phone(host="127.0.0.1", storage_state=organiser)
    page.clock.install()
    page.goto(club.pages["night"])
    page.get_by_text("More: display, clock").click()
    button = page.locator("[data-sound]")

    button.tap()
    expect(button).to_have_attribute("aria-pressed", "true")
    button.tap()
    expect(button).to_have_attribute("aria-pressed", "false")
    look(page, 10)
    look(page, 1, then=3)

    assert played(page) is None


def test_the_sound_stays_on_when_the_page_follows_what_is_played(
    visitors: Visitors, club: Club, organiser: StorageState
) -> None:
    page = visitors.laptop(storage_state=organiser)
    page.goto(club.pages["night"])
    page.get_by_text("More: display, clock").click()
    button = page.locator("[data-sound]")
    button.click()

    def change(route: Route) -> None:
        asked = {name: value for name, value in route.request.headers.items() if name[:3] != "if-"}
        answer = route.fetch(headers=asked)
        moved = answer.text().replace("<small>", "<small>Moved to the garden, ", 1)
        route.fulfill(response=answer, body=moved)

    page.route(page.url, change)

    expect(page.locator("header h1")).to_contain_text("Moved to the garden")
    expect(button).to_be_visible()
    expect(button).to_have_attribute("aria-pressed", "true")
