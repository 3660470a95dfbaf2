"""The data folder: its lock, its replacement by a copy's files, its permissions and secret key.

The running site holds the lock, which the system releases when its process dies. To restore a copy
(a backup), its files are prepared in a folder inside the data folder, and that folder is renamed.
This is the point of no return: if the process is killed before it, the old data stay; if after it,
the next process that reads the settings moves the other files. So this module reads no settings.
"""

import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tracker.common.files import sync_file, sync_folder, write_whole

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

LOCK = "serve.lock"
_READY = "restored"  # the name of the renamed folder
DATABASE, SECRET = "kula.sqlite3", "secret"  # the files of a copy
_SHORTEST_SECRET = 50  # letters of the secret key; a shorter text is incomplete
_FOLDER_MODE, _FILE_MODE = 0o700, 0o600  # permissions for the owner only
_PRIVATE_FILES = (SECRET, "*.sqlite3*", "kula.log*")


class FolderInUse(Exception):
    """Another process holds the folder."""


@contextmanager
def hold(folder: Path) -> Iterator[None]:
    """Hold the folder's lock in the block; processes forked in it keep it until the last one ends.

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
    """Replace database and secret of *folder*, whose lock is held, by those in *prepared*.

    *prepared* is a subfolder of it, and may lack either file.
    """
    for name in (DATABASE, SECRET):
        with suppress(FileNotFoundError):
            sync_file(prepared / name)
    sync_folder(prepared)
    prepared.rename(folder / _READY)  # the point of no return
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
    if (ready / DATABASE).exists():
        # Trap: SQLite would apply the old database's log to the new one.
        for suffix in ("-wal", "-shm"):
            (folder / f"{DATABASE}{suffix}").unlink(missing_ok=True)
        sync_folder(folder)
    for name in (DATABASE, SECRET):
        with suppress(FileNotFoundError):
            (ready / name).replace(folder / name)
    sync_folder(folder)
    shutil.rmtree(ready, ignore_errors=True)


def stored_secret(folder: Path) -> str:
    """Return the secret stored in *folder*; make it on first use, and again if it is incomplete.

    If the folder cannot be written, the secret lasts as long as the process; the command ``serve``
    warns of such a folder.
    """
    path = folder / SECRET
    new = secrets.token_urlsafe(_SHORTEST_SECRET)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            write_whole(path, new.encode(), unless_there=True)
        elif not _complete_secret(path):
            write_whole(path, new.encode())
            sys.stderr.write(
                f"The secret in {path} was not whole, perhaps after a power cut, and was made "
                "anew: everybody signs in again, and links that were sent are to be sent again.\n"
            )
    except OSError:
        pass
    return _complete_secret(path) or new


def _complete_secret(path: Path) -> str:
    """Return the secret in a file; "" if it cannot be read or is incomplete."""
    try:
        text = path.read_bytes().decode("ascii", "replace").strip()
    except OSError:
        return ""
    is_complete = len(text) >= _SHORTEST_SECRET and text.isascii() and text.isprintable()
    return text if is_complete else ""


def make_private(folder: Path) -> None:
    """Make the folder, or remove other users' permissions on it and its files.

    Windows ignores this, and makes a user's folders private itself.
    """
    # A folder of another user stays as it is; the command ``serve`` warns if it cannot be written.
    with suppress(OSError):
        folder.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            folder.mkdir(mode=_FOLDER_MODE)
        # A folder with neither is not Kula's, and keeps its permissions: KULA_DATA may name a home.
        if any((folder / name).exists() for name in (SECRET, DATABASE)):
            files = (path for pattern in _PRIVATE_FILES for path in folder.glob(pattern))
            for path in (folder, *filter(Path.is_file, files)):
                if path.stat().st_mode & 0o077:  # others may do something with it
                    path.chmod(_FOLDER_MODE if path == folder else _FILE_MODE)


def create_private(file: Path) -> None:
    """Create an empty file that only its owner can read, if there is none.

    The files that SQLite makes beside it get the same permissions.
    """
    with suppress(OSError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _FILE_MODE))
