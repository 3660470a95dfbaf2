"""Low CPU priority for heavy work, and normal priority for its parts that hold a lock."""

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connections

T = TypeVar("T")
# See nice(1). Beside one of 10 reports waited twice as long on a busy machine, beside this hardly longer.
_LAST = 19
_brisk: list[ThreadPoolExecutor] = []  # of this process, if it gives way


def lower_priority() -> None:
    """Lower the priority of this thread, and start one that keeps its own for ``at_normal_priority``.

    Trap: call it only in a process whose other threads are idle. They would wait for the GIL while
    this thread, which holds it, waits for a processor.
    """
    brisk = ThreadPoolExecutor(1)
    brisk.submit(int).result()  # begins it, as long as this one does not give way
    _brisk.append(brisk)
    if sys.platform == "linux":  # where threads have a priority of their own
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LAST)


def at_normal_priority(work: Callable[[], T]) -> T:
    """Run *work* that holds a lock in the thread of normal priority, if this one was lowered."""
    return _brisk[0].submit(_with_own_connection, work).result() if _brisk else work()


def _with_own_connection(work: Callable[[], T]) -> T:
    try:
        return work()
    finally:
        connections.close_all()
