"""The supervisor of ``manage.py serve``, which restarts the server process and the sender of webhooks.

The supervisor starts the server process, which starts the workers. If a worker is killed, the
server process restarts it; if the server process is killed, the supervisor restarts it. A server
process whose supervisor was killed (an orphan) serves on, so that a club night can go on. It writes
a file; the next ``serve`` deletes that file, and the orphan closes and frees the port.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from django.utils import timezone

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 10.0  # seconds before a restart
STABLE_AFTER = 60.0  # seconds: a server that ran longer is restarted after the first pause again
_POLL = 0.2  # seconds
_STOP_TIMEOUT = 15.0  # seconds for the last requests when the site closes

_stopped = threading.Event()


def handle_stop_signals() -> threading.Event:
    """Record Ctrl-C and SIGTERM from now on, instead of ``KeyboardInterrupt`` at any statement.

    :return: the event that is set then.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: _stopped.set())
    return _stopped


def raise_if_stopped() -> None:
    """Raise ``KeyboardInterrupt`` if Ctrl-C or SIGTERM was recorded."""
    if _stopped.is_set():
        raise KeyboardInterrupt


class Supervisor:
    """Keeps ``serve(*arguments)`` running in a process of its own until Ctrl-C or SIGTERM.

    *serve* is a function of a module, and its arguments can be pickled; *say* gets a sentence at
    each restart, which calls the process by its *name*.
    """

    def __init__(
        self, name: str, serve: Callable[..., None], *arguments: object, say: Callable[[str], None]
    ) -> None:
        self.name, self.serve, self.arguments, self.say = name, serve, arguments, say
        # Forking is safe while this process has no other threads; later ones are spawned.
        self.process = self._start(None)

    def _start(self, method: str | None) -> BaseProcess:
        context: Any = multiprocessing.get_context(method)
        process: BaseProcess = context.Process(target=self.serve, args=self.arguments)
        process.start()
        self.began = monotonic()
        return process

    def run(self) -> None:
        """Restart the process whenever it ends, until Ctrl-C or SIGTERM."""
        pause = FIRST_PAUSE
        while True:
            while self.process.is_alive() and not _stopped.is_set():
                wait([self.process.sentinel], timeout=_POLL)
            if _stopped.is_set():
                self.process.terminate()
                self.process.join(_STOP_TIMEOUT)
                if self.process.is_alive():
                    self.process.kill()
                    self.process.join()
                return
            is_stable = monotonic() - self.began > STABLE_AFTER
            pause = FIRST_PAUSE if is_stable else min(pause * 2, LONGEST_PAUSE)
            self.say(
                f"  {timezone.localtime():%H:%M:%S}  {self.name} stopped by itself "
                f"(exit code {self.process.exitcode}). It is started again."
            )
            _stopped.wait(pause)
            if not _stopped.is_set():
                self.process = self._start("spawn")


def orphan_file(folder: Path) -> Path:
    """Return the file that a server process without a supervisor writes."""
    return folder / "serving-alone"


def outlive_supervisor(folder: Path, close: Callable[[], None]) -> None:
    """Watch the supervisor: if it ends, serve on until the orphan file is deleted, then *close*."""
    supervisor = multiprocessing.parent_process()
    if supervisor is None:
        return

    def watch() -> None:
        wait([supervisor.sentinel])
        file = orphan_file(folder)
        with suppress(OSError):  # a full or read-only disk: no later start could ask it to close
            file.write_text(f"{os.getpid()}\n")
            while file.exists():
                sleep(_POLL)
        close()

    threading.Thread(target=watch, daemon=True).start()


def close_orphan(folder: Path) -> bool:
    """Ask a server process without a supervisor to close; return whether there may be one."""
    try:
        orphan_file(folder).unlink()
    except OSError:
        return False
    return True
