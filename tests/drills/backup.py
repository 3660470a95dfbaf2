"""Backups made while phones report, and restored elsewhere, by the commands of ``deployment.md``."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import psycopg

from tests import machine
from tests.drills.playing import TableNow, told
from tests.serving import ROOT, beside

DEPLOYMENT = ROOT / "tracker/docs/deployment.md"


@dataclass(frozen=True, slots=True)
class Made:
    """A backup, and what each table had been told before it was begun."""

    file: Path
    told: dict[str, int]
    begun: float
    ended: float


def documented(beginning: str) -> str:
    """Return the one command of ``deployment.md`` that begins like this."""
    lines = DEPLOYMENT.read_text(encoding="utf-8").splitlines()
    [command] = [line for line in lines if line.startswith(beginning)]
    return command


def shell_environment(data: Path) -> dict[str, str]:
    """Return the environment of a keeper who types commands, with ``.venv`` activated."""
    given = beside(data)
    programs = (Path(sys.executable).parent, machine.postgresql(), given["PATH"])
    return {**given, "PATH": os.pathsep.join(map(str, programs))}


def type_(data: Path, command: str, at: Path) -> None:
    """Run a command of the document in a folder, where ``.kula`` is the folder of the data."""
    done = subprocess.run(
        ["bash", "-c", command.replace(".kula/", f"{data}/")],
        cwd=at, env=shell_environment(data), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"


def back_up(data: Path, file: Path, playing: Sequence[TableNow]) -> Made:
    """Make a backup in this file, as the database's keeper does."""
    known, begun = told(playing), time.time()
    if os.environ.get("DATABASE_URL"):
        type_(data, documented("pg_dump "), file.parent)
        (file.parent / "kula.dump").rename(file)
    else:
        manage(data, "backup", str(file))
    return Made(file, known, begun, time.time())


def put_back(data: Path, file: Path) -> None:
    """Restore a backup, or on PostgreSQL also a copy that an earlier version made of it."""
    if not os.environ.get("DATABASE_URL"):
        manage(data, "restore", str(file), "--yes")
        return
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        if file.read_bytes().startswith(b"PK"):
            shutil.copy(file, at / "evening.zip")
            for beginning in ("python -m zipfile ", "cp evening/secret "):
                type_(data, documented(beginning), at)
            (at / "evening/kula.dump").rename(at / "kula.dump")
        else:
            shutil.copy(file, at / "kula.dump")
        type_(data, documented("pg_restore "), at)
    manage(data, "migrate", "--verbosity=0")  # as ``serve`` does


def manage(data: Path, *arguments: str) -> str:
    done = run(data, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run(data: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT, env=beside(data), capture_output=True, text=True, check=False,
    )  # fmt: skip


@contextmanager
def elsewhere(folder: Path) -> Iterator[Path]:
    """Yield an empty folder of another machine; with PostgreSQL, its empty database, too."""
    folder.mkdir()
    url = os.environ.get("DATABASE_URL")
    if not url:
        yield folder
        return
    name = f"elsewhere_{uuid4().hex[:8]}"
    type_(folder, documented("createdb ").replace("restored", name), folder)
    os.environ["DATABASE_URL"] = urlunsplit(urlsplit(url)._replace(path=f"/{name}"))
    try:
        yield folder
    finally:
        os.environ["DATABASE_URL"] = url
        with psycopg.connect(url, autocommit=True) as server:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def waits(playing: Sequence[TableNow], copies: Sequence[Made]) -> str:
    """Return how long a report took while a copy was made, and while none was."""
    during: list[float] = []
    apart: list[float] = []
    for table in playing:
        for begun, wait in table.waits:
            at_once = any(begun < copy.ended and begun + wait > copy.begun for copy in copies)
            (during if at_once else apart).append(wait * 1000)
    return "; ".join(
        f"{when}: {len(each)} reports, p50 {median(each):.0f} ms, slowest {max(each):.0f} ms"
        for when, each in (("while a copy was made", during), ("else", apart))
        if each
    )
