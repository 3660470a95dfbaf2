"""The line is cut at any byte of the exchange, and the phone sends once more: one hand, and it says so."""

import http.client
import os
import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from urllib.parse import urlencode
from uuid import UUID, uuid4

import pytest

from tests.drilled import FULL
from tests.drills import hall
from tests.drills.phones import Answered, Phone, eaten
from tests.serving import PATIENCE, Site, serving


class End(Enum):
    """How a line ends."""

    FIN = "closed"
    RST = "torn"


@dataclass(frozen=True, slots=True)
class Line:
    """A phone's line to the site, on which it reports byte by byte."""

    phone: Phone

    def request(self, number: int, entry: UUID) -> bytes:
        """Return what the phone's browser sends for a hand."""
        fields = {
            "entry": str(entry),
            "number": str(number),
            **{f"eaten_{side}": str(points) for side, points in enumerate(eaten(number))},
            "how": "save",
            "csrfmiddlewaretoken": self.phone.cookies["csrftoken"],
        }
        body = urlencode(fields).encode()
        cookies = "; ".join(f"{name}={value}" for name, value in self.phone.cookies.items())
        head = (
            f"POST /t/{self.phone.token}/ HTTP/1.1\r\n"
            f"Host: 127.0.0.1:{self.phone.port}\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(body)}\r\n"
            f"Cookie: {cookies}\r\n"
            "Connection: close\r\n\r\n"
        )
        return head.encode() + body

    def send(self, sent: bytes, end: End) -> None:
        """Send so much of a request, and cut the line."""
        with self._open() as line:
            line.sendall(sent)
            _cut(line, end)

    def read(self, request: bytes, most: int, end: End) -> int:
        """Send it whole, read at most so many bytes of the answer and cut the line."""
        got = 0
        with self._open() as line:
            line.sendall(request)
            while got < most:
                piece = line.recv(most - got)
                if not piece:
                    break
                got += len(piece)
            _cut(line, end)
        return got

    def answer(self, request: bytes) -> bytes:
        """Send it and return the whole answer."""
        with self._open() as line:
            line.sendall(request)
            return b"".join(iter(lambda: line.recv(65536), b""))

    def _open(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.phone.port), timeout=PATIENCE)


def _cut(line: socket.socket, end: End) -> None:
    if end is End.RST:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.close()


# Every byte in full; not on PostgreSQL, where the same server reads the same lines.
EVERY = 1 if FULL and not os.environ.get("DATABASE_URL") else 40
HANDS = 50  # at a table: with hundreds, the page with all of them is what takes the time
BOTH = [pytest.param(end, id=end.value) for end in End]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(tmp_path_factory.mktemp("lines"), "--workers", "4") as site:
        yield site


@pytest.fixture(scope="module")
def lines(site: Site) -> Iterator[Line]:
    """Return the lines of phones, each at a table of its own; so many as are asked for."""
    tokens = hall.seat(site.data, 100)
    return (Line(Phone(site.port, token).open_page()) for token in tokens)


def shared_out(length: int) -> list[range]:
    """Return for each table after how many bytes its hands are cut off."""
    cuts = range(0, length + 1, EVERY)
    return [cuts[first : first + HANDS] for first in range(0, len(cuts), HANDS)]


def sent_again(line: Line, number: int, entry: UUID) -> None:
    """Send the same once more, as a person does who saw no answer, and look at the page that comes."""
    answer = line.phone.report(number, eaten(number), entry)

    assert answer == Answered(303, number, "accepted")
    link = http.client.HTTPConnection("127.0.0.1", line.phone.port, timeout=PATIENCE)
    link.request("GET", f"/t/{line.phone.token}/?saved={number}&as=accepted")
    page = link.getresponse()
    text = page.read().decode()
    link.close()
    assert page.status == 200
    assert ' receipt"' in text
    assert " saved: " in text


def one_hand_each(site: Site, tables: list[tuple[Line, list[UUID]]]) -> None:
    """Each table has what its phone sent, once."""
    seen = hall.read(site.data, [line.phone.token for line, _ in tables])
    for table, (_, entries) in zip(seen, tables, strict=True):
        assert table.hands == list(range(1, len(entries) + 1))
        assert table.standing == [str(entry) for entry in entries]
        assert table.verdicts == {str(entry): "accepted" for entry in entries}
    assert "0 differences" in hall.recount(site.data)


@pytest.mark.parametrize("end", BOTH)
def test_a_request_is_cut_after_any_byte(site: Site, lines: Iterator[Line], end: End) -> None:
    tables = []
    for cuts in shared_out(len(next(lines).request(1, uuid4()))):
        line, entries = next(lines), [uuid4() for _ in cuts]
        for number, (cut, entry) in enumerate(zip(cuts, entries, strict=True), start=1):
            line.send(line.request(number, entry)[:cut], end)

            sent_again(line, number, entry)
        tables.append((line, entries))

    one_hand_each(site, tables)


@pytest.mark.parametrize("end", BOTH)
def test_an_answer_is_cut_after_any_byte(site: Site, lines: Iterator[Line], end: End) -> None:
    tables, first = [], next(lines)
    length = len(first.answer(first.request(1, uuid4())))
    for cuts in shared_out(length):
        line, entries = next(lines), [uuid4() for _ in cuts]
        for number, (cut, entry) in enumerate(zip(cuts, entries, strict=True), start=1):
            # Answers are a few bytes longer or shorter, by the numbers in them.
            assert line.read(line.request(number, entry), cut, end) >= min(cut, length - 40)

            sent_again(line, number, entry)
        tables.append((line, entries))

    one_hand_each(site, tables)
