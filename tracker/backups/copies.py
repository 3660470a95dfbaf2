"""Copies in their folder: file names, the note in each, listing, and how long they are kept."""

import json
import re
import shutil
import zipfile
from collections.abc import Hashable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from django.conf import settings

# How long copies are kept: see ``to_delete``. The first two apply to copies made while people play.
ALL_FOR = timedelta(hours=2)
ONE_AN_HOUR_FOR = timedelta(days=2)
LONGEST = timedelta(days=31)
SHARE_OF_DISK = 0.2  # copies may take this part of the space that would be free without them

FORMAT, FORMAT_VERSION = "kula-copy", 1
NOTE = "copy.json"
_MOST_BYTES_OF_NOTE = 10_000

# A file name: date, time and milliseconds, then the kind of the copy.
_NAME = re.compile(r"kula-(\d{8}-\d{6}-\d{3})-([a-z]+)\.zip")
_TIME = "%Y%m%d-%H%M%S-%f"


class CopyFailed(Exception):
    """A copy cannot be made, read or restored; the message says why, and what would help."""


class CopyKind(StrEnum):
    """Why a copy was made."""

    ASKED = "asked"  # by a person
    ACT = "act"  # before a destructive action
    NIGHT = "night"  # automatically, while people play
    UPGRADE = "upgrade"  # before a newer version migrates the database
    RESTORE = "restore"  # before another copy is restored


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyNote:
    """The content of ``copy.json``, which describes the copy it is in."""

    made_at: datetime
    kind: CopyKind
    why: str  # the act before which it was made, in words; may be empty
    kula: str  # the version of Kula
    migration: str  # the newest migration of the database
    database: str  # "sqlite" or "postgresql"
    secret: bool  # whether the secret key is in the copy; else it was set by KULA_SECRET
    clubs: int
    tournaments: int
    hands: int
    size: int  # of the database, in bytes
    sha256: str  # of the database
    state: str = ""  # fingerprint of the files it was made from, to see whether they changed since

    def to_json(self) -> str:
        values = {**asdict(self), "made_at": self.made_at.isoformat()}
        return json.dumps({"format": FORMAT, "version": FORMAT_VERSION, **values}, indent=1)


def parse_note(text: str | bytes) -> CopyNote:
    """Return the note in the text of a ``copy.json``.

    :raises CopyFailed: if it is not in this format, or in that of a newer version.
    """
    try:
        values = json.loads(text)
        has_format = (values.pop("format"), values.pop("version")) == (FORMAT, FORMAT_VERSION)
        made_at = datetime.fromisoformat(values.pop("made_at"))
        note = CopyNote(made_at=made_at, kind=CopyKind(values.pop("kind")), **values)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CopyFailed("not the note of a copy") from error
    # Anybody may have written the text, so its values may be of any type.
    has_types = all(
        isinstance(getattr(note, field.name), field.type)  # type: ignore[arg-type]
        for field in fields(note)
    )
    if not has_format or made_at.tzinfo is None or not has_types:
        raise CopyFailed("not the note of a copy")
    return note


def read_note(file: Path) -> CopyNote:
    """Return the note in a copy's file; raise ``CopyFailed`` if the file is no copy."""
    try:
        with zipfile.ZipFile(file) as packed, packed.open(NOTE) as note:
            return parse_note(note.read(_MOST_BYTES_OF_NOTE))
    except Exception as error:  # a damaged zip raises nearly anything
        raise CopyFailed(f"{file} is no copy that Kula made, or it is damaged.") from error


@dataclass(frozen=True)
class CopyFile:
    """A copy in the folder, as its file name describes it; ``size`` is in bytes."""

    at: datetime
    kind: CopyKind
    size: int = 0

    @property
    def name(self) -> str:
        """The name of its file.

        >>> CopyFile(datetime(2026, 11, 20, 20, 15, 7, 42000, UTC), CopyKind.NIGHT).name
        'kula-20261120-201507-042-night.zip'
        """
        microseconds = self.at.astimezone(UTC).strftime(_TIME)
        return f"kula-{microseconds[:-3]}-{self.kind}.zip"

    @cached_property
    def note(self) -> CopyNote | None:
        """The note in the file, if it can be read."""
        try:
            return read_note(copies_folder() / self.name)
        except CopyFailed:
            return None


def parse_name(name: str, size: int = 0) -> CopyFile | None:
    """Return the copy of this file name, or ``None`` for any other file.

    >>> parse_name("kula-20261120-201507-042-night.zip").kind
    <CopyKind.NIGHT: 'night'>
    >>> parse_name("../secret")
    """
    match = _NAME.fullmatch(name)
    if match is None or match[2] not in set(CopyKind):
        return None
    try:
        at = datetime.strptime(match[1], _TIME).replace(tzinfo=UTC)
    except ValueError:
        return None
    return CopyFile(at, CopyKind(match[2]), size)


def copies_folder() -> Path:
    return Path(settings.DATA_DIR) / "copies"


def stored_copies() -> list[CopyFile]:
    """Return the copies in the folder, the newest first."""
    if not copies_folder().is_dir():
        return []
    copies = []
    for file in copies_folder().iterdir():
        with suppress(FileNotFoundError):  # another process has deleted it since
            copies.append(parse_name(file.name, file.stat().st_size))
    return sorted(filter(None, copies), key=lambda copy: copy.at, reverse=True)


def space_for_copies() -> int:
    """Return how many bytes all copies together may take."""
    folder = copies_folder() if copies_folder().is_dir() else copies_folder().parent
    taken = sum(copy.size for copy in stored_copies())
    return int((shutil.disk_usage(folder).free + taken) * SHARE_OF_DISK)


def to_delete(copies: Iterable[CopyFile], *, now: datetime, space: int) -> list[CopyFile]:
    """Return the copies that are too old, and the oldest ones above *space* bytes in total.

    Of the copies made while people play, all of the last two hours are kept, then the last of each
    hour for two days, then the last of each day for a month; all other copies are kept for a month.
    When space is short, copies made while people play are deleted first, then the others, oldest
    first, but none that a person asked for. The newest copy of all is always kept.
    """
    newest_first = sorted(copies, key=lambda copy: copy.at, reverse=True)
    kept: list[CopyFile] = []
    # The days and hours from which this loop has seen a (later) copy made while people play.
    with_later_copy: set[Hashable] = set()
    for copy in newest_first:
        age = now - copy.at
        in_time = age <= LONGEST
        if copy.kind is CopyKind.NIGHT:
            day, hour = copy.at.date(), (copy.at.date(), copy.at.hour)
            is_last = (hour if age <= ONE_AN_HOUR_FOR else day) not in with_later_copy
            in_time = in_time and (age <= ALL_FOR or is_last)
            with_later_copy |= {hour, day}
        if in_time or not kept:
            kept.append(copy)
    size = sum(copy.size for copy in kept)
    for kinds in ({CopyKind.NIGHT}, set(CopyKind) - {CopyKind.ASKED}):
        for copy in reversed(kept[1:]):  # the oldest first, and never the newest
            if size > space and copy.kind in kinds:
                kept.remove(copy)
                size -= copy.size
    return [copy for copy in newest_first if copy not in kept]
