"""The site with a certificate: installed on a phone, opened without a network, sending by its worker."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser import laid, phones, secure, waiting_hall
from tests.browser.secure import Phone, Secured
from tests.browser.visiting import PATIENCE, sign_in
from tests.drilled import FULL
from tests.serving import ROOT, start, wait_until, wait_until_it_answers

_CONTROLLED = """
() => new Promise((resolve) => {
  if (navigator.serviceWorker.controller) resolve();
  else navigator.serviceWorker.addEventListener("controllerchange", () => resolve());
})
"""
_COPIES = """
async () => {
  const pages = await caches.open("pages");
  return (await pages.keys()).map(({ url }) => new URL(url).pathname);
}
"""

_COPY = "async (path) => (await caches.match(path, { ignoreVary: true })).text()"
_A_DAY_LATER = """
async (path) => {
  const pages = await caches.open("pages");
  const copy = await pages.match(path);
  const headers = new Headers(copy.headers);
  headers.set("X-Until", Number(headers.get("X-Until")) - 86_400_000);
  await pages.put(path, new Response(copy.body, { headers }));
}
"""
_SHELLS = "async () => (await caches.keys()).filter((name) => name.startsWith('files '))"
# What a browser says of icons, which are not among what a worker keeps, while the site is away.
_ICONS = ("status of 503", "following icon")
_WAITING = "async () => Boolean((await navigator.serviceWorker.getRegistration()).waiting)"
_NEWER = "() => getComputedStyle(document.body).getPropertyValue('--of-the-newer')"


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    with secure.secured(tmp_path_factory.mktemp("secured")) as served:
        yield served


@pytest.fixture(autouse=True)
def _mended(secured: Secured) -> Iterator[None]:
    yield
    secured.network.mend()
    secured.network.was_cut = secured.network.was_astray = False


@pytest.fixture(scope="module")
def pages(secured: Secured) -> dict[str, str]:
    """Lay a club with a few tables, one for each test that needs one."""
    return dict(laid.run("few_tables", secured.site.data))


@pytest.fixture
def phone(browser: Browser, secured: Secured, tmp_path: Path) -> Iterator[Phone]:
    with secure.phone(browser, secured, tmp_path / "phone") as on:
        yield on


def install(page: Page) -> None:
    """Come to the site, and wait until its worker has taken over."""
    page.goto("/sign-in/")
    page.evaluate(_CONTROLLED)


def visit(page: Page, *paths: str) -> None:
    """Look at pages, and see that the phone has kept them."""
    for path in paths:
        page.goto(path)
        wait_until(lambda path=path: path in page.evaluate(_COPIES))


def hands(secured: Secured) -> list[list[int]]:
    """Return what the sides ate in all hands that are stored."""
    database = f"file:{secured.site.data / 'kula.sqlite3'}?mode=ro"
    with sqlite3.connect(database, uri=True) as link:
        rows = link.execute("SELECT sheet FROM tracker_hand ORDER BY id").fetchall()
    return [json.loads(sheet)["eaten"] for (sheet,) in rows]


def as_of(page: Page) -> Locator:
    """Return what says that the page is a copy."""
    return page.locator("#as-of:visible, [data-live-mark]:visible")


def test_a_phone_installs_the_site(phone: Phone) -> None:
    page = phone.page
    install(page)

    tools = phone.context.new_cdp_session(page)

    assert tools.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    answer = tools.send("Page.getAppManifest")
    assert (answer["errors"], answer["manifest"]["name"]) == ([], "Kula")
    icons = [icon["sizes"] for icon in answer["manifest"]["icons"]]
    assert icons == ["192x192", "512x512", "512x512"]


def test_what_was_seen_opens_without_a_network(
    browser: Browser, secured: Secured, pages: dict[str, str], tmp_path: Path
) -> None:
    home = tmp_path / "phone"
    with secure.phone(browser, secured, home) as phone:
        install(phone.page)
        visit(phone.page, pages["card 1"], pages["standings"], pages["my table"])
        phone.page.goto(pages["table 1"])
        phones.type_totals(phone.page, ["Asha & Neema", "Juma & Omari"], [80, 40])
        phones.save(phone.page)
        phones.expect_saved(phone.page, 1)
        wait_until(lambda: "Hand 2" in phone.page.evaluate(_COPY, pages["table 1"]))
        phone.page.evaluate(_A_DAY_LATER, pages["my table"])
        expect(as_of(phone.page)).to_have_count(0)

    secured.network.cut()

    with secure.phone(browser, secured, home) as phone:
        page = phone.page
        page.goto(pages["card 1"])
        expect(page).to_have_url(f"{secured.url}{pages['table 1']}")
        expect(page.get_by_role("heading", level=1)).to_have_text("Table 1")
        expect(page.locator(".where")).to_contain_text("Hand 2")
        expect(as_of(page)).to_contain_text("As of ")
        for path in (pages["my table"], pages["club"]):  # too long ago, and never seen
            page.goto(path)
            expect(page.get_by_role("heading", level=1)).to_have_text("No network")
        page.get_by_role("link", name="standings").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Friday Cup")
        expect(as_of(page)).to_contain_text("As of ")

        page.go_back()
        secured.network.mend()
        expect(page.get_by_role("heading", level=1)).to_have_text("Upanga")


def test_only_the_site_says_that_a_page_is_gone(
    secured: Secured, pages: dict[str, str], phone: Phone
) -> None:
    page = phone.page
    install(page)
    visit(page, pages["table 4"], pages["standings"])

    secured.network.lead_astray()
    for path in (pages["table 4"], pages["standings"]):
        page.goto(path)
        expect(as_of(page)).to_contain_text("As of ")
    assert {pages["table 4"], pages["standings"]} <= set(page.evaluate(_COPIES))
    secured.network.mend()
    expect(as_of(page)).to_have_count(0)

    waiting_hall.renew_address(secured.site.data, "", pages["table 4"].split("/")[2])
    page.goto(pages["table 4"])
    expect(page.get_by_text("This address was withdrawn")).to_be_visible()
    wait_until(lambda: pages["table 4"] not in page.evaluate(_COPIES))
    phone.forgive("status of 410")


def wake(phone: Phone) -> None:
    """Tell the worker that there is a network, as a browser does when it notices."""
    tools = phone.context.new_cdp_session(phone.page)
    registrations: list[dict[str, Any]] = []
    tools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(event["registrations"]),
    )
    tools.send("ServiceWorker.enable")
    wait_until(lambda: phone.page.evaluate("true") and registrations)
    sync = {
        "origin": phone.secured.url,
        "registrationId": registrations[0]["registrationId"],
        "tag": "reports",
        "lastChance": False,
    }
    tools.send("ServiceWorker.dispatchSyncEvent", sync)


def test_the_worker_sends_when_no_page_is_open(
    browser: Browser, secured: Secured, pages: dict[str, str], tmp_path: Path
) -> None:
    home, before = tmp_path / "phone", hands(secured)
    with secure.phone(browser, secured, home) as phone:
        page = phone.page
        install(page)
        visit(page, pages["table 2"])
        secured.network.cut()
        page.reload()
        phones.type_totals(page, ["Asha & Neema", "Juma & Omari"], [70, 50])
        phones.save(page)
        expect(page.get_by_text("On this phone: sent when the Wi-Fi is back.")).to_be_visible()
        expect(page.get_by_text("Keep this page open.")).to_be_hidden()
    secured.network.mend()

    with secure.phone(browser, secured, home) as phone:
        wake(phone)

        wait_until(lambda: len(hands(secured)) > len(before))
        phone.page.goto(pages["table 2"])
        expect(phone.page.locator(".where")).to_contain_text("Hand 2")
        expect(as_of(phone.page)).to_have_count(0)
    assert hands(secured)[len(before) :] == [[70, 50]]


def test_signing_out_drops_every_copy(phone: Phone, pages: dict[str, str]) -> None:
    page = phone.page
    install(page)
    sign_in(page, *laid.ORGANISER)
    visit(page, pages["my table"], pages["table 3"])
    page.goto("/account/")

    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()

    wait_until(lambda: not {pages["my table"], pages["table 3"]} & set(page.evaluate(_COPIES)))


if FULL:

    def test_a_slow_network_is_not_waited_for(
        secured: Secured, pages: dict[str, str], phone: Phone
    ) -> None:
        page = phone.page
        install(page)
        visit(page, pages["standings"])
        secured.network.stall()

        page.reload()
        expect(as_of(page)).to_have_count(1)

        secured.network.go_on()
        expect(as_of(page)).to_have_count(0)

    def test_a_new_version_replaces_the_worker(browser: Browser, tmp_path: Path) -> None:
        newer, home = tmp_path / "code", tmp_path / "phone"
        shutil.copytree(ROOT, newer, ignore=shutil.ignore_patterns(".*", "tests"))
        with (newer / "tracker/static/tracker/kula.css").open("a") as styles:
            styles.write("body { --of-the-newer: 1 }")
        with secure.secured(tmp_path) as old:
            with secure.phone(browser, old, home) as phone:
                install(phone.page)
                (first,) = phone.page.evaluate(_SHELLS)
                old.site.close()
                named = secure.environment(old.network)
                site = start(old.site.data, environment=named, port=old.site.port, code=newer)
                try:
                    wait_until_it_answers(site, PATIENCE)
                    phone.page.goto("/")
                    wait_until(lambda: phone.page.evaluate(_WAITING))
                    phone.page.goto("/sign-in/")
                    visit(phone.page, "/")
                finally:
                    site.close()

                # The browser's own store of files must not stand in for the worker's.
                phone.context.new_cdp_session(phone.page).send("Network.clearBrowserCache")
                phone.page.reload()

                expect(as_of(phone.page)).to_have_count(1)
                assert phone.page.evaluate(_NEWER) == "1"
                phone.forgive(*_ICONS)

            with secure.phone(browser, old, home) as phone:  # nothing was open in between
                phone.page.goto("/")

                wait_until(lambda: not phone.page.evaluate(_WAITING))
                assert phone.page.evaluate(_NEWER) == "1"
                shells = phone.page.evaluate(_SHELLS)
                assert (shells[0], len(shells)) == (first, 2)  # which older copies need
                phone.forgive(*_ICONS)
