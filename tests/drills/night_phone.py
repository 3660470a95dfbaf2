"""A phone at a table of a drill's night: what is typed on it, and what it is told, in its own words."""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Error as BrowserError, Page

from tests.browser.bad_network import BadNetwork
from tests.browser.visiting import PHONE

Totals: TypeAlias = tuple[int, int]
SHORT = 5_000  # milliseconds: whoever waits longer does something else
LONG = 15_000  # by then a page that was asked for is there, or never comes
_TOLD = """
(() => {
  let last = "";
  const words = (of, what) => of?.querySelector(what)?.textContent.trim().replace(/\\s+/g, " ") ?? "";
  const look = () => {
    const saved = document.querySelector(".receipt");
    const box = document.querySelector("[data-on-phone]:not([hidden])");
    const state = box?.querySelector("[data-state]:not([hidden])")?.dataset.state ?? "";
    const lines = [...box?.querySelectorAll("li") ?? []].map((line) => words(line, "[data-what]"));
    const told = { page: location.pathname, where: saved ? "saved" : "",
      what: words(saved, ".saved-what"), state, lines };
    if (JSON.stringify(told) === last) return;
    last = JSON.stringify(told);
    window.kulaTold(last);
  };
  const watch = { subtree: true, childList: true, attributes: true, characterData: true };
  new MutationObserver(look).observe(document, watch);
  document.addEventListener("DOMContentLoaded", look);
})();
"""
_WAITING = """
() => new Promise((resolve) => {
  const opening = indexedDB.open("kula");
  opening.onupgradeneeded = () => opening.transaction.abort();  // nothing was ever kept here
  opening.onerror = () => resolve([]);
  opening.onsuccess = () => {
    const asking = opening.result.transaction("reports").objectStore("reports").getAll();
    asking.onsuccess = () => { resolve(asking.result); opening.result.close(); };
  };
})
"""
_SHEET = """
() => {
  const sheet = document.querySelector("[data-sheet]");
  if (!sheet || sheet.hidden || sheet.dataset.sending !== undefined) return null;
  return { entry: sheet.elements.entry.value, number: Number(sheet.elements.number.value) };
}
"""


_TYPED = """
() => {
  const boxes = document.querySelectorAll("[data-sheet] [name^=eaten_]");
  const refused = document.querySelector("[data-sheet] [role=alert]") && boxes.length === 2;
  return refused ? [...boxes].map((box) => Number(box.value)) : null;
}
"""


@dataclass(frozen=True, slots=True)
class Press:
    """A press of *Save*: what stood on the sheet, at which table."""

    page: str
    entry: str
    number: int
    totals: Totals
    sure: bool = True  # not where something else lay down there at that moment


@dataclass(frozen=True, slots=True)
class Told:
    """What a phone said of a hand."""

    page: str
    where: str  # whether it says so of its own
    number: int
    totals: Totals


@dataclass
class Phone:
    """A phone, the network between it and the site, and what happened on it."""

    name: str
    host: str
    context: BrowserContext
    network: BadNetwork
    here: str = ""  # the page of the table it is at
    lost: bool = False  # no page of ours is open
    online: bool = True
    page: Page = field(init=False)
    presses: list[Press] = field(default_factory=list)
    refused: set[Totals] = field(default_factory=set)  # with a sentence, and still typed there
    sentences: list[Told] = field(default_factory=list)
    queued: list[str] = field(default_factory=list)  # what it said is on this phone
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.context.expose_binding("kulaTold", lambda _source, words: self._listen(words))
        self.context.add_init_script(_TOLD)
        self.context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        self.page = self.context.new_page()

    # What it is told

    def _listen(self, words: str) -> None:
        notice = json.loads(words)
        match = re.search(r"(\d+)\b[^\d:]*: (\d+)–(\d+)", notice["what"])
        if notice["where"] and match:
            number, *totals = map(int, match.groups())
            self.sentences.append(
                Told(notice["page"], notice["where"], number, (totals[0], totals[1]))
            )
        if notice["state"] in {"queued", "needs-you"}:
            self.queued += [line for line in notice["lines"] if line not in self.queued]

    def waiting(self) -> list[dict[str, Any]]:
        """Return what lies in its list, by what the browser itself keeps."""
        if self.lost:
            return []
        try:
            reports: list[dict[str, Any]] = self.page.evaluate(_WAITING)
        except BrowserError:  # the browser's own page, or one that is on its way
            if not self.go(self.here):
                return []
            reports = self.page.evaluate(_WAITING)
        return [report for report in reports if report["state"] != "sent"]

    def due(self) -> list[dict[str, Any]]:
        """Return what it should be sending: of each table the first, unless a person has to look."""
        first: dict[str, dict[str, Any]] = {}
        for report in sorted(self.waiting(), key=lambda report: int(report["order"])):
            first.setdefault(report["table"], report)
        return [report for report in first.values() if report["state"] == "queued"]

    def stuck(self) -> dict[str, Any]:
        """Return what tells why something still waits."""
        keys = (
            "number",
            "says",
            "table",
            "order",
            "state",
            "tries",
            "next_try",
            "message",
            "claimed_until",
        )
        return {
            "name": self.name,
            "url": self.page.url,
            "online": self.page.evaluate(
                "[navigator.onLine, document.visibilityState, Date.now()]"
            ),
            "main": self.page.locator("body").inner_text()[:600],
            "waiting": [{key: each.get(key) for key in keys} for each in self.waiting()],
            "complaints": self.complaints,
        }

    def shown(self) -> list[Totals]:
        """Return the hands that its page shows as played, in order."""
        so_far = self.page.locator("section[aria-labelledby=so-far]")
        # The earlier ones come with the next look once they are opened.
        so_far.locator("details").evaluate_all(
            "(all) => all.forEach((each) => { each.open = true; })"
        )
        rows = so_far.locator("ol.rows li:not(.struck) .num")
        pairs = [words.split("–") for words in rows.all_text_contents()]
        return [(int(first), int(second)) for first, second in pairs]

    # What people do with it

    def go(self, path: str) -> bool:
        """Open a page of the site, and return whether one came."""
        try:
            self.page.goto(f"http://{self.host}:{self.network.port}{path}", wait_until="load")
        except BrowserError:
            self.lost = True
            return False
        self.lost = False
        self.here = urlsplit(self.page.url).path
        return True

    def drop_out(self) -> None:
        self.online = False
        self.context.set_offline(True)

    def come_back(self) -> None:
        """Find the network again; where the page is gone, open the table's."""
        self.online, self.network.up = True, True
        self.context.set_offline(False)
        if self.lost:
            self.go(self.here)

    def reload(self) -> None:
        self._read_refusal()
        try:
            self.page.reload(wait_until="load")
        except BrowserError:
            self.lost = True
        else:
            self.lost = False

    def close_and_open(self) -> None:
        """Close the tab; with a network open another."""
        self._read_refusal()
        self.page.close()
        self.page = self.context.new_page()
        self.lost = True
        if self.online:
            self.go(self.here)

    def sheet(self) -> Mapping[str, Any] | None:
        """Return entry and number of the sheet that lies there, if one does."""
        if self.lost:
            return None
        sheet: Mapping[str, Any] | None = self.page.evaluate(_SHEET)
        return sheet

    def write(self, totals: Totals, *, by_pad: bool, as_hand: int | None = None) -> bool:
        """Type a hand and press *Save*, and return whether it came to that.

        Who means a hand that is there already looks once more whether the sheet is its own: one
        on which nobody had typed yet may have become the next hand's.
        """
        self._read_refusal()
        try:
            for side, eaten in enumerate(totals):
                self._type(side, str(eaten), by_pad=by_pad)
            sheet = self.sheet()
            if sheet is None or as_hand not in {None, sheet["number"]}:
                self.page.reload()
                return False
        except BrowserError:
            return False
        press = Press(self.here, sheet["entry"], sheet["number"], totals)
        try:
            self.page.locator("button.save").click()
        except BrowserError:
            self.presses.append(replace(press, sure=False))
            return False
        self.presses.append(press)
        self._wait_until_done()
        self._read_refusal()
        return True

    def _read_refusal(self) -> None:
        """See whether the page refuses what is typed on it: what comes of it is a person's choice.

        It may say so long after *Save* where the machine has other work, so whatever would cover it
        looks first.
        """
        with suppress(BrowserError):
            if typed := self.page.evaluate(_TYPED):
                self.refused.add((typed[0], typed[1]))

    def _type(self, side: int, eaten: str, *, by_pad: bool) -> None:
        box = self.page.locator(f"[data-sheet] [name=eaten_{side}]")
        box.click()
        box.fill("")
        if by_pad:
            pad = self.page.get_by_role("group", name="Number pad")
            for digit in eaten:
                pad.get_by_role("button", name=digit, exact=True).click()
        else:
            box.press_sequentially(eaten)

    def _wait_until_done(self) -> None:
        with suppress(BrowserError):
            self.page.wait_for_function("() => !document.querySelector('[data-sending]')")

    def asked(self) -> tuple[Totals, Totals] | None:
        """Return what stands and what was sent, where the page asks which hand this is."""
        if self.lost or not self.page.locator("form[data-send]").count():
            return None
        rows = self.page.locator(".panel:has(form[data-send]) strong .num").all_text_contents()
        if len(rows) != 2:  # another page came meanwhile
            return None
        stands, sent = ([int(part) for part in words.split("–")] for words in rows)
        return (stands[0], stands[1]), (sent[0], sent[1])

    def answer(self, *, is_next: bool) -> None:
        button = f"form[data-send] button[value={'yes' if is_next else 'no'}]"
        with suppress(BrowserError):
            self.page.locator(button).click()
            self._wait_until_done()
        self._see_where()

    def look_at_it(self) -> bool:
        """Open the first hand of which the phone says that somebody has to look.

        It may be a hand of an earlier round: then it is the page of that table which comes.
        """
        button = self.page.locator("[data-on-phone] button[data-act=open]:visible")
        if self.lost or not button.count():
            return False
        with suppress(BrowserError):
            self.page.locator("main").evaluate("(main) => { main.dataset.before = ''; }")
            button.first.click()
            self.page.wait_for_selector("main:not([data-before])", timeout=LONG)
        self._see_where()
        self._read_refusal()
        return True

    def _see_where(self) -> None:
        if (path := urlsplit(self.page.url).path).startswith("/t/"):
            self.here = path


def device() -> dict[str, Any]:
    """Return what a browser needs to know to be a phone."""
    return {**PHONE, "device_scale_factor": 1, "reduced_motion": "reduce"}
