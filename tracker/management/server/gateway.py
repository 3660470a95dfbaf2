"""The gateway of a worker: reads a whole request, within limits, before a lane works on it.

A phone that stops sending in the middle of a request then holds nothing but its connection.
"""

import asyncio
import logging
from typing import Any

from tracker.management.server.application import Request, WholeResponse
from tracker.management.server.lanes import LaneFull, Lanes, exit_with_parent

MOST_BODY = 12_000_000  # bytes; a little more than the largest upload
BLOCK_TIMEOUT = 20.0  # seconds between two blocks of a body
BODY_TIMEOUT = 120.0  # seconds for a whole body
MOST_UNFINISHED = 100_000_000  # bytes of unfinished bodies in a worker

_logger = logging.getLogger(__name__)
_PLAIN = ("content-type", "text/plain; charset=utf-8")


class BodyRefused(Exception):
    """A request body that is not read completely, with the status and sentence of the response."""

    def __init__(self, status: int, sentence: str) -> None:
        self.status, self.sentence = status, sentence


class Gateway:
    """The RSGI application that granian calls for every request."""

    def __init__(self) -> None:
        self.unfinished = 0  # bytes

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        from tracker.config.wsgi import application

        self.lanes = Lanes(application)
        exit_with_parent()

    def __rsgi_del__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.lanes.close()

    async def __rsgi__(self, scope: Any, protocol: Any) -> None:
        try:
            body = await self._body(scope, protocol)
            answer = await self.lanes.work(Request(wsgi_variables(scope), body))
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

        :raises BodyRefused: if it is too large, too slow or cut off, or if too many are being read.
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
        latest = clock() + BODY_TIMEOUT
        try:
            async with asyncio.timeout(BLOCK_TIMEOUT) as timeout:
                async for block in protocol:
                    self.unfinished += len(block)
                    body += block
                    if self.unfinished > MOST_UNFINISHED:
                        raise BodyRefused(503, "Too much is being sent at once. Try it again.")
                    timeout.reschedule(min(clock() + BLOCK_TIMEOUT, latest))
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
        "SERVER_PROTOCOL": "HTTP/1.0"
        if scope.http_version == "1"
        else f"HTTP/{scope.http_version}",
        "SERVER_NAME": host.strip("[]"),
        "SERVER_PORT": port,
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "wsgi.url_scheme": scope.scheme,
    }
    for name, value in scope.headers.items():
        # Trap: WSGI does not tell X_Forwarded_For from X-Forwarded-For, and some proxies pass the first.
        if "_" in name:
            continue
        key = name.upper().replace("-", "_")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = f"HTTP_{key}"
        separator = "; " if key == "HTTP_COOKIE" else ","
        variables[key] = f"{variables[key]}{separator}{value}" if key in variables else value
    return variables


def text_response(status: int, words: str) -> WholeResponse:
    """Return a plain-text response of one sentence, where no page can be rendered."""
    headers = [_PLAIN, ("connection", "close")]
    if status == 503:
        headers.append(("retry-after", "3"))
    return WholeResponse(status, headers, words.encode())


gateway = Gateway()
