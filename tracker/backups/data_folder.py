"""The data folder: the lock of the running site, and the replacement of its files by a copy's.

The system releases the lock when its process dies. The files of a copy are prepared in a folder
inside the data folder. Renaming that folder is the commit: from then on the restored data count,
and the next process that reads the settings finishes what a killed one began. So this module
imports no Django.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tracker.common.files import sync_file, sync_folder

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

LOCK = "serve.lock"
_READY = "restored"
_DATABASE = "kula.sqlite3"


class FolderInUse(Exception):
    """Another process holds the folder."""


@contextmanager
def hold(folder: Path) -> Iterator[None]:
    """Hold the folder's lock in the block.

    Processes forked in the block hold it, too, until the last of them ends.

    :raises FolderInUse: if another process holds it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            if sys.platform == "win32":
                msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise FolderInUse from None
        yield
    finally:
        os.close(lock)


def is_held(folder: Path) -> bool:
    """Return whether a process holds the folder now."""
    if not (folder / LOCK).exists():
        return False
    try:
        with hold(folder):
            return False
    except FolderInUse:
        return True


def swap(prepared: Path, folder: Path) -> None:
    """Replace the files of *folder* by those of *prepared*, a folder inside it.

    The caller holds the folder's lock.
    """
    for file in prepared.iterdir():
        sync_file(file)
    sync_folder(prepared)
    prepared.rename(folder / _READY)
    sync_folder(folder)
    _finish(folder)


def finish_swap(folder: Path) -> None:
    """Finish a swap whose process was killed, if there is one."""
    if (folder / _READY).is_dir():
        with suppress(FolderInUse), hold(folder):  # if it is in use, another process finishes it
            _finish(folder)


def _finish(folder: Path) -> None:
    """Do the remaining steps of a swap; it can be repeated after being killed at any step."""
    ready = folder / _READY
    if (ready / _DATABASE).exists():
        # Trap: SQLite would apply the old database's log to the new one.
        for beside in ("-wal", "-shm"):
            (folder / f"{_DATABASE}{beside}").unlink(missing_ok=True)
        sync_folder(folder)
    for name in (_DATABASE, "secret"):
        with suppress(FileNotFoundError):
            (ready / name).replace(folder / name)
    sync_folder(folder)
    shutil.rmtree(ready, ignore_errors=True)
