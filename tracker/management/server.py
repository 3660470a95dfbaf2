"""The production server behind ``manage.py serve``, as its benchmark chose it."""

import signal

from granian import Granian
from granian.constants import Interfaces

THREADS = 1  # of each worker


def run(host: str, port: int, workers: int, *, threads: int = THREADS) -> None:
    """Serve the site until Ctrl-C or SIGTERM.

    One thread a worker: SQLite lets one write at a time, and a thread's own
    connection is then kept for good.
    """
    server = Granian(
        "tracker.config.wsgi:application",
        address=host,
        port=port,
        interface=Interfaces.WSGI,
        workers=workers,
        blocking_threads=threads,
        blocking_threads_idle_timeout=600,
        websockets=False,
        log_enabled=False,
        respawn_failed_workers=True,
        workers_kill_timeout=10,
    )
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    server.serve()
