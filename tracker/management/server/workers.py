"""Configuration of granian, which starts worker processes on one port, each with a gateway."""

import os
import signal
from pathlib import Path

from granian import Granian
from granian.constants import Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels

from tracker.management.server.lanes import share_lock_file
from tracker.management.server.supervisor import outlive_supervisor, raise_if_stopped

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]

HEADER_TIMEOUT = 30_000  # milliseconds
MOST_CONNECTIONS = 4_096  # open to one worker, most of them idle


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
        backpressure=MOST_CONNECTIONS,
        http1_settings=HTTP1Settings(header_read_timeout=HEADER_TIMEOUT),
        # Its messages go into the log of the site.
        log_level=LogLevels.error,
        log_dictconfig={"handlers": {}, "loggers": {"_granian": {"propagate": True}}},
    )
    # Called when the server handles signals and has no workers yet.
    server.on_startup(raise_if_stopped)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_forget_signals)
    share_lock_file()
    # Each connection is an open file, of which many systems allow 1,024 by default.
    if resource is not None:
        allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST_CONNECTIONS + 1_024
        if resource.RLIM_INFINITY not in (allowed, most) and allowed < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, most), most))
    outlive_supervisor(folder, server.signal_handler_interrupt)
    try:
        server.serve()
    except KeyboardInterrupt:
        return


def _forget_signals() -> None:
    """Reset the signal handlers that a worker inherits.

    With them a new worker would ignore SIGTERM, and be killed only seconds later. Ctrl-C in a terminal
    reaches the workers too, and is handled by the server.
    """
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
