"""The lanes of a worker: what is worked on by whom, so that nothing heavy stops the tables.

A table's requests have a thread of their own, all other pages another. What may take long has
processes of its own, one for strangers and one for those who run the evening: each does one thing
at a time, gives way to whoever waits for a table, and refuses more than a few at once.
"""

import asyncio
import multiprocessing
import os
import re
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from enum import Enum
from typing import Any

from tracker.management.server.application import Answer, Request, call

# A thread that computes lets others in this often, in seconds: a report that waits five
# milliseconds before every statement would take twice as long.
_TURN = 0.0005
_GIVES_WAY = 10  # to be nice by (see nice(1))


class Lane(Enum):
    """Who works on a request, with how many may wait in each worker."""

    TABLES = 256
    PAGES = 128
    STRANGERS = 8
    ORGANISERS = 12


_STRANGERS = re.compile(
    r"/(practice|replay)/"  # bots think
    r"|/clubs/\d+/plan/"  # evenings are simulated
)
# Passwords are hashed slowly on purpose.
_PASSWORDS = re.compile(r"/(sign-in|first|join|password|account|admin/login)/")
_LONG_ACTS = re.compile(
    r"/clubs/\d+/(tonight|players/import|players/twice)/"
    r"|/players/\d+/(merge|forget)/"
    r"|/mergers/\d+/undo/"
    r"|/tournaments/\d+/(draw|desk|paper|stages/new|table)/"
    r"|/rounds/\d+/(close|undo|seats)/"
)
_PRINTED = re.compile(r"/tournaments/\d+/(cards|papers|seating)/|/rounds/\d+/(papers|seating)/")


def lane_of(method: str, path: str, query: str) -> Lane:
    """Return the lane of a request.

    >>> lane_of("POST", "/t/abc/", ""), lane_of("GET", "/tournaments/3/hands/", "_export=csv")
    (<Lane.TABLES: 256>, <Lane.STRANGERS: 8>)
    """
    if path.startswith("/t/"):
        return Lane.TABLES
    if "_export=" in query or _STRANGERS.match(path):
        return Lane.STRANGERS
    if method == "POST" and _PASSWORDS.match(path):
        return Lane.STRANGERS
    if _PRINTED.match(path) or (method == "POST" and _LONG_ACTS.match(path)):
        return Lane.ORGANISERS
    return Lane.PAGES


class Full(Exception):
    """As many wait in a lane as may."""


class Lanes:
    """The lanes of one worker; *site* is called in its threads, and made anew in its processes."""

    def __init__(self, site: Callable[..., Any]) -> None:
        sys.setswitchinterval(_TURN)
        self.site = site
        self.waiting = dict.fromkeys(Lane, 0)
        # Now, while this process has no other threads, those of the lanes may be forked from it.
        method = "fork" if hasattr(os, "fork") else None
        self.executors: dict[Lane, Executor] = {
            lane: _process(method) for lane in (Lane.STRANGERS, Lane.ORGANISERS)
        }
        for lane in (Lane.TABLES, Lane.PAGES):
            self.executors[lane] = ThreadPoolExecutor(1, lane.name)

    async def work(self, request: Request) -> Answer:
        """Let the site answer in the request's lane.

        :raises Full: if too many wait there.
        """
        path, query = request.variables["PATH_INFO"], request.variables["QUERY_STRING"]
        lane = lane_of(request.variables["REQUEST_METHOD"], path, query)
        if self.waiting[lane] >= lane.value:
            raise Full
        self.waiting[lane] += 1
        try:
            return await asyncio.wrap_future(self._submit(lane, request))
        except BrokenProcessPool:
            # Somebody ended that process, as a machine does that runs out of memory.
            self.executors[lane] = _process("spawn")
            raise
        finally:
            self.waiting[lane] -= 1

    def _submit(self, lane: Lane, request: Request) -> "Future[Answer]":
        executor = self.executors[lane]
        if isinstance(executor, ProcessPoolExecutor):
            return executor.submit(_call, request)
        return executor.submit(call, self.site, request)

    def close(self) -> None:
        """End the processes; whatever waits in a lane is not done."""
        for executor in self.executors.values():
            executor.shutdown(wait=False, cancel_futures=True)


def end_with_parent() -> None:
    """End this process when the one that started it is gone, however it went."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=[parent.sentinel], daemon=True).start()


def _end_after(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)


_site: Callable[..., Any] | None = None


def _process(method: str | None) -> ProcessPoolExecutor:
    executor = ProcessPoolExecutor(
        1, multiprocessing.get_context(method), initializer=_begin_process
    )
    executor.submit(int)  # begins it
    return executor


def _begin_process() -> None:
    global _site
    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(_GIVES_WAY)
    from tracker.config.wsgi import application

    _site = application


def _call(request: Request) -> Answer:
    assert _site is not None
    return call(_site, request)
