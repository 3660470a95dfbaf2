"""Phones at tables of which hands wait for a network, and what the site has of them."""

import os
import signal
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from tests import machine
from tests.browser import phones, waiting_hall
from tests.browser.visiting import HALL, PATIENCE, PHONE, arguments
from tests.browser.waiting_hall import PAIRS
from tests.serving import Site, wait_until

OFFLINE = "On this phone: sent when the Wi-Fi is back. Keep this page open."


@dataclass(frozen=True)
class Table:
    """A table of the hall, and what the site knows of it."""

    site: Site
    database: str
    token: str
    desk: str

    @property
    def path(self) -> str:
        return f"/t/{self.token}/"

    def hands(self) -> list[list[int]]:
        return waiting_hall.hands(self.site.data, self.database, self.token)

    def verdicts(self) -> list[list[Any]]:
        return waiting_hall.verdicts(self.site.data, self.database, self.token)

    def close_round(self) -> None:
        waiting_hall.close_round(self.site.data, self.database, self.token)

    def at_a_new_address(self) -> "Table":
        token = waiting_hall.renew_address(self.site.data, self.database, self.token)
        return replace(self, token=token)


@dataclass
class Phones:
    """Phones whose network comes and goes: what they say of that is no complaint."""

    browser: Browser
    port: int
    contexts: list[BrowserContext]
    faults: list[str]

    def come(self, host: str = HALL, *, port: int = 0, **more: Any) -> Page:
        address = f"http://{host}:{port or self.port}"
        context = self.browser.new_context(base_url=address, **{**PHONE, **more})
        return self.watch(context).new_page()

    def at(
        self, table: Table, host: str = HALL, *, port: int = 0, offline: bool = False, **more: Any
    ) -> Page:
        """Let a phone come to a table, and perhaps lose the network there."""
        page = self.come(host, port=port, **more)
        page.goto(table.path)
        page.context.set_offline(offline)
        return page

    def watch(self, context: BrowserContext) -> BrowserContext:
        context.set_default_timeout(PATIENCE)
        context.on("weberror", lambda error: self.faults.append(str(error.error)))
        self.contexts.append(context)
        return context


def box(phone: Page) -> Locator:
    return phone.locator("[data-on-phone]")


def expect_box(phone: Page, words: str) -> None:
    """See the words in what is shown of the box."""
    # Only of what is visible: of a hidden box the inner text is all that it could ever say.
    expect(box(phone).filter(visible=True)).to_contain_text(words, use_inner_text=True)


def write(phone: Page, *totals: int) -> None:
    phones.type_totals(phone, PAIRS, totals)


def saved(phone: Page, number: int, *totals: int) -> None:
    """Save a hand, and see that it has arrived."""
    write(phone, *totals)
    phones.save(phone)
    phones.expect_saved(phone, number)


def keep(phone: Page, number: int, *totals: int) -> None:
    """Save a hand while there is no network, and see that it waits on the phone."""
    write(phone, *totals)
    phones.save(phone)
    expect_box(phone, OFFLINE)
    expect_box(phone, f"Hand {number}: {totals[0]}–{totals[1]}")
    expect(phone.locator(".save-verb")).to_have_text(f"Save hand {number + 1}")


def _stored(phone: Page, store: str) -> list[dict[str, Any]]:
    """Return what lies in a store of the phone's own database."""
    rows: list[dict[str, Any]] = phone.evaluate(
        """(store) => new Promise((resolve) => {
          indexedDB.open("kula").onsuccess = ({ target }) => {
            target.result.transaction(store).objectStore(store).getAll().onsuccess =
              ({ target: all }) => { target.result?.close?.(); resolve(all.result); };
          };
        })""",
        store,
    )
    return rows


def queue(phone: Page) -> list[dict[str, Any]]:
    """Return the hands that wait on the phone."""
    return _stored(phone, "reports")


def begin(phone: Page, eaten: str, *, side: int = 0) -> None:
    """Type what a side ate, and see that the phone has it for whenever it wakes up."""
    phones.total(phone, PAIRS[side]).fill(eaten)
    written = [f"eaten_{side}", eaten]
    wait_until(lambda: any(written in draft["answers"] for draft in _stored(phone, "drafts")))


def hold(phone: Page, address: str, *, method: str = "GET") -> list[Route]:
    """Hold back the first that is asked so, until whoever gets this list lets it go on."""
    held: list[Route] = []

    def look(route: Route) -> None:
        if held or route.request.method != method:
            route.fallback()
        else:
            held.append(route)

    phone.context.route(address, look)
    return held


def astray(route: Route) -> None:
    """Answer what a phone sends as a proxy does that finds no site behind it."""
    if route.request.method == "POST":
        route.fulfill(status=404, content_type="text/plain", body="404 page not found")
    else:
        route.fallback()


def persistent(hall: Phones, folder: Path) -> BrowserContext:
    """Open a phone that has a memory."""
    context = hall.browser.browser_type.launch_persistent_context(
        folder,
        executable_path=machine.chromium(),
        args=arguments(),
        base_url=f"http://{HALL}:{hall.port}",
        **PHONE,
    )
    return hall.watch(context)


def kill(folder: Path) -> None:
    """Kill, without a word to it, the browser whose memory is in that folder."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes()
        except OSError:
            continue  # it has ended meanwhile
        if f"--user-data-dir={folder}".encode() in command.split(b"\0"):
            os.kill(int(process.name), signal.SIGKILL)
