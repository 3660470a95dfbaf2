"""A hall of 1,000 phones, 3 displays and a desk that look at a tournament while it is played.

The real ``manage.py serve``, with two workers. Of the four phones at a table two show the table, one
the standings and one the dealers, or at every fourth table the club's front page; the displays show
who still plays, and the organiser, signed in, the desk. Each asks again for its page as ``live.js``
does. First the tables report alone, then at a hall's pace while all look. The phones are in two
processes of their own, whose processor time is not the site's, though they use the same cores.
"""

import argparse
import asyncio
import re
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import cycle
from multiprocessing import get_context
from os import getloadavg, sysconf
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic, process_time

from tests.benchmarks import load
from tests.benchmarks.site import house
from tests.drills.processes import descendants
from tests.serving import serving

DISPLAYS, PROCESSES = 3, 2
# Of live.js, in seconds: between two looks, at least between them, at most after failures, for one.
EVERY, LEAST, LONGEST, PATIENCE = 1.25, 0.3, 30.0, 8.0
AIM, SHARE, TIMES = (
    2.0,
    0.95,
    2.0,
)  # seconds to most screens; a report's p95 over that without phones
_ALONE, _LAST = 0.3, 5.0  # seconds between reports without phones; for the last report to be seen
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
    page = re.sub(r'<small class="placed">.*?</small>', "", page)
    words = " ".join(re.sub(r"<[^>]*>", " ", page).split())
    shown = {int(match[1]): int(match[2]) for match in SHOWN[kind].finditer(words)}
    if kind == "standings":
        first = min(shown, default=1)
        return {(player - first) // 4 + 1: hands for player, hands in shown.items()}
    if SHOWN[kind] is _COMING:
        return {table: hand - 1 for table, hand in shown.items()}
    return shown


@dataclass
class Screen:
    """A screen, and what it was sent between two moments."""

    kind: str
    path: str
    session: str = ""  # of who is signed in
    answers: Counter[int] = field(default_factory=Counter)  # by status; 0 is none in time
    seen: list[tuple[tuple[int, int], float]] = field(default_factory=list)  # hand and moment

    async def follow(self, port: int, after: float, begin: float, end: float) -> None:
        """Ask for the page again and again, as ``live.js`` does; count from *begin* to *end*."""
        await asyncio.sleep(after)
        cookies = f"csrftoken={'a' * 32}; kula_device=phone{id(self)}"
        cookies += f"; sessionid={self.session}" if self.session else ""
        request = (
            f"GET {self.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Look: 1\r\n"
            f"Accept-Encoding: gzip\r\nCookie: {cookies}\r\n"
        )
        tag, failures, line = "", 0, Line(port)
        knows: dict[int, int] = {}
        while (began := monotonic()) < end:
            try:
                async with asyncio.timeout(PATIENCE):
                    known = f"If-None-Match: {tag}\r\n" if tag else ""
                    status, head, body = await line.ask(f"{request}{known}\r\n".encode())
            except (OSError, EOFError, TimeoutError):
                status, head, body = 0, b"", b""
                line.close()
            failures = 0 if status in (200, 304) else failures + 1
            now = monotonic()
            if began >= begin:
                self.answers[status] += 1
            if status == 200:
                tag = _header(head, b"etag")
                shows = self._hands(tag, body)
                moved = [pair for pair in shows.items() if pair[1] > knows.get(pair[0], pair[1])]
                self.seen += [(pair, now) for pair in moved]
                knows |= shows
            pause = min(LONGEST, EVERY * 2**failures)
            await asyncio.sleep(max(LEAST, pause - (now - began)))
        line.close()

    def _hands(self, tag: str, body: bytes) -> dict[int, int]:
        # Many phones are sent the same page: it is read once.
        if tag not in _read:
            if len(_read) > 64:
                _read.clear()
            page = zlib.decompress(body, 47) if body[:2] == b"\x1f\x8b" else body
            _read[tag] = hands_shown(self.kind, page.decode())
        return _read[tag]


_read: dict[str, dict[int, int]] = {}


class Line:
    """A connection that stays open, and is made again after it was closed."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, request: bytes) -> tuple[int, bytes, bytes]:
        """Return the status, head and body of an answer."""
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 22)
        reader, writer = self.streams
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = _header(head, b"content-length")
        body = await reader.readexactly(int(length)) if length else b""
        if b"connection: close" in head.lower():
            self.close()
        return int(head[9:12]), head, body

    def close(self) -> None:
        if self.streams is not None:
            self.streams[1].close()
        self.streams = None


def _header(head: bytes, name: bytes) -> str:
    match = re.search(rb"\r\n" + name + rb": ([^\r]*)", head, re.IGNORECASE)
    return match[1].decode() if match else ""


def screens_of(tokens: Sequence[str], session: str) -> list[Screen]:
    """Return the screens of the hall: four phones a table, the displays, and the organiser's desk."""
    there = "/tournaments/1/"
    screens = [Screen("display", f"{there}display/?sheet=1") for _ in range(DISPLAYS)]
    screens.append(Screen("desk", f"{there}desk/", session))
    for number, token in enumerate(tokens):
        screens += [Screen("table", f"/t/{token}/") for _ in range(2)]
        screens.append(Screen("standings", there))
        other = ("dealers", f"{there}dealers/") if number % 4 else ("club", "/clubs/1/")
        screens.append(Screen(*other))
    return screens


def look(port: int, screens: list[Screen], begin: float, end: float) -> tuple[list[Screen], float]:
    """Follow the play on some screens; return them, and the seconds of processor this took."""

    async def all_look() -> float:
        rng, come = Random(port), begin - monotonic() - _LAST
        looks = [screen.follow(port, rng.uniform(0, come), begin, end) for screen in screens]
        following = asyncio.gather(*looks)
        await asyncio.sleep(begin - monotonic())
        used = process_time()
        await following
        return process_time() - used

    return screens, asyncio.run(all_look())


@dataclass
class Tables:
    """The tables that report, and when they sent which hand."""

    port: int
    tokens: Sequence[str]
    sent: dict[tuple[int, int], float] = field(default_factory=dict)

    async def report(self, moments: Sequence[float]) -> list[float]:
        """Report a hand at each of these moments; return how long each was waited for, in ms."""
        order = list(range(1, len(self.tokens) + 1))
        Random(len(self.sent)).shuffle(order)
        return await asyncio.gather(*map(self._one, cycle(order), sorted(moments)))

    async def _one(self, table: int, moment: float) -> float:
        await asyncio.sleep(moment - monotonic())
        number = 1 + sum(each == table for each, _ in self.sent)
        request = next(load.hands(self.tokens[table - 1], number))
        self.sent[table, number] = began = monotonic()
        status, head, _ = await Line(self.port).ask(request)
        if status != 303:
            raise RuntimeError(head.decode())
        return (monotonic() - began) * 1000


def processor_of(root: int) -> float:
    """Return the seconds of processor that a process and all below it have used."""
    stats = [Path(f"/proc/{pid}/stat").read_text() for pid in (root, *descendants(root))]
    ticks = sum(sum(map(int, stat.rpartition(") ")[2].split()[11:15])) for stat in stats)
    return ticks / sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("database", nargs="?", default="sqlite")
    parser.add_argument("--tables", type=int, default=250)
    parser.add_argument("--minutes", type=float, default=8.0, help="for a hand")
    parser.add_argument("--seconds", type=float, default=90.0, help="in which reports are sent")
    parser.add_argument("--arrive", type=float, default=40.0, help="seconds for all phones to come")
    given = parser.parse_args()
    reports = round(given.seconds * given.tables / given.minutes / 60)
    print(f"load of the machine {getloadavg()[0]:.1f}", flush=True)
    with house(given.database, given.tables) as at:
        data = Path(at.environment["KULA_DATA"])
        with (
            serving(data, "--workers", "2", environment=at.environment) as site,
            ProcessPoolExecutor(PROCESSES, get_context("spawn")) as phones,
        ):
            session = at.run("tests.benchmarks.prepare", "session").strip()
            tables = Tables(site.port, at.tokens)
            now = monotonic()
            alone = asyncio.run(tables.report([now + _ALONE * n for n in range(8 + reports)]))[8:]
            screens = screens_of(at.tokens, session)
            wait([phones.submit(look, site.port, [], now, now) for _ in range(PROCESSES)])  # begun
            begin = monotonic() + given.arrive + _LAST
            end = begin + given.seconds + _LAST
            looks = [
                phones.submit(look, site.port, screens[n::PROCESSES], begin, end)
                for n in range(PROCESSES)
            ]
            rng = Random(7)
            moments = [begin + rng.uniform(0, given.seconds) for _ in range(reports)]
            beside, used = asyncio.run(play(tables, moments, begin, end, site.process.pid))
            looked = [each.result() for each in looks]
    sent = {hand: moment for hand, moment in tables.sent.items() if moment >= begin}
    took = end - begin
    for name, waits in (("without phones", alone), ("with them", beside)):
        print(f"a report {name}: p50 {median(waits):.0f} ms, p95 {late(waits):.0f} ms")
    print(f"p95: {late(beside) / late(alone):.1f} times (aim {TIMES:.0f})")
    client = sum(seconds for _, seconds in looked)
    print(f"of a core: the site {used / took:.0%}, the phones {client / took:.0%}")
    show([screen for screens, _ in looked for screen in screens], sent, took)


async def play(
    tables: Tables, moments: list[float], begin: float, end: float, root: int
) -> tuple[list[float], float]:
    """Report while all look; return the waits, and the processor that the site used."""
    reporting = asyncio.ensure_future(tables.report(moments))
    await asyncio.sleep(begin - monotonic())
    used = processor_of(root)
    waits = await reporting
    await asyncio.sleep(end - monotonic())
    return waits, processor_of(root) - used


def late(some: Sequence[float]) -> float:
    return sorted(some)[int(len(some) * 0.95)]


def show(screens: Sequence[Screen], sent: Mapping[tuple[int, int], float], took: float) -> None:
    """Print how long each kind of screen took to show what was reported; what never came is late."""
    head = f"{'seconds to':<10} {'due':>6} {'median':>7} {'95 %':>6} {'worst':>6} {'in time':>8}"
    print(f"{head} {'asks/min':>9} {'304':>5} {'failed':>6}")
    total, in_time, missing = 0, 0, []
    for kind in SHOWN:
        alike = [screen for screen in screens if screen.kind == kind]
        seen = [(hand, moment) for screen in alike for hand, moment in screen.seen]
        delays = [moment - sent[hand] for hand, moment in seen if hand in sent]
        if not delays:
            missing.append(kind)
        # A table is seen by its own screens; a display shows some tables.
        due = {"table": 2, "display": 0}.get(kind, len(alike)) * len(sent)
        delays += [float("inf")] * max(due - len(delays), not delays)
        total += len(delays)
        in_time += (good := sum(delay <= AIM for delay in delays))
        counted = sum((screen.answers for screen in alike), Counter[int]())
        asks, minutes = max(1, counted.total()), len(alike) * took / 60
        print(
            f"{kind:<10} {len(delays):>6} {median(delays):>7.2f} {late(delays):>6.2f}"
            f" {max(delays):>6.2f} {good / len(delays):>8.1%} {asks / minutes:>9.1f}"
            f" {counted[304] / asks:>5.0%} {asks - counted[200] - counted[304]:>6}"
        )
    print(f"{len(sent)} reports and {len(screens)} screens in {took:.0f} s:", end=" ")
    print(f"{in_time / total:.1%} within {AIM:.0f} s (aim {SHARE:.0%})", flush=True)
    if missing:
        raise SystemExit(f"Nothing was measured of: {', '.join(missing)}.")


if __name__ == "__main__":
    main()
