"""SQLite's own way to a copy that is whole although others write: its online backup."""

import os
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

from django.db import connection

IN_COPY = "kula.sqlite3"
NEWEST_MIGRATION = "SELECT max(name) FROM django_migrations WHERE app = 'tracker'"
COUNTED = ("club", "tournament", "hand")
_PAGES = 1024  # a step; between two of them reports have the disk to themselves
_PAUSE = 0.002  # seconds


def database_file() -> Path:
    """Return the file of the database, where it is SQLite's."""
    return Path(connection.settings_dict["NAME"])


def files() -> list[Path]:
    """Return the files that there are of the database: it, and the log beside it."""
    file = database_file()
    return [part for part in (file, file.with_name(f"{file.name}-wal")) if part.exists()]


def state_of_files() -> str:
    """Return what is another whenever something was written to the files of the database."""
    said = []
    for part in files():
        with suppress(FileNotFoundError):  # SQLite has taken the log away since
            status = part.stat()
            said.append(f"{status.st_size}-{status.st_mtime_ns}")
    return " ".join(said)


def write_copy(target: Path) -> None:
    """Write the SQLite database into the new file *target*.

    :raises sqlite3.Error: if it cannot be read, or not be written there, or the copy is damaged.
    """
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with (
        closing(sqlite3.connect(database_file(), isolation_level=None, timeout=30)) as source,
        closing(sqlite3.connect(target, isolation_level=None)) as copy,
    ):
        # What is read stays as it was at this moment. Without it each write of another process
        # would send the copy back to its first page, and under load it would never end.
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
        copy.execute("PRAGMA synchronous=OFF")  # it is synced as a whole
        source.backup(copy, pages=_PAGES, progress=lambda *_: time.sleep(_PAUSE))
        copy.execute("PRAGMA journal_mode=DELETE")  # one file
        check_whole(copy)


def check_whole(database: sqlite3.Connection) -> None:
    """See that a database is whole.

    :raises sqlite3.DatabaseError: if it is not.
    """
    said = [row[0] for row in database.execute("PRAGMA quick_check(1)")]
    if said != ["ok"]:
        raise sqlite3.DatabaseError(said[0] if said else "quick_check said nothing")


def counts_in(file: Path) -> tuple[str, dict[str, int]]:
    """Return the newest migration and how many clubs, tournaments and hands a file holds."""
    with closing(sqlite3.connect(file)) as database:
        (migration,) = database.execute(NEWEST_MIGRATION).fetchone()
        counts = {
            of: int(database.execute(f"SELECT count(*) FROM tracker_{of}").fetchone()[0])  # noqa: S608
            for of in COUNTED
        }
    return str(migration or ""), counts


def in_use(file: Path) -> bool:
    """Say whether a process has the database open; for this no other may, even to read."""
    with closing(sqlite3.connect(file, isolation_level=None, timeout=0)) as database:
        try:
            database.execute("PRAGMA locking_mode=EXCLUSIVE")
            database.execute("BEGIN IMMEDIATE")
            database.execute("SELECT count(*) FROM sqlite_master").fetchone()
            database.execute("ROLLBACK")
        except sqlite3.OperationalError as error:
            return error.sqlite_errorcode == sqlite3.SQLITE_BUSY
        except sqlite3.DatabaseError:  # damaged: whoever reads it is not helped by waiting
            return False
    return False
