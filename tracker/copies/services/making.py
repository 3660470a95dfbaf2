"""A copy of everything: database and secret in one file, which is whole or not there."""

import hashlib
import os
import shutil
import sqlite3
import tempfile
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection

from tracker import VERSION
from tracker.copies import postgresql, sqlite
from tracker.copies.errors import CopyFailed
from tracker.copies.logic.note import Note
from tracker.copies.logic.stored import Kind, Stored, to_delete
from tracker.copies.packing import NOTE, SECRET
from tracker.copies.queries.listing import folder, room_for_copies, stored_copies
from tracker.copies.swap import sync

_SPARE = 32_000_000  # bytes that a copy leaves to the database beside it
_PACKED = 1  # how hard: the lowest takes a third of the time of the usual
_UNFINISHED = ".making-"
_FORGOTTEN = 6 * 3600  # seconds after which what is unfinished was left by somebody killed


@dataclass(frozen=True, slots=True)
class _Written:
    """A database as it was written into a file."""

    file: Path
    migration: str
    counts: dict[str, int]
    state: str


def make_copy(*, kind: Kind, now: datetime, why: str = "", to: Path | None = None) -> Path:
    """Make a copy, in the folder of copies or in the file *to*, and return where it is.

    :raises CopyFailed: if it cannot be made; then there is none, and no half of one.
    """
    target = to or folder() / Stored(now, kind).name
    try:
        _check_room(target.parent if to else folder())
        with tempfile.TemporaryDirectory(
            prefix=_UNFINISHED, dir=target.parent, ignore_cleanup_errors=True
        ) as made:
            workshop = Path(made)
            written = _write_database(workshop)
            packed = workshop / "copy.zip"
            _pack(packed, written, kind=kind, why=why, now=now)
            sync(packed)
            packed.replace(target)
        sync(target.parent)
    except (OSError, sqlite3.Error, DatabaseError) as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise CopyFailed(f"No copy could be made in {target.parent}: {said}.") from error
    return target


def thin_out(now: datetime) -> list[str]:
    """Delete the copies whose time is over, or which take too much of the disk; return which."""
    gone = []
    for copy in to_delete(stored_copies(), now=now, room=room_for_copies()):
        (folder() / copy.name).unlink(missing_ok=True)
        gone.append(copy.name)
    for left in (*folder().glob(f"{_UNFINISHED}*"), *folder().glob(".reading-*")):
        with suppress(FileNotFoundError):  # whoever was making it has finished since
            if left.stat().st_mtime < now.timestamp() - _FORGOTTEN:
                shutil.rmtree(left, ignore_errors=True)
    return gone


def _check_room(where: Path) -> None:
    where.mkdir(parents=True, exist_ok=True)
    if where == folder():
        where.chmod(0o700)
    if connection.vendor != "sqlite":
        return
    # Once as it is, and once more packed.
    needed = 2 * sum(part.stat().st_size for part in sqlite.files()) + _SPARE
    free = shutil.disk_usage(where).free
    if free < needed:
        raise CopyFailed(
            f"A copy needs {needed // 1_000_000} MB for a moment, and only {free // 1_000_000} MB"
            f" are free in {where}. Make room there."
        )


def _write_database(workshop: Path) -> _Written:
    if connection.vendor != "sqlite":
        file = workshop / postgresql.IN_COPY
        migration, counts = postgresql.write_dump(file)
        return _Written(file, migration, counts, "")
    file = workshop / sqlite.IN_COPY
    state = sqlite.state_of_files()  # before: whatever is written meanwhile is seen later
    sqlite.write_copy(file)
    migration, counts = sqlite.counts_in(file)
    return _Written(file, migration, counts, state)


def _pack(packed: Path, written: _Written, *, kind: Kind, why: str, now: datetime) -> None:
    secret = settings.DATA_DIR / SECRET
    has_secret = not os.environ.get("KULA_SECRET") and secret.exists()
    with written.file.open("rb") as database:
        digest = hashlib.file_digest(database, "sha256").hexdigest()
    note = Note(
        made_at=now,
        kind=kind,
        why=why,
        kula=VERSION,
        migration=written.migration,
        database=connection.vendor,
        secret=has_secret,
        clubs=written.counts["club"],
        tournaments=written.counts["tournament"],
        hands=written.counts["hand"],
        size=written.file.stat().st_size,
        sha256=digest,
        state=written.state,
    )
    handle = os.open(packed, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    # A dump is packed already.
    method = zipfile.ZIP_DEFLATED if connection.vendor == "sqlite" else zipfile.ZIP_STORED
    with (
        os.fdopen(handle, "w+b") as file,
        zipfile.ZipFile(file, "w", compresslevel=_PACKED) as copy,
    ):
        copy.writestr(NOTE, note.to_json())
        if has_secret:
            copy.write(secret, SECRET)
        copy.write(written.file, written.file.name, method)
