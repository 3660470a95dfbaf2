"""Work that gives way to whatever else the machine has to do, and what of it must not."""

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connections

T = TypeVar("T")
# See nice(1). Beside one of 10 reports waited twice as long on a busy machine, beside one of 19
# hardly longer: a process that may wait has the second.
_POLITE, _LAST = 10, 19
_brisk: list[ThreadPoolExecutor] = []  # of this process, if it gives way


def politely(work: Callable[[], T]) -> T:
    """Do *work* in a thread of low priority, where threads have one (Linux), and return its result.

    Trap: it must not hold a lock that a table waits for. Its database is another connection.
    """
    with ThreadPoolExecutor(1, initializer=_set_nice, initargs=(_POLITE,)) as thread:
        return thread.submit(work).result()


def give_way() -> None:
    """Let this thread give way from now on, and have another that does not: see ``briskly``."""
    brisk = ThreadPoolExecutor(1)
    brisk.submit(int).result()  # begins it, as long as this one does not give way
    _brisk.append(brisk)
    _set_nice(_LAST)


def briskly(work: Callable[[], T]) -> T:
    """Do *work* that holds a lock, in a thread that does not give way where this one does."""
    return _brisk[0].submit(_with_own_connection, work).result() if _brisk else work()


def _with_own_connection(work: Callable[[], T]) -> T:
    try:
        return work()
    finally:
        connections.close_all()


def _set_nice(least: int) -> None:
    if sys.platform == "linux":
        thread = threading.get_native_id()
        now = os.getpriority(os.PRIO_PROCESS, thread)
        os.setpriority(os.PRIO_PROCESS, thread, max(now, least))
