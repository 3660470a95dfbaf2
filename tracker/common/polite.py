"""Work that gives way to whatever else the machine has to do, and what of it must not."""

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connections

T = TypeVar("T")
_POLITE = 10  # see nice(1)
_brisk: list[ThreadPoolExecutor] = []  # of this process, if it gives way


def politely(work: Callable[[], T]) -> T:
    """Do *work* in a thread of low priority, where threads have one (Linux), and return its result.

    Trap: it must not hold a lock that a table waits for. Its database is another connection.
    """
    with ThreadPoolExecutor(1, initializer=_give_way) as thread:
        return thread.submit(work).result()


def give_way() -> None:
    """Let this thread give way from now on, and have another that does not: see ``briskly``."""
    brisk = ThreadPoolExecutor(1)
    brisk.submit(int).result()  # begins it, as long as this one does not give way
    _brisk.append(brisk)
    _give_way()


def briskly(work: Callable[[], T]) -> T:
    """Do *work* that holds a lock, in a thread that does not give way where this one does."""
    return _brisk[0].submit(_with_own_connection, work).result() if _brisk else work()


def _with_own_connection(work: Callable[[], T]) -> T:
    try:
        return work()
    finally:
        connections.close_all()


def _give_way() -> None:
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _POLITE)
