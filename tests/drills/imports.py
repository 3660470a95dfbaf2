"""A hall that reports while files of tournaments are looked at and imported: what a report waits.

Phones report at a steady pace whatever they wait (so a site that stands still is seen to), by turns
beside a file and alone. As a program it makes a club with an organiser who is signed in.
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
from uuid import uuid4

from tests.drills import hall
from tests.drills.phones import Phone
from tests.serving import ROOT, Site, beside

PACE = 1.0  # seconds between two reports of a phone
TABLES = 20
LARGEST = (25, 20, 15)  # tables, rounds, hands: 7,500 hands
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
def opened(site: Site, tables: int = TABLES) -> Iterator[Hall]:
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
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
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
    command = [sys.executable, "-m", "tests.drills.imports"]
    done = subprocess.run(
        command, cwd=ROOT, env=beside(site.data), capture_output=True, text=True, check=True
    )
    return Organiser(site.port, **json.loads(done.stdout))


def largest_file(folder: Path, *size: int) -> bytes:
    """Return an honest file, of 7,500 hands or of this *size*."""
    file = folder / "large.kula.zip"
    command = [sys.executable, "-m", "tests.large_file", str(file), *map(str, size or LARGEST)]
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


def _organiser() -> dict[str, object]:
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from tests import make
    from tracker.models import Role

    club = make.club("Ilala")
    user = make.user(uuid4().hex, role=Role.ORGANISER, club=club)
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return {"club": club.pk, "session": session.session_key}


def hands_in(content: bytes) -> int:
    with tempfile.TemporaryFile() as file:
        file.write(content)
        with zipfile.ZipFile(file) as packed:
            return len(re.findall(rb'"session_before"', packed.read("tournament.json")))


if __name__ == "__main__":
    import django

    django.setup()
    print(json.dumps(_organiser()))
