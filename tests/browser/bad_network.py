"""A network between phones and the site that is cut at any step of an exchange."""

import socket
import threading
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self


class Cut(StrEnum):
    """Where the sending of a hand is cut; from then on there is no network."""

    BEFORE = "before the request"
    WITHIN_REQUEST = "within the request"
    BEFORE_ANSWER = "before the answer, when the hand is stored"
    WITHIN_ANSWER = "within the answer"
    BEFORE_PAGE = "before the page that shows it"


@dataclass
class BadNetwork:
    """A proxy in front of a site. ``cut`` is what happens to the next hand that is sent."""

    site: int
    cut: Cut | None = None
    up: bool = True
    port: int = 0
    _door: socket.socket = field(default_factory=socket.socket)

    def __enter__(self) -> Self:
        self._door.bind(("127.0.0.1", 0))
        self._door.listen(64)
        self.port = self._door.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        # Closing alone does not wake who waits for somebody to come.
        self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()

    def _accept(self) -> None:
        while True:
            try:
                phone, _ = self._door.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=[phone], daemon=True).start()

    def _serve(self, phone: socket.socket) -> None:
        with phone:
            try:
                self._pass_on(phone)
            except OSError:
                return  # a browser that has gone

    def _pass_on(self, phone: socket.socket) -> None:
        asked = _read_request(phone)
        if not asked or not self.up:
            return
        cut = self._cut_of(asked)
        if cut is Cut.BEFORE:
            return
        with socket.create_connection(("127.0.0.1", self.site)) as site:
            if cut is Cut.WITHIN_REQUEST:
                site.sendall(asked[: len(asked) - 20])
                return
            site.sendall(asked)
            answer = b"".join(iter(lambda: site.recv(65_536), b""))
        if cut is Cut.BEFORE_ANSWER:
            return
        phone.sendall(answer[: len(answer) - 20] if cut is Cut.WITHIN_ANSWER else answer)

    def _cut_of(self, asked: bytes) -> Cut | None:
        method, path, *_ = asked.split(b" ", 2)
        hand = method == b"POST" and path.startswith(b"/t/") and path.count(b"/") == 3
        if not hand or self.cut is None:
            return None
        cut, self.cut, self.up = self.cut, None, False
        return cut


def _read_request(phone: socket.socket) -> bytes:
    """Return a whole request, which asks for an end of the connection after its answer."""
    read = b""
    while b"\r\n\r\n" not in read:
        if not (more := phone.recv(65_536)):
            return b""
        read += more
    head, _, body = read.partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    fields = {
        name.lower(): value for name, _, value in (line.partition(b":") for line in lines[1:])
    }
    while len(body) < int(fields.get(b"content-length", b"0")):
        body += phone.recv(65_536)
    others = [line for line in lines if not line.lower().startswith(b"connection:")]
    return b"\r\n".join([*others, b"Connection: close"]) + b"\r\n\r\n" + body
