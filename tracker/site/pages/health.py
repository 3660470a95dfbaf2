"""Page on the health of the site, for superusers: errors, copies, disk, lockouts, versions.

Most of it is read from the data folder. A *copy* is a backup of the database.
"""

import platform
import shutil
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
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

_LOCKED_OUT_SHOWN = 20


@access.page
@require_safe
def site_health(request: HttpRequest) -> HttpResponse:
    """Show the problems of the last seven days, sizes in bytes, and versions."""
    access.check_superuser(request)
    now = timezone.now()
    errors = [
        entry
        for entry in read_log(_log_lines(settings.LOG_FILE))
        if entry.at >= now - timedelta(days=7) and entry.level in {"ERROR", "CRITICAL"}
    ]
    newest_copy = next(iter(stored_copies()), None)
    on_sqlite = connection.vendor == "sqlite"
    errors_text = ngettext(
        "%(count)d error in the last seven days: show this page to a programmer.",
        "%(count)d errors in the last seven days: show this page to a programmer.",
        len(errors),
    )
    no_copy = gettext("There is no copy yet. If this disk breaks, every hand is gone.")
    errors_found = errors_text % {"count": len(errors)} if errors else ""
    problems = (disk_warning(), errors_found, no_copy if on_sqlite and not newest_copy else "")
    if on_sqlite:
        size = sum(file.stat().st_size for file in sqlite.files())
    else:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            size = int(cursor.fetchone()[0])
    version = ".".join(map(str, connection.get_database_version()))
    locked_out = AccessAttempt.objects.filter(
        failures_since_start__gte=settings.AXES_FAILURE_LIMIT,
        attempt_time__gt=now - timedelta(hours=settings.AXES_COOLOFF_TIME),
    ).order_by("-attempt_time")[:_LOCKED_OUT_SHOWN]
    page = {
        "version": VERSION,
        "runs_on": f"Python {platform.python_version()}, Django {django.get_version()}",
        "database": f"{connection.display_name} {version}",
        "size": size,
        "room": shutil.disk_usage(settings.DATA_DIR).free,
        "folder": settings.DATA_DIR,
        "copy": newest_copy,
        # Names and addresses that have to wait after too many wrong passwords.
        "locked_out": tuple(
            (username or "", address or "")
            for username, address in locked_out.values_list("username", "ip_address")
        ),
        "errors": sorted(errors, key=lambda entry: entry.at, reverse=True),
        "troubles": [*filter(None, problems)],
        # PostgreSQL may serve other machines, whose logs and copies are not in this folder.
        "shared": not on_sqlite,
    }
    return render(request, "site/keeping.html", {"page": page})


def _log_lines(file: Path) -> Iterator[str]:
    """Yield the lines of the log and of its rotated files."""
    for log_file in file.parent.glob(f"{file.name}*"):
        with suppress(OSError), log_file.open(encoding="utf-8", errors="replace") as lines:
            yield from (line.rstrip("\n") for line in lines)


urlpatterns = [path("keeping/", site_health, name="keeping")]
