"""The workers: processes that granian starts on one port, each with a gateway to the site."""

import os
import signal
import threading

from granian import Granian
from granian.constants import Interfaces
from granian.http import HTTP1Settings

SLOWEST_HEAD = 15_000  # milliseconds until a request's head has come whole

_asked_to_close = threading.Event()


def heed_ctrl_c() -> None:
    """Take note of Ctrl-C and SIGTERM from now on, until the server heeds them itself.

    Whoever presses Ctrl-C while the site is still starting is not shown where it was.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: _asked_to_close.set())


def run(host: str, port: int, workers: int) -> None:
    """Serve the site until Ctrl-C or SIGTERM."""
    server = Granian(
        "tracker.management.server.gateway:gateway",
        address=host,
        port=port,
        interface=Interfaces.RSGI,
        workers=workers,
        websockets=False,
        log_enabled=False,
        respawn_failed_workers=True,
        workers_kill_timeout=5,
        http1_settings=HTTP1Settings(header_read_timeout=SLOWEST_HEAD),
    )
    # Called when the server heeds signals and has no workers yet.
    server.on_startup(_close_if_asked)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_forget_signals)
    try:
        server.serve()
    except KeyboardInterrupt:
        return


def _close_if_asked() -> None:
    if _asked_to_close.is_set():
        raise KeyboardInterrupt


def _forget_signals() -> None:
    """Let a worker that has no handlers of its own yet be ended by its server.

    With those it inherits it would overhear that, and be killed only seconds later.
    Ctrl-C in a terminal reaches the workers too: they leave it to the server.
    """
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
