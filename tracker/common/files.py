"""Files that are there whole or not at all, wherever the power is cut."""

import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def write_whole(path: Path, content: bytes, *, unless_there: bool = False) -> None:
    """Put *content* in the place of what is at *path*; only the owner may read it.

    With *unless_there* another process that was first keeps what it wrote.

    :raises OSError: if there is no room, or the folder cannot be written; then nothing changes.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if not (unless_there and _linked(path, temporary)):
            temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def _linked(path: Path, temporary: Path) -> bool:
    """Hard-link *path* to the file unless it exists; a memory stick may have no hard links."""
    try:
        path.hardlink_to(temporary)
    except FileExistsError:
        return True
    except OSError:
        return path.exists()
    return True


def sync_tree(folder: Path) -> None:
    """Have everything in *folder*, and below it, on the disk."""
    places = [folder, *(place for place in folder.rglob("*") if place.is_dir())]
    files = [file for place in places for file in place.iterdir() if file.is_file()]
    # A journal takes in many at once: six times quicker than one after another.
    with ThreadPoolExecutor(32) as several:
        list(several.map(sync_file, files))
        list(several.map(sync_folder, places))


def sync_file(path: Path) -> None:
    """Have what is in the file *path* on the disk."""
    with path.open("r+b") as file:  # Windows syncs no file that was opened to read
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Have the names in *folder* on the disk. Windows opens no folders, and keeps names itself."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def refuses_to_write(folder: Path) -> OSError | None:
    """Return the error that prevents writing in *folder*, if any.

    An empty file fits on a full disk, and what is not synced may never come to it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder, prefix=".room-")
        try:
            with os.fdopen(handle, "wb") as file:
                # SQLite's shared index takes half of these 64 KiB.
                file.write(b"\1" * (64 * 1024))
                file.flush()
                os.fsync(file.fileno())
        finally:
            Path(name).unlink()
    except OSError as error:
        return error
    return None
