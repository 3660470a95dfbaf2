"""A lock on the data folder that a serving site holds, and that the system drops when it dies."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

NAME = "serve.lock"


class FolderInUse(Exception):
    """Somebody else holds the folder."""


@contextmanager
def hold(folder: Path) -> Iterator[None]:
    """Hold the folder as long as this lasts.

    Children that are forked meanwhile hold it, too, so that it is held until the last is gone.

    :raises FolderInUse: if another process holds it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = os.open(folder / NAME, os.O_RDWR | os.O_CREAT, 0o600)
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
    if not (folder / NAME).exists():
        return False
    try:
        with hold(folder):
            return False
    except FolderInUse:
        return True
