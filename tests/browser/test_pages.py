"""Every page: readable by all, in light and dark, on a narrow phone, and without JavaScript."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Browser, Page, StorageState, expect

from tests.browser import laid, looks, phones
from tests.browser.keyboard import by_keyboard
from tests.browser.laid import Club
from tests.browser.looks import walk
from tests.browser.rest import settle
from tests.browser.visiting import HALL, Scheme, Visitors, sign_in, violations
from tests.drilled import FULL
from tests.serving import Site
from tracker.common.web import error_pages

_OF_SCRIPTS = {"pace", "sound"}  # of cards that move
_WORKERS = "async () => (await navigator.serviceWorker?.getRegistrations())?.length ?? 0"
Amiss: TypeAlias = Mapping[str, Mapping[str, list[str]]]  # by way of looking, then by page


@pytest.fixture(scope="module")
def guests(site: Site, browser: Browser) -> Iterator[Visitors]:
    """Let people visit who look at every page in many ways, and only then say what is amiss."""
    people = Visitors(browser, site.port)
    yield people
    people.leave()


def looked_at(pages: Mapping[str, str]) -> Mapping[str, str]:
    """Return every page in full, otherwise one page of each kind."""
    return pages if FULL else one_of_each(pages)


def one_of_each(pages: Mapping[str, str]) -> Mapping[str, str]:
    kinds = {name.partition(",")[0]: name for name in reversed([*pages])}
    return {name: pages[name] for name in reversed(kinds.values())}


@pytest.fixture(scope="module")
def on_a_laptop(guests: Visitors, club: Club, organiser: StorageState) -> Amiss:
    page = guests.laptop(storage_state=organiser)
    ways = {
        "offers": lambda page: sorted(looks.offers(page)),
        "light": looks.by_day,
        "dark": looks.by_night,
        "enlarged": looks.enlarged,
    }
    return looks.walk_once(page, looked_at(club.pages), ways)


@pytest.fixture(scope="module")
def with_a_keyboard(
    guests: Visitors, club: Club, organiser: StorageState
) -> Mapping[str, list[str]]:
    """Press Tab through one page of each kind."""
    page = guests.laptop(storage_state=organiser)
    return looks.walk(page, one_of_each(club.pages), by_keyboard)


@pytest.fixture(scope="module")
def on_a_phone(guests: Visitors, club: Club, organiser: StorageState) -> Amiss:
    page = guests.phone(host="127.0.0.1", storage_state=organiser)
    ways = {"fingers": looks.too_small, "narrow": looks.narrow}
    return looks.walk_once(page, looked_at(club.pages), ways)


@pytest.fixture(scope="module")
def at_the_table(guests: Visitors, club: Club) -> Amiss:
    page = guests.phone()
    paths = {**looked_at(club.open_to_all), **club.at_tables}
    return looks.walk_once(page, paths, {"light": looks.by_day, "dark": looks.by_night})


@dataclass(frozen=True, slots=True)
class Plain:
    """The organiser's pages without JavaScript: what is amiss on each, its title and address."""

    amiss: Mapping[str, list[str]]
    titles: Mapping[str, tuple[str, str]]


@pytest.fixture(scope="module")
def plain(guests: Visitors, club: Club, organiser: StorageState, on_a_laptop: Amiss) -> Plain:
    """Read every page without JavaScript, where it has to lead wherever it does with it."""
    titles: dict[str, tuple[str, str]] = {}
    pages = looked_at(club.pages)
    names = iter(pages)

    def note(page: Page) -> list[str]:
        name = next(names)
        titles[name] = page.title(), page.url.partition("?")[0]
        lost = set(on_a_laptop["offers"].get(name, ())) - looks.offers(page) - _OF_SCRIPTS
        return [f"without JavaScript no {each}" for each in lost]

    page = guests.laptop(java_script_enabled=False, storage_state=organiser)
    return Plain(looks.walk(page, pages, note), titles)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_organiser_meets_no_barrier(on_a_laptop: Amiss, scheme: Scheme) -> None:
    assert on_a_laptop[scheme] == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_players_meet_no_barrier(at_the_table: Amiss, scheme: Scheme) -> None:
    assert at_the_table[scheme] == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_answers_to_a_sheet_meet_no_barrier(visitors: Visitors, club: Club, scheme: Scheme) -> None:
    phone, other = (visitors.phone(color_scheme=scheme) for _ in range(2))
    table = club.pages["table, briscola"]
    pairs = ("Asha & Juma", "Neema & Baraka")
    for page in (phone, other):
        page.goto(table)
    barriers: dict[str, list[str]] = {}

    phones.type_totals(phone, pairs, (60, 58))
    phones.save(phone)
    phones.expect_refused(phone, "Is a Jack missing?")
    settle(phone)
    for fold in phone.locator("summary").all():
        fold.click()
    barriers["refused"] = violations(phone)
    phones.type_totals(phone, pairs, (60, 60))
    phones.expect_says(phone, "A tie: nobody wins the deal")
    barriers["speaking"] = violations(phone)
    # Before the sheet of the next deal comes to that phone by itself.
    phones.type_totals(other, pairs, (70, 50))
    phones.save(phone)
    expect(phone.locator(".saved-what")).to_contain_text("60–60")
    phones.save(other)
    expect(other.get_by_role("heading", name="or the next?")).to_be_visible()
    barriers["asked"] = violations(other)
    other.get_by_role("link", name="Neither: do not send it").click()
    phones.park(other, pairs[0])
    expect(other.get_by_text("is with the organiser")).to_be_visible()
    barriers["parked"] = violations(other)

    assert barriers == {"refused": [], "speaking": [], "asked": [], "parked": []}


@pytest.mark.parametrize("path", ["/nowhere/", "/t/forged/", "/c/forged/", "/join/forged/"])
def test_what_is_not_there_meets_no_barrier(
    phone: Page, visitors: Visitors, site: Site, path: str
) -> None:
    answer = phone.goto(path)

    assert answer is not None
    assert answer.status == 404
    visitors.expect_complaint("404")
    assert violations(phone) == []
    assert looks.too_wide(phone, 320) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_outage_meets_no_barrier(visitors: Visitors, scheme: Scheme) -> None:
    """No address leads there, and the page needs neither request nor database: it is handed over."""
    typed = [("entry", "e"), ("how", "save")]
    said = {"outage": error_pages.FULL, "address": "/t/full/", "sent": True, "typed": typed}
    page = visitors.phone(color_scheme=scheme)
    page.goto("/sign-in/")

    page.set_content(render_to_string("errors/outage.html", said))

    expect(page.get_by_role("button", name="Send it again")).to_be_visible()
    assert violations(page) == []
    assert looks.too_small(page) == []
    assert looks.too_wide(page, 320) == []


def test_words_too_pale_to_read_are_seen_in_the_dark(phone: Page) -> None:
    pale = "@media (prefers-color-scheme: dark) { main * { color: #333; background: #222 } }"
    phone.goto("/sign-in/")
    phone.evaluate(
        "(pale) => { const sheet = new CSSStyleSheet(); sheet.replaceSync(pale);"
        " document.adoptedStyleSheets = [sheet]; }",
        pale,
    )

    assert looks.by_day(phone) == []
    assert any("color-contrast" in barrier for barrier in looks.by_night(phone))


def test_pages_fit_a_narrow_phone(on_a_phone: Amiss) -> None:
    assert on_a_phone["narrow"] == {}


def test_pages_can_be_enlarged(on_a_laptop: Amiss) -> None:
    assert on_a_laptop["enlarged"] == {}


def test_fingers_hit_what_they_aim_at(on_a_phone: Amiss) -> None:
    assert on_a_phone["fingers"] == {}


def test_checking_in_stays_at_the_thumb_below_a_long_list(mobile: Page, club: Club) -> None:
    mobile.goto(club.pages["night-people"])

    expect(mobile.get_by_role("button", name="Check in")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("host", [HALL, "127.0.0.1"])
def test_an_invitation_is_copied_with_one_tap_on_plain_http_too(
    visitors: Visitors, club: Club, host: str
) -> None:
    page = visitors.laptop(host=host)
    sign_in(page, *laid.ORGANISER)
    page.goto(club.pages["members"])
    link = page.get_by_label("The link to pass on").first

    page.get_by_role("button", name="Copy").first.click()

    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    days = page.get_by_label("Valid for (days)")
    days.evaluate("field => { field.type = 'text'; field.value = ''; field.focus(); }")
    page.keyboard.press("Control+V")
    assert days.input_value() == link.input_value() != ""


@pytest.mark.parametrize("host", [HALL, "127.0.0.1"])
def test_phones_complain_of_nothing(visitors: Visitors, club: Club, host: str) -> None:
    """The fixture fails on anything on the console, so on anything the CSP stops."""
    page = visitors.phone(host=host)

    assert walk(page, {**club.open_to_all, **club.at_tables}) == {}
    assert page.evaluate("isSecureContext") is (host != HALL)
    # On plain http nothing is installed, not even where a browser would.
    assert page.evaluate(_WORKERS) == 0


def test_the_keyboard_alone_reaches_everything(with_a_keyboard: Mapping[str, list[str]]) -> None:
    assert with_a_keyboard == {}


def test_what_tab_never_reaches_is_seen(laptop: Page) -> None:
    laptop.goto("/sign-in/")
    laptop.evaluate(
        "document.querySelector('main button').addEventListener('focus', (e) => e.target.blur());"
        "document.querySelector('main input').addEventListener('focus', (e) => {"
        " e.target.setAttribute('hidden', ''); });"
    )

    assert by_keyboard(laptop) != []


def test_an_organiser_needs_no_javascript(plain: Plain) -> None:
    assert plain.amiss == {}


def test_titles_tell_pages_apart(plain: Plain, club: Club) -> None:
    pages_of: dict[str, set[str]] = {}

    for name in one_of_each(club.pages):
        title, address = plain.titles[name]
        pages_of.setdefault(title, set()).add(address)

    assert {title: pages for title, pages in pages_of.items() if len(pages) > 1} == {}


def test_albastini_is_reported_without_javascript(visitors: Visitors, club: Club) -> None:
    page = visitors.phone(java_script_enabled=False)
    page.goto(club.pages["table, albastini"])
    expect(page.get_by_role("group", name="Number pad")).to_have_count(0)

    for who, eaten in (("Asha & Juma", 68), ("Neema & Baraka", 50)):
        page.get_by_role("textbox", name=who).fill(str(eaten))
    page.locator("button.save").click()
    expect(page.get_by_role("alert")).to_contain_text("Is a Queen missing?")
    page.get_by_role("textbox", name="Asha & Juma").fill("70")
    page.locator("button.save").click()

    expect(page.locator(".saved-what")).to_contain_text("70–50, Asha & Juma win · 1 victory point")


def test_dalmuti_is_reported_without_javascript(visitors: Visitors, club: Club) -> None:
    page = visitors.phone(java_script_enabled=False)
    page.goto(club.pages["table, dalmuti"])

    for place, name in enumerate(("Juma", "Asha", "Baraka"), start=1):
        page.get_by_role("combobox", name=name).select_option(str(place))
    page.locator("button.save").click()

    expect(page.locator(".saved-what")).to_contain_text("Juma is Dalmuti")


def test_mambassa_is_reported_without_javascript(visitors: Visitors, club: Club) -> None:
    page = visitors.phone(java_script_enabled=False)
    page.goto(club.pages["table, mambassa"])

    page.get_by_role("radio", name="Quarantuna!").check()
    page.get_by_role("group", name="Who declared it?").get_by_role("radio", name="Juma").check()
    pays = page.get_by_role("group", name="Who had the lowest hand and pays?")
    pays.get_by_role("checkbox", name="Baraka").check()
    page.locator("button.save").click()

    expect(page.locator(".saved-what")).to_contain_text("Juma takes a token")
