"""Restoring a copy: the site's data are replaced completely, or not at all."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import connections
from django.db.migrations.loader import MigrationLoader

from tracker.backups import sqlite
from tracker.backups.archive import make_copy, unpack
from tracker.backups.copies import CopyFailed, CopyKind, CopyNote, copies_folder, read_note
from tracker.backups.data_folder import SECRET, FolderInUse, hold, swap


@dataclass(frozen=True, slots=True, kw_only=True)
class UnpackedCopy:
    """A copy that was checked and unpacked into a *folder* in the data folder."""

    folder: Path
    database: Path
    note: CopyNote


@contextmanager
def unpacked_copy(file: Path) -> Iterator[UnpackedCopy]:
    """Unpack a copy in the data folder, and lock out every other process until the end.

    :raises CopyFailed: if it is no copy, damaged or of a newer version, or the site is running.
    """
    data = Path(settings.DATA_DIR)
    try:
        with hold(data):
            note = _checked_note(file)
            with tempfile.TemporaryDirectory(
                prefix=".restoring-", dir=data, ignore_cleanup_errors=True
            ) as temporary:
                database = unpack(file, note, Path(temporary))
                _check_not_in_use()
                yield UnpackedCopy(folder=Path(temporary), database=database, note=note)
    except FolderInUse:
        raise CopyFailed("Kula is open in this folder: close it first (Ctrl-C).") from None
    except OSError as error:
        raise CopyFailed(f"It cannot be restored here: {error}.") from error


def restore(copy: UnpackedCopy, *, now: datetime) -> Path | None:
    """Replace the site's data by an unpacked copy; return the copy made of them before, if any.

    :raises CopyFailed: if it fails; then nothing has changed.
    """
    copy_of_present = _copy_present_data(copy.note, now)
    _migrate(copy)
    _check_not_in_use()  # again: a person has taken time to confirm
    swap(copy.folder, Path(settings.DATA_DIR))  # the secret, too
    return copy_of_present


def _checked_note(file: Path) -> CopyNote:
    if not file.exists():
        raise CopyFailed(f"There is no file {file}.")
    note = read_note(file)
    known = {name for app, name in MigrationLoader(None).disk_migrations if app == "tracker"}
    if note.migration not in known:
        raise CopyFailed(
            f"{file} is of another version of Kula (it has {note.migration}):"
            " restore it with that version, or a newer one."
        )
    return note


def _check_not_in_use() -> None:
    connections.close_all()
    if sqlite.database_file().exists() and sqlite.in_use(sqlite.database_file()):
        raise CopyFailed(
            "A program has the database open, perhaps a Kula that was not closed: close it first."
        )


def _copy_present_data(note: CopyNote, now: datetime) -> Path | None:
    """Copy the present data, which the copy with this *note* will replace; return where, if any."""
    if not sqlite.database_file().exists():
        return None
    why = f"Before the copy of {note.made_at:%Y-%m-%d %H:%M} (UTC) was put back"
    try:
        return make_copy(kind=CopyKind.RESTORE, why=why, now=now)
    except CopyFailed as failure:
        if not isinstance(failure.__cause__, sqlite3.DatabaseError):
            raise
    # No copy can be made of a damaged database. Its files are kept: some data may be recovered.
    damaged = copies_folder() / f"damaged-{now:%Y%m%d-%H%M%S}"
    damaged.mkdir(parents=True)
    for part in sqlite.files():
        shutil.copy2(part, damaged / part.name)
    return damaged


def _migrate(copy: UnpackedCopy) -> None:
    """Apply the migrations that the copy lacks, in its own folder, before it replaces anything."""
    process = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--no-input", "--verbosity=0"],
        cwd=settings.BASE_DIR,
        env={**os.environ, "KULA_DATA": str(copy.folder), "DATABASE_URL": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        error = process.stderr.strip().splitlines()[-1:]
        raise CopyFailed(f"The copy cannot be brought up to date: {' '.join(error)}")
    with closing(sqlite3.connect(copy.database)) as database:
        # What waits in a copy was sent since, or is news no more: "Send again" would send it.
        database.execute("UPDATE tracker_delivery SET due_at = NULL")
        database.commit()
        database.execute("PRAGMA journal_mode=DELETE")  # so that there is no WAL file beside it
    if not copy.note.secret:
        (copy.folder / SECRET).unlink(missing_ok=True)  # the migrating process has made one
