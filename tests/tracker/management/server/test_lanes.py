"""The lanes: who works on what, how many wait, and a process that was killed is followed by another."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tracker.management.server import lanes as server_lanes
from tracker.management.server.application import Request
from tracker.management.server.lanes import Lane, LaneFull, LaneProcess, Lanes, lane_of

S, O, P, T = Lane.PUBLIC_HEAVY, Lane.ORGANISERS, Lane.PAGES, Lane.TABLES  # noqa: E741
SECRET = Lane.PASSWORDS


@pytest.mark.parametrize(
    ("request_line", "lane"),
    [
        ("POST /t/a1b2/", T),
        ("POST /t/a1b2/check/", T),
        ("GET /t/a1b2/", P),
        ("GET /t/a1b2/next/", P),
        ("GET /tournaments/3/", P),
        ("GET /tournaments/3/hands/", P),
        ("GET /tournaments/3/?_export=xlsx", S),
        ("GET /clubs/3/players/?page=2&_export=csv", S),
        ("GET /clubs/3/players/?%5Fexport=csv", S),
        ("GET /clubs/3/players/?per_page=25", P),
        ("GET /clubs/3/players/?per_page=26", S),
        ("GET /clubs/3/players/?per_page=99999", S),
        ("GET /clubs/3/players/?per_page=x²", P),
        ("GET /players/3/?partners-per_page=100&sort=-name", S),
        ("GET /players/3/?p%65r_page=100", S),
        ("GET /practice/", P),
        ("GET /practice/albastini/", P),
        ("GET /practice/albastini/?hand=x&after=3", P),
        ("GET /replay/", P),
        ("POST /practice/albastini/", S),
        ("POST /practice/albastini/?hand=x", S),
        ("POST /replay/", S),
        ("GET /practice/albastini/?hand=x&hint", S),
        ("GET /practice/albastini/?hand=x&hint=1", S),
        ("GET /practice/albastini/?%63loser=&hand=x", S),
        ("GET /sign-in/", P),
        ("POST /sign-in/", SECRET),
        ("POST /admin/login/", SECRET),
        ("POST /tournaments/3/draw/", O),
        ("GET /tournaments/3/draw/", P),
        ("GET /tournaments/3/cards/", O),
        ("POST /rounds/3/close/", O),
        ("GET /tournaments/3/file/", O),
        ("POST /clubs/3/tournaments/import/look/", Lane.FILES),
        ("GET /clubs/3/tournaments/import/look/", Lane.FILES),
        ("POST /clubs/3/tournaments/import/", Lane.FILES),
        ("GET /clubs/3/tournaments/import/", P),
        ("GET /copies/", O),
        ("GET /api/v1/tournaments/3/hands", P),
        ("GET /api/v1/tournaments/3/hands?limit=25", P),
        ("GET /api/v1/tournaments/3/hands?limit=100", Lane.PUBLIC_HEAVY),
        ("GET /static/tracker/kula.css", P),
    ],
)
def test_every_request_has_its_lane(request_line: str, lane: Lane) -> None:
    method, _, address = request_line.partition(" ")
    path, _, query = address.partition("?")

    assert lane_of(method, path, query) is lane


def request(path: str, query: str = "", method: str = "GET") -> Request:
    variables = {"REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query}
    here = {"SERVER_NAME": "localhost", "SERVER_PORT": "80", "REMOTE_ADDR": "127.0.0.1"}
    return Request({**here, **variables, "wsgi.url_scheme": "http"}, b"")


@pytest.fixture
def lanes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Lanes]:
    """Return lanes whose forked processes answer with their number; spawned ones have the site."""
    monkeypatch.setattr(server_lanes, "load_site", lambda: _site)
    lanes = Lanes(_site)
    yield lanes
    lanes.close()


class _Body(list[bytes]):
    def close(self) -> None:
        return


_KILLS = "/kills/"  # the process that is asked for it


def _site(environ: dict[str, Any], start_response: Callable[..., None]) -> _Body:
    if environ["PATH_INFO"] == _KILLS:
        os.kill(os.getpid(), signal.SIGKILL)
    start_response("200 OK", [])
    return _Body([str(os.getpid()).encode()])


def _pid(of_lane: LaneProcess) -> int:
    assert of_lane.process.pid
    return int(of_lane.process.pid)


def test_tables_are_answered_here(lanes: Lanes) -> None:
    answer = asyncio.run(lanes.work(request("/t/a/", method="POST")))

    assert int(answer.body) == os.getpid()


def test_more_than_may_wait_are_refused(lanes: Lanes) -> None:
    lanes.waiting[Lane.TABLES] = Lane.TABLES.value

    with pytest.raises(LaneFull):
        asyncio.run(lanes.work(request("/t/a/", method="POST")))


def test_a_killed_process_is_followed_by_another(lanes: Lanes) -> None:
    of_lane = lanes.processes[Lane.PUBLIC_HEAVY]
    first = _pid(of_lane)
    os.kill(first, signal.SIGKILL)
    of_lane.process.join()

    answer = asyncio.run(lanes.work(request("/none/", "_export=csv")))

    assert answer.status == 404
    assert of_lane.process.is_alive()


def test_a_process_killed_at_work_fails_one_request(lanes: Lanes) -> None:
    with pytest.raises((EOFError, OSError)):
        asyncio.run(lanes.work(request(_KILLS, "_export=csv")))

    assert lanes.waiting[Lane.PUBLIC_HEAVY] == 0
    assert asyncio.run(lanes.work(request("/none/", "_export=csv"))).status == 404


def test_a_process_for_files_is_replaced_after_some(
    lanes: Lanes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_lanes, "_FILES_A_PROCESS", 2)
    of_lane = lanes.processes[Lane.FILES]
    pids = []
    for status in (200, 200, 404):
        assert of_lane.call(request("/none/")).status == status
        pids.append(_pid(of_lane))

    assert pids[0] == pids[1] != pids[2]
