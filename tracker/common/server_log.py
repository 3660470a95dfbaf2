"""The log file of the site: its settings, the format of a line, and reading the lines."""

import logging
import re
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from concurrent_log_handler import ConcurrentRotatingFileHandler
from django.http import HttpRequest

# How the messages of slow requests and of failed sign-ins begin.
SLOW = "Slow"
SIGN_IN_REFUSED = "Sign-in refused"
_MOST_BYTES = 1_000_000
_OLDER_FILES = 5
_LINE = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00) ([A-Z]+) (.*)")
_SLASH = r"(?:/|%2F)"
_NOT_IN_A_PART = r"/\s\"'<>?#&"  # characters that end a part of a URL's path
# Patterns of secrets, each with what is written in its place.
_SECRETS = (
    # URLs whose next part is a token: they give access to everybody who has them.
    (rf"({_SLASH}(?:t|c|first|join|door|come){_SLASH})(?:(?!%2F)[^{_NOT_IN_A_PART}])+", r"\1…"),
    (rf"({_SLASH}password{_SLASH})[^\s\"'<>?#&]+", r"\1…"),
    (r"([?&]for=)[^\s\"'<>#&]+", r"\1…"),  # of ``common.web.feeds``
    # Values in PostgreSQL's error messages, and the password in a database's URL.
    (r"((?:Key \([^)]*\)=|Failing row contains )\().*\)", r"\1…)"),
    (r"(://[^:/@\s]+:)[^@\s]+@", r"\1…@"),
)
_MASKS = tuple((re.compile(secret, re.IGNORECASE), mask) for secret, mask in _SECRETS)

logger = logging.getLogger("kula")


class LineFormatter(logging.Formatter):
    """Writes time, level, client address, method, status and message, without secrets.

    A refusal (4xx) and an outage of the database have no traceback.
    """

    def format(self, record: logging.LogRecord) -> str:
        # Imported here: the settings import this module before anything can be translated.
        from tracker.common.web.error_pages import outage_of

        error = record.exc_info[1] if record.exc_info else None
        is_refusal = 400 <= getattr(record, "status_code", 0) < 500
        is_outage = outage_of(error) is not None
        if is_outage or is_refusal:
            record = copy(record)
            record.exc_info = record.exc_text = None
        if is_outage:
            reason = " ".join(str(error).split())
            record.msg, record.args = f"{record.getMessage()} ({reason})", None
        if is_refusal:
            record.levelname = "WARNING"  # Django logs some refusals as errors
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="seconds")
        meta = getattr(getattr(record, "request", None), "META", None) or {}
        status = str(getattr(record, "status_code", ""))
        of_request = filter(None, (meta.get("REMOTE_ADDR"), meta.get("REQUEST_METHOD"), status))
        return masked(" ".join((time, record.levelname, *of_request, super().format(record))))


class LogFile(ConcurrentRotatingFileHandler):
    """The file in the data folder, written and rotated by several processes under one lock."""

    def __init__(self, filename: str) -> None:
        super().__init__(
            filename, maxBytes=_MOST_BYTES, backupCount=_OLDER_FILES, encoding="utf-8", chmod=0o600
        )

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Ignore that the file cannot be written: the console has the line as well."""


def logging_to(file: Path) -> dict[str, Any]:
    """Return the value of Django's setting ``LOGGING``."""
    log_file = {"class": "tracker.common.server_log.LogFile", "filename": str(file)}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": "tracker.common.server_log.LineFormatter"}},
        "handlers": {
            "console": {"class": "logging.StreamHandler", "formatter": "line"},
            "file": {**log_file, "formatter": "line"},
        },
        "root": {"handlers": ["console", "file"], "level": "WARNING"},
        # ``log_refused_sign_in`` writes its own line for what axes, the limit of sign-ins, reports.
        "loggers": {"axes": {"level": "ERROR"}},
    }


def log_refused_sign_in(request: HttpRequest | None = None, **_: object) -> None:
    """Log a failed sign-in without the user name, which may be a mistyped password."""
    logger.warning(SIGN_IN_REFUSED, extra={"request": request})


def masked(text: str) -> str:
    """Return *text* with secret parts of URLs and messages replaced by “…”.

    >>> masked("Not Found: /t/q9h-x2/check/ after /sign-in/?next=%2Fc%2Fq9h-x2%2F")
    'Not Found: /t/…/check/ after /sign-in/?next=%2Fc%2F…%2F'
    """
    for secret, mask in _MASKS:
        text = secret.sub(mask, text)
    return text


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log file; ``text`` is everything after time and level."""

    at: datetime
    level: str
    text: str


def read_log(lines: Iterable[str]) -> Iterator[LogLine]:
    """Yield the lines of a log file, without the tracebacks between them."""
    for line in lines:
        if matched := _LINE.match(line):
            at, level, text = matched.groups()
            yield LogLine(datetime.fromisoformat(at), level, text)
