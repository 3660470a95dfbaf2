"""Checks and preparations of ``manage.py serve`` before the site is served.

A problem that prevents serving is raised as a ``StartError``, with a text for the terminal.
"""

import os
import shlex
import socket
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from time import monotonic, sleep

from django.core.management import call_command
from django.db import OperationalError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from tracker.backups import data_folder, sqlite
from tracker.backups.archive import make_copy
from tracker.backups.copies import CopyFailed, CopyKind, copies_folder, stored_copies
from tracker.common.files import write_error
from tracker.management.server.supervisor import close_orphan

# Seconds that processes of an earlier start may take to close, and between two looks at them.
_WAIT_FOR_ORPHANS, _PAUSE = 15, 0.1
# The first migration until the first release, for which all were squashed into new ones.
_BEFORE_THE_FIRST_RELEASE = "0001_initial"


class StartError(Exception):
    """The site cannot be served; the message says why, and what would help."""


def check_folder(folder: Path) -> str:
    """Check that the data folder can be written; return a warning if it can only be read.

    :raises StartError: if it cannot be written, and has no database to read.
    """
    error = write_error(folder)
    if error is None:
        return ""
    if connection.vendor != "sqlite" or not sqlite.database_file().exists():
        raise StartError(
            f"The folder {folder} cannot be written ({error.strerror}). "
            "Make it writable, or name another in KULA_DATA."
        )
    return (
        f"Nothing can be saved: the folder {folder} cannot be written ({error.strerror}). "
        "What is there can be read. Make room, or make it writable: then it saves again by itself."
    )


def claim_port(host: str, port: int, folder: Path, *, say: Callable[[str], None]) -> None:
    """Check that the port is free, after asking processes left by an earlier start to close.

    :raises StartError: if it cannot be used, most likely because another program has it.
    """
    until = monotonic()  # the time to give up: at once, unless an orphan has to close first
    if close_orphan(folder):
        say("  What an earlier start left running is closed; this one takes over.")
        until += _WAIT_FOR_ORPHANS
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    while True:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            # The server does so too: with this option a port that was closed just now is free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError as error:
                if monotonic() >= until:
                    raise StartError(
                        f"Port {port} cannot be used ({error.strerror}): another program has it, "
                        "perhaps another Kula. Stop that one, or choose another port: "
                        f"serve --port {port + 1}"
                    ) from None
            else:
                return
        sleep(_PAUSE)


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Hold the lock of a SQLite database's folder, so that no copy is restored meanwhile.

    On PostgreSQL several sites may run side by side, and nothing is locked.

    :raises StartError: if another Kula holds the lock.
    """
    if connection.vendor != "sqlite":
        yield
        return
    until = monotonic() + _WAIT_FOR_ORPHANS
    with ExitStack() as stack:
        try:
            # Processes that were asked to close take a moment.
            while data_folder.is_held(folder) and monotonic() < until:
                sleep(_PAUSE)
            stack.enter_context(data_folder.hold(folder))
        except data_folder.FolderInUse:
            raise StartError(
                f"Another Kula is open with the folder {folder}, or a copy is put back there. "
                "Close that one, or name another folder in KULA_DATA."
            ) from None
        except OSError:  # a read-only folder: no copy can be restored there either
            pass
        yield


def migrate_database(*, can_write: bool = True) -> None:
    """Apply the missing migrations, after making a copy of a SQLite database.

    :raises StartError: if the database is damaged, cannot be reached or cannot be written, or is
        from a newer version or from before the first release.
    """
    if damage := database_damage():
        raise StartError(damage)
    try:
        executor = MigrationExecutor(connection)
    except OperationalError as error:
        sentence = f"The database cannot be reached: {' '.join(str(error).split())}"
        raise StartError(sentence) from None
    loader = executor.loader
    applied = sorted(name for app, name in loader.applied_migrations if app == "tracker")
    newest = applied[-1] if applied else ""
    if _BEFORE_THE_FIRST_RELEASE in applied:
        raise StartError(
            "The database is from before Kula’s first release and cannot be brought up to date; "
            "it is left as it is. Start in another folder (KULA_DATA), or with a new database."
        )
    if newest and ("tracker", newest) not in loader.disk_migrations:
        raise StartError(
            f"The database is from a newer version of Kula (it has {newest}). "
            "Start that version, or restore an older copy of the data."
        )
    if not executor.migration_plan(loader.graph.leaf_nodes()):
        return
    if not can_write:
        raise StartError(
            "The data is of an older version, and cannot be brought up to date where nothing "
            "can be written. Make room, or make the folder writable."
        )
    if newest:
        _copy_before_upgrade(newest)
    with ExitStack() as stack:
        # Trap: Django records a migration only after the transaction that creates its indexes. If
        # power fails between the two, no start would get past the tables that already exist.
        if connection.vendor == "sqlite":
            # First: inside a transaction SQLite cannot disable foreign keys, as a migration asks.
            stack.enter_context(connection.constraint_checks_disabled())
            stack.enter_context(transaction.atomic())
        call_command("migrate", interactive=False, verbosity=0)


def database_damage() -> str:
    """Return what is damaged in a SQLite database, with the command that restores it, or ""."""
    file = sqlite.database_file()
    if connection.vendor != "sqlite" or not file.exists():
        return ""
    # The name of the newest copy that can be read: one that cannot has no note.
    newest = next((copy.name for copy in stored_copies() if copy.note is not None), "")
    # A new database is empty, too, but there are no copies yet.
    if not (damage := _damage_of(file, may_be_empty=not newest)):
        return ""
    message = f"The database {file} is damaged: {damage}."
    if not newest:
        return (
            f"{message} There is no copy in {copies_folder()}."
            " Restore one from elsewhere: restore FILE"
        )
    command = shlex.join([sys.executable, sys.argv[0], "restore", newest])
    if "KULA_DATA" in os.environ:
        command = f"KULA_DATA={shlex.quote(os.environ['KULA_DATA'])} {command}"
    return (
        f"{message} The newest copy is {copies_folder() / newest}. To put it back (what is there is"
        f" kept, and you are asked first):\n{command}"
    )


def _damage_of(file: Path, *, may_be_empty: bool) -> str:
    """Return what is damaged in a database; "" if nothing is, or if it cannot be opened."""
    try:
        with closing(sqlite3.connect(file, timeout=30)) as database:
            sqlite.check_integrity(database)
            (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:  # it cannot be opened: the next attempt will say why
        return ""
    except sqlite3.DatabaseError as error:
        return " ".join(str(error).split())
    return "" if tables or may_be_empty else "it is empty"


def _copy_before_upgrade(version: str) -> None:
    """Copy a SQLite database before an upgrade from *version*, or raise ``StartError``."""
    if connection.vendor != "sqlite":
        return
    try:
        why = f"Before an upgrade from {version}"
        make_copy(kind=CopyKind.UPGRADE, now=timezone.now(), why=why)
    except CopyFailed as failure:
        raise StartError(
            f"The data is of an older version, and is copied before it changes. {failure}"
        ) from None
