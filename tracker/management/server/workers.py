"""The workers: processes that granian starts on one port, each with a gateway to the site."""

import os
import signal
from pathlib import Path

from granian import Granian
from granian.constants import Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels

from tracker.management.server.lanes import share_turns
from tracker.management.server.supervisor import (
    close_if_asked,
    watch_for_the_end_of_the_supervisor,
)

try:
    import resource
except ImportError:  # Windows, which does not count files like this
    resource = None  # type: ignore[assignment]

SLOWEST_HEAD = 30_000  # milliseconds until a request's head has come whole
MOST_LINES = 4_096  # open at once to one worker, most of them silent


def run(host: str, port: int, workers: int, folder: Path) -> None:
    """Serve the site, whose data are in *folder*, until Ctrl-C or SIGTERM."""
    server = Granian(
        "tracker.management.server.gateway:gateway",
        address=host,
        port=port,
        interface=Interfaces.RSGI,
        workers=workers,
        websockets=False,
        respawn_failed_workers=True,
        workers_kill_timeout=5,
        backpressure=MOST_LINES,
        http1_settings=HTTP1Settings(header_read_timeout=SLOWEST_HEAD),
        # What it has to say goes where the site's own words go.
        log_level=LogLevels.error,
        log_dictconfig={"handlers": {}, "loggers": {"_granian": {"propagate": True}}},
    )
    # Called when the server heeds signals and has no workers yet.
    server.on_startup(close_if_asked)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_forget_signals)
    share_turns()
    # As many lines as a process may hold: 1,024 is what many systems allow unasked.
    if resource is not None:
        allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST_LINES + 1_024
        if resource.RLIM_INFINITY not in (allowed, most) and allowed < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, most), most))
    watch_for_the_end_of_the_supervisor(folder, server.signal_handler_interrupt)
    try:
        server.serve()
    except KeyboardInterrupt:
        return


def _forget_signals() -> None:
    """Let a worker that has no handlers of its own yet be ended by its server.

    With those it inherits it would overhear that, and be killed only seconds later.
    Ctrl-C in a terminal reaches the workers too: they leave it to the server.
    """
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
