"""Pages follow what is played by themselves, and leave alone who reads or types there."""

import re
from collections.abc import Iterator
from time import monotonic

import pytest
from playwright.sync_api import Browser, Page, Route, StorageState, expect

from tests.browser import laid, phones
from tests.browser.visiting import Visitors, sign_in
from tests.browser.waiting_hall import PAIRS
from tests.drills.playing import patience
from tests.serving import Site

PATIENT = 20.0


@pytest.fixture(scope="module")
def paths(site: Site, database: str, owner: StorageState) -> dict[str, str]:
    """Lay a club where a hand has been played at one of two tables."""
    addresses: dict[str, str] = laid.run("two_tables", site.data, database)
    return addresses


@pytest.fixture(scope="module")
def desk(site: Site, browser: Browser, paths: dict[str, str]) -> Iterator[StorageState]:
    people = Visitors(browser, site.port)
    page = people.laptop()
    sign_in(page, *laid.RUNS_THE_NIGHT)
    yield page.context.storage_state()
    people.leave()


def report(page: Page, number: int, totals: tuple[int, int]) -> None:
    phones.type_totals(page, PAIRS, totals)
    phones.save(page)
    phones.expect_saved(page, number)


def see_hand(page: Page, number: int) -> None:
    expect(page.locator("#head .where")).to_contain_text(f"Hand {number} of 12")


def test_every_screen_shows_what_another_phone_reported(
    visitors: Visitors, paths: dict[str, str], desk: StorageState
) -> None:
    writes, other = visitors.phone(), visitors.phone()
    screens = {
        name: visitors.laptop(storage_state=desk)
        for name in ("standings", "dealers", "desk", "night", "front", "display")
    }
    for name, page in {**screens, "table": other, "standings of a phone": writes}.items():
        page.goto(paths.get(name, paths["table"]))
        page.evaluate("window.here = true")
    see_hand(other, 2)
    expect(screens["dealers"].locator("#now")).to_contain_text("Hand 2 of 12")

    report(writes, 2, (70, 50))
    saved = monotonic()

    see_hand(other, 3)
    expect(screens["standings"].locator("#dealers-panel")).to_contain_text("Hand 3 of 12")
    ranked = screens["standings"].locator("#now .data:not(.dealers) tbody tr")
    expect(ranked.filter(has_text="Asha").first).to_contain_text("54.2 %")
    expect(screens["dealers"].locator("#now")).to_contain_text("Hand 3 of 12")
    expect(screens["desk"].locator("#live")).to_contain_text("2/12")
    expect(screens["night"].locator("#live")).to_contain_text("2/12")
    expect(screens["front"].locator("#now td.strong").first).to_have_text("1")
    # In turns who deals and who leads.
    told = re.compile(r"Hand 3 of 12|1=\s+Asha\s+1\b")
    expect(screens["display"].locator("#live")).to_contain_text(told)
    print("all screens after", round(monotonic() - saved, 2), "seconds")
    assert monotonic() - saved < patience(PATIENT)
    for page in (other, *screens.values()):
        assert page.evaluate("window.here")  # nothing was loaded anew


def test_what_somebody_writes_stays_and_what_came_is_said_beside_it(
    visitors: Visitors, paths: dict[str, str]
) -> None:
    writes, other = visitors.phone(), visitors.phone(host="127.0.0.1")
    for page in (writes, other):
        page.goto(paths["table"])
    number = int(writes.locator("[data-sheet] [name=number]").input_value())
    phones.total(other, PAIRS[0]).fill("6")

    report(writes, number, (75, 45))

    said = other.get_by_text(f"Hand {number} is in, from another phone: 75–45.")
    expect(said).to_be_visible()
    see_hand(other, number + 1)
    expect(phones.total(other, PAIRS[0])).to_have_value("6")
    expect(phones.total(other, PAIRS[0])).to_be_focused()
    expect(other.locator("[data-sheet] [name=number]")).to_have_value(str(number))

    other.get_by_role("button", name="Look").click()
    expect(said).to_be_hidden()
    expect(other.locator("[data-sheet] [name=number]")).to_have_value(str(number + 1))
    expect(phones.total(other, PAIRS[0])).to_have_value("")
    report(other, number + 1, (50, 70))  # the sheet that came works as one that was loaded
    see_hand(writes, number + 2)


def test_what_is_open_marked_or_scrolled_to_stays(
    visitors: Visitors, paths: dict[str, str]
) -> None:
    writes, reads = visitors.phone(), visitors.phone(host="127.0.0.1")
    standings = visitors.laptop(viewport={"width": 768, "height": 800})  # columns, and no room
    standings.goto(paths["standings"])
    for page in (writes, reads):
        page.goto(paths["table"])
    number = int(writes.locator("[data-sheet] [name=number]").input_value())
    reads.locator("#hands-so-far details").evaluate("(each) => { each.open = true; }")
    scroll = standings.locator(".scroll:has(> .standings)")
    scroll.evaluate("(each) => { each.scrollLeft = 60; }")
    link = standings.locator("#now").get_by_role("link", name="Asha").first
    link.focus()
    moved = scroll.evaluate("(each) => each.scrollLeft")

    report(writes, number, (90, 30))

    so_far = reads.locator("#hands-so-far details")
    expect(so_far).to_contain_text(f"Hand {number}: 90–30")
    expect(so_far).to_have_attribute("open", "")
    expect(standings.locator("#dealers-panel")).to_contain_text(f"Hand {number + 1}")
    assert scroll.evaluate("(each) => each.scrollLeft") == moved > 0
    expect(link).to_be_focused()

    heading = reads.locator("#so-far")
    heading.evaluate("(each) => getSelection().selectAllChildren(each)")
    report(writes, number + 1, (90, 30))
    see_hand(reads, number + 2)
    expect(so_far).not_to_contain_text(f"Hand {number + 1}: 90–30")
    assert reads.evaluate("String(getSelection())").startswith("So far")
    reads.evaluate("getSelection().removeAllRanges()")
    expect(so_far).to_contain_text(f"Hand {number + 1}: 90–30")


@pytest.mark.parametrize("status", [200, 404])
def test_what_answers_in_the_sites_place_changes_nothing(
    visitors: Visitors, paths: dict[str, str], status: int
) -> None:
    writes, reads = visitors.phone(), visitors.phone(host="127.0.0.1")
    reads.goto(paths["table"])
    reads.evaluate("window.here = true")
    number = int(reads.locator("[data-sheet] [name=number]").input_value())

    def astray(route: Route) -> None:
        route.fulfill(status=status, content_type="text/html", body="<p>Nothing here</p>")

    reads.route(f"**{paths['table']}", astray)
    expect(reads.locator("[data-live-mark]")).to_contain_text("no connection just now")
    reads.unroute(f"**{paths['table']}")
    visitors.complaints[:] = [said for said in visitors.complaints if "404 (Not Found)" not in said]
    writes.goto(paths["table"])
    report(writes, number, (70, 50))

    see_hand(reads, number + 1)
    expect(reads.locator("[data-live-mark]")).to_be_hidden()
    assert reads.evaluate("window.here")


def test_a_phone_in_a_pocket_stops_asking(phone: Page, paths: dict[str, str]) -> None:
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.headers.get("x-look", "")))
    phone.goto(paths["table"])
    phone.clock.install()
    phone.goto(paths["table"])
    phone.clock.run_for(4_000)
    seen = asked.count("1")

    phone.evaluate(
        """() => {
          Object.defineProperty(document, "hidden", { value: true, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    in_pocket = asked.count("1")
    phone.clock.run_for(60_000)
    assert asked.count("1") == in_pocket >= seen >= 1

    with phone.expect_request(lambda request: request.headers.get("x-look") == "1"):
        phone.evaluate(
            """() => {
              Object.defineProperty(document, "hidden", { value: false, configurable: true });
              document.dispatchEvent(new Event("visibilitychange"));
            }"""
        )
