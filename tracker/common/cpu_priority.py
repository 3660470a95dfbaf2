"""Low CPU priority for heavy work, and normal priority for its parts that hold a lock."""

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connections

T = TypeVar("T")
# A niceness: see nice(1). On a busy machine, reports of hands took twice as long beside work at
# niceness 10, and hardly longer beside work at 19.
_LOWEST = 19
# One executor with one thread of normal priority; empty unless ``lower_priority`` was called.
_normal: list[ThreadPoolExecutor] = []


def lower_priority() -> None:
    """Lower the priority of this thread, and first start another for ``at_normal_priority``.

    Trap: call it only in a process whose other threads are idle. They would wait for the GIL while
    this thread, which holds it, waits for a processor.
    """
    normal = ThreadPoolExecutor(1)
    normal.submit(int).result()  # starts the thread now: later it would inherit the lower priority
    _normal.append(normal)
    if sys.platform == "linux":  # no other system has a priority for each thread
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LOWEST)


def at_normal_priority(work: Callable[[], T]) -> T:
    """Run *work*, which holds a lock, in a thread of normal priority, and return its result."""
    return _normal[0].submit(_with_own_connection, work).result() if _normal else work()


def _with_own_connection(work: Callable[[], T]) -> T:
    """Run *work*, and close the database connection that Django opened for this thread."""
    try:
        return work()
    finally:
        connections.close_all()
