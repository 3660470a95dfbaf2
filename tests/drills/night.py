"""A night in which phones drop in and out: ``python -m tests.drills.night --minutes 60 --seed 7``.

Every table plays real hands, and one or several phones write them down by their pages. They lose
the network at any moment, are reloaded, closed and opened again; replies get lost; two of them
count differently; rounds are closed meanwhile. In the end all come back, and what each phone was
told is held against what stands.
"""

import argparse
import re
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, Page

from tests.browser.bad_network import BadNetwork, Cut
from tests.browser.visiting import HALL, LAPTOP, chromium
from tests.drills import hall
from tests.drills.night_desk import Desk, organising
from tests.drills.night_phone import SHORT, Phone, Press, Totals, device
from tests.drills.playing import patience
from tests.serving import Site, serving

HANDS = 400  # of a round, of which nobody gets to the end
PHONES_AT = (2, 3, 2, 3)  # by table
# At one table 117 counts differ: from so many on it plays another round, and then writes no more.
COUNTS, MOST_COUNTS = 95, 115
# Seconds: a page whose looks fail pauses for up to 30, and a look takes up to 8.
SHOWN_WITHIN = 40
AGREE_WITHIN = 120  # seconds, on a machine with other work


_REGIONS = """
() => Object.fromEntries([...document.querySelectorAll("[data-live][id], [data-sound]")].map((region) =>
  [region.id || "sound", String(region.hidden || region.textContent.trim().replace(/\\s+/g, " "))]))
"""


@dataclass
class Night:
    """Tables, their phones, and what was really played there."""

    site: Site
    desk: Desk
    rng: Random
    phones: dict[int, list[Phone]] = field(default_factory=dict)  # by table
    tables: dict[int, dict[str, Any]] = field(default_factory=dict)  # where each plays now
    # By the page of a table: the deal that was counted so. No two counts there are the same.
    deals: dict[str, dict[Totals, int]] = field(default_factory=lambda: defaultdict(dict))
    played: Counter[str] = field(default_factory=Counter)
    settled: set[tuple[str, int]] = field(default_factory=set)
    acts: Counter[str] = field(default_factory=Counter)

    def sit_down(self, tables: list[dict[str, Any]]) -> None:
        self.tables = {table["number"]: table for table in tables}

    def count(self, page: str, deal: int) -> Totals:
        """Count a deal as nobody has counted one at this table."""
        while True:
            ours = self.rng.randrange(2, 119)
            if (ours, 120 - ours) not in self.deals[page]:
                self.deals[page][ours, 120 - ours] = deal
                return ours, 120 - ours

    def needs_another_round(self) -> bool:
        return any(len(self.deals[table["page"]]) >= COUNTS for table in self.tables.values())

    def step(self) -> None:
        """Let somebody do something."""
        table = self.rng.choice(list(self.phones))
        phone = self.rng.choice(self.phones[table])
        acts = [self.write] * 8 + [self.network] * 3 + [self.look] * 2
        acts += [self.move_on, self.reload, self.close, self.lose_an_answer]
        act = self.rng.choice(acts)
        self.acts[act.__name__] += 1
        act(phone, table)

    def write(self, phone: Phone, table: int) -> None:
        """Write down the hand that was just played: the first phone, or another of what it wrote."""
        page = phone.here
        if phone.lost or self._answer(phone) or phone.sheet() is None:
            return
        if len(self.deals[page]) >= MOST_COUNTS:
            return
        first = phone is self.phones[table][0]
        takes_over = self.phones[table][0].lost or self.rng.random() < 0.05
        sheet, by_pad = phone.sheet() or {}, self.rng.random() < 0.3
        if first or takes_over or not self.played[page]:
            if self.played[page] < HANDS:
                self.played[page] += 1
                phone.write(self.count(page, self.played[page]), by_pad=by_pad)
        elif totals := self._as_the_first(sheet, page):
            phone.write(totals, by_pad=by_pad, as_hand=sheet["number"])
        self._answer(phone)

    def _as_the_first(self, sheet: Mapping[str, Any], page: str) -> Totals | None:
        """Return what another phone writes of the hand that its sheet is for, usually the same."""
        deal = sheet.get("number")
        counts = [totals for totals, each in self.deals[page].items() if each == deal]
        if deal is None or not counts:
            return None
        return self.count(page, deal) if self.rng.random() < 0.4 else counts[0]

    def network(self, phone: Phone, _table: int) -> None:
        if phone.online:
            phone.drop_out()
        else:
            phone.come_back()

    def look(self, phone: Phone, _table: int) -> None:
        """See to what waits for a person."""
        if phone.online and not phone.lost and phone.look_at_it():
            self._answer(phone)

    def move_on(self, phone: Phone, table: int) -> None:
        """Scan the table's card: it leads to the round that is played."""
        if phone.online:
            phone.go(self.tables[table]["card"])

    def reload(self, phone: Phone, _table: int) -> None:
        if phone.online or self.rng.random() < 0.3:
            phone.reload()

    def close(self, phone: Phone, _table: int) -> None:
        phone.close_and_open()

    def lose_an_answer(self, phone: Phone, table: int) -> None:
        """Let the next hand be cut somewhere on its way; the network is back a little later."""
        if phone.online and not phone.lost:
            phone.network.cut = self.rng.choice([*Cut])
            self.write(phone, table)
            phone.network.cut, phone.network.up = None, True

    def _answer(self, phone: Phone) -> bool:
        """Say truly whether this is the hand that stands, where a phone is asked."""
        asked = phone.asked()
        if asked is None:
            return False
        stands, sent = (self.deals[phone.here].get(totals) for totals in asked)
        phone.answer(is_next=stands != sent)
        return True

    def next_round(self) -> None:
        self.sit_down(self.desk.ask("next_round"))

    def settle(self) -> None:
        if settled := self.desk.ask("settle"):
            self.settled.add((settled[0], settled[1]))

    # In the end

    def everybody(self) -> Iterator[Phone]:
        for phones in self.phones.values():
            yield from phones

    def come_home(self) -> None:
        """Bring every phone back to the network, and see to all that waits for a person."""
        for phone in self.everybody():
            phone.network.cut = None
            phone.come_back()
        until = time.monotonic() + AGREE_WITHIN
        while time.monotonic() < until:
            waiting = 0
            for phone in self.everybody():
                if phone.lost:
                    phone.go(phone.here)
                if not self._answer(phone):
                    phone.look_at_it()
                    self._answer(phone)
                waiting += len(phone.due())
            asked = any(phone.asked() for phone in self.everybody())
            if not waiting and not asked:
                return
            self.pause(0.5)
        raise AssertionError([phone.stuck() for phone in self.everybody() if phone.waiting()])

    def wait_until(
        self, look: Callable[[], object], wanted: object, where: Callable[[], object]
    ) -> None:
        """Wait until a page shows what it should."""
        until = time.monotonic() + patience(SHOWN_WITHIN)
        while (seen := look()) != wanted:
            assert time.monotonic() < until, (seen, wanted, where())
            self.pause(0.3)

    def pause(self, seconds: float) -> None:
        """Let the browsers go on."""
        next(self.everybody()).page.wait_for_timeout(seconds * 1_000)


def check(night: Night) -> str:
    """Hold what was typed and told against what stands, and return what there was of it."""
    stands = night.desk.ask("read")
    faults: list[str] = []
    seen: Counter[str] = Counter()
    for page, table in stands.items():
        deals = [night.deals[page].get(_totals(hand)) for hand in table["hands"].values()]
        seen["hands"] += len(deals)
        presses = [
            (phone.name, press.number, press.totals, night.deals[page][press.totals])
            for phone in night.everybody()
            for press in phone.presses
            if press.page == page
        ]
        # Where a deal was once written under another number, whoever copies by numbers copies others
        # from there on: only people can know which two are the same.
        astray = [min(number, deal) for _phone, number, _totals, deal in presses if number != deal]
        written = Counter(deal for _phone, _number, _totals, deal in presses)
        most = {
            deal: many if astray and deal >= min(astray) else 1 for deal, many in written.items()
        }
        seen["written twice by two phones"] += len(deals) - len(set(deals))
        if any(deals.count(deal) > most.get(deal or 0, 0) for deal in deals):
            faults.append(f"{page}: {deals} stand, of {presses}: {table['reports']}")
    for phone in night.everybody():
        on_phone = {report["entry"]: report["message"] for report in phone.waiting()}
        for press in phone.presses:
            if press.totals in phone.refused:
                seen["refused in words"] += 1
                continue
            fault = _fault_of(press, stands[press.page], night, on_phone, seen)
            if fault:
                faults.append(f"{phone.name} {press}: {fault}")
        for sentence in phone.sentences:
            seen["sentences"] += 1
            reports = stands[sentence.page]["reports"].values()
            sent = any(
                (report["number"], _totals(report)) == (sentence.number, sentence.totals)
                for report in reports
            )
            if not sent:
                faults.append(f"{phone.name} was told {sentence}, and nothing of it is there")
        faults += [f"{phone.name}: {complaint}" for complaint in phone.complaints]
    assert not faults, "\n".join(faults)
    return ", ".join(f"{number} {what}" for what, number in sorted(seen.items()))


def _totals(row: dict[str, Any]) -> Totals:
    ours, theirs = row["totals"]
    return ours, theirs


def _fault_of(
    press: Press,
    table: dict[str, Any],
    night: Night,
    on_phone: Mapping[str, str],
    seen: Counter[str],
) -> str:
    """Say what is wrong with what became of a press of *Save*, if anything is."""
    reports = table["reports"]
    entries = [entry for entry, each in reports.items() if _totals(each) == press.totals]
    if not entries and press.entry in on_phone:
        seen[f"on a phone, with “{on_phone[press.entry]}”"] += 1
        return ""
    if not entries:
        came = reports.get(press.entry, "no report")
        return f"it is lost: of its entry there is {came}" if press.sure else ""
    deals = night.deals[press.page]
    for entry in entries:
        report = reports[entry]
        verdict, number = report["verdict"], report["number"]
        seen[verdict] += 1
        stands = table["hands"].get(str(number))
        if verdict == "late":
            if entry not in table["late"] and not stands:
                return "it came late, and waits for nobody"
            continue
        if (press.page, number) in night.settled:  # by an organiser who throws dice
            continue
        if stands is None or deals[_totals(stands)] != deals[press.totals]:
            about = {key: each for key, each in reports.items() if each["number"] == number}
            return f"it is {verdict} as hand {number}, where {stands} stands: {about}"
        changed = any(
            each["number"] == number and each["verdict"] in {"amends", "correction"}
            for each in reports.values()
        )
        if verdict == "accepted" and _totals(stands) != press.totals and not changed:
            return f"it was saved as hand {number}, where {stands} stands"
    return ""


def check_pages(night: Night, screens: dict[str, Page]) -> None:
    """See that nobody has to load a page again: phones and screens come to show what stands."""
    stands = night.desk.ask("read")
    for phone in night.everybody():
        hands = [_totals(hand) for hand in stands[phone.here]["hands"].values()]
        night.wait_until(phone.shown, hands, phone.stuck)
    for name, screen in screens.items():
        fresh = screen.context.new_page()
        fresh.goto(screen.url)
        night.wait_until(partial(_words, screen), _words(fresh), partial(str, name))
        fresh.close()


def _words(page: Page) -> dict[str, str]:
    """Return what a screen shows by region, without what only a clock changes."""
    regions: dict[str, str] = page.evaluate(_REGIONS)
    changing = re.compile(r"\d+ (min|minutes?|s|seconds?)\b|\d+:\d+(:\d+)?")
    return {name: changing.sub("", words) for name, words in regions.items()}


@contextmanager
def begun(site: Site, browser: Browser, seed: int) -> Iterator[tuple[Night, dict[str, Page]]]:
    """Let a night begin: tables with their phones, and three screens that watch."""
    with ExitStack() as open_:
        desk = open_.enter_context(organising(site.data))
        night = Night(site, desk, Random(seed))
        laid = desk.ask("begin", tables=len(PHONES_AT), hands=HANDS)
        night.sit_down(laid["tables"])
        for number, (table, phones) in enumerate(zip(night.tables, PHONES_AT, strict=True)):
            night.phones[table] = []
            for nth in range(phones):
                network = open_.enter_context(BadNetwork(site.port))
                context = browser.new_context(**device())
                open_.callback(context.close)
                host = HALL if (number + nth) % 2 else "127.0.0.1"
                phone = Phone(f"phone {table}{'abc'[nth]}", host, context, network)
                night.phones[table].append(phone)
                assert phone.go(night.tables[table]["card"]), phone.name
                context.set_default_timeout(SHORT)
        laptop = browser.new_context(base_url=site.url, **LAPTOP)
        open_.callback(laptop.close)
        session = {"name": "sessionid", "value": laid["session"], "url": site.url}
        laptop.add_cookies([session])  # type: ignore[list-item]
        screens = {name: laptop.new_page() for name in ("desk", "display", "standing")}
        for name, screen in screens.items():
            screen.goto(laid[name])
        yield night, screens


def hold(site: Site, browser: Browser, *, seconds: float, rounds: int, seed: int) -> str:
    """Play for so long, and return what was checked in the end."""
    with begun(site, browser, seed) as (night, screens):
        start = time.monotonic()
        for nth in range(rounds):
            if nth:
                night.next_round()
            while time.monotonic() < start + seconds * (nth + 1) / rounds:
                if night.needs_another_round():
                    night.next_round()
                night.step()
                if night.rng.random() < 0.02:
                    night.settle()
        night.come_home()
        seen = check(night)
        check_pages(night, screens)
        recounted = hall.recount(site.data).strip()
        acts = ", ".join(f"{number} {act}" for act, number in sorted(night.acts.items()))
        return f"{seen}; {acts}; {recounted}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rounds", type=int, default=0, help="one every six minutes by default")
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    rounds = asked.rounds or max(2, round(asked.minutes / 6))
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), "--workers", "2") as site,
        chromium() as browser,
    ):
        print(hold(site, browser, seconds=asked.minutes * 60, rounds=rounds, seed=asked.seed))


if __name__ == "__main__":
    main()
