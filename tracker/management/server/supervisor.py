"""The supervisor: keeps the server process running, and notices when it itself is missed.

Three generations: ``manage.py serve`` starts the server process, and that its workers. Whichever
of them is killed, the site opens again: workers are started anew by the server process, which is
started anew from here. A server process that has lost its supervisor goes on serving (a hall is not
to be sent home for that), and leaves the port to the next start, which asks for it by taking away
the file that says so.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import monotonic
from typing import Any

from django.utils import timezone

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 10.0  # seconds before the server process is started again
STEADY = 60.0  # seconds after which a server process has proved itself
_LOOK = 0.2  # seconds between two looks
_PATIENCE = 15.0  # seconds for the tables' last requests when the site is closed

_asked_to_close = threading.Event()


def heed_ctrl_c() -> None:
    """Take note of Ctrl-C and SIGTERM from now on.

    Whoever presses Ctrl-C while the site is still starting is not shown where it was.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: _asked_to_close.set())


def close_if_asked() -> None:
    """Raise what Ctrl-C raises, if that or SIGTERM came before now."""
    if _asked_to_close.is_set():
        raise KeyboardInterrupt


class Supervisor:
    """Keeps ``serve(*arguments)`` running in a process of its own until Ctrl-C or SIGTERM.

    *serve* is a function of a module, and its arguments can be pickled; *say* is called with a
    sentence whenever the process had to be started again.
    """

    def __init__(
        self, serve: Callable[..., None], *arguments: object, say: Callable[[str], None]
    ) -> None:
        self.serve, self.arguments, self.say = serve, arguments, say
        # Forked while this process has no other threads; later ones begin from nothing.
        self.process = self._start("fork" if hasattr(os, "fork") else "spawn")

    def _start(self, method: str) -> BaseProcess:
        context: Any = multiprocessing.get_context(method)
        process: BaseProcess = context.Process(target=self.serve, args=self.arguments)
        process.start()
        self.began = monotonic()
        return process

    def run(self) -> None:
        """Start the server process again whenever it ends, until asked to close."""
        pause = FIRST_PAUSE
        while True:
            while self.process.is_alive() and not _asked_to_close.is_set():
                wait([self.process.sentinel], timeout=_LOOK)
            if _asked_to_close.is_set():
                self.process.terminate()
                self.process.join(_PATIENCE)
                if self.process.is_alive():
                    self.process.kill()
                    self.process.join()
                return
            pause = (
                FIRST_PAUSE if monotonic() - self.began > STEADY else min(pause * 2, LONGEST_PAUSE)
            )
            self.say(
                f"  {timezone.localtime():%H:%M:%S}  The server stopped by itself "
                f"(exit code {self.process.exitcode}). It is started again."
            )
            _asked_to_close.wait(pause)
            if not _asked_to_close.is_set():
                self.process = self._start("spawn")


# A server process without a supervisor --------------------------------------------------------


def mark_of_an_orphan(folder: Path) -> Path:
    """Return the file that a server process without a supervisor leaves in the data folder."""
    return folder / "serving-alone"


def watch_for_the_end_of_the_supervisor(folder: Path, close: Callable[[], None]) -> None:
    """Go on without a supervisor until the mark is taken away, then *close*."""
    supervisor = multiprocessing.parent_process()
    if supervisor is None:
        return

    def watch() -> None:
        wait([supervisor.sentinel])
        mark = mark_of_an_orphan(folder)
        try:
            mark.write_text(f"{os.getpid()}\n")
        except OSError:  # a full disk, or one that is only read: nobody could ask for the port
            close()
        pause = threading.Event()
        while mark.exists():
            pause.wait(_LOOK)
        close()

    threading.Thread(target=watch, daemon=True).start()


def ask_orphans_to_close(folder: Path) -> bool:
    """Ask a server process without a supervisor to close; say whether there is one to be asked."""
    mark = mark_of_an_orphan(folder)
    try:
        mark.unlink()
    except OSError:
        return False
    return True
