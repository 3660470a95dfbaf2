"""Eight phones in one loop: each sends a request, waits for the answer, sends the next.

Written on bare sockets, as the measuring shares its cores with what is measured.
"""

import selectors
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter
from urllib.parse import urlencode
from uuid import uuid4

CONNECTIONS = 8
_SECRET = "a" * 32  # any will do: the cookie and the field must be the same
Requests = Iterator[bytes]


@dataclass(slots=True)
class Measured:
    """How many answers came in which time, and how long each was waited for."""

    seconds: float = 0.0
    waits: list[float] = field(default_factory=list)
    medians: list[float] = field(default_factory=list)  # of each block that was added

    def add(self, other: "Measured") -> None:
        self.seconds += other.seconds
        self.waits += other.waits
        self.medians.append(median(other.waits))

    def over(self, other: "Measured") -> float:
        """Return how much longer it waits than *other*, whose blocks were measured by turns.

        Each block is divided by that beside it: the machine may change its speed.
        """
        return median(own / its for own, its in zip(self.medians, other.medians, strict=True))

    @property
    def rate(self) -> float:
        return len(self.waits) / self.seconds

    @property
    def p50(self) -> float:
        return median(self.waits) * 1000

    @property
    def p95(self) -> float:
        return sorted(self.waits)[int(len(self.waits) * 0.95)] * 1000


def post(path: str, **fields: object) -> bytes:
    """Return a form as a browser would post it, with the cookie and the field CSRF asks for."""
    body = urlencode({"csrfmiddlewaretoken": _SECRET, **fields}).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: keep-alive\r\n"
        f"Cookie: csrftoken={_SECRET}; kula_device=phone\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: keep-alive\r\n\r\n".encode()


# A page sends what nobody answered too.
UNANSWERED = dict.fromkeys(
    ("indicator", "trump", *(f"bids_{seat}" for seat in range(4)), "bare", "dealer", "side"), ""
)


def hands(token: str, first: int = 1) -> Requests:
    """Report one hand after another from a table, as its page would."""
    number = first
    while True:
        eaten = 2 + number * 7 % 117
        yield post(
            f"/t/{token}/",
            entry=uuid4(),
            number=number,
            eaten_0=eaten,
            eaten_1=120 - eaten,
            how="save",
            **UNANSWERED,
        )
        number += 1


def inserts(token: str) -> Requests:
    """Insert rows through the yardstick."""
    while True:
        yield post(f"/t/{token}/yardstick/", entry=uuid4(), number=1, eaten_0=70, eaten_1=50)


def pages(path: str) -> Requests:
    while True:
        yield get(path)


def measure(port: int, phones: list[Requests], seconds: float, good: bytes) -> Measured:
    """Let every phone send for so long. Each answer's status must be *good*."""
    measured = Measured()
    with selectors.DefaultSelector() as ready:
        lines = [_Line(port, phone, good, ready) for phone in phones]
        began = perf_counter()
        for line in lines:
            line.send()
        waiting = len(lines)
        while waiting:
            for key, _ in ready.select(30):
                line = key.data
                if (wait := line.receive()) is None:
                    continue
                measured.waits.append(wait)
                if perf_counter() - began < seconds:
                    line.send()
                else:
                    waiting -= 1
        measured.seconds = perf_counter() - began
        for line in lines:
            line.close()
    return measured


class _Line:
    """One phone's connection, made again whenever the server closes it."""

    def __init__(
        self, port: int, requests: Requests, good: bytes, ready: selectors.BaseSelector
    ) -> None:
        self.port, self.requests, self.ready = port, requests, ready
        self.good = b"HTTP/1.1 " + good
        self.began, self.received = 0.0, b""
        self.socket: socket.socket | None = None

    def send(self) -> None:
        request = next(self.requests)
        self.received, self.began = b"", perf_counter()
        if self.socket is None:
            self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=30)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.ready.register(self.socket, selectors.EVENT_READ, self)
        self.socket.sendall(request)

    def receive(self) -> float | None:
        """Read what has come; return how long it took once the answer is whole."""
        some = self.socket.recv(1 << 20) if self.socket else b""
        if not some:
            raise ConnectionError(self.received[:300])
        self.received += some
        head, _, body = self.received.partition(b"\r\n\r\n")
        if len(body) < _length(head.lower()):
            return None
        if not head.startswith(self.good):
            raise RuntimeError(self.received[:2000].decode())
        wait = perf_counter() - self.began
        if b"connection: close" in head.lower():
            self.close()
        return wait

    def close(self) -> None:
        if self.socket is not None:
            self.ready.unregister(self.socket)
            self.socket.close()
            self.socket = None


def _length(head: bytes) -> int:
    _, separator, after = head.partition(b"content-length:")
    return int(after.split(b"\r\n", 1)[0]) if separator else 0
