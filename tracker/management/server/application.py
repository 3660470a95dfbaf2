"""The site called with a whole request, answering with a whole answer: plain values that processes can pass."""

import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

_LARGEST_PIECE = 1 << 16


@dataclass(frozen=True, slots=True)
class Request:
    """A request that has been read to its end: the variables of WSGI (PEP 3333) and the body."""

    variables: dict[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class WholeAnswer:
    """An answer; where it is a file, the gateway sends that by itself."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes = b""
    file: str = ""


class _File:
    """What the site hands over as a file (PEP 3333): sent by its path where it is one on a disk."""

    def __init__(self, file: Any, size: int = _LARGEST_PIECE) -> None:
        self.file, self.size = file, size

    def __iter__(self) -> Iterator[bytes]:
        return iter(lambda: self.file.read(self.size), b"")

    def close(self) -> None:
        self.file.close()

    def path(self) -> str:
        """Return the path of a whole file; empty if it is a piece of one, or not on disk."""
        whole = isinstance(self.file, io.BufferedReader) and isinstance(self.file.name, str)
        return self.file.name if whole and self.file.tell() == 0 else ""


def call(site: Callable[..., Any], request: Request) -> WholeAnswer:
    """Let the site answer a request."""
    status, headers = 500, list[tuple[str, str]]()

    def start_response(line: str, given: list[tuple[str, str]], *_: Any) -> None:
        nonlocal status, headers
        status, headers = int(line.split(" ", 1)[0]), given

    environ = {
        **request.variables,
        "wsgi.version": (1, 0),
        "wsgi.input": io.BytesIO(request.body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.file_wrapper": _File,
    }
    answered = site(environ, start_response)
    try:
        if isinstance(answered, _File) and (path := answered.path()):
            return WholeAnswer(status, headers, file=path)
        return WholeAnswer(status, headers, b"".join(answered))
    finally:
        answered.close()  # only here does Django close its files and say that the request is over
