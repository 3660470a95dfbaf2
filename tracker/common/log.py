"""A line of the log: what it says and when, without anybody's secrets, and read again."""

import logging
import re
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime

SLOW = "Slow"
SIGN_IN_REFUSED = "Sign-in refused"
_HEAD = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00) ([A-Z]+) (.*)")
_SLASH = r"(?:/|%2F)"
_NOT_IN_A_PART = r"/\s\"'<>?#&"
# Whoever knows such an address may do what it is for.
_SECRETS = (
    (
        rf"({_SLASH}(?:t|c|first|join|door|come){_SLASH})(?:(?!%2F)[^{_NOT_IN_A_PART}])+",
        r"\1…",
    ),
    (rf"({_SLASH}password{_SLASH})[^\s\"'<>?#&]+", r"\1…"),
    # What PostgreSQL adds to its refusals, and what an address of a database holds.
    (r"((?:Key \([^)]*\)=|Failing row contains )\().*\)", r"\1…)"),
    (r"(://[^:/@\s]+:)[^@\s]+@", r"\1…@"),
)
_MASKS = tuple((re.compile(secret, re.IGNORECASE), by) for secret, by in _SECRETS)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log, without the traceback below it."""

    at: datetime
    level: str
    text: str


class LineFormatter(logging.Formatter):
    """Write time, level, who asked and what; a refusal without where in the code it was made."""

    def format(self, record: logging.LogRecord) -> str:
        if 400 <= getattr(record, "status_code", 0) < 500:
            record = copy(record)
            record.exc_info = record.exc_text = None
            record.levelname = "WARNING"  # Django calls some of them errors
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="seconds")
        # The address, method and status of the request, as far as they are known.
        meta = getattr(getattr(record, "request", None), "META", None) or {}
        status = str(getattr(record, "status_code", ""))
        known = filter(None, (meta.get("REMOTE_ADDR"), meta.get("REQUEST_METHOD"), status))
        return masked(" ".join((at, record.levelname, *known, super().format(record))))


def masked(text: str) -> str:
    """Return *text* with the secret parts of addresses left out.

    >>> masked("Not Found: /t/q9h-x2/check/ after /sign-in/?next=%2Fc%2Fq9h-x2%2F")
    'Not Found: /t/…/check/ after /sign-in/?next=%2Fc%2F…%2F'
    """
    for secret, by in _MASKS:
        text = secret.sub(by, text)
    return text


def entries(lines: Iterable[str]) -> Iterator[Entry]:
    """Yield what was logged; lines below a line's head belong to it, and are left out."""
    for line in lines:
        if head := _HEAD.match(line):
            at, level, text = head.groups()
            yield Entry(datetime.fromisoformat(at), level, text)
