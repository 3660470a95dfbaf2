"""A call of the WSGI application; request and response can be sent between processes."""

import gc
import io
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings
from django.db import connections
from django.template.loader import get_template
from django.urls import get_resolver

_BLOCK = 1 << 16  # bytes
_FIRST_REQUEST = {
    "REQUEST_METHOD": "GET",
    "SCRIPT_NAME": "",
    "PATH_INFO": "/sign-in/",
    "QUERY_STRING": "",
    "SERVER_PROTOCOL": "HTTP/1.1",
    "SERVER_NAME": "localhost",
    "SERVER_PORT": "80",
    "REMOTE_ADDR": "127.0.0.1",
    "wsgi.url_scheme": "http",
}


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
    proof: Any = None  # the ``Proof`` of a page that polls; see tracker/common/web/polling.py


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


@cache
def load_site() -> Callable[..., Any]:
    """Return the WSGI application, with everything loaded that requests need.

    Processes that are forked from this one share its memory, and answer their first requests soon.
    """
    from tracker.config.wsgi import application

    get_resolver().url_patterns  # noqa: B018 - imports all pages
    folder = settings.BASE_DIR / "templates"
    for file in folder.rglob("*.html"):
        get_template(str(file.relative_to(folder)))
    # A first request makes much that later ones find.
    call(application, Request(_FIRST_REQUEST, b""))
    gc.collect()
    gc.freeze()  # else garbage collection would write into the shared memory
    # The default, every 700 objects, collects two to four times for one page.
    gc.set_threshold(10_000)
    return application


def load_before_fork() -> None:
    """Load the site, and let all processes that this one starts be forked, where they can be."""
    if hasattr(os, "fork"):
        multiprocessing.set_start_method("fork", force=True)  # Python 3.14 would not by default
        load_site()
        connections.close_all()  # processes must not share them


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
        body = b"".join(response)
        return WholeResponse(status, headers, body, proof=environ.get("kula.proof"))
    finally:
        response.close()  # here Django closes its files and sends ``request_finished``
