"""The gateway of a worker: reads a request to its end, within limits, before anything works on it.

A phone that falls silent in the middle of what it sends then holds nothing but its own line.
"""

import asyncio
import logging
from typing import Any

from tracker.management.server.application import Request, WholeAnswer
from tracker.management.server.lanes import Full, Lanes, end_with_parent

LARGEST_BODY = 12_000_000  # bytes; the largest file that a page takes, and some more
SILENCE = 20.0  # seconds between two pieces of a body
LONGEST = 120.0  # seconds for a whole body
MOST_HELD = 100_000_000  # bytes of unfinished bodies in a worker

_logger = logging.getLogger(__name__)
_PLAIN = ("content-type", "text/plain; charset=utf-8")


class BodyRefused(Exception):
    """A body that is not read to its end, with the status and the sentence that say so."""

    def __init__(self, status: int, sentence: str) -> None:
        self.status, self.sentence = status, sentence


class Gateway:
    """What granian calls for every request (RSGI)."""

    def __init__(self) -> None:
        self.held = 0  # bytes of bodies that are being read

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        from tracker.config.wsgi import application

        self.lanes = Lanes(application)
        end_with_parent()

    def __rsgi_del__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.lanes.close()

    async def __rsgi__(self, scope: Any, protocol: Any) -> None:
        try:
            body = await self._body(scope, protocol)
            answer = await self.lanes.work(Request(variables_of(scope), body))
        except BodyRefused as refused:
            answer = sentence(refused.status, refused.sentence)
        except Full:
            answer = sentence(503, "Too many ask for this at once. Try it again in a moment.")
        except Exception:
            _logger.exception("A request was not answered")
            answer = sentence(
                500, "That is our fault. Look whether it was saved before you try it once more."
            )
        if answer.file:
            protocol.response_file(answer.status, answer.headers, answer.file)
        else:
            protocol.response_bytes(answer.status, answer.headers, answer.body)

    async def _body(self, scope: Any, protocol: Any) -> bytes:
        """Read the body of a request.

        :raises BodyRefused: if it is too large, comes too slowly, is cut off, or too much is being
            read already.
        """
        length = scope.headers.get("content-length")
        if length is None:
            # Trap: a body in chunks that is cut off looks as if it had come to its end.
            if "transfer-encoding" in scope.headers:
                raise BodyRefused(411, "Say how long it is: this site takes no bodies in chunks.")
            return b""
        if int(length) > LARGEST_BODY:
            raise BodyRefused(413, "That is more than this site takes in.")
        body = bytearray()
        clock = asyncio.get_running_loop().time
        latest = clock() + LONGEST
        try:
            async with asyncio.timeout(SILENCE) as patience:
                async for piece in protocol:
                    self.held += len(piece)
                    body += piece
                    if self.held > MOST_HELD:
                        raise BodyRefused(503, "Too much is being sent at once. Try it again.")
                    patience.reschedule(min(clock() + SILENCE, latest))
        except TimeoutError:
            raise BodyRefused(408, "The rest of it never came. Send it once more.") from None
        finally:
            self.held -= len(body)
        if len(body) != int(length):
            raise BodyRefused(400, "It was cut off. Send it once more.")
        return bytes(body)


def variables_of(scope: Any) -> dict[str, str]:
    """Return the variables of WSGI (PEP 3333) for a request."""
    host, _, port = scope.server.rpartition(":")
    variables = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        # Bytes as Latin-1, as WSGI wants them.
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
        # Trap: to WSGI X_Forwarded_For is X-Forwarded-For, and some proxies let a stranger's pass.
        if "_" in name:
            continue
        key = name.upper().replace("-", "_")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = f"HTTP_{key}"
        between = "; " if key == "HTTP_COOKIE" else ","
        variables[key] = f"{variables[key]}{between}{value}" if key in variables else value
    return variables


def sentence(status: int, words: str) -> WholeAnswer:
    """Return an answer of one sentence, given where no page can be drawn."""
    headers = [_PLAIN, ("connection", "close")]
    if status == 503:
        headers.append(("retry-after", "3"))
    return WholeAnswer(status, headers, words.encode())


gateway = Gateway()
