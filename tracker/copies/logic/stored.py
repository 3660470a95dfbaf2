"""Copies as they lie in their folder: what they are called, and how long they stay."""

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

# How long copies stay. The newest of all stays for ever.
ALL_OF = timedelta(hours=2)
ONE_AN_HOUR = timedelta(days=2)
LONGEST = timedelta(days=31)
SHARE_OF_DISK = 0.2  # of what would be free without them

_NAME = re.compile(r"kula-(\d{8}-\d{6}-\d{3})-([a-z]+)\.zip")
_TIME = "%Y%m%d-%H%M%S"


class Kind(StrEnum):
    """Why a copy was made."""

    ASKED = "asked"  # somebody wanted one
    ACT = "act"  # before something that takes away
    NIGHT = "night"  # by itself, while people played
    UPGRADE = "upgrade"  # before a newer Kula changed the tables
    RESTORE = "restore"  # before another copy was put in its place


@dataclass(frozen=True, slots=True)
class Stored:
    """A copy in the folder; its name says when and why it was made."""

    at: datetime
    kind: Kind
    size: int = 0

    @property
    def name(self) -> str:
        """The name of its file.

        >>> Stored(datetime(2026, 11, 20, 20, 15, 7, 42000, UTC), Kind.NIGHT).name
        'kula-20261120-201507-042-night.zip'
        """
        at = self.at.astimezone(UTC)
        return f"kula-{at.strftime(_TIME)}-{at.microsecond // 1000:03d}-{self.kind}.zip"


def stored(name: str, size: int = 0) -> Stored | None:
    """Return the copy of that name, or ``None`` if no copy is called so.

    >>> stored("kula-20261120-201507-042-night.zip").kind
    <Kind.NIGHT: 'night'>
    >>> stored("../secret")
    """
    match = _NAME.fullmatch(name)
    if match is None or match[2] not in set(Kind):
        return None
    stamp, thousandths = match[1].rsplit("-", 1)
    try:
        at = datetime.strptime(stamp, _TIME).replace(tzinfo=UTC)
    except ValueError:
        return None
    return Stored(at + timedelta(milliseconds=int(thousandths)), Kind(match[2]), size)


def to_delete(copies: Iterable[Stored], *, now: datetime, room: int) -> list[Stored]:
    """Return the copies whose time is over, and the oldest of those that would take more than *room*.

    By itself made, all of two hours stay, then the last of each hour for two days, then the last
    of each day for a month; all others stay a month. When room is short the oldest that were made
    by themselves go first, then the oldest of the others, but none that somebody asked for.
    """
    newest_first = sorted(copies, key=lambda copy: copy.at, reverse=True)
    staying = _of_their_time(newest_first, now)
    taken = sum(copy.size for copy in staying)
    for kinds in ({Kind.NIGHT}, set(Kind) - {Kind.ASKED}):
        # The newest of all is what one would restore: it stays whatever it takes.
        for copy in reversed(staying[1:]):
            if taken > room and copy.kind in kinds and copy in staying:
                staying.remove(copy)
                taken -= copy.size
    return [copy for copy in newest_first if copy not in staying]


def _of_their_time(newest_first: list[Stored], now: datetime) -> list[Stored]:
    staying: list[Stored] = []
    seen: set[Hashable] = set()
    for copy in newest_first:
        age = now - copy.at
        in_time = age <= LONGEST
        day, hour = copy.at.date(), (copy.at.date(), copy.at.hour)
        if copy.kind is Kind.NIGHT and age > ALL_OF:
            in_time = in_time and (hour if age <= ONE_AN_HOUR else day) not in seen
        if copy.kind is Kind.NIGHT:
            seen |= {hour, day}
        if in_time or not staying:
            staying.append(copy)
    return staying
