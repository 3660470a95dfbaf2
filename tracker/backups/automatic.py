"""Automatic copies: before a destructive action, and every few minutes while people play."""

import logging
import os
import threading
from contextlib import suppress
from datetime import datetime, timedelta

from django.contrib import messages
from django.db import connection
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from tracker.backups import sqlite
from tracker.backups.archive import make_copy, thin_out
from tracker.backups.copies import CopyFailed, CopyKind, CopyNote, stored_copies
from tracker.models import LogEntry, Report, Round, RoundState

# If nothing was written since, a copy up to this age still counts as one made before an action.
FRESH = timedelta(minutes=1)
# The time between copies while people play, and the seconds between checks whether one is due.
EVERY = timedelta(minutes=5)
_CHECK_SECONDS = 30.0

log = logging.getLogger(__name__)


def copy_before_request(request: HttpRequest, why: str) -> None:
    """Make a copy before the action *why*; if that fails, show a warning and go on.

    *why* names no person, as the copy outlives the erasing of people. A full disk must not stop a
    club night.
    """
    if problem := copy_before(why=why, now=timezone.now()):
        warning = _("Kula could not keep a copy of everything before this. %(problem)s")
        messages.warning(request, warning % {"problem": problem})


def copy_before(*, why: str, now: datetime) -> str:
    """Make a copy before the action *why*; return why it failed, in a sentence, or "".

    No copy is made inside a transaction, whose changes so far would not be in the copy; nor on
    PostgreSQL, which has continuous archiving, and where a dump may take longer than people wait.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return ""
    newest = _newest_note()
    unchanged = newest is not None and newest.state == sqlite.state_of_files()
    # If the clock was set back, the age is below 0: such a copy does not count, here and below.
    if newest is not None and unchanged and timedelta() <= now - newest.made_at < FRESH:
        return ""
    try:
        make_copy(kind=CopyKind.ACT, why=why, now=now)
        thin_out(now)
    except CopyFailed as failure:
        log.error("No copy before an act: %s", failure)  # noqa: TRY400 - a sentence, no traceback
        return str(failure)
    return ""


def make_copies(stop: threading.Event) -> None:
    """Make a copy every few minutes while people play, until *stop* is set.

    It runs in a thread of its own, with low priority. After a failure, which is logged, it goes on.
    """
    if connection.vendor != "sqlite":
        return
    if hasattr(os, "setpriority"):  # on Linux it applies to this thread only
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 15)  # 19 is the lowest
    while not stop.wait(_CHECK_SECONDS):
        try:
            copy_if_due(timezone.now())
        except CopyFailed as failure:
            log.error("No copy while people play: %s", failure)  # noqa: TRY400
        except Exception:
            log.exception("No copy while people play.")
        finally:
            connection.close()


def copy_if_due(now: datetime) -> bool:
    """Make a copy if people have played since the newest one, and it is ``EVERY`` old; say whether.

    :raises CopyFailed: if it cannot be made.
    """
    newest = _newest_note()
    if newest is not None and timedelta() <= now - newest.made_at < EVERY:
        return False
    if newest is not None and newest.state == sqlite.state_of_files():  # nothing was written
        return False
    # People play if a round is open, or a report or log entry is newer than the copy.
    if not Round.objects.filter(state=RoundState.OPEN).exists():
        reported = Report.objects.order_by("-pk").values_list("received_at", flat=True).first()
        acted = LogEntry.objects.order_by("-pk").values_list("at", flat=True).first()
        times = [time for time in (reported, acted) if time is not None]
        if not any(newest is None or time > newest.made_at for time in times):
            return False
    thin_out(now)  # before the copy, as this may make space for it on a full disk
    make_copy(kind=CopyKind.NIGHT, now=now)
    return True


def _newest_note() -> CopyNote | None:
    """Return the note of the newest copy; ``None`` without a copy, or if it is unreadable."""
    return next((copy.note for copy in stored_copies()), None)
