"""A copy of everything in one file, whole or not there: asked for, before an act, while people play."""

import hashlib
import logging
import os
import shutil
import sqlite3
import tempfile
import threading
import zipfile
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

from tracker import VERSION
from tracker.backups import postgresql, sqlite
from tracker.backups.listing import folder, note_or_none, room_for_copies, stored_copies
from tracker.backups.packing import NOTE, SECRET
from tracker.backups.stored import CopyFailed, CopyKind, CopyNote, Stored, to_delete
from tracker.common.files import sync_file, sync_folder
from tracker.models import LogEntry, Report, Round, RoundState

FRESH = timedelta(minutes=1)  # so old a copy does before an act, if nothing was written since
EVERY = timedelta(minutes=5)  # while people play
_LOOK_EVERY = 30.0  # seconds
_SPARE = 32_000_000  # bytes that a copy leaves to the database beside it
_PACKED = 1  # how hard: the lowest takes a third of the time of the usual
_UNFINISHED = ".making-"
_FORGOTTEN = 6 * 3600  # seconds after which what is unfinished was left by somebody killed

log = logging.getLogger(__name__)


def make_copy(*, kind: CopyKind, now: datetime, why: str = "", to: Path | None = None) -> Path:
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
            if connection.vendor == "sqlite":
                database = workshop / sqlite.IN_COPY
                state = sqlite.state_of_files()  # before: what is written meanwhile is seen later
                sqlite.write_copy(database)
                migration, counts = sqlite.counts_in(database)
            else:
                database, state = workshop / postgresql.IN_COPY, ""
                migration, counts = postgresql.write_dump(database)
            secret = settings.DATA_DIR / SECRET
            with database.open("rb") as written:
                digest = hashlib.file_digest(written, "sha256").hexdigest()
            note = CopyNote(
                made_at=now,
                kind=kind,
                why=why,
                kula=VERSION,
                migration=migration,
                database=connection.vendor,
                secret=not os.environ.get("KULA_SECRET") and secret.exists(),
                clubs=counts["club"],
                tournaments=counts["tournament"],
                hands=counts["hand"],
                size=database.stat().st_size,
                sha256=digest,
                state=state,
            )
            packed = workshop / "copy.zip"
            _pack(packed, database, note)
            sync_file(packed)
            packed.replace(target)
        sync_folder(target.parent)
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


def _pack(packed: Path, database: Path, note: CopyNote) -> None:
    handle = os.open(packed, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    # A dump is packed already.
    method = zipfile.ZIP_DEFLATED if connection.vendor == "sqlite" else zipfile.ZIP_STORED
    with (
        os.fdopen(handle, "w+b") as file,
        zipfile.ZipFile(file, "w", compresslevel=_PACKED) as copy,
    ):
        copy.writestr(NOTE, note.to_json())
        if note.secret:
            copy.write(settings.DATA_DIR / SECRET, SECRET)
        copy.write(database, database.name, method)


# Copies that are made without being asked for -----------------------------------------------------


def copy_before(*, why: str, now: datetime) -> str:
    """Keep a copy before what *why* says; return why there is none, in a sentence, or nothing.

    In the middle of a transaction none is made: what it has written so far would not be in it.
    On PostgreSQL none is made either: its keepers have copies of every moment, and a dump may
    take longer than anybody waits for a page.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return ""
    newest = _newest_note()
    unchanged = newest is not None and newest.state == sqlite.state_of_files()
    if newest is not None and unchanged and timedelta() <= now - newest.made_at < FRESH:
        return ""
    try:
        make_copy(kind=CopyKind.ACT, why=why, now=now)
        thin_out(now)
    except CopyFailed as failure:
        log.error("No copy before an act: %s", failure)  # noqa: TRY400 - a sentence, no traceback
        return str(failure)
    return ""


def keep_copies(stop: threading.Event) -> None:
    """Keep a copy every few minutes while people play, until *stop* is set.

    For a thread of its own beside the site. Whatever goes wrong is logged, and tried again.
    """
    if connection.vendor != "sqlite":
        return
    if hasattr(os, "setpriority"):  # of this thread alone, on Linux
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 15)
    while not stop.wait(_LOOK_EVERY):
        try:
            copy_if_due(timezone.now())
        except CopyFailed as failure:
            log.error("No copy while people play: %s", failure)  # noqa: TRY400
        except Exception:
            log.exception("No copy while people play.")
        finally:
            connection.close()


def copy_if_due(now: datetime) -> bool:
    """Keep a copy if people play, or did since the last one, and that one is some minutes old.

    :raises CopyFailed: if it cannot be made.
    """
    newest = _newest_note()
    if newest is not None and timedelta() <= now - newest.made_at < EVERY:
        return False
    if newest is not None and newest.state == sqlite.state_of_files():
        return False
    if not Round.objects.filter(state=RoundState.OPEN).exists():
        reported = Report.objects.order_by("-pk").values_list("received_at", flat=True).first()
        acted = LogEntry.objects.order_by("-pk").values_list("at", flat=True).first()
        moments = [moment for moment in (reported, acted) if moment is not None]
        if not any(newest is None or moment > newest.made_at for moment in moments):
            return False
    thin_out(now)  # first: a full disk may have room then
    make_copy(kind=CopyKind.NIGHT, now=now)
    return True


def _newest_note() -> CopyNote | None:
    return next((note_or_none(copy) for copy in stored_copies()[:1]), None)
