"""The log: one file for all processes, beside the console."""

import logging
from copy import copy
from pathlib import Path
from typing import Any

from concurrent_log_handler import ConcurrentRotatingFileHandler
from django.http import HttpRequest

from tracker.common.log import SIGN_IN_REFUSED, LineFormatter

_LONGEST_FILE = 1_000_000  # bytes
_OLDER_FILES = 5

logger = logging.getLogger("kula")


class SiteFormatter(LineFormatter):
    """Formatter that logs an outage in one line: the database's message, and no traceback."""

    def format(self, record: logging.LogRecord) -> str:
        # Not at the head: settings are read before there is anything to translate.
        from tracker.common.web.outages import outage_of

        broken = record.exc_info[1] if record.exc_info else None
        if broken is not None and outage_of(broken):
            words = " ".join(str(broken).split())
            record = copy(record)
            record.exc_info = record.exc_text = None
            record.msg, record.args = f"{record.getMessage()} ({words})", None
        return super().format(record)


class LogFile(ConcurrentRotatingFileHandler):
    """The file in the data folder; several processes write and rotate it under one lock."""

    def __init__(self, filename: str) -> None:
        super().__init__(
            filename,
            maxBytes=_LONGEST_FILE,
            backupCount=_OLDER_FILES,
            encoding="utf-8",
            chmod=0o600,
        )

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Do without the file where it cannot be written: the console has the line as well."""


def logging_to(file: Path) -> dict[str, Any]:
    """Return the setting of the log."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": "tracker.config.log.SiteFormatter"}},
        "handlers": {
            "console": {"class": "logging.StreamHandler", "formatter": "line"},
            "file": {
                "class": "tracker.config.log.LogFile",
                "filename": str(file),
                "formatter": "line",
            },
        },
        "root": {"handlers": ["console", "file"], "level": "WARNING"},
        "loggers": {
            "axes": {"level": "ERROR"},  # ``note_refused_sign_in`` says it in a line that is read
        },
    }


def note_refused_sign_in(request: HttpRequest | None = None, **_: object) -> None:
    """Log a failed sign-in without the user name, which may be a mistyped password."""
    logger.warning(SIGN_IN_REFUSED, extra={"request": request})
