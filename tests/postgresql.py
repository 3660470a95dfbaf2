"""A private PostgreSQL, made for one run and gone after it.

``python -m tests.postgresql COMMAND...`` runs a command whose ``DATABASE_URL`` leads to one.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests import machine

# PostgreSQL refuses to run as root.
_AS = ["runuser", "-u", "postgres", "--"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []


def free_port() -> int:
    """Return a port of this machine that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def cluster(*settings: str) -> Iterator[str]:
    """Run a PostgreSQL server of its own and yield the ``DATABASE_URL`` of its database.

    *settings* are ``name=value``. A crash may lose data here: nothing is synced,
    unless the settings say so.
    """
    tools = machine.postgresql()
    folder = Path(tempfile.mkdtemp(prefix="kula-pg-"))
    port = free_port()
    try:
        if _AS:
            shutil.chown(folder, "postgres", "postgres")
        folder.chmod(0o700)
        _run(tools / "initdb", "-D", folder / "data", "-A", "trust", "-U", "kula", "-E", "UTF8")
        defaults = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
        given = [part for setting in (*defaults, *settings) for part in ("-c", setting)]
        options = " ".join(
            [
                "-p",
                str(port),
                "-h",
                "127.0.0.1",
                "-k",
                str(folder),
                "-c max_connections=200",
                *given,
            ]
        )
        log = folder / "log"
        _run(tools / "pg_ctl", "-D", folder / "data", "-w", "-l", log, "-o", options, "start")
        try:
            _run(tools / "createdb", "-h", "127.0.0.1", "-p", port, "-U", "kula", "kula")
            yield f"postgres://kula@127.0.0.1:{port}/kula"
        finally:
            _run(tools / "pg_ctl", "-D", folder / "data", "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(*command: object) -> None:
    # Into a file and not a pipe: the server keeps what it inherits open for good.
    with tempfile.TemporaryFile() as said:
        answer = subprocess.run(
            [*_AS, *map(str, command)], stdout=said, stderr=subprocess.STDOUT, cwd="/", check=False
        )
        if answer.returncode:
            said.seek(0)
            raise RuntimeError(said.read().decode())


def main(command: Sequence[str]) -> int:
    """Run a command beside a server of its own, and return its exit code."""
    with cluster() as url:
        environment = {**os.environ, "DATABASE_URL": url}
        return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
