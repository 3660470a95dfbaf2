"""Request lanes of a worker, so that slow work never delays tables.

A *lane* does the requests of one kind, one after another, and refuses them when too many wait. The
lane of tables is a thread of the worker. Each other lane is a process, as a busy thread would hold
Python's global lock. Those of passwords and slow public pages have a lower CPU priority, and each
does one request at a time in the whole site. Files are read at low and stored at normal priority.

Trap: a process of low priority must not hold a database lock that a table waits for. So organisers
have normal priority, passwords only a little less, and at idle priority nothing is written.
"""

import asyncio
import multiprocessing
import os
import re
import signal
import sys
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from enum import Enum
from importlib import import_module
from multiprocessing.connection import wait
from typing import IO, Any
from urllib.parse import parse_qsl

from tracker.common.cpu_priority import lower_priority
from tracker.management.server.application import Request, WholeResponse, call

try:
    import fcntl
except ImportError:  # Windows, where there is one worker
    fcntl = None  # type: ignore[assignment]

# Seconds after which the thread of tables, while it computes, lets the thread of connections run.
_SWITCH_INTERVAL = 0.0005
_NICENESS_OF_PASSWORDS = 10  # see nice(1)


class Lane(Enum):
    """A kind of request; the value is how many may wait for a response in each worker."""

    TABLES = 256  # all that the phone of a table sends
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
)
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
    if method == "POST" and path.startswith("/t/"):
        return Lane.TABLES
    parameters = dict(parse_qsl(query, keep_blank_values=True))
    bot_computes = _BOTS.match(path) and (method == "POST" or _BOT_QUERIES & parameters.keys())
    is_long = "_export" in parameters or any(
        name.endswith("per_page") and value.isdecimal() and int(value[:9]) > _ROWS_A_PAGE
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


class Lanes:
    """The lanes of one worker: a thread that calls *site*, and processes with their own site."""

    def __init__(self, site: Callable[..., Any]) -> None:
        sys.setswitchinterval(_SWITCH_INTERVAL)
        self.site = site
        self.waiting = dict.fromkeys(Lane, 0)  # requests without a response yet
        # Fork now, as later a thread may hold a lock. ``None`` is the usual way of other systems.
        method = "fork" if hasattr(os, "fork") else None
        self.executors: dict[Lane, Executor] = {
            lane: _process(lane, method)
            for lane in (Lane.PAGES, Lane.ORGANISERS, Lane.PASSWORDS, Lane.PUBLIC_HEAVY)
        }
        self.executors[Lane.TABLES] = ThreadPoolExecutor(1, "tables")
        # Spawned, as it starts at the first file and is replaced after some: too late to fork.
        self.executors[Lane.FILES] = _process(Lane.FILES, "spawn")

    async def work(self, request: Request) -> WholeResponse:
        """Return the response to a request, computed in its lane, or raise ``LaneFull``."""
        path, query = request.variables["PATH_INFO"], request.variables["QUERY_STRING"]
        lane = lane_of(request.variables["REQUEST_METHOD"], path, query)
        if self.waiting[lane] >= lane.value:
            raise LaneFull
        self.waiting[lane] += 1
        try:
            if lane is Lane.TABLES:  # the thread
                future = self.executors[lane].submit(call, self.site, request)
            else:
                future = self.executors[lane].submit(_call, lane, request)
            return await asyncio.wrap_future(future)
        except BrokenProcessPool:
            # The process was killed, as by a system out of memory. It is too late to fork another.
            self.executors[lane] = _process(lane, "spawn")
            raise
        finally:
            self.waiting[lane] -= 1

    def close(self) -> None:
        """Stop the processes after their current requests; requests that wait are dropped.

        Trap: without ``wait`` this process may close a queue before the message to stop is in it,
        and then the two processes wait for each other until they are killed.
        """
        for executor in self.executors.values():
            executor.shutdown(wait=True, cancel_futures=True)


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


def _process(lane: Lane, method: str | None) -> ProcessPoolExecutor:
    executor = ProcessPoolExecutor(
        1,
        multiprocessing.get_context(method),
        initializer=_begin_process,
        initargs=(lane,),
        max_tasks_per_child=_FILES_A_PROCESS if lane is Lane.FILES else None,
    )
    # A first task, ``int()``, starts the process now, by fork; for files the first request does.
    if lane is not Lane.FILES:
        executor.submit(int)
    return executor


def _begin_process(lane: Lane) -> None:
    """Prepare the process of a lane: its signals, its priority and the site's application."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles Ctrl-C
    exit_with_parent()
    # Slow public pages: idle priority, else low; passwords: low; files: lowest; others: normal.
    if lane is Lane.PUBLIC_HEAVY and hasattr(os, "SCHED_IDLE"):
        # Trap: a process that is merely nice keeps the CPU to the end of its time slice.
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    elif lane in {Lane.PASSWORDS, Lane.PUBLIC_HEAVY} and hasattr(os, "nice"):
        os.nice(_NICENESS_OF_PASSWORDS)
    if lane is Lane.FILES:  # its writes use ``at_normal_priority``
        lower_priority()
    import_module("tracker.config.wsgi")  # now, so that the first request need not wait for it


def _call(lane: Lane, request: Request) -> WholeResponse:
    """Return the site's response, in a process of the lane; hold the lane's lock, if it has one."""
    from tracker.config.wsgi import application

    # A spawned process has no lock file: then it is one request for each worker, not for the site.
    if lane not in _LOCKED_BYTES or fcntl is None or not _lock_file:
        return call(application, request)
    fcntl.lockf(_lock_file[0], fcntl.LOCK_EX, 1, _LOCKED_BYTES[lane])
    try:
        return call(application, request)
    finally:
        fcntl.lockf(_lock_file[0], fcntl.LOCK_UN, 1, _LOCKED_BYTES[lane])
