"""A site of its own for each measurement, behind the server that ``manage.py serve`` uses."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias
from urllib.error import URLError
from urllib.request import urlopen

from tests.postgresql import SAFE, cluster, free_port

ROOT = Path(__file__).parents[2]
_RUN = (
    "import sys, django; from pathlib import Path; django.setup();"
    " from tracker.management.server import gateway;"
    " gateway.serve('127.0.0.1', int(sys.argv[1]), int(sys.argv[2]), Path())"
)
Command: TypeAlias = Callable[[int], Sequence[str]]  # by the port it is to listen on


def served(workers: int = 2) -> Command:
    """Return how ``manage.py serve`` runs its server, but for what it prints and checks."""
    return lambda port: [sys.executable, "-c", _RUN, str(port), str(workers)]


@dataclass(frozen=True, slots=True)
class House:
    """A database with a club in it, and the environment that leads to it."""

    environment: Mapping[str, str]
    tokens: Sequence[str]

    def run(self, module: str, *arguments: object) -> str:
        """Run a module of Python with the site's settings and return what it prints."""
        done = subprocess.run(
            [sys.executable, "-m", module, *map(str, arguments)],
            cwd=ROOT, env=dict(self.environment), check=True, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        return done.stdout


@contextmanager
def house(database: str, tables: int | None) -> Iterator[House]:
    """Make a club with so many tables, or none at all, on ``sqlite`` or ``postgresql``."""
    with tempfile.TemporaryDirectory(prefix="kula-bench-") as data, _url(database) as url:
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tests.benchmarks.settings",
            "KULA_DATA": data,
            "DATABASE_URL": url,
        }
        empty = House(environment, ())
        tokens = json.loads(
            empty.run("tests.benchmarks.prepare", *([] if tables is None else [tables]))
        )
        yield House(environment, tokens)


@contextmanager
def _url(database: str) -> Iterator[str]:
    if database == "sqlite":
        yield ""
    else:
        with cluster(*SAFE) as url:
            yield url


@contextmanager
def running(house: House, command: Command | None = None) -> Iterator[int]:
    """Run a server, by default the one of ``manage.py serve``, and yield its port."""
    port = free_port()
    process = subprocess.Popen(
        (command or served())(port),
        cwd=ROOT,
        env=dict(house.environment),
        start_new_session=True,
    )
    try:
        _wait_for(port, process)
        yield port
    finally:
        with suppress(ProcessLookupError):  # it may have ended by itself, which is told above
            os.killpg(process.pid, signal.SIGINT)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    pause = threading.Event()
    for _ in range(600):
        if process.poll() is not None:
            break
        try:
            with urlopen(f"http://127.0.0.1:{port}/sign-in/", timeout=5):
                return
        except (URLError, ConnectionError, TimeoutError):
            pause.wait(0.1)
    raise RuntimeError("the server never answered")
