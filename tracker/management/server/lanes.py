"""Request lanes of a worker, in processes of their own, so that heavy work never stops tables.

A table's requests have the worker's one thread, and everything else processes beside it, as threads
that compute would stop each other: for pages, for what may take long of those who run the evening, for
passwords, for files of tournaments, and for what strangers may ask for that takes long. Each does one
thing at a time and refuses more than a few. Passwords and strangers give way to whoever waits for a
table, and have their turns one after another in the whole site; of files all gives way but what is written down.

Trap: whoever gives way must not hold a lock that a table waits for. So what organisers do gives way
to nobody, passwords only politely, and only what writes nothing takes what nobody else wants.
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
from tracker.management.server.application import Request, WholeAnswer, call

try:
    import fcntl
except ImportError:  # Windows, where there is one worker
    fcntl = None  # type: ignore[assignment]

# A thread that computes lets others in this often, in seconds: here those are the lines that wait to
# be read and answered.
_TURN = 0.0005
_POLITE = 10  # see nice(1)


class Lane(Enum):
    """A kind of request; its value is how many may wait in each worker."""

    TABLES = 256
    PAGES = 128
    ORGANISERS = 16
    PASSWORDS = 12
    STRANGERS = 8
    FILES = 4


_STRANGERS = re.compile(
    r"/clubs/\d+/plan/"  # evenings are simulated
    r"|/(tournaments|seasons)/\d+/picture\.png"  # posters are drawn
)
_BOTS = re.compile(r"/(practice|replay)/")
_THOUGHT_OF = {"hint", "closer"}  # what a page of practice says only after a bot has thought
# Passwords are hashed slowly on purpose.
_PASSWORDS = re.compile(r"/(sign-in|first|join|password|account|admin/login)/")
_LONG_ACTS = re.compile(
    r"/clubs/\d+/(tonight|players/import|players/twice)/"
    r"|/players/\d+/(merge|forget)/"
    r"|/mergers/\d+/undo/"
    r"|/tournaments/\d+/(draw|desk|paper|stages/new|table|import)/"
    r"|/rounds/\d+/(close|undo|seats)/"
)
_LONG_PAGES = re.compile(
    r"/tournaments/\d+/(cards|papers|seating|file)/|/rounds/\d+/(papers|seating)/|/copies/"
)
# A tournament is read from its file: at the look, after it, and before it is taken in.
_FILES = re.compile(r"/clubs/\d+/tournaments/import/(look/)?$")
_AFTER_FILES = 30  # requests: then its process ends, and gives back what memory a large file took


def lane_of(method: str, path: str, query: str) -> Lane:
    """Return the lane of a request.

    >>> lane_of("POST", "/t/abc/", ""), lane_of("GET", "/tournaments/3/hands/", "_export=csv")
    (<Lane.TABLES: 256>, <Lane.STRANGERS: 8>)
    """
    if path.startswith("/t/"):
        return Lane.TABLES
    names = dict(parse_qsl(query, keep_blank_values=True)).keys()
    bots_think = _BOTS.match(path) and (method == "POST" or _THOUGHT_OF & names)
    if "_export=" in query or _STRANGERS.match(path) or bots_think:
        return Lane.STRANGERS
    if method == "POST" and _PASSWORDS.match(path):
        return Lane.PASSWORDS
    if (found := _FILES.match(path)) and (method == "POST" or found[1]):
        return Lane.FILES
    if _LONG_PAGES.match(path) or (method == "POST" and _LONG_ACTS.match(path)):
        return Lane.ORGANISERS
    return Lane.PAGES


class Full(Exception):
    """The queue of a lane is full."""


class Lanes:
    """The lanes of one worker; its thread calls *site*, each of its processes makes its own."""

    def __init__(self, site: Callable[..., Any]) -> None:
        sys.setswitchinterval(_TURN)
        self.site = site
        self.waiting = dict.fromkeys(Lane, 0)
        # Now, while this process has no other threads, those of the lanes may be forked from it.
        method = "fork" if hasattr(os, "fork") else None
        self.executors: dict[Lane, Executor] = {
            lane: _process(lane, method)
            for lane in (Lane.PAGES, Lane.ORGANISERS, Lane.PASSWORDS, Lane.STRANGERS)
        }
        self.executors[Lane.TABLES] = ThreadPoolExecutor(1, "tables")
        self.executors[Lane.FILES] = _process(Lane.FILES, "spawn")

    async def work(self, request: Request) -> WholeAnswer:
        """Let the site answer in the request's lane.

        :raises Full: if too many wait there.
        """
        path, query = request.variables["PATH_INFO"], request.variables["QUERY_STRING"]
        lane = lane_of(request.variables["REQUEST_METHOD"], path, query)
        if self.waiting[lane] >= lane.value:
            raise Full
        self.waiting[lane] += 1
        try:
            executor = self.executors[lane]
            if isinstance(executor, ProcessPoolExecutor):
                answer = executor.submit(_call, lane, request)
            else:
                answer = executor.submit(call, self.site, request)
            return await asyncio.wrap_future(answer)
        except BrokenProcessPool:
            # Somebody ended that process, as a machine does that runs out of memory.
            self.executors[lane] = _process(lane, "spawn")
            raise
        finally:
            self.waiting[lane] -= 1

    def close(self) -> None:
        """End the processes once each has done what it is at; what waits in a lane is not done.

        Trap: without waiting, the end of this process can close a queue before the word to end is
        in it, and then both wait for each other until somebody kills them.
        """
        for executor in self.executors.values():
            executor.shutdown(wait=True, cancel_futures=True)


def end_with_parent() -> None:
    """End this process when the one that started it is gone, however it went."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def end() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=end, daemon=True).start()


# A file of which whoever works for strangers locks a byte; processes forked from here share it. A
# lock on a file, and no semaphore: it is given back by whoever is killed.
_turns: list[IO[bytes]] = []
_BYTES = {Lane.STRANGERS: 0, Lane.PASSWORDS: 1}


def share_turns() -> None:
    """Let the workers that are forked from here take turns at what strangers ask for."""
    _turns.append(tempfile.TemporaryFile())  # noqa: SIM115 - open as long as the site is


def _process(lane: Lane, method: str | None) -> ProcessPoolExecutor:
    context = multiprocessing.get_context(method)
    executor = ProcessPoolExecutor(
        1,
        context,
        initializer=_begin_process,
        initargs=(lane,),
        max_tasks_per_child=_AFTER_FILES if lane is Lane.FILES else None,
    )
    if lane is not Lane.FILES:  # that is begun when there is a file, which is seldom
        executor.submit(int)
    return executor


def _begin_process(lane: Lane) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's to heed
    end_with_parent()
    if lane is Lane.STRANGERS and hasattr(os, "SCHED_IDLE"):
        # Trap: a process that is only nice is let finish its turn before one that has just woken.
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    elif lane in _BYTES and hasattr(os, "nice"):
        os.nice(_POLITE)
    if lane is Lane.FILES:  # what it writes is at_normal_priority
        lower_priority()
    import_module("tracker.config.wsgi")


def _call(lane: Lane, request: Request) -> WholeAnswer:
    from tracker.config.wsgi import application

    if lane not in _BYTES or fcntl is None or not _turns:
        return call(application, request)
    fcntl.lockf(_turns[0], fcntl.LOCK_EX, 1, _BYTES[lane])
    try:
        return call(application, request)
    finally:
        fcntl.lockf(_turns[0], fcntl.LOCK_UN, 1, _BYTES[lane])
