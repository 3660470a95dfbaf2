"""The site's secret key, made once and stored beside its database."""

import secrets
import sys
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
