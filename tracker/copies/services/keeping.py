"""Copies that are made without being asked for: before an act, and while people play."""

import logging
import os
import threading
from contextlib import suppress
from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone

from tracker.copies import sqlite
from tracker.copies.errors import CopyFailed
from tracker.copies.logic.note import ForeignError, Note
from tracker.copies.logic.stored import Kind
from tracker.copies.queries.listing import folder, note_in, stored_copies
from tracker.copies.services.making import make_copy, thin_out
from tracker.models import LogEntry, Report, Round, RoundState

FRESH = timedelta(minutes=1)  # so old a copy does before an act, if nothing was written since
EVERY = timedelta(minutes=5)  # while people play
_LOOK_EVERY = 30.0  # seconds

log = logging.getLogger(__name__)


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
        make_copy(kind=Kind.ACT, why=why, now=now)
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
    if not _something_happened(newest.made_at if newest else None):
        return False
    thin_out(now)  # first: a full disk may have room then
    make_copy(kind=Kind.NIGHT, now=now)
    return True


def _something_happened(since: datetime | None) -> bool:
    if Round.objects.filter(state=RoundState.OPEN).exists():
        return True
    reported = Report.objects.order_by("-pk").values_list("received_at", flat=True).first()
    acted = LogEntry.objects.order_by("-pk").values_list("at", flat=True).first()
    moments = [moment for moment in (reported, acted) if moment is not None]
    return any(since is None or moment > since for moment in moments)


def _newest_note() -> Note | None:
    for copy in stored_copies()[:1]:
        with suppress(ForeignError):
            return note_in(folder() / copy.name)
    return None
