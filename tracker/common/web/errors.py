"""Answers when something is not as it should be.

Django itself shows ``400.html``, ``403.html`` and ``404.html``.
"""

import sys

import psycopg
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views import defaults

_SECONDS_TO_WAIT = "5"


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """Say how to go on after a form that may have come from somewhere else."""
    return render(request, "errors/csrf.html", status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    """Say that it is our fault, or that the database is away and to send it again in a moment."""
    # Django calls this while it handles the exception, and hands over the request alone.
    if not _database_is_away(sys.exception()):
        return defaults.server_error(request)
    answer = defaults.server_error(request, "503.html")
    answer.status_code = 503
    answer["Retry-After"] = _SECONDS_TO_WAIT
    return answer


def _database_is_away(error: BaseException | None) -> bool:
    """Tell a database that does not answer, or takes no writes any more, from a bug."""
    cause = error.__cause__ if isinstance(error, DatabaseError | InterfaceError) else None
    return isinstance(
        cause,
        psycopg.OperationalError | psycopg.InterfaceError | psycopg.errors.ReadOnlySqlTransaction,
    )
