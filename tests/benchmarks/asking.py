"""Asking a WSGI application for a page in its own process, and how long the answer takes.

Nothing here but the standard library: it times other sites as well as ours. No server stands
between, so that none differs; what is timed is what every server would have to wait for.
"""

import json
import sys
from collections.abc import Iterable, Mapping
from gc import collect
from time import perf_counter, process_time
from typing import Any, NamedTuple
from wsgiref.types import WSGIApplication
from wsgiref.util import setup_testing_defaults


class Answer(NamedTuple):
    """What came back, and the seconds it took by the clock and of the processor."""

    status: str
    headers: Mapping[str, str]
    body: bytes
    waited: float
    worked: float


def ask(application: WSGIApplication, path: str, headers: Mapping[str, str]) -> Answer:
    """Send one GET, and read the answer to its last byte."""
    environ: dict[str, Any] = {"PATH_INFO": path, "HTTP_HOST": "127.0.0.1", **headers}
    setup_testing_defaults(environ)
    began: list[Any] = []

    def start(status: str, answered: list[tuple[str, str]], *_: Any) -> Any:
        began[:] = [status, answered]

    clock, processor = perf_counter(), process_time()
    result: Iterable[bytes] = application(environ, start)
    try:
        body = b"".join(result)
    finally:
        if hasattr(result, "close"):
            result.close()
    waited, worked = perf_counter() - clock, process_time() - processor
    return Answer(began[0], dict(began[1]), body, waited, worked)


def answer_lines(application: WSGIApplication) -> None:
    """For every line ``[path, headers, times]`` that is read, ask and print what came of it."""
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        path, headers, times = json.loads(line)
        collect()  # what was left behind is nobody's here
        answers = [ask(application, path, headers) for _ in range(times)]
        last = answers[-1]
        summary = {
            "status": last.status,
            "headers": last.headers,
            "bytes": len(last.body),
            "waited": [answer.waited for answer in answers],
            "worked": [answer.worked for answer in answers],
        }
        print(json.dumps(summary), flush=True)
