"""The data folder, which only its owner can read or write."""

import os
from contextlib import suppress
from pathlib import Path

_FOLDER, _FILE = 0o700, 0o600
# A folder without any of these is not Kula's to close: somebody may have named their home.
_OURS = ("secret", "kula.sqlite3")
_KEPT = ("secret", "*.sqlite3*", "kula.log*")


def keep_to_the_owner(folder: Path) -> None:
    """Make the folder, or remove other users' permissions on it and its files.

    Windows keeps a person's folders to that person by itself, and heeds none of this.
    """
    with suppress(OSError):  # read-only, or somebody else's: ``serve`` says what matters of it
        folder.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            folder.mkdir(mode=_FOLDER)
        if any((folder / name).exists() for name in _OURS):
            files = [path for pattern in _KEPT for path in folder.glob(pattern) if path.is_file()]
            for path, mode in [(folder, _FOLDER), *((file, _FILE) for file in files)]:
                if path.stat().st_mode & 0o077:
                    path.chmod(mode)


def made_for_the_owner(file: Path) -> None:
    """Make an empty file that only the owner reads, if there is none; what SQLite lays beside it follows."""
    with suppress(OSError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _FILE))
