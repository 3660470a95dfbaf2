"""A call of the WSGI application; request and response can be sent between processes."""

import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

_BLOCK = 1 << 16  # bytes


@dataclass(frozen=True, slots=True)
class Request:
    """A request that was read completely: WSGI variables (PEP 3333) and body."""

    variables: dict[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class WholeResponse:
    """A response; ``file`` is the path of a file that is sent in place of the body, or ""."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes = b""
    file: str = ""


class _File:
    """The ``wsgi.file_wrapper`` (PEP 3333), in which the site returns a file as its response."""

    def __init__(self, file: Any, size: int = _BLOCK) -> None:
        self.file, self.size = file, size

    def __iter__(self) -> Iterator[bytes]:
        return iter(lambda: self.file.read(self.size), b"")

    def close(self) -> None:
        self.file.close()

    def path(self) -> str:
        """Return the path of a file; "" if it is not on a disk, or was partly read."""
        on_disk = isinstance(self.file, io.BufferedReader) and isinstance(self.file.name, str)
        return self.file.name if on_disk and self.file.tell() == 0 else ""


def call(site: Callable[..., Any], request: Request) -> WholeResponse:
    """Return the site's response to a request."""
    status, headers = 500, list[tuple[str, str]]()  # only until the site calls ``start_response``

    # WSGI wants ``write`` returned, an old way to send a body; Django does not use it.
    def start_response(status_line: str, sent: list[tuple[str, str]], *_: Any) -> None:
        nonlocal status, headers
        status, headers = int(status_line.split(" ", 1)[0]), sent

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
    response = site(environ, start_response)
    try:
        if isinstance(response, _File) and (path := response.path()):
            return WholeResponse(status, headers, file=path)
        return WholeResponse(status, headers, b"".join(response))
    finally:
        response.close()  # here Django closes its files and sends ``request_finished``
