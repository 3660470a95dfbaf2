"""Strangers who press a site, from a process of their own: silent lines, exports, practice, guessed passwords.

``python -m tests.drills.strangers PORT TOURNAMENT CROWD`` goes on until its input ends, and prints
what they were answered.
"""

import http.client
import json
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic
from urllib.parse import urlencode

from tests.reading import Forms

LINES = 50  # held of each kind
# Seconds that they wait for an answer: on a busy machine files and long pages come last.
LONGEST = 3600
OK = 200
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

    port: int
    tournament: int
    away: threading.Event = field(default_factory=threading.Event)
    statuses: list[int] = field(default_factory=list)
    longest: float = 0.0  # seconds that any of them waited for a page

    def ask(
        self, method: str, path: str, fields: dict[str, list[str]] | None = None
    ) -> tuple[int, str, str]:
        """Ask for a page; return its status, where it leads and its text."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONGEST)
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
                line = socket.create_connection(("127.0.0.1", crowd.port), timeout=30)
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
        status, _, text = crowd.ask("GET", path)
        if status != OK:  # too many are here already
            continue
        form = Forms(text, path).forms[-1]
        sent = form.pressing(mode="4t2", strength="strong", name="Asha")
        path = crowd.ask("POST", form.path, sent)[1]
        while path and not crowd.away.is_set():
            forms = Forms(crowd.ask("GET", path)[2], path).forms
            moving = [form for form in forms if any(name == "move" for name, _ in form.buttons)]
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


# Exports come first, while there are few hands: beside each crowd hundreds more are reported.
CROWDS: dict[str, Sequence[Stranger]] = {
    "exports and long tables": [export("csv"), export("xlsx"), export("xlsx"), read_long_tables],
    "half heads and half bodies": [hold(_HEAD), hold(_BODY)],
    "practice": [practise] * 8,
    "passwords": [guess] * 8,
}


def main(port: int, tournament: int, name: str) -> None:
    crowd = Crowd(port, tournament)
    failed: list[BaseException] = []

    def press(stranger: Stranger) -> None:
        try:
            stranger(crowd)
        except BaseException as error:  # noqa: BLE001 - raised again below
            failed.append(error)

    threads = [threading.Thread(target=press, args=[stranger]) for stranger in CROWDS[name]]
    for thread in threads:
        thread.start()
    sys.stdin.read()
    crowd.away.set()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
    print(json.dumps({"statuses": crowd.statuses, "longest": crowd.longest}))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
