"""The archive of a copy: a zip with ``copy.json``, the database and the secret key."""

import hashlib
import os
import shutil
import sqlite3
import tempfile
import zipfile
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import connection

from tracker import VERSION
from tracker.backups import sqlite
from tracker.backups.copies import (
    NOTE,
    CopyFailed,
    CopyFile,
    CopyKind,
    CopyNote,
    copies_folder,
    space_for_copies,
    stored_copies,
    to_delete,
)
from tracker.backups.data_folder import DATABASE, SECRET
from tracker.common.files import sync_file, sync_folder

NOT_OF_POSTGRESQL = (
    "Kula copies and restores SQLite only. For PostgreSQL use pg_dump and pg_restore: the section"
    " Backups of tracker/docs/deployment.md has the commands."
)
_SPARE = 32_000_000  # bytes that have to stay free for the running site
_COMPRESS_LEVEL = 1  # takes a third of the time of the default
# How the names of temporary folders begin, in which copies are made or read.
_UNFINISHED, READING = ".making-", ".reading-"
_ABANDONED = 6 * 3600  # seconds after which such a folder is of a process that was killed
_BLOCK_BYTES = 1 << 20
_MOST_BYTES_OF_SECRET = 1000
_FOR_ITS_OWNER = 0o600  # the permissions of files that only their owner may read


def make_copy(*, kind: CopyKind, now: datetime, why: str = "", to: Path | None = None) -> Path:
    """Make a copy in the folder of copies, or in the file *to*, and return its path.

    :raises CopyFailed: if it cannot be made; then no part of it is left.
    """
    if connection.vendor != "sqlite":
        raise CopyFailed(NOT_OF_POSTGRESQL)
    target = to or copies_folder() / CopyFile(now, kind).name
    try:
        _check_space(target.parent)
        with tempfile.TemporaryDirectory(
            prefix=_UNFINISHED, dir=target.parent, ignore_cleanup_errors=True
        ) as temporary:
            database, archive = Path(temporary) / DATABASE, Path(temporary) / "copy.zip"
            # Read before the copy: after a write meanwhile, the files have another state.
            state = sqlite.state_of_files()
            sqlite.write_copy(database)
            migration, counts = sqlite.counts_in(database)
            with database.open("rb") as content:
                digest = hashlib.file_digest(content, "sha256").hexdigest()
            note = CopyNote(
                made_at=now,
                kind=kind,
                why=why,
                kula=VERSION,
                migration=migration,
                database="sqlite",
                secret=not os.environ.get("KULA_SECRET") and (settings.DATA_DIR / SECRET).exists(),
                clubs=counts["club"],
                tournaments=counts["tournament"],
                hands=counts["hand"],
                size=database.stat().st_size,
                sha256=digest,
                state=state,
            )
            _pack(archive, database, note)
            # Synced and then renamed, so that after a power cut the copy is complete or not there.
            sync_file(archive)
            archive.replace(target)
        sync_folder(target.parent)
    except (OSError, sqlite3.Error) as error:
        cause = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise CopyFailed(f"No copy could be made in {target.parent}: {cause}.") from error
    return target


def thin_out(now: datetime) -> list[str]:
    """Delete copies that are too old or take too much space, and return their names."""
    deleted = []
    for copy in to_delete(stored_copies(), now=now, space=space_for_copies()):
        (copies_folder() / copy.name).unlink(missing_ok=True)
        deleted.append(copy.name)
    # Temporary folders, too, whose process was killed.
    temporary = (*copies_folder().glob(f"{_UNFINISHED}*"), *copies_folder().glob(f"{READING}*"))
    for folder in temporary:
        with suppress(FileNotFoundError):  # its process has deleted it since
            if folder.stat().st_mtime < now.timestamp() - _ABANDONED:
                shutil.rmtree(folder, ignore_errors=True)
    return deleted


def _check_space(folder: Path) -> None:
    """Make the folder if there is none; raise ``CopyFailed`` if it lacks the space for a copy."""
    folder.mkdir(parents=True, exist_ok=True)
    if folder == copies_folder():  # not if it is any folder that a person named
        folder.chmod(0o700)
    # Room for the copied database, and for the zip with it, which may be as large.
    needed = 2 * sum(part.stat().st_size for part in sqlite.files()) + _SPARE
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise CopyFailed(
            f"A copy needs {needed // 1_000_000} MB for a moment, and only {free // 1_000_000} MB"
            f" are free in {folder}. Make room there."
        )


def _pack(archive: Path, database: Path, note: CopyNote) -> None:
    archive.touch(_FOR_ITS_OWNER)
    with zipfile.ZipFile(archive, "w", compresslevel=_COMPRESS_LEVEL) as copy:
        copy.writestr(NOTE, note.to_json())
        if note.secret:
            copy.write(settings.DATA_DIR / SECRET, SECRET)
        copy.write(database, DATABASE, zipfile.ZIP_DEFLATED)


def unpack(file: Path, note: CopyNote, folder: Path) -> Path:
    """Write the content of a copy into *folder*, check it, and return the path of its database.

    :raises CopyFailed: if the copy is damaged, or if it or this site is of PostgreSQL.
    """
    if note.database != "sqlite" or connection.vendor != "sqlite":
        raise CopyFailed(NOT_OF_POSTGRESQL)
    target = folder / DATABASE
    try:
        with zipfile.ZipFile(file) as packed:
            _unpack_database(packed, note, target)
            if note.secret:
                (folder / SECRET).touch(_FOR_ITS_OWNER)
                with packed.open(SECRET) as secret:
                    (folder / SECRET).write_bytes(secret.read(_MOST_BYTES_OF_SECRET))
        with closing(sqlite3.connect(target)) as database:
            sqlite.check_integrity(database)
    except (CopyFailed, OSError):  # these errors say what is wrong
        raise
    except Exception as error:  # a damaged zip raises nearly anything
        raise CopyFailed(f"{file} is damaged, and nothing of it was used ({error}).") from error
    return target


def _unpack_database(packed: zipfile.ZipFile, note: CopyNote, target: Path) -> None:
    """Write the database to *target*; raise ``CopyFailed`` if it is not that of the note."""
    digest, size = hashlib.sha256(), 0
    target.touch(_FOR_ITS_OWNER)
    with packed.open(target.name) as inside, target.open("wb") as database:
        while block := inside.read(_BLOCK_BYTES):
            size += len(block)
            if size > note.size:  # a damaged zip could expand to anything
                break
            digest.update(block)
            database.write(block)
    if size != note.size or digest.hexdigest() != note.sha256:
        raise CopyFailed(f"{packed.filename} is damaged: its database is not what was put in.")
