"""Django's SQLite backend, with fair waiting for the write lock and reads on a full disk."""

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

# Opening the file makes two more beside it, which is refused in these ways.
_REFUSALS = {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
}
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_BUSY_RECOVERY}


def name_for_reading(file: Path) -> str:
    """Return a URI that reads the database in *file* where its plain name was refused.

    ``immutable`` overlooks the hands that are still in the ``-wal`` beside it, and may mix old
    pages with new ones: where that has anything in it, both are copied to where there is room.

    :raises OSError: if there is no such file, or no room for a copy.
    """
    wal = file.with_name(f"{file.name}-wal")
    if wal.exists() and wal.stat().st_size:
        stamps = file.stat().st_mtime_ns, wal.stat().st_mtime_ns, wal.stat().st_size
        return f"file:{quote(str(_copy(file, wal, stamps)))}"
    file.stat()
    return f"file:{quote(str(file))}?mode=ro&immutable=1"


@functools.lru_cache(maxsize=1)
def _copy(file: Path, wal: Path, _stamps: tuple[int, int, int]) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="kula-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for part in (file, wal):
        shutil.copyfile(part, folder / part.name)
    return folder / file.name


_PAUSE = 0.0005  # seconds
# One lock for each process and database file; a thread holds it while it writes. Trap: without it
# waiting threads ask SQLite again and again, and each time take Python's own lock (the GIL) from the
# writer. On glibc before 2.41 the writer then sometimes slept until all of them had given up, most
# likely by glibc's bug 25847, a lost wake-up.
_writing: defaultdict[tuple[int, str], threading.Lock] = defaultdict(threading.Lock)


class DatabaseFeatures(features.DatabaseFeatures):
    # Trap: Django tries it in a transaction, for which a page that only reads would have to wait
    # until nobody writes, and which a full disk refuses.
    supports_json_field = True


class DatabaseWrapper(base.DatabaseWrapper):
    """Wait for the one writer's place in short steps.

    SQLite itself sleeps longer each time, up to 100 ms, while others pass: a table's report
    then waits for a dozen of another's.
    """

    features_class = DatabaseFeatures
    reads_only = False
    turn: "threading.Lock | None" = None  # while it writes

    def connect(self) -> None:
        super().connect()
        if self.reads_only:  # until the end of this request: there may be room again
            self.close_at = monotonic()

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        self.reads_only = False
        if isinstance(file := self.settings_dict["NAME"], Path):
            create_private(file)
        try:
            return super().get_new_connection(conn_params)
        except sqlite3.OperationalError as error:
            file = Path(conn_params["database"])
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest says where it happened
            # Where others may write, reading past SQLite's locks would read what is half written.
            refused = write_error(file.parent) if code in _REFUSALS else None
            if refused is None or isinstance(refused, PermissionError):
                raise
            try:
                name = name_for_reading(file)
            except OSError:
                raise error from None
        self.reads_only = True
        self.init_commands = ["PRAGMA query_only=ON"]
        return super().get_new_connection({**conn_params, "database": name})

    def is_usable(self) -> bool:
        """Return what is asked after an error: a file opened on a read-only disk stays read-only."""
        return False

    def _start_transaction_under_autocommit(self) -> None:
        patience = self.settings_dict["OPTIONS"].get("timeout", 5)
        until = monotonic() + patience
        self._end_turn()  # left by a transaction that ended without Django's commit or rollback
        if not self.is_in_memory_db():
            turn = _writing[os.getpid(), str(self.settings_dict["NAME"])]
            if turn.acquire(timeout=patience):
                self.turn = turn
        try:
            self.connection.execute("PRAGMA busy_timeout = 0")
            while True:
                try:
                    super()._start_transaction_under_autocommit()  # type: ignore[misc]
                except OperationalError as error:
                    busy = getattr(error.__cause__, "sqlite_errorcode", None) in _BUSY
                    if not busy or monotonic() > until:
                        raise
                    sleep(_PAUSE)
                else:
                    return
        finally:
            self._end_turn()
            self.connection.execute(f"PRAGMA busy_timeout = {int(patience * 1000)}")

    def _commit(self) -> None:
        try:
            super()._commit()  # type: ignore[misc]
        finally:
            self._end_turn()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._end_turn()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._end_turn(closed=True)

    def _end_turn(self, *, closed: bool = False) -> None:
        """Release the lock of this process, unless this connection's transaction still runs."""
        if self.turn and (closed or not self.connection.in_transaction):
            turn, self.turn = self.turn, None
            turn.release()
