"""The data folder, which only its owner can read or write, and the secret key stored in it."""

import os
import secrets
import sys
from contextlib import suppress
from pathlib import Path

from tracker.common.files import write_whole

_SHORTEST = 50  # letters; what is shorter was not written to its end


def stored_secret(folder: Path) -> str:
    """Return the secret stored in *folder*; make it on first use, and again if it is incomplete.

    Where the folder cannot be written the secret lasts as long as the process:
    ``serve`` says so in a sentence of its own.
    """
    path = folder / "secret"
    new = secrets.token_urlsafe(_SHORTEST)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            write_whole(path, new.encode(), unless_there=True)
        elif not _whole(path):
            write_whole(path, new.encode())
            sys.stderr.write(
                f"The secret in {path} was not whole, perhaps after a power cut, and was made anew: "
                "everybody signs in again, and links that were sent are to be sent again.\n"
            )
    except OSError:
        pass
    return _whole(path) or new


def _whole(path: Path) -> str:
    """Return the secret in that file; nothing if it cannot be read or was cut short."""
    try:
        text = path.read_bytes().decode("ascii", "replace").strip()
    except OSError:
        return ""
    return text if len(text) >= _SHORTEST and text.isascii() and text.isprintable() else ""


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
