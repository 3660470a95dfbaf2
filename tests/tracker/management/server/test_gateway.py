"""The gateway: a body is read to its end or refused, and a request arrives as WSGI says."""

import asyncio
import io
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from tracker.management.server import gateway as gateways
from tracker.management.server.application import Request, WholeResponse, call
from tracker.management.server.gateway import Gateway, wsgi_variables
from tracker.management.server.lanes import LaneFull
from tracker.management.server.unchanged import UnchangedPages


@dataclass
class Headers:
    pairs: Sequence[tuple[str, str]]

    def items(self) -> Sequence[tuple[str, str]]:
        return self.pairs

    def get(self, name: str) -> str | None:
        return dict(self.pairs).get(name)

    def __contains__(self, name: str) -> bool:
        return name in dict(self.pairs)


class Scope:
    """What granian knows of a request before its body."""

    http_version, scheme = "1.1", "http"
    server, client = "127.0.0.1:8000", "192.168.1.7:50000"

    def __init__(self, path: str = "/card/", method: str = "POST", **headers: str) -> None:
        path, _, self.query_string = path.partition("?")
        self.path, self.method = unquote(path), method
        pairs = [(name.replace("_", "-"), value) for name, value in headers.items()]
        self.headers = Headers(pairs)


@dataclass
class Protocol:
    """A line on which these pieces come, and then nothing more if it falls silent."""

    pieces: Sequence[bytes] = ()
    silent: bool = False
    answer: WholeResponse | None = None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            yield piece
        if self.silent:
            await asyncio.Event().wait()

    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.answer = WholeResponse(status, headers, body)

    def response_file(self, status: int, headers: list[tuple[str, str]], file: str) -> None:
        self.answer = WholeResponse(status, headers, file=file)


@dataclass
class OneLane:
    """Lanes that answer with the body they were given."""

    worked_on: list[Request] = field(default_factory=list)
    error: type[Exception] | None = None

    async def work(self, request: Request) -> WholeResponse:
        self.worked_on.append(request)
        if self.error:
            raise self.error
        return WholeResponse(200, [], request.body)


def ask(scope: Scope, protocol: Protocol, lanes: OneLane | None = None) -> WholeResponse:
    gateway = Gateway()
    gateway.lanes = lanes or OneLane()  # type: ignore[assignment]
    gateway.unchanged = UnchangedPages()
    asyncio.run(gateway.__rsgi__(scope, protocol))
    assert gateway.unfinished == 0
    assert protocol.answer is not None
    return protocol.answer


def test_a_body_in_pieces_arrives_whole() -> None:
    lanes = OneLane()

    answer = ask(Scope(content_length="7"), Protocol([b"eat", b"en=7", b""]), lanes)

    assert (answer.status, answer.body) == (200, b"eaten=7")


@pytest.mark.parametrize(
    ("scope", "protocol", "status"),
    [
        pytest.param(Scope(content_length="9"), Protocol([b"a"], silent=True), 408, id="silent"),
        pytest.param(Scope(content_length="9"), Protocol([b"a"]), 400, id="cut-off"),
        pytest.param(Scope(content_length="99999999"), Protocol(), 413, id="said-too-large"),
        pytest.param(Scope(transfer_encoding="chunked"), Protocol([b"a"]), 411, id="in-chunks"),
    ],
)
def test_what_is_not_read_to_its_end_is_worked_on_by_nobody(
    monkeypatch: pytest.MonkeyPatch, scope: Scope, protocol: Protocol, status: int
) -> None:
    monkeypatch.setattr(gateways, "BLOCK_TIMEOUT", 0.01)
    lanes = OneLane()

    answer = ask(scope, protocol, lanes)

    assert answer.status == status
    assert answer.body.endswith((b".", b"again."))
    assert lanes.worked_on == []


def test_a_trickle_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateways, "BODY_TIMEOUT", 0.0)

    answer = ask(Scope(content_length="9"), Protocol([b"a", b"b"], silent=True))

    assert answer.status == 408


def test_more_than_a_worker_holds_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateways, "MOST_UNFINISHED", 5)

    answer = ask(Scope(content_length="9"), Protocol([b"abcd", b"efghi"]))

    assert answer.status == 503
    assert ("retry-after", "3") in answer.headers


@pytest.mark.parametrize(("error", "status"), [(LaneFull, 503), (KeyError, 500)])
def test_what_a_lane_cannot_answer_is_answered_by_a_sentence(
    error: type[Exception], status: int
) -> None:
    answer = ask(Scope(method="GET"), Protocol(), OneLane(error=error))

    assert answer.status == status
    assert b"again" in answer.body or b"once more" in answer.body


def test_a_request_arrives_as_wsgi_says() -> None:
    scope = Scope("/t/caf%C3%A9/?a=%C3%A9", "GET")
    scope.headers = Headers([("cookie", "a=1"), ("cookie", "b=2"), ("x-a", "1"), ("x-a", "2")])

    variables = wsgi_variables(scope)

    assert variables["PATH_INFO"].encode("latin-1").decode() == "/t/café/"
    assert variables["QUERY_STRING"] == "a=%C3%A9"
    assert variables["REMOTE_ADDR"] == "192.168.1.7"
    assert variables["HTTP_COOKIE"] == "a=1; b=2"
    assert variables["HTTP_X_A"] == "1,2"


# The site called -------------------------------------------------------------------------------


class Pieces(list[bytes]):
    closed = False

    def close(self) -> None:
        self.closed = True


def site_that(answer: Callable[[dict[str, Any]], Any]) -> Callable[..., Any]:
    def site(environ: dict[str, Any], start_response: Callable[..., None]) -> Any:
        start_response("200 OK", [("a", "b")])
        return answer(environ)

    return site


def test_pieces_of_an_answer_come_together_and_are_closed() -> None:
    pieces = Pieces([b"Neema ", b"deals"])

    answer = call(site_that(lambda _: pieces), Request({}, b""))

    assert answer == WholeResponse(200, [("a", "b")], b"Neema deals")
    assert pieces.closed


def test_a_file_is_sent_by_its_path_and_a_part_of_it_by_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "kula.css"
    path.write_bytes(b"body {}")
    whole, rest = path.open("rb"), path.open("rb")
    rest.read(5)

    by_path = call(site_that(lambda environ: environ["wsgi.file_wrapper"](whole)), Request({}, b""))
    by_bytes = call(
        site_that(lambda environ: environ["wsgi.file_wrapper"](rest, 1)), Request({}, b"")
    )
    from_memory = call(
        site_that(lambda environ: environ["wsgi.file_wrapper"](io.BytesIO(b"x"))), Request({}, b"")
    )

    assert (by_path.file, by_path.body) == (str(path), b"")
    assert (by_bytes.file, by_bytes.body) == ("", b"{}")
    assert from_memory.body == b"x"
    assert whole.closed
    assert rest.closed
