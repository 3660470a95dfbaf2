"""Request lanes of a worker, so that slow work never delays tables.

A *lane* does the requests of one kind, one after another, and refuses them when too many wait. The
lane of tables is a thread of the worker. Each other lane is a process, as a busy thread would hold
Python's global lock. Those of pages, passwords and slow public pages have a lower CPU priority; each
of the latter two does one request at a time in the whole site. Files are read at low and stored at
normal priority.

Trap: a process of low priority must not hold a database lock that a table waits for. So organisers
have normal priority, passwords and pages, whose actions write little, somewhat less, and at idle
priority nothing is written.
"""

import asyncio
import multiprocessing
import os
import re
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from enum import Enum
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import IO, Any
from urllib.parse import parse_qsl

from tracker.common.cpu_priority import lower_priority
from tracker.management.server.application import Request, WholeResponse, call, load_site

try:
    import fcntl
except ImportError:  # Windows, where there is one worker
    fcntl = None  # type: ignore[assignment]

# Seconds after which the thread of tables, while it computes, lets the thread of connections run.
_SWITCH_INTERVAL = 0.0005
# See nice(1). Beside 1,000 phones, the slowest 5 % of reports took 5.4 times as long as without them
# where pages had the priority of reports, and 1.5 times where they have this.
_NICENESS = 10


class Lane(Enum):
    """A kind of request; the value is how many may wait for a response in each worker."""

    TABLES = 256  # all that the phone of a table sends, and reports of programs
    PAGES = 128  # most pages, and quick actions
    ORGANISERS = 16  # slow actions of organisers, and their slow pages
    PASSWORDS = 12  # forms with a password
    PUBLIC_HEAVY = 8  # exports, long tables, posters, bots and simulations, open to everybody
    FILES = 4  # uploads of tournament files


_PUBLIC_HEAVY = re.compile(
    r"/clubs/\d+/plan/"  # evenings are simulated
    r"|/(tournaments|seasons)/\d+/picture\.png"  # posters are drawn
)
_BOTS = re.compile(r"/(practice|replay)/")
_BOT_QUERIES = {"hint", "closer"}  # parameters for which a bot computes
_ROWS_A_PAGE = 25  # the most that a table shows unless its address asks for more
# Hashing a password is slow on purpose.
_PASSWORDS = re.compile(r"/(sign-in|first|join|password|account|admin/login)/")
_SLOW_ACTIONS = re.compile(
    r"/clubs/\d+/(tonight|players/import|players/twice)/"
    r"|/players/\d+/(merge|forget)/"
    r"|/mergers/\d+/undo/"
    r"|/tournaments/\d+/(draw|desk|paper|stages/new|table|import)/"
    r"|/rounds/\d+/(close|undo|seats)/"
    r"|/api/v1/(tournaments|rounds)/"
)
_REPORTS = re.compile(r"/t/|/api/v1/tables/")
_SLOW_PAGES = re.compile(
    r"/tournaments/\d+/(cards|papers|seating|file)/|/rounds/\d+/(papers|seating)/|/copies/"
)
# A tournament file is read at upload, at its preview and at its import.
_FILES = re.compile(r"/clubs/\d+/tournaments/import/(?P<preview>look/)?$")
_FILES_A_PROCESS = 30  # then the process is replaced, which frees the memory of large files


def lane_of(method: str, path: str, query: str) -> Lane:
    """Return the lane of a request.

    >>> lane_of("POST", "/t/abc/", ""), lane_of("GET", "/tournaments/3/hands/", "_export=csv")
    (<Lane.TABLES: 256>, <Lane.PUBLIC_HEAVY: 8>)
    """
    if method == "POST" and _REPORTS.match(path):
        return Lane.TABLES
    parameters = dict(parse_qsl(query, keep_blank_values=True))
    bot_computes = _BOTS.match(path) and (method == "POST" or _BOT_QUERIES & parameters.keys())
    is_long = "_export" in parameters or any(
        name.endswith(("per_page", "limit")) and value.isdecimal() and int(value[:9]) > _ROWS_A_PAGE
        for name, value in parameters.items()
    )
    if is_long or _PUBLIC_HEAVY.match(path) or bot_computes:
        return Lane.PUBLIC_HEAVY
    if method == "POST" and _PASSWORDS.match(path):
        return Lane.PASSWORDS
    in_files = _FILES.match(path)
    if in_files and (method == "POST" or in_files["preview"]):
        return Lane.FILES
    if _SLOW_PAGES.match(path) or (method == "POST" and _SLOW_ACTIONS.match(path)):
        return Lane.ORGANISERS
    return Lane.PAGES


class LaneFull(Exception):
    """As many requests wait for a response in a lane as may."""


class LaneProcess:
    """The process of a lane. One thread of the worker sends it requests, one after another."""

    def __init__(self, lane: Lane) -> None:
        self.lane = lane
        self._start()

    def _start(self, method: str | None = None) -> None:
        """Start the process by a *method* of ``multiprocessing``, ``None`` for the usual one."""
        context: Any = multiprocessing.get_context(method)
        self.connection, theirs = context.Pipe()
        arguments = self.lane, theirs
        self.process = context.Process(target=_work_in_lane, args=arguments, daemon=True)
        self.process.start()
        theirs.close()
        self.calls = 0

    def call(self, request: Request) -> WholeResponse:
        """Return the site's response to a request.

        :raises EOFError, OSError: if the process is killed meanwhile.
        """
        if not self.process.is_alive():
            # By fork it would inherit locks that other threads of the worker hold now.
            self._start("spawn")
        try:
            self.connection.send(request)
            response: WholeResponse = self.connection.recv()
        except (EOFError, OSError):
            self.process.kill()
            self.process.join()
            raise
        self.calls += 1
        if self.lane is Lane.FILES and self.calls == _FILES_A_PROCESS:
            self.stop()
        return response

    def stop(self) -> None:
        """End the process, which has no request now."""
        with suppress(OSError):  # it has ended by itself
            self.connection.send(None)
        self.process.join()
        self.connection.close()


class Lanes:
    """The lanes of one worker: a thread that calls *site*, and processes with their own site."""

    def __init__(self, site: Callable[..., Any]) -> None:
        sys.setswitchinterval(_SWITCH_INTERVAL)
        self.waiting = dict.fromkeys(Lane, 0)  # requests without a response yet
        # All before the first thread starts, which may hold a lock while a process is forked.
        self.processes = {lane: LaneProcess(lane) for lane in set(Lane) - {Lane.TABLES}}
        self.calls = {lane: process.call for lane, process in self.processes.items()}
        self.calls[Lane.TABLES] = partial(call, site)
        self.threads = {lane: ThreadPoolExecutor(1, lane.name) for lane in Lane}

    async def work(self, request: Request) -> WholeResponse:
        """Return the response to a request, computed in its lane, or raise ``LaneFull``."""
        path, query = request.variables["PATH_INFO"], request.variables["QUERY_STRING"]
        lane = lane_of(request.variables["REQUEST_METHOD"], path, query)
        if self.waiting[lane] >= lane.value:
            raise LaneFull
        self.waiting[lane] += 1
        try:
            future = self.threads[lane].submit(self.calls[lane], request)
            return await asyncio.wrap_future(future)
        finally:
            self.waiting[lane] -= 1

    def close(self) -> None:
        """Stop the processes after their current requests; requests that wait are dropped."""
        for thread in self.threads.values():
            thread.shutdown(wait=True, cancel_futures=True)
        for process in self.processes.values():
            process.stop()


def exit_with_parent() -> None:
    """Exit this process when its parent has ended, however that ended."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def end() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=end, daemon=True).start()


# The file that the forked workers share, once it is made. A lane that does one request at a time in
# the whole site locks its byte meanwhile. Unlike with a semaphore, a killed process frees its lock.
_lock_file: list[IO[bytes]] = []
_LOCKED_BYTES = {Lane.PUBLIC_HEAVY: 0, Lane.PASSWORDS: 1}


def share_lock_file() -> None:
    """Make the lock file, in the server process before it forks the workers."""
    _lock_file.append(tempfile.TemporaryFile())  # noqa: SIM115 - open as long as the site is


def _work_in_lane(lane: Lane, connection: Connection) -> None:
    """Answer the requests that come by *connection*, in the process of a lane, until ``None``."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles Ctrl-C
    exit_with_parent()
    # Slow public pages: idle priority, else low; pages and passwords: low; files: lowest.
    if lane is Lane.PUBLIC_HEAVY and hasattr(os, "SCHED_IDLE"):
        # Trap: a process that is merely nice keeps the CPU to the end of its time slice.
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    elif lane in {Lane.PAGES, Lane.PASSWORDS, Lane.PUBLIC_HEAVY} and hasattr(os, "nice"):
        os.nice(_NICENESS)
    if lane is Lane.FILES:  # its writes use ``at_normal_priority``
        lower_priority()
    site = load_site()
    while request := connection.recv():
        with _turn_of(lane):
            response = call(site, request)
        connection.send(response)


@contextmanager
def _turn_of(lane: Lane) -> Iterator[None]:
    """Hold the lane's lock, if it has one."""
    # A spawned process has no lock file: then it is one request for each worker, not for the site.
    if lane not in _LOCKED_BYTES or fcntl is None or not _lock_file:
        yield
        return
    fcntl.lockf(_lock_file[0], fcntl.LOCK_EX, 1, _LOCKED_BYTES[lane])
    try:
        yield
    finally:
        fcntl.lockf(_lock_file[0], fcntl.LOCK_UN, 1, _LOCKED_BYTES[lane])
