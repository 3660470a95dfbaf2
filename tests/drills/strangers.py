"""Strangers who press the site while tables report: silent lines, exports, practice, guessed passwords.

``python -m tests.drills.strangers`` prints how long reports take without them and with each kind.
"""

import argparse
import http.client
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from pathlib import Path
from time import monotonic
from urllib.parse import urlencode

from tests.drills import hall
from tests.drills.phones import Phone, at_once
from tests.drills.test_reports import eaten
from tests.reading import Forms
from tests.serving import Site, serving

TABLES = 20
LINES = 50  # held of each kind
_TOKEN = "a" * 32  # any will do for CSRF: the cookie and the field must be the same
_HEAD = "GET /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: te"
_BODY = (
    "POST /card/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    f"Cookie: csrftoken={_TOKEN}\r\n"
    "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\na"
)
Stranger = Callable[["Crowd"], None]


@dataclass(slots=True)
class Crowd:
    """Strangers in threads until they are sent away, with what they were answered."""

    site: Site
    tournament: int
    away: threading.Event = field(default_factory=threading.Event)
    statuses: list[int] = field(default_factory=list)
    longest: float = 0.0  # seconds that any of them waited for a page

    def ask(
        self, method: str, path: str, fields: dict[str, list[str]] | None = None
    ) -> tuple[int, str, str]:
        """Ask for a page; return its status, where it leads and its text."""
        link = http.client.HTTPConnection("127.0.0.1", self.site.port, timeout=60)
        began = monotonic()
        try:
            link.request(
                method,
                path,
                urlencode({**fields, "csrfmiddlewaretoken": [_TOKEN]}, doseq=True)
                if fields is not None
                else None,
                {
                    "Cookie": f"csrftoken={_TOKEN}",
                    "Content-Type": "application/x-www-form-urlencoded",
                },
            )
            answer = link.getresponse()
            text = answer.read().decode(errors="replace")
        finally:
            link.close()
        self.longest = max(self.longest, monotonic() - began)
        self.statuses.append(answer.status)
        return answer.status, answer.headers.get("Location", ""), text


def hold(opening: str) -> Stranger:
    """Hold many lines on which a request began and never ends."""

    def stranger(crowd: Crowd) -> None:
        lines: list[socket.socket] = []
        while not crowd.away.wait(0.2):
            # The site hangs up on them after a while: then they call again.
            lines = [line for line in lines if not _hung_up(line)]
            while len(lines) < LINES:
                line = socket.create_connection(("127.0.0.1", crowd.site.port), timeout=30)
                line.sendall(opening.encode())
                line.setblocking(False)
                lines.append(line)
        for line in lines:
            line.close()

    return stranger


def _hung_up(line: socket.socket) -> bool:
    try:
        ended = line.recv(4096) == b""
    except BlockingIOError:
        return False
    except OSError:
        ended = True
    if ended:
        line.close()
    return ended


def export(kind: str) -> Stranger:
    """Take away all hands and the standing as files, again and again."""

    def stranger(crowd: Crowd) -> None:
        while not crowd.away.is_set():
            for page in ("hands/", ""):
                crowd.ask("GET", f"/tournaments/{crowd.tournament}/{page}?_export={kind}")

    return stranger


def read_long_tables(crowd: Crowd) -> None:
    """Ask for all hands on one page."""
    while not crowd.away.is_set():
        crowd.ask("GET", f"/tournaments/{crowd.tournament}/hands/?per_page=5000")


def practise(crowd: Crowd) -> None:
    """Play against strong bots, hand after hand."""
    while not crowd.away.is_set():
        path = "/practice/albastini/"
        form = Forms(crowd.ask("GET", path)[2], path).forms[-1]
        sent = form.pressing(mode="4t2", strength="strong", name="Asha")
        path = crowd.ask("POST", form.path, sent)[1]
        while path and not crowd.away.is_set():
            forms = Forms(crowd.ask("GET", path)[2], path).forms
            moving = [one for one in forms if any(name == "move" for name, _ in one.buttons)]
            if not moving:
                break
            button = next(pair for pair in moving[0].buttons if pair[0] == "move")
            path = crowd.ask("POST", moving[0].path, moving[0].pressing(*button))[1]


def guess(crowd: Crowd) -> None:
    """Guess passwords, for another name each time."""
    number = 0
    while not crowd.away.is_set():
        number += 1
        who = f"owner{number}-{threading.get_ident()}"
        crowd.ask("POST", "/sign-in/", {"username": [who], "password": ["karata"]})


CROWDS: dict[str, Sequence[Stranger]] = {
    "half heads and half bodies": [hold(_HEAD), hold(_BODY)],
    "exports and long tables": [export("csv"), export("xlsx"), export("xlsx"), read_long_tables],
    "practice": [practise] * 8,
    "passwords": [guess] * 8,
}


@contextmanager
def pressing(site: Site, tournament: int, strangers: Sequence[Stranger]) -> Iterator[Crowd]:
    """Let strangers press the site."""
    crowd = Crowd(site, tournament)
    failed: list[BaseException] = []

    def press(stranger: Stranger) -> None:
        try:
            stranger(crowd)
        except BaseException as error:  # noqa: BLE001 - raised again below
            failed.append(error)

    threads = [threading.Thread(target=press, args=[stranger]) for stranger in strangers]
    for thread in threads:
        thread.start()
    try:
        yield crowd
    finally:
        crowd.away.set()
        for thread in threads:
            thread.join()
    if failed:
        raise failed[0]


@dataclass(slots=True)
class Tables:
    """Tables that report a hand each second or so, as in a quick hall."""

    phones: list[Phone]
    reported: int = 0

    @classmethod
    def seated(cls, site: Site, tables: int) -> "Tables":
        tokens = hall.seat(site.data, tables)
        return cls([Phone(site.port, token).open_page() for token in tokens])

    def report(self, hands: int, every: float) -> list[float]:
        """Let every table report so many hands and return how long each took, in seconds."""
        first = self.reported + 1
        pause = threading.Event()

        def one(nth: int) -> list[float]:
            waits = []
            pause.wait(every * nth / len(self.phones))
            for number in range(first, first + hands):
                began = monotonic()
                answer = self.phones[nth].report(number, eaten(number))
                waits.append(monotonic() - began)
                assert (answer.status, answer.number) == (303, number), answer
                pause.wait(max(0.0, every - waits[-1]))
            return waits

        waits = at_once([lambda nth=nth: one(nth) for nth in range(len(self.phones))])  # type: ignore[misc]
        self.reported += hands
        return [wait for of_table in waits for wait in of_table]


def p95(waits: Sequence[float]) -> float:
    """Return the time in milliseconds within which 95 of 100 were answered."""
    return sorted(waits)[int(len(waits) * 0.95)] * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=60, help="that each table reports a time")
    parser.add_argument("--before", type=int, default=60, help="hands that each table has before")
    parser.add_argument("--every", type=float, default=1.0, help="seconds between a table's hands")
    parser.add_argument("--workers", default="4")
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="kula-drill-") as data,
        serving(Path(data), "--workers", given.workers) as site,
    ):
        tables = Tables.seated(site, TABLES)
        tables.report(given.before, 0.0)
        tournament = hall.tournament_of(site.data, tables.phones[0].token)
        for name, strangers in CROWDS.items():
            alone = tables.report(given.hands, given.every)
            with pressing(site, tournament, strangers) as crowd:
                pressed = tables.report(given.hands, given.every)
            print(
                f"{name:<28} p95 of {len(alone)} reports {p95(alone):6.1f} ms, with them"
                f" {p95(pressed):6.1f} ms (longest {max(pressed) * 1000:.0f} ms); they asked"
                f" {len(crowd.statuses)} times, longest {crowd.longest:.1f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
