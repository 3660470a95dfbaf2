"""A copy put in the place of what is there: wholly, or not at all."""

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
from django.core.management import call_command
from django.db import connection, connections
from django.db.migrations.loader import MigrationLoader

from tracker.backups import postgresql, sqlite
from tracker.backups.data_folder import FolderInUse, hold, swap
from tracker.backups.listing import folder, note_in
from tracker.backups.making import make_copy
from tracker.backups.packing import SECRET, unpack
from tracker.backups.stored import CopyFailed, CopyKind, CopyNote, ForeignError
from tracker.common.files import sync_file


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidOut:
    """A copy that is unpacked beside what it is to replace, and found whole."""

    folder: Path
    database: Path
    note: CopyNote


@contextmanager
def laid_out(file: Path) -> Iterator[LaidOut]:
    """Unpack a copy beside the data, with every other process locked out until the end.

    :raises CopyFailed: if it is no copy, is damaged or of a newer version, or if the site is open.
    """
    data = Path(settings.DATA_DIR)
    try:
        with hold(data):
            _check_nobody_is_there()
            note = _checked_note(file)
            with tempfile.TemporaryDirectory(
                prefix=".restoring-", dir=data, ignore_cleanup_errors=True
            ) as made:
                database = unpack(file, note, Path(made))
                yield LaidOut(folder=Path(made), database=database, note=note)
    except FolderInUse:
        raise CopyFailed("Kula is open in this folder: close it first (Ctrl-C).") from None
    except OSError as error:
        raise CopyFailed(f"It cannot be restored here: {error}.") from error


def restore(copy: LaidOut, *, now: datetime) -> Path | None:
    """Put an unpacked copy in the place of what is there, and return the copy made of that.

    :raises CopyFailed: if it cannot be done; then everything is as it was.
    """
    before = _keep_what_is_there(copy.note, now)
    connections.close_all()
    if connection.vendor == "sqlite":
        _bring_up_to_date(copy)
        _check_nobody_is_there()  # again: a person was asked meanwhile
        swap(copy.folder, Path(settings.DATA_DIR))
    else:
        postgresql.put_back(copy.database, copy.folder / "script.sql")
        call_command("migrate", interactive=False, verbosity=0)
        if copy.note.secret:
            sync_file(copy.folder / SECRET)
            (copy.folder / SECRET).replace(Path(settings.DATA_DIR) / SECRET)
    return before


def _checked_note(file: Path) -> CopyNote:
    try:
        note = note_in(file)
    except ForeignError:
        if not file.exists():
            raise CopyFailed(f"There is no file {file}.") from None
        raise CopyFailed(f"{file} is no copy that Kula made, or it is damaged.") from None
    known = {name for app, name in MigrationLoader(None).disk_migrations if app == "tracker"}
    if note.migration not in known:
        raise CopyFailed(
            f"{file} is of another version of Kula (it has {note.migration}):"
            " restore it with that version, or a newer one."
        )
    return note


def _check_nobody_is_there() -> None:
    if connection.vendor == "sqlite":
        file = sqlite.database_file()
        connections.close_all()
        if file.exists() and sqlite.in_use(file):
            raise CopyFailed(
                "A program has the database open, perhaps a Kula that was not closed: close it first."
            )
    elif others := postgresql.others_connected():
        raise CopyFailed(f"{others} others use the database: close Kula on every machine first.")


def _keep_what_is_there(note: CopyNote, now: datetime) -> Path | None:
    on_sqlite = connection.vendor == "sqlite"
    if not (
        sqlite.database_file().exists() if on_sqlite else connection.introspection.table_names()
    ):
        return None
    why = f"Before the copy of {note.made_at:%Y-%m-%d %H:%M} (UTC) was put back"
    try:
        return make_copy(kind=CopyKind.RESTORE, why=why, now=now)
    except CopyFailed as failure:
        if not isinstance(failure.__cause__, sqlite3.DatabaseError):
            raise
    # Damaged as it is, somebody may still get something out of it.
    aside = folder() / f"damaged-{now:%Y%m%d-%H%M%S}"
    aside.mkdir(parents=True)
    for part in sqlite.files():
        shutil.copy2(part, aside / part.name)
    return aside


def _bring_up_to_date(copy: LaidOut) -> None:
    """Apply the migrations that the copy lacks, before it takes anybody's place."""
    process = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--no-input", "--verbosity=0"],
        cwd=settings.BASE_DIR,
        env={**os.environ, "KULA_DATA": str(copy.folder), "DATABASE_URL": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        said = process.stderr.strip().splitlines()[-1:]
        raise CopyFailed(f"The copy cannot be brought up to date: {' '.join(said)}")
    with closing(sqlite3.connect(copy.database)) as database:
        database.execute("PRAGMA journal_mode=DELETE")  # one file
    for made in copy.folder.iterdir():
        wanted = {copy.database.name} | ({SECRET} if copy.note.secret else set())
        if made.name not in wanted:
            shutil.rmtree(made) if made.is_dir() else made.unlink()
