"""A hand of every game against bots, on a phone: from the deal to the sheet it leaves."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from games import catalogue
from tests.browser import laid, looks
from tests.browser.laid import Club
from tests.browser.visiting import PHONE, Visitors, violations
from tests.serving import Site

MODES = {"albastini": "2i", "briscola": "4t2", "dalmuti": "4i", "mambassa": "4i"}
MOST_TAPS = 60
# What is said of the first card tapped that cannot be played, where the deal has such.
REFUSED = {"dalmuti": "Play cards lower than 2; 12 is not."}
LOW = {"viewport": {"width": 390, "height": 664}}  # what the bars of a phone's browser leave
# What sticks to the end of the screen may lie on nothing of the table.
_COVERED = """
() => {
  const [felt, mine] = [".felt", "#mine"].map(each => document.querySelector(each).getBoundingClientRect());
  return [felt.bottom - mine.top, mine.bottom - innerHeight, document.scrollingElement.scrollTop]
    .map(Math.round).map(far => Math.max(0, far));
}
"""


@pytest.mark.parametrize("game", MODES)
def test_a_hand_is_played_from_the_deal_to_the_sheet(phone: Page, club: Club, game: str) -> None:
    phone.goto("/practice/")
    pace(phone, "none")
    phone.get_by_role("main").get_by_role("link", name=catalogue.GAMES[game].name).click()
    phone.get_by_label("How many play?").select_option(MODES[game])
    phone.get_by_role("radio", name="Beginners").check()
    tap(phone.get_by_role("button", name="Deal"))
    expect(phone.get_by_role("region", name="The table")).to_be_visible()

    phone.goto(club.pages[f"practice, {game}, dealt"])  # a hand that is the same every time
    expect(hand(phone)).to_be_visible()
    assert amiss(phone) == []
    tap(phone.get_by_role("link", name="Hint"))
    expect(phone.locator("#mine .note")).to_contain_text("A strong player would ")
    phone.go_back()
    expect(phone.locator("#mine .note")).to_have_count(0)
    refusal = play_on(phone)

    expect(phone.locator("#result")).to_be_visible()
    assert amiss(phone) == []
    assert refusal == REFUSED.get(game, "")
    # What takes the site a while to find comes by itself.
    expect(phone.locator("#closer p")).to_contain_text(re.compile(r"\w"))
    phone.get_by_text("As a table would write it down").click()
    expect(phone.locator("details[open] dd").first).to_be_visible()
    tap(phone.get_by_role("button", name="Replay step by step"))
    expect(phone.get_by_role("group", name="Steps")).to_be_visible()
    assert amiss(phone) == []
    phone.go_back()
    expect(phone.locator("#result")).to_be_visible()
    tap(phone.get_by_role("button", name="Play on"))
    expect(phone.locator(".where")).to_contain_text(" 2")


def test_a_finished_trick_lies_there_until_somebody_taps(phone: Page, club: Club) -> None:
    phone.goto(club.pages["practice, albastini, dealt"])
    sound = phone.get_by_role("button", name="Turn sound")
    expect(sound).to_have_accessible_name("Turn sound on")
    sound.click()
    expect(sound).to_have_accessible_name("Turn sound off")
    onward = phone.get_by_role("link", name="Go on")
    for _ in range(6):  # until somebody else takes a trick and leads on
        move(phone)
        at_rest(phone, onward)
        if onward.count():
            break
    taken = phone.locator(".seat.took")

    expect(phone.locator(".felt.cleared .before .playing-card")).to_have_count(4)
    expect(taken).to_have_count(1)
    assert phone.locator("[role=status]#heard").inner_text().count("eats the trick") == 1
    expect(phone.locator(".mine.waiting")).to_be_visible()
    phone.wait_for_timeout(1_200)  # by itself it goes nowhere
    expect(onward).to_be_visible()
    assert amiss(phone) == []

    phone.locator(".felt").tap()  # anywhere on the table
    expect(onward).to_have_count(0)
    at_rest(phone)
    expect(phone.locator(".own-cards button").first).to_be_enabled()
    played = (sound.get_attribute("data-played") or "").split()
    assert {"card", "take"} <= set(played)


def test_tricks_go_by_themselves_if_wished_and_that_is_remembered(phone: Page, club: Club) -> None:
    phone.goto(club.pages["practice, briscola, dealt"])
    phone.get_by_label("Finished tricks").select_option("go at once")
    phone.reload()
    expect(phone.get_by_label("Finished tricks")).to_have_value("none")

    for _ in range(4):
        move(phone)
        at_rest(phone)
        expect(phone.get_by_role("link", name="Go on")).to_have_count(0)


def test_a_tap_without_a_network_leaves_the_table_standing(
    phone: Page, visitors: Visitors, club: Club
) -> None:
    phone.goto(club.pages["practice, briscola, dealt"])
    pace(phone, "none")
    phone.reload()
    before = phone.url

    phone.route("**/practice/**", lambda route: route.abort())
    phone.locator(".own-cards button").first.click()
    expect(phone.get_by_role("alert")).to_have_text("No answer. Tap again.")
    assert phone.url == before
    visitors.complaints.clear()

    phone.unroute("**/practice/**")
    tap(phone.locator(".own-cards button").first)
    expect(phone.get_by_role("alert")).to_have_count(0)


def test_the_browsers_back_takes_a_move_back(phone: Page, club: Club) -> None:
    phone.goto(club.pages["practice, briscola, dealt"])
    pace(phone, "none")
    phone.reload()
    cards = phone.locator(".own-cards > *").evaluate_all("all => all.map(e => e.dataset.card)")

    tap(phone.locator(".own-cards button").first)
    at_rest(phone)
    phone.go_back()

    expect(phone.locator(f".own-cards [data-card='{cards[0]}']")).to_have_count(1)
    assert cards == phone.locator(".own-cards > *").evaluate_all(
        "all => all.map(e => e.dataset.card)"
    )


def test_after_a_move_the_keyboard_goes_on_from_ones_cards(phone: Page, club: Club) -> None:
    phone.goto(club.pages["practice, briscola, dealt"])
    pace(phone, "none")
    phone.reload()

    tap(phone.locator(".own-cards button").first)
    at_rest(phone)

    expect(phone.locator(".own-cards > :not(.not-now)").first).to_be_focused()


def test_a_swap_looks_dead_until_enough_is_picked(phone: Page, club: Club) -> None:
    phone.goto(club.pages["practice, mambassa, dealt"])
    swap = phone.get_by_role("button", name="Swap")
    expect(swap).to_be_disabled()
    dead = swap.evaluate("button => getComputedStyle(button).backgroundColor")

    phone.locator(".own-cards .pick").last.click()
    phone.locator(".middle .pick").first.click()

    expect(swap).to_be_enabled()
    expect(swap).not_to_have_css("background-color", dead)


def test_on_a_small_phone_every_table_and_ones_cards_are_in_sight(
    visitors: Visitors, site: Site, database: str
) -> None:
    """In every game and for every number of players, at 390x664, without scrolling."""
    page = visitors.phone(**{**PHONE, **LOW})
    covered = {}
    for name, path in laid.run("practice", site.data, database).items():
        page.goto(path, wait_until="domcontentloaded")
        far = page.evaluate(_COVERED)
        if any(far):
            covered[name] = far
    assert covered == {}


def pace(page: Page, chosen: str) -> None:
    page.evaluate(f"localStorage.setItem('kula.practice.pace', '{chosen}')")


def hand(page: Page) -> Locator:
    return page.get_by_role("form", name="Your hand")


def at_rest(page: Page, *or_these: Locator) -> None:
    """Wait until nothing is being shown any more, or one of these is there."""
    calm = page.locator("#practice:not([data-busy])")
    for each in or_these:
        calm = calm.or_(each)
    expect(calm.first).to_be_attached()


def tap(target: Locator) -> None:
    """Tap what leads on, and wait for the page it leads to.

    A tap returns before the next page is there, and what is counted in between is
    nothing. The whole hand stands in the address, so that every tap changes it.
    """
    page, before = target.page, target.page.url
    target.click()
    page.wait_for_url(lambda address: address != before)
    if page.locator("#practice").count():
        at_rest(page)


def amiss(page: Page) -> list[str]:
    return [*violations(page), *looks.too_wide(page, 320), *looks.too_small(page)]


def play_on(page: Page) -> str:
    """Tap what can be tapped until the hand is over; return what was said of a wrong card."""
    said = ""
    for _ in range(MOST_TAPS):
        if not hand(page).count():
            return said
        wrong = page.locator(".own-cards .not-now").first
        if not said and wrong.count():
            tap(wrong)
            said = page.get_by_role("alert").inner_text()
        move(page)
    raise AssertionError("the hand does not end")


def move(page: Page) -> None:
    """Make the first move that the page has, as a finger would."""
    before = page.url
    picks = page.locator(".own-cards .pick")
    if picks.count():
        for pick in (picks.last, page.locator(".middle .pick").first):
            if not pick.get_by_role("checkbox").is_checked():
                pick.click()
        tap(page.get_by_role("button", name="Swap"))
        return
    ways = (
        ".offers .button.primary",
        ".own-cards button:not(.not-now)",
        ".own-cards a",
        ".offers button",
    )
    places = (page.locator(f"#mine {way}") for way in ways)
    next(way for way in places if way.count()).first.click()
    page.wait_for_url(lambda address: address != before)
    at_rest(page, page.get_by_role("link", name="Go on"))
