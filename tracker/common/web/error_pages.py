"""Error pages: outages of the database or disk (503, 507), bad requests and failed CSRF checks.

The URLconf takes its handlers from here. Those of 403 and 404 are Django's own, without decorator.
"""

import errno
import shutil
import sqlite3
import sys
from collections.abc import Callable
from dataclasses import dataclass
from inspect import unwrap

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.db import Error as DatabaseTrouble
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views import defaults

# Trap: the decorator of Django's views reads the form again to make a CSRF token. A form that
# cannot be read (another charset, too many fields) makes it an empty 500. The views work without.
permission_denied = unwrap(defaults.permission_denied)
page_not_found = unwrap(defaults.page_not_found)
_server_error: Callable[..., HttpResponse] = unwrap(defaults.server_error)
_bad_request: Callable[..., HttpResponse] = unwrap(defaults.bad_request)
_NO_SPACE = 1024 * 1024  # bytes: with less, SQLite cannot make its own files


@dataclass(frozen=True, slots=True, kw_only=True)
class Outage:
    """An error page and its status; ``again`` is after how many seconds to retry, if that helps."""

    status: int
    heading: Promise
    sentence: Promise
    again: int | None = None


# AWAY: the database is busy or cannot be reached. CLASH: two transactions got in each other's way.
# FULL: there is no space on the disk. SEALED: the disk is read-only, or broken.
AWAY = Outage(
    status=503,
    heading=_("The site is catching its breath"),
    # It does not say that nothing was saved: the connection may have broken after the commit.
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

_BY_SQLITE_CODE = {
    sqlite3.SQLITE_BUSY: AWAY,
    sqlite3.SQLITE_LOCKED: AWAY,
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_READONLY: SEALED,
    sqlite3.SQLITE_IOERR: SEALED,
    sqlite3.SQLITE_CANTOPEN: SEALED,
}
_BY_ERRNO = {errno.ENOSPC: FULL, errno.EDQUOT: FULL, errno.EROFS: SEALED}
# Keyed by PostgreSQL's SQLSTATE, or by the beginning of several.
_BY_SQLSTATE = {
    "40001": CLASH,  # serialization failure
    "40P01": CLASH,  # deadlock
    "55P03": CLASH,  # lock not available
    "53100": FULL,  # disk full
    "58030": SEALED,  # I/O error
    "25006": AWAY,  # a read-only replica: another server is the primary now
    "08": AWAY,  # connection errors
    "53": AWAY,  # too many connections, out of memory
    "57P": AWAY,  # shutting down, crashed, starting
}


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """Show how to go on after a form that may come from another site."""
    return render(request, "errors/csrf.html", status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the page of an outage that caused the unhandled exception, or else a server error."""
    outage = outage_of(sys.exc_info()[1])
    if outage is None:
        return _server_error(request)
    # The page needs no database, and keeps what was typed.
    context = {
        "outage": outage,
        "address": request.get_full_path(),
        "sent": request.method == "POST",
        "typed": _sent_fields(request),
    }
    response = HttpResponse(render_to_string("errors/outage.html", context), status=outage.status)
    if outage.again is not None:
        response["Retry-After"] = str(outage.again)
    return response


def _sent_fields(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the fields of the sent form; none if it has a password or a file, or is unreadable."""
    try:
        if request.FILES or any("password" in name for name in request.POST):
            return []
        return [(name, value) for name, values in request.POST.lists() for value in values]
    except (MultiPartParserError, SuspiciousOperation, UnreadablePostError, UnicodeError):
        return []


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Show that the request is too large, or malformed."""
    if isinstance(exception, RequestDataTooBig):
        return HttpResponse(render_to_string("errors/too_large.html"), status=413)
    return _bad_request(request, exception)


def outage_of(error: BaseException | None) -> Outage | None:
    """Return the outage that caused an error, or ``None`` if the cause is a bug."""
    # Django's database error wraps that of psycopg or sqlite3, which is next in the loop.
    while error is not None:
        if outage := _outage_of_one(error):
            return outage
        error = error.__cause__ or error.__context__
    return None


def _outage_of_one(error: BaseException) -> Outage | None:
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", None) or 0
        outage = _BY_SQLITE_CODE.get(code & 0xFF)  # the primary code, without details
        return FULL if outage is SEALED and _disk_is_full() else outage
    if isinstance(error, OSError):
        return _BY_ERRNO.get(error.errno or 0)
    # Without a SQLSTATE, these errors say that the connection was lost, or was never made. psycopg
    # is not imported, as sites on SQLite lack it: its classes are known by their names.
    cause = error.__cause__
    if isinstance(error, DatabaseTrouble) and type(cause).__module__.startswith("psycopg"):
        connection_errors = {"OperationalError", "InterfaceError", "ConnectionTimeout"}
        if type(cause).__name__ in connection_errors and getattr(cause, "sqlstate", None) is None:
            return AWAY
    sqlstate = getattr(error, "sqlstate", None) or ""  # of psycopg's own error
    prefixes = (sqlstate[:length] for length in (5, 3, 2))  # as long as the keys, the longest first
    return next((_BY_SQLSTATE[prefix] for prefix in prefixes if prefix in _BY_SQLSTATE), None)


def _disk_is_full() -> bool:
    """Return whether the disk is full, which SQLite may report as an I/O error."""
    try:
        return shutil.disk_usage(settings.DATA_DIR).free < _NO_SPACE
    except OSError:
        return False
