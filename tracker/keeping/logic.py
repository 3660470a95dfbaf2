"""What the log says of the last days."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

from tracker.common.log import SIGN_IN_REFUSED, SLOW, Entry

DAYS = 7
_SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """How often something went wrong on one day."""

    date: date
    errors: int
    slow: int
    refused_sign_ins: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LastDays:
    """The days, today first, and the newest errors and slow answers in them."""

    days: tuple[Day, ...]
    errors: tuple[Entry, ...]
    slow: tuple[Entry, ...]


def last_days(entries: Iterable[Entry], *, now: datetime, zone: tzinfo) -> LastDays:
    """Sort what was logged by the days of the club."""
    today = now.astimezone(zone).date()
    since = today - timedelta(days=DAYS - 1)
    of_late = [entry for entry in entries if entry.at.astimezone(zone).date() >= since]
    kinds = [(entry.at.astimezone(zone).date(), _kind(entry)) for entry in of_late]
    counted = Counter(kinds)
    return LastDays(
        days=tuple(
            Day(
                date=day,
                errors=counted[day, "ERROR"],
                slow=counted[day, SLOW],
                refused_sign_ins=counted[day, SIGN_IN_REFUSED],
            )
            for day in (today - timedelta(days=ago) for ago in range(DAYS))
        ),
        errors=_newest(entry for entry in of_late if _kind(entry) == "ERROR"),
        slow=_newest(entry for entry in of_late if _kind(entry) == SLOW),
    )


def _kind(entry: Entry) -> str:
    if entry.level in {"ERROR", "CRITICAL"}:
        return "ERROR"
    if entry.text.endswith(SIGN_IN_REFUSED):
        return SIGN_IN_REFUSED
    return SLOW if f" {SLOW}: " in entry.text else ""


def _newest(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    return tuple(sorted(entries, key=lambda entry: entry.at, reverse=True)[:_SHOWN])
