"""What a person is told when the disk keeps the site from doing its work."""

import errno
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_INSUFFICIENT_STORAGE = 507
_FULL = 1024 * 1024  # bytes: with less, SQLite's own files find no room
_CANNOT_WRITE = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}
# PostgreSQL's own disk: disk_full; read_only_sql_transaction is a standby's, and no disk.
_STATES_OF_A_FULL_DISK = {"53100"}


@dataclass(frozen=True, slots=True)
class Outage:
    """A failure that is nobody's mistake: the status of the answer, and what it says."""

    status: int
    sentence: str | Promise


FULL_DISK = Outage(
    _INSUFFICIENT_STORAGE,
    _(
        "The disk of the laptop is full: tell the organiser. Nothing of this was saved;"
        " keep it on the paper, or send it again once there is room."
    ),
)
READ_ONLY_DISK = Outage(
    _INSUFFICIENT_STORAGE,
    _(
        "The disk of the laptop takes nothing in: tell the organiser. Nothing of this was saved;"
        " keep it on the paper, or send it again once that is put right."
    ),
)


def outage(error: BaseException) -> Outage | None:
    """Return what is to be said of *error*; nothing if it is a mistake of ours."""
    for cause in _causes(error):
        if _is_full(cause):
            return FULL_DISK
        if _is_read_only(cause):
            return FULL_DISK if _no_room() else READ_ONLY_DISK
    return None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def _is_full(error: BaseException) -> bool:
    if isinstance(error, OSError):
        return error.errno in {errno.ENOSPC, errno.EDQUOT}
    if getattr(error, "sqlstate", None) in _STATES_OF_A_FULL_DISK:
        return True
    return _sqlite_code(error) == sqlite3.SQLITE_FULL


def _is_read_only(error: BaseException) -> bool:
    if isinstance(error, OSError):
        return error.errno == errno.EROFS
    return _sqlite_code(error) in _CANNOT_WRITE


def _sqlite_code(error: BaseException) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest says where it happened


def _no_room() -> bool:
    """Say whether the disk is full, which SQLite may call an error of input and output."""
    try:
        return shutil.disk_usage(Path(settings.DATA_DIR)).free < _FULL
    except OSError:
        return False
