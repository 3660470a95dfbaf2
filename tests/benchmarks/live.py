"""A hall of 80 phones, 3 displays and a desk that look at a tournament while it is played.

The real ``manage.py serve``, twenty tables. Of the four phones at a table two show the table, one
the standings and one the dealers, or at every fourth table the club's front page; the displays show
who still plays, and the organiser, signed in, the desk. Each asks again every 1.25 s
for the page it shows, with its tag, on a line that stays open, as ``live.js`` does. Every table
reports a hand twelve times, as in an hour of five minutes a hand; that hour is pressed into
``--minutes``, and the pace of looking is not. So what is asked a minute is as it is in a hall,
while pages move more often; what that is in an hour of its own length is worked out beside it.
"""

import argparse
import asyncio
import re
import zlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from os import sysconf
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from uuid import uuid4

from tests.benchmarks import load
from tests.benchmarks.site import House, house
from tests.serving import serving

TABLES, HANDS, DISPLAYS, EVERY, HOUR = 20, 12, 3, 1.25, 3600
AIM = 2.0  # seconds
# A table and how many hands of it are shown, as the words of each kind of page say it. The first group
# is the table, for standings a player of whom four sit at each; the second is the hand, of those that
# name the coming one less 1.
_COMING = re.compile(r"\bTable (\d+)\b(?:(?! Table ).)*? Hand (\d+) of ")
SHOWN = {
    "table": _COMING,
    "standings": re.compile(r"\bPlayer (\d+) [\d½]+ (\d+) "),  # points and hands
    "dealers": _COMING,
    "club": _COMING,
    "display": re.compile(r"\bTable (\d+)\b(?:(?! Table ).)*? (\d+)/\d+"),
}
SHOWN["desk"] = SHOWN["display"]


def hands_shown(kind: str, page: str) -> dict[int, int]:
    """Return how many hands of each table a page shows, by the number of the table."""
    words = " ".join(re.sub(r"<[^>]*>", " ", page).split())
    shown = {int(match[1]): int(match[2]) for match in SHOWN[kind].finditer(words)}
    if kind == "standings":
        first = min(shown, default=1)
        return {(player - first) // 4 + 1: hands for player, hands in shown.items()}
    if SHOWN[kind] is _COMING:
        return {table: hand - 1 for table, hand in shown.items()}
    return shown


_COOKIES = "Cookie: csrftoken={0}; kula_device=phone{1}; sessionid={2}\r\n"


@dataclass
class Watcher:
    """One screen, and what it has been told so far."""

    kind: str
    path: str
    session: str = "none"  # of who is signed in
    pages: int = 0
    unchanged: int = 0
    sent: int = 0
    received: int = 0
    page_bytes: int = 0
    tag: str = ""
    knows: dict[int, int] = field(default_factory=lambda: defaultdict(int))

    @property
    def asked(self) -> int:
        return self.pages + self.unchanged


@dataclass
class Hall:
    """What is reported, when, and how long each screen took to show it."""

    port: int
    sent_at: dict[tuple[int, int], float] = field(default_factory=dict)
    delays: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    answers: list[float] = field(default_factory=list)
    over: bool = False

    async def watch(self, watcher: Watcher, number: int, after: float) -> None:
        """Ask again and again, as a page does."""
        await asyncio.sleep(after)
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 22)
        cookies = _COOKIES.format("a" * 32, number, watcher.session)
        while not self.over:
            began = perf_counter()
            known = f"If-None-Match: {watcher.tag}\r\n" if watcher.tag else ""
            request = (
                f"GET {watcher.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Look: 1\r\n"
                f"Accept-Encoding: gzip\r\n{cookies}{known}\r\n"
            ).encode()
            writer.write(request)
            head, body = await _answer(reader)
            watcher.sent += len(request)
            watcher.received += len(head) + len(body)
            if b" 304 " in head[:16]:
                watcher.unchanged += 1
            else:
                self._look(watcher, head, body)
            if b"connection: close" in head.lower():
                writer.close()
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", self.port, limit=1 << 22
                )
            await asyncio.sleep(max(0.3, EVERY - (perf_counter() - began)))
        writer.close()

    def _look(self, watcher: Watcher, head: bytes, body: bytes) -> None:
        now = perf_counter()
        if b" 200 " not in head[:16]:
            raise RuntimeError(head.decode())
        watcher.pages += 1
        watcher.page_bytes += len(head) + len(body)
        watcher.tag = _header(head, b"etag")
        text = zlib.decompress(body, 47).decode() if body[:2] == b"\x1f\x8b" else body.decode()
        for table, hand in hands_shown(watcher.kind, text).items():
            for each in range(watcher.knows[table] + 1, hand + 1):
                if (table, each) in self.sent_at:
                    self.delays[watcher.kind].append(now - self.sent_at[table, each])
            watcher.knows[table] = max(hand, watcher.knows[table])

    async def play(self, table: int, token: str, moments: list[float]) -> None:
        """Report the hands of a table when their time has come."""
        began = perf_counter()
        for number, moment in enumerate(moments, start=1):
            await asyncio.sleep(max(0.0, moment - (perf_counter() - began)))
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            eaten = 2 + number * 7 % 117
            self.sent_at[table, number] = perf_counter()
            writer.write(
                load.post(
                    f"/t/{token}/", entry=uuid4(), number=number, eaten_0=eaten,
                    eaten_1=120 - eaten, how="save", **load.UNANSWERED,
                )
            )  # fmt: skip
            head, _ = await _answer(reader)
            self.answers.append(perf_counter() - self.sent_at[table, number])
            writer.close()
            if b" 303 " not in head[:16]:
                raise RuntimeError(head.decode())


async def _answer(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    head = await reader.readuntil(b"\r\n\r\n")
    length = _header(head, b"content-length")
    return head, await reader.readexactly(int(length)) if length else b""


def _header(head: bytes, name: bytes) -> str:
    match = re.search(rb"\r\n" + name + rb": ([^\r]*)", head, re.IGNORECASE)
    return match[1].decode() if match else ""


def processor_of(root: int) -> float:
    """Return the seconds of processor that a process and all below it have used."""
    below, used = {root}, {}
    stats = [(path, path.read_text()) for path in Path("/proc").glob("[0-9]*/stat")]
    parts = {int(path.parent.name): text.rpartition(") ")[2].split() for path, text in stats}
    for pid in sorted(parts):
        if pid == root or int(parts[pid][1]) in below:
            below.add(pid)
            used[pid] = sum(map(int, parts[pid][11:15]))
    return sum(used.values()) / sysconf("SC_CLK_TCK")


def watchers(tokens: Sequence[str], session: str) -> list[Watcher]:
    """Return the screens of the hall: four phones a table, the displays, and the organiser's desk."""
    there = "/tournaments/1/"
    screens = [Watcher("display", f"{there}display/?sheet=1") for _ in range(DISPLAYS)]
    screens.append(Watcher("desk", f"{there}desk/", session))
    for number, token in enumerate(tokens):
        screens += [Watcher("table", f"/t/{token}/") for _ in range(2)]
        screens.append(Watcher("standings", there))
        other = ("dealers", f"{there}dealers/") if number % 4 else ("club", "/clubs/1/")
        screens.append(Watcher(*other))
    return screens


async def evening(hall: Hall, at: House, screens: list[Watcher], seconds: float) -> None:
    rng = Random(7)
    looks = [
        asyncio.create_task(hall.watch(screen, number, rng.uniform(0, EVERY)))
        for number, screen in enumerate(screens)
    ]
    await asyncio.sleep(3 * EVERY)  # every page is there
    for screen in screens:
        screen.pages = screen.unchanged = screen.sent = screen.received = screen.page_bytes = 0
    plays = [
        hall.play(number, token, sorted(rng.uniform(0, seconds) for _ in range(HANDS)))
        for number, token in enumerate(at.tokens, start=1)
    ]
    await asyncio.gather(*plays)
    await asyncio.sleep(4 * EVERY)
    hall.over = True
    await asyncio.gather(*looks)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("database", nargs="?", default="sqlite")
    parser.add_argument("--minutes", type=float, default=4.0, help="for the hour")
    given = parser.parse_args()
    with house(given.database, TABLES) as at:
        environment = {
            key: at.environment[key] for key in ("DATABASE_URL", "DJANGO_SETTINGS_MODULE")
        }
        with serving(
            Path(at.environment["KULA_DATA"]), "--workers", "2", environment=environment
        ) as site:
            session = at.run("tests.benchmarks.prepare", "session").strip()
            hall, screens = Hall(site.port), watchers(at.tokens, session)
            before, began = processor_of(site.process.pid), perf_counter()
            asyncio.run(evening(hall, at, screens, given.minutes * 60))
            took = perf_counter() - began
            used = processor_of(site.process.pid) - before
    show(hall, screens, took, used)


def show(hall: Hall, screens: list[Watcher], took: float, used: float) -> None:
    if missing := [kind for kind in SHOWN if not hall.delays[kind]]:
        raise SystemExit(f"Nothing was measured of: {', '.join(missing)}.")
    delays = {
        **hall.delays,
        "all screens": [each for some in hall.delays.values() for each in some],
    }
    print(f"{len(hall.sent_at)} reports and {len(screens)} screens in {took:.0f} s")
    print(f"a report is answered in {median(hall.answers) * 1000:.0f} ms (median)")
    print(f"{'seconds to the screen':<22} {'n':>6} {'median':>7} {'95 %':>6} {'worst':>6}")
    for kind, some in delays.items():
        ranked = sorted(some)
        late = ranked[int(len(ranked) * 0.95)]
        print(f"{kind:<22} {len(some):>6} {median(some):>7.2f} {late:>6.2f} {ranked[-1]:>6.2f}")
    whole = sum(delay < AIM for delay in delays["all screens"]) / len(delays["all screens"])
    print(f"{whole:.1%} within {AIM:.0f} s")
    print(f"{'a screen':<22} {'asks/min':>8} {'304':>6} {'page B':>7} {'304 B':>6} {'KiB/h':>7}")
    for kind in SHOWN:
        alike = [screen for screen in screens if screen.kind == kind]
        asked, pages = sum(s.asked for s in alike), sum(s.pages for s in alike)
        unchanged = sum(s.unchanged for s in alike)
        page = sum(s.page_bytes for s in alike) / max(1, pages)
        rest = (sum(s.received for s in alike) - page * pages) / max(1, unchanged)
        a_minute = asked / len(alike) / took * 60
        # In an hour of its own length it asks on and on, and gets as many pages as here.
        hour = (page * pages / len(alike) + rest * (a_minute * 60 - pages / len(alike))) / 1024
        print(
            f"{kind:<22} {a_minute:>8.1f} {unchanged / asked:>6.0%} {page:>7.0f} {rest:>6.0f}"
            f" {hour:>7.0f}"
        )
    print(f"the server used {used:.1f} s of processor: {used / took:.0%} of one core")


if __name__ == "__main__":
    main()
