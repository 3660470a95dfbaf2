"""Writing files so that a power cut leaves them whole, and checks of the disk they are on."""

import os
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from time import monotonic

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _

_LITTLE_SPACE = 200 * 1024 * 1024  # bytes: as many as a long season of play needs
_CHECK_EVERY = 10  # seconds
_REFUSED = _(
    "Nothing can be saved: the disk of this site is full, or takes nothing in. Tables keep what "
    "they type. Make room in the folder of the data, and it goes on by itself."
)
# When this process last tried to write a file, and whether that failed.
_last_check: tuple[float, bool] | None = None


def write_whole(path: Path, content: bytes, *, unless_there: bool = False) -> None:
    """Write *content* to *path* atomically, readable by the owner only.

    With *unless_there*, a file that is at *path* already is not replaced: another process may have
    written it.

    :raises OSError: if there is no room, or the folder cannot be written; then nothing changes.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if unless_there:
            with suppress(OSError):  # a link replaces no file, and a memory stick has no hard links
                path.hardlink_to(temporary)
        if not (unless_there and path.exists()):
            temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def sync_tree(folder: Path) -> None:
    """Flush everything in *folder* and below it to the disk."""
    paths = [folder, *folder.rglob("*")]
    # In threads, as a file system's journal commits many at once: six times faster than one by one.
    with ThreadPoolExecutor(32) as threads:
        list(threads.map(sync_file, filter(Path.is_file, paths)))
        list(threads.map(sync_folder, filter(Path.is_dir, paths)))


def sync_file(path: Path) -> None:
    with path.open("r+b") as file:  # Windows syncs no file that was opened to read
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Flush the names in *folder* to the disk, except on Windows, which does so itself."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_error(folder: Path) -> OSError | None:
    """Return the error that prevents writing in *folder*, if any.

    Trap: an empty file fits on a full disk, and only a sync shows that its content does not.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder, prefix=".room-")
        try:
            with os.fdopen(handle, "wb") as file:
                # 64 KiB: twice the index that SQLite must be able to write (``-shm``).
                file.write(b"\1" * (64 * 1024))
                file.flush()
                os.fsync(file.fileno())
        finally:
            Path(name).unlink()
    except OSError as error:
        return error
    return None


def disk_warning() -> str | Promise:
    """Return a warning for organisers about the disk; empty while all is well, or on PostgreSQL."""
    global _last_check  # noqa: PLW0603 - the last result in this process
    if settings.DATABASE_URL:
        return ""
    # Only an attempt to write shows that a disk has become read-only.
    if _last_check is None or monotonic() - _last_check[0] > _CHECK_EVERY:
        _last_check = monotonic(), write_error(Path(settings.DATA_DIR)) is not None
    if _last_check[1]:
        return _REFUSED
    free = shutil.disk_usage(Path(settings.DATA_DIR)).free
    if free >= _LITTLE_SPACE:
        return ""
    sentence = gettext(
        "Only %(left)d MB are left on the disk of this site. When it is full, no hand can be saved."
    )
    return sentence % {"left": free // 1024**2}
