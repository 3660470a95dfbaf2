"""A private PostgreSQL, made for one run and gone after it.

``python -m tests.postgresql COMMAND...`` runs a command whose ``DATABASE_URL`` leads to one.
"""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests import machine

# As a club would run it, and as PostgreSQL comes: nothing that was answered may be lost.
SAFE = ("fsync=on", "synchronous_commit=on", "full_page_writes=on", "autovacuum=on")
# Tests fill tables and roll back. Where tables are counted in between, all queries of the next test
# are planned for empty ones: a demo in one transaction then takes minutes instead of seconds.
FORGETFUL = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off")
# PostgreSQL refuses to run as root.
_AS = ["runuser", "-u", "postgres", "--"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []


def free_port() -> int:
    """Return a port of this machine that nothing listens on.

    It lies below the ports of outgoing connections, as one of those could take it before it is used.
    """
    while True:
        port = 12_000 + secrets.randbelow(20_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


@dataclass(frozen=True, slots=True)
class Cluster:
    """A PostgreSQL server of its own, which can be killed and started again."""

    tools: Path
    folder: Path
    port: int
    settings: tuple[str, ...]

    @property
    def url(self) -> str:
        """Return the ``DATABASE_URL`` of its database."""
        return f"postgres://kula@127.0.0.1:{self.port}/kula"

    def start(self, *others: str) -> None:
        """Start the server and wait until it answers; after a kill it recovers first.

        *others* are settings for this time.
        """
        given = " ".join(f"-c {setting}" for setting in (*self.settings, *others))
        options = f"-p {self.port} -h 127.0.0.1 -k {self.folder} -c max_connections=200 {given}"
        log = self.folder / "log"
        self._control("-w", "-t", 240, "-l", log, "-o", options, "start")

    def stop(self) -> None:
        """Stop the server at once, unless it was killed."""
        if (self.folder / "data/postmaster.pid").exists():
            self._control("-m", "immediate", "-w", "stop")

    def kill(self) -> None:
        """Kill -9 the server with all its processes, as when the machine runs out of memory."""
        lock = self.folder / "data/postmaster.pid"
        server = int(lock.read_text().split()[0])
        # The server first: it would restart what it sees die.
        os.kill(server, signal.SIGSTOP)
        dying = [server, *children(server)]
        for pid in dying:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        pause = threading.Event()
        while any(map(is_alive, dying)):
            pause.wait(0.01)
        # Where nobody buries the dead, their number seems to be in use.
        for left in (lock, self.folder / f".s.PGSQL.{self.port}.lock"):
            left.unlink()

    def _control(self, *arguments: object) -> None:
        _run(self.tools / "pg_ctl", "-D", self.folder / "data", *arguments)


@contextmanager
def server(*settings: str) -> Iterator[Cluster]:
    """Run a PostgreSQL server that keeps what it was told to keep; *settings* are ``name=value``."""
    folder = Path(tempfile.mkdtemp(prefix="kula-pg-"))
    made = Cluster(machine.postgresql(), folder, free_port(), settings)
    try:
        if _AS:
            shutil.chown(folder, "postgres", "postgres")
        folder.chmod(0o700)
        data = folder / "data"
        _run(made.tools / "initdb", "-D", data, "-A", "trust", "-U", "kula", "-E", "UTF8")
        made.start()
        try:
            place = ("-h", "127.0.0.1", "-p", made.port, "-U", "kula")
            _run(made.tools / "createdb", *place, "kula")
            yield made
        finally:
            made.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def cluster(*settings: str) -> Iterator[str]:
    """Run a PostgreSQL server of its own and yield the ``DATABASE_URL`` of its database.

    *settings* are ``name=value``. A crash may lose data here: nothing is synced,
    unless the settings say so (``SAFE``).
    """
    with server(*FORGETFUL, *settings) as made:
        yield made.url


def children(parent: int) -> list[int]:
    """Return the processes that *parent* started."""
    return [pid for pid, ppid, _ in processes() if ppid == parent]


def is_alive(process: int) -> bool:
    """Say whether a process still runs; one that only waits to be buried does not."""
    return any(pid == process and not state.startswith("Z") for pid, _, state in processes())


def processes() -> list[tuple[int, int, str]]:
    """List the processes of this machine, with those that started them and their states."""
    listed = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid=,state="], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split() for line in listed.splitlines()]
    return [(int(pid), int(ppid), state) for pid, ppid, state in rows]


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
