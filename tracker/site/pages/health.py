"""Page on the state of the site, for superusers: version, database, disk, newest copy, lockouts."""

import platform
import shutil
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import django
from axes.models import AccessAttempt
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_safe

from tracker import VERSION
from tracker.backups import sqlite
from tracker.backups.copies import stored_copies
from tracker.common.files import disk_warning
from tracker.common.server_log import read_log
from tracker.common.web import access


@access.page
@require_safe
def keeping(request: HttpRequest) -> HttpResponse:
    """Show how the site fares: what it runs on, what is left, and what went wrong of late."""
    access.check_superuser(request)
    return render(request, "site/keeping.html", {"page": keeping_page(now=timezone.now())})


def keeping_page(*, now: datetime) -> dict[str, object]:
    """Return the state of the site: problems, sizes in bytes, versions. Most of it is read from the data folder."""
    since = now - timedelta(days=7)
    logged = [each for each in read_log(_log(settings.LOG_FILE)) if each.at >= since]
    errors = [each for each in logged if each.level in {"ERROR", "CRITICAL"}]
    copy = next(iter(stored_copies()), None)
    shared = connection.vendor != "sqlite"
    wrong = ngettext(
        "%(count)d error in the last seven days: show this page to a programmer.",
        "%(count)d errors in the last seven days: show this page to a programmer.",
        len(errors),
    )
    no_copy = gettext("There is no copy yet. If this disk breaks, every hand is gone.")
    troubles = (
        disk_warning(),
        wrong % {"count": len(errors)} if errors else "",
        "" if copy or shared else no_copy,
    )
    version = connection.get_database_version()
    waiting = AccessAttempt.objects.filter(
        failures_since_start__gte=settings.AXES_FAILURE_LIMIT,
        attempt_time__gt=now - timedelta(hours=settings.AXES_COOLOFF_TIME),
    ).order_by("-attempt_time")
    return {
        "version": VERSION,
        "runs_on": f"Python {platform.python_version()}, Django {django.get_version()}",
        "database": f"{connection.display_name} {'.'.join(map(str, version))}",
        "size": _size(),
        "room": shutil.disk_usage(settings.DATA_DIR).free,
        "folder": settings.DATA_DIR,
        "copy": copy,  # the newest
        "locked_out": tuple(  # whose sign-in waits after too many wrong passwords
            (username or "", address or "")
            for username, address in waiting.values_list("username", "ip_address")[:20]
        ),
        "errors": sorted(errors, key=lambda each: each.at, reverse=True),
        "troubles": [*filter(None, troubles)],
        "shared": shared,  # the database may serve other machines, whose log is not here
    }


def _size() -> int:
    if connection.vendor == "sqlite":
        return sum(file.stat().st_size for file in sqlite.files())
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


def _log(file: Path) -> Iterator[str]:
    """Yield the lines of the log and of the older files beside it."""
    for each in file.parent.glob(f"{file.name}*"):
        with suppress(OSError), each.open(encoding="utf-8", errors="replace") as lines:
            yield from (line.rstrip("\n") for line in lines)


urlpatterns = [
    path("keeping/", keeping, name="keeping"),
]
