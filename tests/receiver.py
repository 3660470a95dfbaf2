"""A receiver of webhooks, in threads of the test, which answers as well or badly as it is told to."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

from tests.serving import PATIENCE, wait_until


@dataclass(frozen=True, slots=True)
class Heard:
    """One attempt: the *nth* of this message at this path, from 1."""

    path: str
    headers: Mapping[str, str]
    body: bytes
    nth: int

    @property
    def uid(self) -> str:
        return self.headers["webhook-id"]

    @property
    def message(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.body)
        return message


Answer: TypeAlias = Callable[[BaseHTTPRequestHandler, Heard], None]


@dataclass
class Receiver:
    """Hears messages at one port; ``answers`` has for a path what to do instead of saying 204."""

    port: int
    heard: list[Heard] = field(default_factory=list)
    answers: dict[str, Answer] = field(default_factory=dict)
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def at(self, path: str) -> list[Heard]:
        return [each for each in list(self.heard) if each.path == path]

    def told(self, path: str) -> dict[int, list[str]]:
        """Return the events of each tournament in order, as a receiver keeps them that knows ids."""
        known, told = set(), dict[int, list[str]]()
        for each in self.at(path):
            if each.uid not in known:
                known.add(each.uid)
                message = each.message
                told.setdefault(message["data"]["tournament"]["id"], []).append(message["type"])
        return told

    def wait_for(self, messages: int, path: str, within: float = PATIENCE) -> None:
        """Wait until so many different messages were heard at a path."""
        wait_until(
            lambda: len({each.uid for each in self.at(path)}) >= messages,
            f"for {messages} messages at {path}",
            within,
        )


@contextmanager
def receiving(port: int = 0) -> Iterator[Receiver]:
    """Listen as long as this lasts, at this port or at a free one."""
    receiver = Receiver(port)
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            with lock:
                uid = self.headers["webhook-id"]
                nth = 1 + sum(each.uid == uid for each in receiver.at(self.path))
                heard = Heard(self.path, dict(self.headers.items()), body, nth)
                receiver.heard.append(heard)
            with suppress(OSError):  # the site has hung up
                receiver.answers.get(self.path, say(204))(self, heard)

        def do_GET(self) -> None:
            receiver.heard.append(Heard(self.path, dict(self.headers.items()), b"", 1))

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", receiver.port), Handler) as server:
        server.daemon_threads = True
        receiver.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=[0.05])
        thread.start()
        try:
            yield receiver
        finally:
            receiver.stop.set()
            server.shutdown()
            thread.join()


def say(status: int, **headers: str) -> Answer:
    def answer(handler: BaseHTTPRequestHandler, _: Heard) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()

    return answer


def at_first(badly: Answer, *, times: int = 1) -> Answer:
    """Answer the first attempts of each message *badly*, and well afterwards."""

    def answer(handler: BaseHTTPRequestHandler, heard: Heard) -> None:
        (badly if heard.nth <= times else say(204))(handler, heard)

    return answer


def hang(receiver: Receiver) -> Answer:
    """Say nothing until the test has ended."""

    def answer(_handler: BaseHTTPRequestHandler, _: Heard) -> None:
        receiver.stop.wait(PATIENCE)

    return answer


def drip(receiver: Receiver) -> Answer:
    """Send a header without end, byte by byte."""

    def answer(handler: BaseHTTPRequestHandler, _: Heard) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
        while not receiver.stop.wait(0.05):
            handler.wfile.write(b"x")

    return answer
