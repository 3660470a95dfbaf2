"""Django's SQLite backend, which waits better for other writers, and can read on a full disk.

SQLite has one writer at a time. A thread that wants to write first takes a lock (in memory) that
threads of its process have for the file. Then it asks SQLite for the file's own lock, again and
again, as another process may hold it. When its transaction has ended, it releases both.
"""

import atexit
import functools
import os
import shutil
import sqlite3
import tempfile
import threading
from collections import defaultdict
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import quote

from django.db import OperationalError
from django.db.backends.sqlite3 import base, features

from tracker.backups.data_folder import create_private
from tracker.common.files import write_error

# Errors if the two files beside the database (``-wal``, ``-shm``) cannot be made when it is opened.
_OPEN_ERRORS = {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
}
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_BUSY_RECOVERY}


def read_only_uri(file: Path) -> str:
    """Return a URI by which a database that cannot be opened normally can be read.

    With ``immutable`` SQLite needs no other file, but ignores what is still in the ``-wal`` file,
    and may mix old pages with new: if that file has content, a copy of both files is read.

    :raises OSError: if there is no such file, or no space for a copy.
    """
    wal = file.with_name(f"{file.name}-wal")
    if wal.exists() and wal.stat().st_size:
        version = file.stat().st_mtime_ns, wal.stat().st_mtime_ns, wal.stat().st_size
        return f"file:{quote(str(_copy_of(file, wal, version)))}"
    file.stat()  # raises if there is no such file
    return f"file:{quote(str(file))}?mode=ro&immutable=1"


@functools.lru_cache(maxsize=1)
def _copy_of(file: Path, wal: Path, _version: tuple[int, int, int]) -> Path:
    """Return the copy of a database, which all connections share until the *_version* changes."""
    folder = Path(tempfile.mkdtemp(prefix="kula-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for part in (file, wal):
        shutil.copyfile(part, folder / part.name)
    return folder / file.name


_PAUSE = 0.0005  # seconds between two attempts to begin a transaction
# One lock for each process and database file; a thread holds it while it writes. Trap: without it
# waiting threads poll SQLite, and each time take Python's GIL from the writer. On glibc before 2.41
# the writer then sometimes slept until all of them had timed out, most likely by glibc's bug 25847,
# a lost wake-up.
_write_locks: defaultdict[tuple[int, str], threading.Lock] = defaultdict(threading.Lock)


class DatabaseFeatures(features.DatabaseFeatures):
    # Trap: Django tests this in a write transaction, for which a page that only reads would wait
    # for writers, and which fails on a full disk.
    supports_json_field = True


@functools.lru_cache(maxsize=256)
def _with_question_marks(sql: str) -> str:
    converted: str = base.FORMAT_QMARK_REGEX.sub("?", sql).replace("%%", "%")
    return converted


class Cursor(base.SQLiteCursorWrapper):
    """Django's cursor, which writes ``?`` for ``%s``; each statement is converted only once."""

    def convert_query(self, query: str, *, param_names: Any = None) -> str:
        if param_names is None:
            return _with_question_marks(query)
        return super().convert_query(query, param_names=param_names)


class DatabaseWrapper(base.DatabaseWrapper):
    """SQLite backend that polls often: SQLite sleeps up to 100 ms, while others overtake it."""

    features_class = DatabaseFeatures
    reads_only = False  # the connection was opened on a full or read-only disk
    write_lock: "threading.Lock | None" = None  # the one of ``_write_locks`` that it holds, if any

    def connect(self) -> None:
        super().connect()
        if self.reads_only:
            self.close_at = monotonic()  # after this request: then there may be space again

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        self.reads_only = False
        name = self.settings_dict["NAME"]
        if isinstance(name, Path):  # not a database in memory
            create_private(name)
        try:
            return super().get_new_connection(conn_params)
        except sqlite3.OperationalError as error:
            file = Path(conn_params["database"])
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the higher bits are details
            # Read past SQLite's locks only if no process can write: else pages may be half-written.
            # If this process merely lacks the permission, another may write.
            disk_error = write_error(file.parent) if code in _OPEN_ERRORS else None
            if disk_error is None or isinstance(disk_error, PermissionError):
                raise
            try:
                uri = read_only_uri(file)
            except OSError:
                raise error from None
        self.reads_only = True
        self.init_commands = ["PRAGMA query_only=ON"]
        return super().get_new_connection({**conn_params, "database": uri})

    def create_cursor(self, name: Any = None) -> Any:  # noqa: ARG002 - for named cursors
        return self.connection.cursor(factory=Cursor)

    def is_usable(self) -> bool:
        """Return ``False``, so that Django reconnects after an error: the disk may have space."""
        return False

    # Django calls this to begin a transaction.
    def _start_transaction_under_autocommit(self) -> None:
        timeout_seconds = self.settings_dict["OPTIONS"].get("timeout", 5)
        deadline = monotonic() + timeout_seconds
        # A transaction that ended without Django's commit or rollback may have left the lock taken.
        self._release_write_lock()
        if not self.is_in_memory_db():
            lock = _write_locks[os.getpid(), str(self.settings_dict["NAME"])]
            # After the timeout SQLite is tried once without the lock, and answers that it is busy.
            if lock.acquire(timeout=timeout_seconds):
                self.write_lock = lock
        try:
            self.connection.execute("PRAGMA busy_timeout = 0")  # this loop waits instead of SQLite
            while True:
                try:
                    super()._start_transaction_under_autocommit()  # type: ignore[misc]
                except OperationalError as error:
                    busy = getattr(error.__cause__, "sqlite_errorcode", None) in _BUSY
                    if not busy or monotonic() > deadline:
                        raise
                    sleep(_PAUSE)
                else:
                    return
        finally:
            self._release_write_lock()  # only if no transaction began
            self.connection.execute(f"PRAGMA busy_timeout = {int(timeout_seconds * 1000)}")

    def _commit(self) -> None:
        try:
            super()._commit()  # type: ignore[misc]
        finally:
            self._release_write_lock()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._release_write_lock()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._release_write_lock(closed=True)

    def _release_write_lock(self, *, closed: bool = False) -> None:
        """Release the lock if this connection holds it and its transaction has ended."""
        if self.write_lock and (closed or not self.connection.in_transaction):
            lock, self.write_lock = self.write_lock, None
            lock.release()
