"""Lines that break: a report cut off after any byte, by a word or without one."""

import socket
import struct
from dataclasses import dataclass
from enum import Enum
from urllib.parse import urlencode
from uuid import UUID

from tests.drills.phones import Phone, eaten
from tests.serving import PATIENCE


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
