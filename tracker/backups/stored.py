"""Copies as they lie in their folder: their names, what each says of itself, how long they stay."""

import json
import re
from collections.abc import Hashable, Iterable
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime, timedelta
from enum import StrEnum

# How long copies stay. The newest of all stays for ever.
ALL_OF = timedelta(hours=2)
ONE_AN_HOUR = timedelta(days=2)
LONGEST = timedelta(days=31)
SHARE_OF_DISK = 0.2  # of what would be free without them

FORMAT, FORMAT_VERSION = "kula-copy", 1

_NAME = re.compile(r"kula-(\d{8}-\d{6}-\d{3})-([a-z]+)\.zip")
_TIME = "%Y%m%d-%H%M%S"


class CopyFailed(Exception):
    """Why a copy cannot be made, read or put back; the sentence says what would help."""


class ForeignError(ValueError):
    """A file that says of itself nothing that a copy says."""


class CopyKind(StrEnum):
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
    kind: CopyKind
    size: int = 0

    @property
    def name(self) -> str:
        """The name of its file.

        >>> Stored(datetime(2026, 11, 20, 20, 15, 7, 42000, UTC), CopyKind.NIGHT).name
        'kula-20261120-201507-042-night.zip'
        """
        at = self.at.astimezone(UTC)
        return f"kula-{at.strftime(_TIME)}-{at.microsecond // 1000:03d}-{self.kind}.zip"


def stored(name: str, size: int = 0) -> Stored | None:
    """Return the copy of that name, or ``None`` if no copy is called so.

    >>> stored("kula-20261120-201507-042-night.zip").kind
    <CopyKind.NIGHT: 'night'>
    >>> stored("../secret")
    """
    match = _NAME.fullmatch(name)
    if match is None or match[2] not in set(CopyKind):
        return None
    stamp, thousandths = match[1].rsplit("-", 1)
    try:
        at = datetime.strptime(stamp, _TIME).replace(tzinfo=UTC)
    except ValueError:
        return None
    return Stored(at + timedelta(milliseconds=int(thousandths)), CopyKind(match[2]), size)


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyNote:
    """What a copy says of itself, in its ``copy.json``."""

    made_at: datetime
    kind: CopyKind
    why: str
    kula: str
    migration: str  # the newest that its tables have
    database: str  # sqlite or postgresql
    secret: bool  # whether it is in the copy; else it is in KULA_SECRET
    clubs: int
    tournaments: int
    hands: int
    size: int  # of the database
    sha256: str  # of the database
    state: str = ""  # of the files it was made from, to see whether they changed since

    def to_json(self) -> str:
        said = {**asdict(self), "made_at": self.made_at.isoformat()}
        return json.dumps({"format": FORMAT, "version": FORMAT_VERSION, **said}, indent=1)


def read_note(text: str | bytes) -> CopyNote:
    """Return what a copy says of itself.

    :raises ForeignError: if this is not what copies say, or a newer version's.
    """
    try:
        said = json.loads(text)
        if said.pop("format") != FORMAT or said.pop("version") != FORMAT_VERSION:
            raise ForeignError("another format")
        made_at = datetime.fromisoformat(said.pop("made_at"))
        note = CopyNote(made_at=made_at, kind=CopyKind(said.pop("kind")), **said)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ForeignError("not a copy") from error
    if made_at.tzinfo is None or not all(
        isinstance(getattr(note, each.name), each.type)  # type: ignore[arg-type]
        for each in fields(note)
    ):
        raise ForeignError("not a copy")
    return note


def to_delete(copies: Iterable[Stored], *, now: datetime, room: int) -> list[Stored]:
    """Return the copies whose time is over, and the oldest of those that would take more than *room*.

    By itself made, all of two hours stay, then the last of each hour for two days, then the last
    of each day for a month; all others stay a month. When room is short the oldest that were made
    by themselves go first, then the oldest of the others, but none that somebody asked for.
    """
    newest_first = sorted(copies, key=lambda copy: copy.at, reverse=True)
    staying: list[Stored] = []
    seen: set[Hashable] = set()
    for copy in newest_first:
        age = now - copy.at
        in_time = age <= LONGEST
        day, hour = copy.at.date(), (copy.at.date(), copy.at.hour)
        if copy.kind is CopyKind.NIGHT and age > ALL_OF:
            in_time = in_time and (hour if age <= ONE_AN_HOUR else day) not in seen
        if copy.kind is CopyKind.NIGHT:
            seen |= {hour, day}
        if in_time or not staying:
            staying.append(copy)
    taken = sum(copy.size for copy in staying)
    for kinds in ({CopyKind.NIGHT}, set(CopyKind) - {CopyKind.ASKED}):
        # The newest of all is what one would restore: it stays whatever it takes.
        for copy in reversed(staying[1:]):
            if taken > room and copy.kind in kinds and copy in staying:
                staying.remove(copy)
                taken -= copy.size
    return [copy for copy in newest_first if copy not in staying]
