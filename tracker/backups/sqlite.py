"""Copies of an SQLite database by its online backup API, and checks of its file."""

import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

from django.db import connection

# After so many database pages a backup pauses, so that reports get at the disk.
_PAGES, _PAUSE_SECONDS = 1024, 0.002


def database_file() -> Path:
    return Path(connection.settings_dict["NAME"])


def files() -> list[Path]:
    """Return the database file and its write-ahead log, if they exist."""
    file = database_file()
    return [part for part in (file, file.with_name(f"{file.name}-wal")) if part.exists()]


def state_of_files() -> str:
    """Return a text that any write changes: size and time of the database file and its WAL."""
    parts = []
    for part in files():
        with suppress(FileNotFoundError):  # SQLite has removed the WAL since
            status = part.stat()
            parts.append(f"{status.st_size}-{status.st_mtime_ns}")
    return " ".join(parts)


def write_copy(target: Path) -> None:
    """Copy the database into the new file *target*.

    :raises sqlite3.Error: if it cannot be read or written, or the copy is damaged.
    """
    with (
        closing(sqlite3.connect(database_file(), isolation_level=None, timeout=30)) as source,
        closing(sqlite3.connect(target, isolation_level=None)) as copy,
    ):
        # Trap: without this snapshot each write of another process would restart the backup from
        # its first page, and under load it would never end.
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
        copy.execute("PRAGMA synchronous=OFF")  # the archive is synced at the end
        source.backup(copy, pages=_PAGES, progress=lambda *_: time.sleep(_PAUSE_SECONDS))
        copy.execute("PRAGMA journal_mode=DELETE")  # so that there is no WAL file beside it
        check_integrity(copy)


def check_integrity(database: sqlite3.Connection) -> None:
    """Run SQLite's quick check; raise ``sqlite3.DatabaseError`` if the database is damaged."""
    results = [row[0] for row in database.execute("PRAGMA quick_check(1)")]
    if results != ["ok"]:
        raise sqlite3.DatabaseError(results[0] if results else "quick_check said nothing")


def counts_in(file: Path) -> tuple[str, dict[str, int]]:
    """Return a database's newest migration, and its numbers of clubs, tournaments and hands."""
    with closing(sqlite3.connect(file)) as database:
        (migration,) = database.execute(
            "SELECT max(name) FROM django_migrations WHERE app = 'tracker'"
        ).fetchone()
        counts = {}
        for name in ("club", "tournament", "hand"):
            rows = database.execute(f"SELECT count(*) FROM tracker_{name}")  # noqa: S608
            counts[name] = int(rows.fetchone()[0])
    return str(migration or ""), counts


def in_use(file: Path) -> bool:
    """Return whether another process has the database open, even only to read."""
    # If so, this process cannot lock the database for itself alone.
    with closing(sqlite3.connect(file, isolation_level=None, timeout=0)) as database:
        try:
            database.execute("PRAGMA locking_mode=EXCLUSIVE")
            database.execute("BEGIN IMMEDIATE")
            database.execute("SELECT count(*) FROM sqlite_master").fetchone()
            database.execute("ROLLBACK")
        except sqlite3.OperationalError as error:
            return error.sqlite_errorcode == sqlite3.SQLITE_BUSY
        except sqlite3.DatabaseError:  # damaged: waiting would not help
            return False
    return False
