"""Work that gives way to whatever else the machine has to do."""

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
_POLITE = 10  # see nice(1)


def politely(work: Callable[[], T]) -> T:
    """Do *work* in a thread of low priority, where threads have one (Linux), and return its result.

    Trap: it must not hold a lock that a table waits for. Its database is another connection.
    """
    with ThreadPoolExecutor(1, initializer=_give_way) as thread:
        return thread.submit(work).result()


def _give_way() -> None:
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _POLITE)
