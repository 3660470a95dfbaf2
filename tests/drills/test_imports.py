"""A hall that reports while files of tournaments are looked at and imported, on SQLite.

Phones report at a steady pace whatever they wait (so a site that stands still is seen to), by turns
beside a file and alone. Whole with ``KULA_DRILLS=full``, short otherwise.
"""

import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.drilled import FULL
from tests.drills import hall
from tests.drills.phones import Phone
from tests.drills.playing import patience
from tests.one_file import renewed_file
from tests.serving import ROOT, Site, printed, serving
from tests.tracker.tournament_files import hostile

PACE = 1.0  # seconds between two reports of a phone
ALONE = 8.0  # seconds of reports alone between two files
_COOKIE = "a" * 32


@dataclass
class Waits:
    """How long reports were waited for, in seconds."""

    alone: list[float] = field(default_factory=list)
    beside: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{len(self.alone)} reports alone: p95 {p95(self.alone) * 1000:.0f} ms,"
            f" {len(self.beside)} beside: p95 {p95(self.beside) * 1000:.0f} ms,"
            f" longest {max(self.beside) * 1000:.0f} ms"
        )


def p95(waits: list[float]) -> float:
    return sorted(waits)[int(len(waits) * 0.95)]


class Hall:
    """Phones that report at their pace until the hall is closed."""

    def __init__(self, site: Site, tables: int) -> None:
        self.phones = [
            Phone(site.port, token).open_page() for token in hall.seat(site.data, tables)
        ]
        self.waits: list[tuple[float, float]] = []  # when it was to be sent, and how long it took
        self.failed: list[BaseException] = []
        self.closed = threading.Event()
        self.threads = [
            threading.Thread(target=self._report, args=[phone, nth / tables * PACE])
            for nth, phone in enumerate(self.phones)
        ]
        for thread in self.threads:
            thread.start()

    def _report(self, phone: Phone, after: float) -> None:
        due, number = monotonic() + after, 0
        try:
            while not self.closed.wait(max(0.0, due - monotonic())):
                number += 1
                answer = phone.report(number, (70, 50))
                assert (answer.status, answer.verdict) == (303, "accepted"), answer
                self.waits.append((due, monotonic() - due))
                due += PACE
        except BaseException as error:  # noqa: BLE001 - raised again by whoever closes the hall
            self.failed.append(error)

    def since(self, begun: float) -> list[float]:
        """Return how long each report took that was due since then, once all are answered."""
        until = monotonic()
        sleep(PACE)
        return [wait for due, wait in list(self.waits) if begun <= due < until]

    def close(self) -> None:
        self.closed.set()
        for thread in self.threads:
            thread.join()
        if self.failed:
            raise self.failed[0]


@contextmanager
def opened(site: Site, tables: int) -> Iterator[Hall]:
    there = Hall(site, tables)
    try:
        yield there
    finally:
        there.close()


@dataclass(frozen=True)
class Organiser:
    """Somebody signed in, who hands files in at a club."""

    port: int
    club: int
    session: str

    def _ask(self, method: str, path: str, body: bytes = b"", kind: str = "") -> tuple[int, str]:
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=3600)
        headers = {"Cookie": f"sessionid={self.session}; csrftoken={_COOKIE}", "Content-Type": kind}
        link.request(method, path, body, headers)
        answer = link.getresponse()
        page = answer.read().decode()
        link.close()
        return answer.status, page

    def look(self, content: bytes) -> tuple[int, str]:
        """Hand a file in, and look at what is in it, as far as it is taken."""
        address = f"/clubs/{self.club}/tournaments/import/"
        edge = "edge-of-the-form"
        body = (
            f"--{edge}\r\nContent-Disposition: form-data; name=csrfmiddlewaretoken\r\n\r\n{_COOKIE}"
            f"\r\n--{edge}\r\nContent-Disposition: form-data; name=file; filename=cup.kula.zip\r\n"
            "Content-Type: application/zip\r\n\r\n"
        ).encode()
        body += content + f"\r\n--{edge}--\r\n".encode()
        status, page = self._ask("POST", address, body, f"multipart/form-data; boundary={edge}")
        return self._ask("GET", f"{address}look/") if status == 302 else (status, page)

    def take_in(self) -> tuple[int, str]:
        """Take in what was looked at."""
        address = f"/clubs/{self.club}/tournaments/import/look/"
        body = f"csrfmiddlewaretoken={_COOKIE}".encode()
        return self._ask("POST", address, body, "application/x-www-form-urlencoded")


def organiser(site: Site) -> Organiser:
    """Make a club with an organiser who is signed in."""
    made = printed(site.data, "-m", "tests.drills.hall", "organiser")
    return Organiser(site.port, **json.loads(made))


def largest_file(folder: Path, *size: int) -> bytes:
    """Return an honest file of so many tables, rounds and hands."""
    file = folder / "large.kula.zip"
    command = [sys.executable, "-m", "tests.large_file", str(file), *map(str, size)]
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", "DATABASE_URL": ""}
    environment.pop("KULA_DATA", None)
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    return file.read_bytes()


def compare(there: Hall, acts: list[Callable[[], object]], waits: Waits) -> None:
    """Let the hall report beside each of these acts, and alone before each and after the last."""
    for act in [*acts, None]:
        begun = monotonic()
        sleep(ALONE)
        waits.alone += there.since(begun)
        if act is not None:
            begun = monotonic()
            act()
            waits.beside += there.since(begun)


def hands_in(content: bytes) -> int:
    with tempfile.TemporaryFile() as file:
        file.write(content)
        with zipfile.ZipFile(file) as packed:
            return len(re.findall(rb'"session_before"', packed.read("tournament.json")))


SIZE, TABLES = ((25, 20, 15), 20) if FULL else ((8, 3, 8), 8)
PLACES = 60 if FULL else 20  # at which a file of each compression is damaged
ENOUGH = 100 if FULL else 20  # reports alone, and as many beside
AT_MOST = 2.0  # times what a report waits alone
SWAY = 0.01  # seconds, by which two p95 of the same hall may differ
ROUNDS = 3


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("imports")
    with serving(folder) as site:
        yield site


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return largest_file(tmp_path_factory.mktemp("file"), *SIZE)


@pytest.fixture(scope="module")
def by(site: Site) -> Organiser:
    return organiser(site)


@pytest.fixture
def there(site: Site) -> Iterator[Hall]:
    with opened(site, TABLES) as there:
        yield there
    assert "0 differences" in hall.recount(site.data)


def check(rounds: list[Waits], capsys: pytest.CaptureFixture[str], what: str) -> None:
    with capsys.disabled():
        for waits in rounds:
            print(f"\n{what}: {waits}")
    assert all(min(len(waits.alone), len(waits.beside)) >= ENOUGH for waits in rounds)
    assert any(map(hold, rounds)), [str(waits) for waits in rounds]


def hold(waits: Waits) -> bool:
    """Say whether reports wait little enough.

    A machine that is busy with something else is no finding: one round of three has to hold.
    """
    return p95(waits.beside) <= max(AT_MOST * p95(waits.alone), p95(waits.alone) + patience(SWAY))


def test_an_honest_file_of_the_largest_size_holds_no_table_up(
    site: Site, by: Organiser, there: Hall, honest: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b, c = SIZE
    assert hands_in(honest) == a * b * c
    rounds: list[Waits] = []

    def try_it(content: bytes, by: Organiser) -> None:
        def look() -> None:
            status, page = by.look(content)
            assert status == 200, page
            assert "The long league" in page

        def take_in() -> None:
            status, page = by.take_in()
            assert status == 302, page

        rounds.append(Waits())
        compare(there, [look, take_in], rounds[-1])

    try_it(honest, by)
    while not hold(rounds[-1]) and len(rounds) < ROUNDS:
        try_it(renewed_file(honest), organiser(site))

    check(rounds, capsys, f"an honest file of {a * b * c} hands")


def test_hostile_files_hold_no_table_up(
    by: Organiser, there: Hall, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = largest_file(tmp_path, 1, 1, 3)
    files = {**hostile.of_millions(), **hostile.lying()}
    for compression in hostile.COMPRESSIONS:
        for nth, content in enumerate(hostile.damaged(small, compression, places=PLACES)):
            files[f"{compression}, damaged, {nth}"] = content
    rounds: list[Waits] = []
    answered: dict[str, tuple[int, str]] = {}

    def look_at_each() -> None:
        answered.update({what: by.look(content) for what, content in files.items()})

    while not rounds or (not hold(rounds[-1]) and len(rounds) < ROUNDS):
        rounds.append(Waits())
        compare(there, [look_at_each], rounds[-1])

    assert answered.keys() == files.keys()
    for what, (status, page) in answered.items():
        assert status == 200, (what, page)
        assert "error-summary" in page or "What is in it" in page, what
    check(rounds, capsys, f"{len(files)} hostile files")
