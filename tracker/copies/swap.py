"""A restored folder put in the place of the present one: wholly, or not at all.

What is restored is laid out in a folder beside it. Renaming that folder is the moment from which
on the restored data count; whichever process reads the settings next finishes what a killed
one began. So this knows no Django.
"""

import shutil
from contextlib import suppress
from pathlib import Path

from tracker.common.files import sync_file, sync_folder
from tracker.copies.locks import FolderInUse, hold

_READY = "restored"
_DATABASE = "kula.sqlite3"


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
        with suppress(FolderInUse), hold(folder):  # else its process is at it, or another
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
