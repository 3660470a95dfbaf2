"""A copy's file: a zip with ``copy.json``, the database, and the secret."""

import hashlib
import os
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

from django.db import connection

from tracker.backups import postgresql, sqlite
from tracker.backups.stored import CopyFailed, CopyNote

NOTE, SECRET = "copy.json", "secret"
_A_PIECE = 1 << 20  # bytes
_LONGEST_SECRET = 1000


def unpack(file: Path, note: CopyNote, folder: Path) -> Path:
    """Write what a copy holds into *folder*, and return where its database is; it is whole.

    :raises CopyFailed: if the copy is damaged, or of another kind of database.
    """
    of_sqlite = note.database == "sqlite"
    if of_sqlite != (connection.vendor == "sqlite"):
        raise CopyFailed(
            f"This copy is of a {'SQLite' if of_sqlite else 'PostgreSQL'} database, and this site"
            f" has a {'PostgreSQL' if of_sqlite else 'SQLite'} one: look at DATABASE_URL."
        )
    target = folder / (sqlite.IN_COPY if of_sqlite else postgresql.IN_COPY)
    try:
        with zipfile.ZipFile(file) as packed:
            _unpack_database(packed, note, target)
            if note.secret:
                with (
                    packed.open(SECRET) as inside,
                    os.fdopen(_opened(folder / SECRET), "wb") as secret,
                ):
                    secret.write(inside.read(_LONGEST_SECRET))
        if of_sqlite:
            with closing(sqlite3.connect(target)) as database:
                sqlite.check_whole(database)
    except (CopyFailed, OSError):
        raise
    except Exception as error:  # a damaged zip raises nearly anything
        raise CopyFailed(f"{file} is damaged, and nothing of it was used ({error}).") from error
    return target


def _unpack_database(packed: zipfile.ZipFile, note: CopyNote, target: Path) -> None:
    digest, size = hashlib.sha256(), 0
    with packed.open(target.name) as inside, os.fdopen(_opened(target), "wb") as database:
        while piece := inside.read(_A_PIECE):
            size += len(piece)
            if size > note.size:
                break
            digest.update(piece)
            database.write(piece)
    if size != note.size or digest.hexdigest() != note.sha256:
        raise CopyFailed(f"{packed.filename} is damaged: its database is not what was put in.")


def _opened(new: Path) -> int:
    return os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
