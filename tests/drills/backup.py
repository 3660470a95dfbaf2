"""Copies made while phones report, restored elsewhere, and restores that are killed.

``python -m tests.drills.backup --copies 20 --tables 20`` is the long form; it prints what it saw.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import UUID, uuid4

import psycopg

from tests.drills import hall
from tests.drills.phones import Phone
from tests.drills.test_reports import eaten
from tests.serving import PATIENCE, ROOT, Site, beside, serving

MOST = 200  # hands a table: more a round does not take


@dataclass(slots=True)
class TableNow:
    """A phone that reports until it is told to stop, and notes what was acknowledged, and when."""

    phone: Phone
    acknowledged: dict[int, UUID] = field(default_factory=dict)
    waits: list[tuple[float, float]] = field(default_factory=list)  # when, and how long

    def report_until(self, stop: threading.Event, pause: float) -> None:
        for number in range(1, MOST + 1):
            if stop.wait(pause):
                return
            entry, begun = uuid4(), time.monotonic()
            answer = self.phone.report(number, eaten(number), entry)
            assert (answer.status, answer.number) == (303, number), answer
            self.waits.append((begun, time.monotonic() - begun))
            self.acknowledged[number] = entry


@dataclass(frozen=True, slots=True)
class Made:
    """A copy, and what had been acknowledged to each phone before it was begun."""

    file: Path
    acknowledged: dict[str, dict[int, UUID]]
    begun: float
    ended: float


@contextmanager
def reporting(site: Site, tables: int, *, pause: float = 0) -> Iterator[list[TableNow]]:
    """Let phones report, by default as fast as they are answered, as long as this lasts."""
    playing = [
        TableNow(Phone(site.port, token).open_page()) for token in hall.seat(site.data, tables)
    ]
    stop, failed = threading.Event(), []

    def report(table: TableNow) -> None:
        try:
            table.report_until(stop, pause)
        except BaseException as error:  # noqa: BLE001 - raised below, in the drill's own thread
            failed.append(error)

    threads = [threading.Thread(target=report, args=[table]) for table in playing]
    for thread in threads:
        thread.start()
    try:
        yield playing
    finally:
        stop.set()
        for thread in threads:
            thread.join(PATIENCE)
    if failed:
        raise failed[0]


def wait_for(playing: Sequence[TableNow], hands: int) -> None:
    """Wait until so many hands more were acknowledged."""
    pause, enough = threading.Event(), acknowledged(playing) + hands
    most = len(playing) * MOST
    for _ in range(int(PATIENCE / 0.01)):
        if acknowledged(playing) >= min(enough, most):
            return
        pause.wait(0.01)
    raise AssertionError("the phones are not answered any more")


def acknowledged(playing: Sequence[TableNow]) -> int:
    return sum(len(table.acknowledged) for table in playing)


def back_up(data: Path, file: Path, playing: Sequence[TableNow]) -> Made:
    entries = {table.phone.token: dict(table.acknowledged) for table in playing}
    begun = time.monotonic()
    manage(data, "backup", str(file))
    return Made(file, entries, begun, time.monotonic())


def manage(data: Path, *arguments: str) -> str:
    done = run(data, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run(data: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT, env=beside(data), capture_output=True, text=True, check=False,
    )  # fmt: skip


@contextmanager
def elsewhere(folder: Path) -> Iterator[Path]:
    """Yield an empty folder of another machine; with PostgreSQL, its empty database, too."""
    folder.mkdir()
    url = os.environ.get("DATABASE_URL")
    if not url:
        yield folder
        return
    name = f"elsewhere_{uuid4().hex[:8]}"
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
        os.environ["DATABASE_URL"] = urlunsplit(urlsplit(url)._replace(path=f"/{name}"))
        try:
            yield folder
        finally:
            os.environ["DATABASE_URL"] = url
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def check(data: Path, made: Made) -> int:
    """See that what lies in *data* is whole and holds all that was acknowledged; count its hands."""
    assert "0 differences" in hall.recount(data)
    hands = 0
    tokens = list(made.acknowledged)
    for token, seen in zip(tokens, hall.read(data, tokens), strict=True):
        assert seen.hands == list(range(1, seen.last_number + 1)), "a gap"
        missing = {str(entry) for entry in made.acknowledged[token].values()} - set(seen.standing)
        assert not missing, f"{len(missing)} acknowledged hands are not in the copy"
        hands += seen.last_number
    return hands


def waits(playing: Sequence[TableNow], copies: Sequence[Made]) -> list[tuple[float, float]]:
    """Return p50 and p95 of a report, in ms, while a copy was made, and while none was."""
    during: list[float] = []
    apart: list[float] = []
    for table in playing:
        for begun, wait in table.waits:
            at_once = any(begun < copy.ended and begun + wait > copy.begun for copy in copies)
            (during if at_once else apart).append(wait * 1000)
    return [_percentiles(during), _percentiles(apart)]


def _percentiles(waits: Sequence[float]) -> tuple[float, float]:
    if len(waits) < 2:
        return 0.0, 0.0
    cuts = statistics.quantiles(waits, n=20)
    return cuts[9], cuts[18]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copies", type=int, default=20)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument(
        "--pause", type=float, default=0.5, help="seconds between a table's reports"
    )
    parser.add_argument("--data", type=Path, help="a folder of data to begin with")
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="kula-backup-"))
    data = folder / "data"
    if given.data:
        shutil.copytree(given.data, data, ignore=shutil.ignore_patterns("copies"))
    with (
        serving(data, "--workers", "4") as site,
        reporting(site, given.tables, pause=given.pause) as playing,
    ):
        copies = []
        for nth in range(given.copies):
            wait_for(playing, given.tables)
            copies.append(back_up(data, folder / f"{nth}.zip", playing))
    for nth, made in enumerate(copies):
        with elsewhere(folder / f"elsewhere-{nth}") as other:
            manage(other, "restore", str(made.file), "--yes")
            hands = check(other, made)
        before = sum(len(entries) for entries in made.acknowledged.values())
        print(
            f"copy {nth}: {made.ended - made.begun:.1f} s, {before} acknowledged before,"
            f" {hands} in it"
        )
    for when, (half, most) in zip(
        ("while a copy was made", "else"), waits(playing, copies), strict=True
    ):
        print(f"a report {when}: p50 {half:.0f} ms, p95 {most:.0f} ms")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
