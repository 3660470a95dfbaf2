"""The gateway, which reads whole requests, within limits, and the server (granian) that calls it.

Granian starts worker processes on one port, each with a gateway. Only a request that was read
completely is passed to a lane (``lanes.py``), so a phone that stops sending in the middle of one
holds nothing but its connection.
"""

import asyncio
import logging
import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

from granian import Granian
from granian.constants import Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels

from tracker.management.server.application import (
    Request,
    WholeResponse,
    load_before_fork,
    load_site,
)
from tracker.management.server.lanes import LaneFull, Lanes, exit_with_parent, share_lock_file
from tracker.management.server.supervisor import outlive_supervisor, raise_if_stopped
from tracker.management.server.unchanged import UnchangedPages

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]

HEADER_TIMEOUT = 30_000  # milliseconds
MOST_CONNECTIONS = 4_096  # open to one worker, most of them idle
MOST_BODY = 12_000_000  # bytes; a little more than the largest upload
BLOCK_TIMEOUT = 20.0  # seconds between two blocks of a body
BODY_TIMEOUT = 120.0  # seconds for a whole body
MOST_UNFINISHED = 100_000_000  # bytes of unfinished bodies in a worker

_logger = logging.getLogger(__name__)


class BodyRefused(Exception):
    """A request body that is not read completely, with the status and sentence of the response."""

    def __init__(self, status: int, sentence: str) -> None:
        self.status, self.sentence = status, sentence


class Gateway:
    """The RSGI application that granian calls for every request."""

    def __init__(self) -> None:
        self.unfinished = 0  # bytes of the bodies that are being read

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.lanes, self.unchanged = Lanes(load_site()), UnchangedPages()
        exit_with_parent()

    def __rsgi_del__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.lanes.close()

    async def __rsgi__(self, scope: Any, protocol: Any) -> None:
        """Answer a request, which granian gives as *scope* (its head) and *protocol* (its body)."""
        try:
            variables = wsgi_variables(scope)

            async def ask_django() -> WholeResponse:
                body = await self._body(scope, protocol)
                return await self.lanes.work(Request(variables, body))

            answer = await self.unchanged.answer_or_ask(variables, ask_django)
        except BodyRefused as refused:
            answer = text_response(refused.status, refused.sentence)
        except LaneFull:
            answer = text_response(503, "Too many ask for this at once. Try it again in a moment.")
        except Exception:
            _logger.exception("A request was not answered")
            answer = text_response(
                500, "That is our fault. Look whether it was saved before you try it once more."
            )
        if answer.file:
            protocol.response_file(answer.status, answer.headers, answer.file)
        else:
            protocol.response_bytes(answer.status, answer.headers, answer.body)

    async def _body(self, scope: Any, protocol: Any) -> bytes:
        """Read the body of a request.

        :raises BodyRefused: if it is too large, too slow or cut off, or others take all the room.
        """
        length = scope.headers.get("content-length")
        if length is None:
            # Trap: a chunked body that is cut off looks complete.
            if "transfer-encoding" in scope.headers:
                raise BodyRefused(411, "Say how long it is: this site takes no bodies in chunks.")
            return b""
        if int(length) > MOST_BODY:
            raise BodyRefused(413, "That is more than this site takes in.")
        body = bytearray()
        clock = asyncio.get_running_loop().time
        deadline = clock() + BODY_TIMEOUT
        try:
            async with asyncio.timeout(BLOCK_TIMEOUT) as timeout:
                async for block in protocol:
                    self.unfinished += len(block)
                    body += block
                    if self.unfinished > MOST_UNFINISHED:
                        raise BodyRefused(503, "Too much is being sent at once. Try it again.")
                    timeout.reschedule(min(clock() + BLOCK_TIMEOUT, deadline))
        except TimeoutError:
            raise BodyRefused(408, "The rest of it never came. Send it once more.") from None
        finally:
            self.unfinished -= len(body)
        if len(body) != int(length):
            raise BodyRefused(400, "It was cut off. Send it once more.")
        return bytes(body)


def wsgi_variables(scope: Any) -> dict[str, str]:
    """Return the variables of WSGI (PEP 3333) for a request."""
    host, _, port = scope.server.rpartition(":")
    variables = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        # WSGI wants bytes as Latin-1.
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "SERVER_PROTOCOL": f"HTTP/{'1.0' if scope.http_version == '1' else scope.http_version}",
        "SERVER_NAME": host.strip("[]"),
        "SERVER_PORT": port,
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "wsgi.url_scheme": scope.scheme,
    }
    for name, value in scope.headers.items():
        # Trap: in WSGI a client's X_Forwarded_For would look like a proxy's X-Forwarded-For.
        if "_" in name:
            continue
        key = name.upper().replace("-", "_")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = f"HTTP_{key}"
        # A header that comes twice becomes one variable.
        separator = "; " if key == "HTTP_COOKIE" else ","
        variables[key] = f"{variables[key]}{separator}{value}" if key in variables else value
    return variables


def text_response(status: int, sentence: str) -> WholeResponse:
    """Return a plain-text response of one sentence, where no page can be rendered."""
    headers = [("content-type", "text/plain; charset=utf-8"), ("connection", "close")]
    if status == 503:
        headers.append(("retry-after", "3"))  # seconds
    return WholeResponse(status, headers, sentence.encode())


gateway = Gateway()


def serve(host: str, port: int, workers: int, folder: Path) -> None:
    """Serve the site, whose data are in *folder*, until Ctrl-C or SIGTERM."""
    load_before_fork()
    server = Granian(
        "tracker.management.server.gateway:gateway",
        address=host,
        port=port,
        interface=Interfaces.RSGI,
        workers=workers,
        websockets=False,
        respawn_failed_workers=True,
        workers_kill_timeout=5,
        backpressure=MOST_CONNECTIONS,
        http1_settings=HTTP1Settings(header_read_timeout=HEADER_TIMEOUT),
        # Its messages go into the log of the site.
        log_level=LogLevels.error,
        log_dictconfig={"handlers": {}, "loggers": {"_granian": {"propagate": True}}},
    )
    # SIGTERM may come before ``serve`` sets granian's handlers: then stop, with no workers to end.
    server.on_startup(raise_if_stopped)
    # All before the workers are forked, so that they inherit them.
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_reset_signals)
        # Here, as without fork the models are loaded by the workers alone.
        from tracker.common.web.polling import share_between_processes

        share_between_processes()
    share_lock_file()
    # Each connection is an open file, of which many systems allow 1,024 by default.
    if resource is not None:
        allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST_CONNECTIONS + 1_024
        # "Unlimited" may be the number -1, which would compare as small: then nothing is changed.
        if resource.RLIM_INFINITY not in (allowed, most) and allowed < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, most), most))
    # If the supervisor is killed, serve on until a later ``manage.py serve`` wants the port.
    outlive_supervisor(folder, close=server.signal_handler_interrupt)
    with suppress(KeyboardInterrupt):
        server.serve()


def _reset_signals() -> None:
    """Replace the signal handlers that a worker inherits from the server process.

    With those a new worker would ignore SIGTERM, and be killed only seconds later. Ctrl-C in a
    terminal reaches the workers too, but the server handles it.
    """
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
