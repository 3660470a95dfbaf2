"""The bell rings once when time is up, softly before it, and not again at every look at the site."""

from playwright.sync_api import Page, Route, expect

from tests.browser.laid import Club

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


def test_the_bell_rings_once_and_a_soft_sound_comes_before(desk: Page, club: Club) -> None:
    desk.clock.install()
    desk.goto(club.pages["night-display"])
    button = desk.locator("[data-sound]")
    expect(button).to_have_attribute("aria-pressed", "false")

    look(desk, 2)  # nobody has turned the sound on yet
    look(desk, 400)
    button.click()
    silent = played(desk)
    look(desk, 190, then=1)
    before = played(desk)
    look(desk, 180)
    look(desk, 175)
    warned = played(desk)
    near = desk.locator("#heard").get_attribute("class")
    look(desk, 2, then=3)
    look(desk, 0)
    look(desk, -15)
    rung = played(desk)
    expect(desk.locator("#heard")).to_have_text("Time is up")
    look(desk, -125)
    expect(desk.locator("#heard")).to_have_text("2 min over")
    look(desk, 300)  # the table was given more minutes
    look(desk, 170)
    look(desk, 1, then=3)

    assert (silent, before) == (None, None)
    assert (warned, near) == ("warning", "clock near")
    assert rung == "warning bell"
    assert played(desk) == "warning bell warning bell"


def test_on_the_organisers_phone_it_can_be_turned_off_again(mobile: Page, club: Club) -> None:
    mobile.clock.install()
    mobile.goto(club.pages["night"])
    mobile.get_by_text("More: display, clock").click()
    button = mobile.locator("[data-sound]")

    button.tap()
    expect(button).to_have_attribute("aria-pressed", "true")
    button.tap()
    expect(button).to_have_attribute("aria-pressed", "false")
    look(mobile, 10)
    look(mobile, 1, then=3)

    assert played(mobile) is None


def test_the_sound_stays_on_when_the_page_follows_what_is_played(desk: Page, club: Club) -> None:
    desk.goto(club.pages["night"])
    desk.get_by_text("More: display, clock").click()
    button = desk.locator("[data-sound]")
    button.click()

    def change(route: Route) -> None:
        asked = {name: value for name, value in route.request.headers.items() if name[:3] != "if-"}
        answer = route.fetch(headers=asked)
        moved = answer.text().replace("<small>", "<small>Moved to the garden, ", 1)
        route.fulfill(response=answer, body=moved)

    desk.route(desk.url, change)

    expect(desk.locator("header h1")).to_contain_text("Moved to the garden")
    expect(button).to_be_visible()
    expect(button).to_have_attribute("aria-pressed", "true")
    desk.unroute_all(behavior="ignoreErrors")  # a look may be under way
