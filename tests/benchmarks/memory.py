"""Memory of the whole site, idle and after work, and the first answers of a new worker.

Memory is the sum of PSS over all processes of ``manage.py serve``: a page of memory that several
processes share counts once. The work is every page of the tour of the tests that no other lane
draws, as a stranger and as the owner, and hands from a table; then all other pages too: exports,
posters, simulations and bots. Then workers are killed, and what their successors answer first is
timed.
"""

import argparse
import http.client
import json
import threading
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from tests.benchmarks import load
from tests.benchmarks.site import house
from tests.drills.processes import children, descendants, kill, workers
from tests.serving import Site, serving
from tracker.management.server.lanes import Lane, lane_of

_SETTLE = 3.0  # seconds
_PAGES = 40  # asked for after a worker was killed
AIMS = {
    "idle": (160, "MiB"),
    "after work": (280, "MiB"),
    "after all": (0, "MiB"),  # no aim: most of it is what slow lanes hold
    "first report": (100, "ms"),
    "slowest page": (150, "ms"),
}


def memory_of(root: int) -> float:
    """Return the memory of a process and all below it, in MiB."""
    pids = (root, *descendants(root))
    texts = [Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in pids]
    return sum(int(text.split("\nPss:")[1].split()[0]) for text in texts) / 1024


def ask(port: int, request: bytes, good: Sequence[int] = ()) -> float:
    """Send a request on a connection of its own; return how long its answer takes, in ms."""
    began = perf_counter()
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    link.connect()
    link.sock.sendall(request)
    with http.client.HTTPResponse(link.sock) as answer:
        answer.begin()
        answer.read()
    link.close()
    if answer.status not in good and (good or answer.status >= 500):
        raise RuntimeError(f"{answer.status}: {request.decode()}")
    return (perf_counter() - began) * 1000


def work(port: int, paths: Sequence[str], session: str, reports: load.Requests) -> None:
    """Read every page, as a stranger and signed in, and report a hand between them."""
    signed_in = f"\r\nCookie: sessionid={session}\r\n".encode()
    for path in paths:
        ask(port, load.get(path))
        ask(port, load.get(path).replace(b"\r\n", signed_in, 1))
        ask(port, next(reports), [303])


def replace_oldest(site: Site) -> None:
    """Kill the worker with the lowest number, and wait until all have their lanes again.

    One at a time: where no worker is left the server starts anew, after longer and longer pauses.
    """
    before = workers(site)
    kill(oldest := min(before))
    pause = threading.Event()
    while len(alive := set(workers(site)) - {oldest}) < len(before) or not all(
        len(children(worker)) >= 4 for worker in alive
    ):
        pause.wait(0.01)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=2, help="to read all pages")
    parser.add_argument("--kills", type=int, default=5)
    given = parser.parse_args()
    with house("sqlite", None) as at:
        prepared = json.loads(at.run("tests.benchmarks.prepare", "tour"))
        data = Path(at.environment["KULA_DATA"])
        with serving(data, environment=at.environment):
            pass  # a first start also makes files, and keeps the memory that this takes
        with serving(data, "--workers", "2", environment=at.environment) as site:
            found = measure(site, prepared, given.times, given.kills)
    show(found)


def measure(site: Site, prepared: dict[str, Any], times: int, kills: int) -> dict[str, list[float]]:
    """Return all figures by their names in ``AIMS``."""
    found: dict[str, list[float]] = {name: [] for name in AIMS}
    paths, reports = prepared["paths"], load.hands(prepared["token"])
    pages = [path for path in paths if lane_of("GET", *_halves(path)) is Lane.PAGES]
    threading.Event().wait(_SETTLE)
    found["idle"].append(memory_of(site.process.pid))
    for _ in range(times):
        work(site.port, pages, prepared["session"], reports)
    found["after work"].append(memory_of(site.process.pid))
    work(site.port, paths, prepared["session"], reports)
    found["after all"].append(memory_of(site.process.pid))
    for _ in range(kills):
        for _ in workers(site):
            replace_oldest(site)
        found["first report"].append(ask(site.port, next(reports), [303]))
    for _ in range(kills):
        replace_oldest(site)
        waits = [ask(site.port, load.get(page)) for page in pages[:_PAGES]]
        found["slowest page"].append(max(waits))
    return found


def _halves(path: str) -> tuple[str, str]:
    path, _, query = path.partition("?")
    return path, query


def show(found: dict[str, list[float]]) -> None:
    if missing := [name for name in AIMS if not found[name]]:
        raise SystemExit(f"Nothing was measured of: {', '.join(missing)}.")
    for name, (aim, unit) in AIMS.items():
        values = " ".join(f"{value:.0f}" for value in found[name])
        wanted = f" (aim {aim})" if aim else ""
        print(f"{name:<14} {median(found[name]):>6.0f} {unit}{wanted}: {values}")


if __name__ == "__main__":
    main()
