"""Backups made while phones report, restored elsewhere: the commands of ``deployment.md``.

``python -m tests.drills.backup --copies 20 --tables 20`` is the long form; it prints what it saw.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import psycopg

from tests import machine
from tests.drills.playing import TableNow, count_kept, reporting, told, wait_for
from tests.serving import ROOT, beside, serving

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


def waits(playing: Sequence[TableNow], copies: Sequence[Made]) -> list[tuple[float, float]]:
    """Return p50 and p95 of a report, in ms, while a copy was made, and while none was."""
    during: list[float] = []
    apart: list[float] = []
    for table in playing:
        for begun, wait in table.waits:
            at_once = any(begun < copy.ended and begun + wait > copy.begun for copy in copies)
            (during if at_once else apart).append(wait * 1000)
    return [_percentiles(during), _percentiles(apart)]


def _percentiles(waits: Sequence[float]) -> tuple[float, float]:
    if len(waits) < 2:
        return 0.0, 0.0
    cuts = statistics.quantiles(waits, n=20)
    return cuts[9], cuts[18]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copies", type=int, default=20)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument(
        "--pause", type=float, default=0.5, help="seconds between a table's reports"
    )
    parser.add_argument("--data", type=Path, help="a folder of data to begin with")
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="kula-backup-"))
    data = folder / "data"
    if given.data:
        shutil.copytree(given.data, data, ignore=shutil.ignore_patterns("copies"))
    with (
        serving(data, "--workers", "4") as site,
        reporting(site, given.tables, pause=given.pause) as playing,
    ):
        copies = []
        for nth in range(given.copies):
            wait_for(playing, given.tables)
            copies.append(back_up(data, folder / f"{nth}.zip", playing))
    for nth, made in enumerate(copies):
        with elsewhere(folder / f"elsewhere-{nth}") as other:
            put_back(other, made.file)
            kept, lost = count_kept(other, playing, made.told)
        print(
            f"copy {nth}: {made.ended - made.begun:.1f} s, {sum(made.told.values())} acknowledged"
            f" before, {sum(kept.values())} in it, {lost} lost"
        )
    for when, (half, most) in zip(
        ("while a copy was made", "else"), waits(playing, copies), strict=True
    ):
        print(f"a report {when}: p50 {half:.0f} ms, p95 {most:.0f} ms")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
