"""The data folder: the lock that a serving site holds, and a restored folder put in its place.

The system drops the lock when its process dies. What is restored is laid out in a folder beside
the present one, and takes its place wholly or not at all: renaming that folder is the moment from
which on the restored data count, and whichever process reads the settings next finishes what a
killed one began. So this knows no Django.
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
    """Hold the folder as long as this lasts.

    Children that are forked meanwhile hold it, too, so that it is held until the last is gone.

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
    """Say whether a process holds the folder now."""
    if not (folder / LOCK).exists():
        return False
    try:
        with hold(folder):
            return False
    except FolderInUse:
        return True


def swap(laid_out: Path, folder: Path) -> None:
    """Replace the files of *folder* by those of *laid_out*, a folder inside it.

    Whoever calls this holds the folder's lock.
    """
    for file in laid_out.iterdir():
        sync_file(file)
    sync_folder(laid_out)
    laid_out.rename(folder / _READY)
    sync_folder(folder)
    _finish(folder)


def finish_swap(folder: Path) -> None:
    """Finish a swap whose process was killed; nothing is done if there is none."""
    if (folder / _READY).is_dir():
        with suppress(FolderInUse), hold(folder):  # if it is in use, another process finishes it
            _finish(folder)


def _finish(folder: Path) -> None:
    """Do what is still to be done of a swap; killed at any step, it can be done again."""
    ready = folder / _READY
    if (ready / _DATABASE).exists():
        # Trap: SQLite would play the old database's log into the new one.
        for beside in ("-wal", "-shm"):
            (folder / f"{_DATABASE}{beside}").unlink(missing_ok=True)
        sync_folder(folder)
    for name in (_DATABASE, "secret"):
        with suppress(FileNotFoundError):
            (ready / name).replace(folder / name)
    sync_folder(folder)
    shutil.rmtree(ready, ignore_errors=True)
