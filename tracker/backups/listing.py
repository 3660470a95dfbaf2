"""The copies that there are, and what each says of itself."""

import shutil
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from tracker.backups.packing import NOTE
from tracker.backups.stored import SHARE_OF_DISK, CopyNote, ForeignError, Stored, read_note, stored

_LONGEST_NOTE = 10_000  # bytes


@dataclass(frozen=True, slots=True)
class Listed:
    """A copy with what it says of itself, or ``None`` where it cannot be read."""

    copy: Stored
    note: CopyNote | None


def folder() -> Path:
    """Return where the site keeps its copies."""
    return Path(settings.DATA_DIR) / "copies"


def stored_copies() -> list[Stored]:
    """Return the copies in the folder, the newest first."""
    if not folder().is_dir():
        return []
    copies = []
    for file in folder().iterdir():
        with suppress(FileNotFoundError):  # another process has deleted it since
            copies.append(stored(file.name, file.stat().st_size))
    return sorted(filter(None, copies), key=lambda copy: copy.at, reverse=True)


def listed_copies() -> list[Listed]:
    """Return the copies with what they say, the newest first."""
    return [Listed(copy, note_or_none(copy)) for copy in stored_copies()]


def listed(name: str) -> Listed | None:
    """Return the copy of that name, if there is one."""
    copy = next((copy for copy in stored_copies() if copy.name == name), None)
    return Listed(copy, note_or_none(copy)) if copy else None


def note_in(file: Path) -> CopyNote:
    """Return what a copy says of itself.

    :raises ForeignError: if the file is no copy.
    """
    try:
        with zipfile.ZipFile(file) as packed, packed.open(NOTE) as note:
            return read_note(note.read(_LONGEST_NOTE))
    except Exception as error:  # a damaged zip raises nearly anything
        raise ForeignError("not a copy") from error


def room_for_copies() -> int:
    """Return how many bytes all copies together may take."""
    where = folder() if folder().is_dir() else folder().parent
    taken = sum(copy.size for copy in stored_copies())
    return int((shutil.disk_usage(where).free + taken) * SHARE_OF_DISK)


def note_or_none(copy: Stored) -> CopyNote | None:
    """Return what a copy in the folder says of itself; ``None`` where it cannot be read."""
    try:
        return note_in(folder() / copy.name)
    except ForeignError:
        return None
