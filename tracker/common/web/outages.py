"""Outages: database errors that pass, each with its error page (503 or 507).

Whoever meets another kind adds it here: ``outage_of`` is asked in one place,
``errors.server_error``.
"""

import errno
import shutil
import sqlite3
from dataclasses import dataclass

from django.conf import settings
from django.db import Error as DatabaseTrouble
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_ROOM = 1024 * 1024  # bytes: with less, SQLite's own files find none


@dataclass(frozen=True, slots=True, kw_only=True)
class Outage:
    """An error page and its status; ``again`` are the seconds after which to retry."""

    status: int
    heading: Promise
    sentence: Promise
    again: int | None = None


AWAY = Outage(
    status=503,
    heading=_("The site is catching its breath"),
    # It may just have been written down: only sending it again can tell.
    sentence=_("It cannot reach its records just now."),
    again=5,
)
CLASH = Outage(
    status=503,
    heading=_("Somebody was a moment faster"),
    sentence=_(
        "Somebody changed the same thing at the same moment. Nothing of yours is written down yet."
    ),
    again=1,
)
FULL = Outage(
    status=507,
    heading=_("The disk of this site is full"),
    sentence=_(
        "The disk of this site is full: tell the organiser. Nothing of this was saved; keep it on"
        " the paper, or send it again once there is room. What was saved before can be read."
    ),
)
SEALED = Outage(
    status=507,
    heading=_("The disk of this site takes nothing in"),
    sentence=_(
        "The disk of this site takes nothing in: tell the organiser. Nothing of this was saved;"
        " keep it on the paper, or send it again once that is put right. What was saved before"
        " can be read."
    ),
)

_OF_SQLITE = {
    sqlite3.SQLITE_BUSY: AWAY,
    sqlite3.SQLITE_LOCKED: AWAY,
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_READONLY: SEALED,
    sqlite3.SQLITE_IOERR: SEALED,
    sqlite3.SQLITE_CANTOPEN: SEALED,
}
_OF_DISKS = {errno.ENOSPC: FULL, errno.EDQUOT: FULL, errno.EROFS: SEALED}
# Of PostgreSQL, by SQLSTATE or its class.
_OF_STATES = {
    "40001": CLASH,  # serialization failure
    "40P01": CLASH,  # deadlock
    "55P03": CLASH,  # a lock that was not to be had in time
    "53100": FULL,
    "58030": SEALED,
    "25006": AWAY,  # a copy that takes nothing down: another server leads now
    "08": AWAY,  # the connection
    "53": AWAY,  # too many connections, out of memory
    "57P": AWAY,  # shutting down, crashed, starting
}


def outage_of(error: BaseException | None) -> Outage | None:
    """Return the outage an error speaks of, or ``None`` for what is a fault of ours."""
    while error is not None:
        if outage := _of_one(error):
            return outage
        error = error.__cause__ or error.__context__
    return None


def _of_one(error: BaseException) -> Outage | None:
    if isinstance(error, sqlite3.Error):
        # The low byte is the kind, whatever the rest tells of it.
        outage = _OF_SQLITE.get((getattr(error, "sqlite_errorcode", None) or 0) & 0xFF)
        return FULL if outage is SEALED and _no_room() else outage
    if isinstance(error, OSError):
        return _OF_DISKS.get(error.errno or 0)
    if isinstance(error, DatabaseTrouble) and _is_a_lost_connection(error.__cause__):
        return AWAY
    state = getattr(error, "sqlstate", None) or ""
    return next(
        (_OF_STATES[state[:size]] for size in (5, 3, 2) if state[:size] in _OF_STATES), None
    )


def _no_room() -> bool:
    """Say whether the disk is full, which SQLite may call an error of input and output."""
    try:
        return shutil.disk_usage(settings.DATA_DIR).free < _ROOM
    except OSError:
        return False


def _is_a_lost_connection(error: BaseException | None) -> bool:
    """Return whether psycopg lost or never had a connection: the error has no SQLSTATE."""
    return (
        type(error).__module__.startswith("psycopg")
        and type(error).__name__ in {"OperationalError", "InterfaceError", "ConnectionTimeout"}
        and getattr(error, "sqlstate", None) is None
    )
