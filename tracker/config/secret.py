"""The site's own secret, made once and kept beside its database."""

import secrets
from pathlib import Path


def stored_secret(folder: Path) -> str:
    """Return the secret kept in *folder*, making it on first use.

    Where the folder cannot be written the secret lasts as long as the process:
    ``serve`` refuses such a folder with a sentence of its own.
    """
    path = folder / "secret"
    try:
        return path.read_text(encoding="ascii")
    except OSError:
        secret = secrets.token_urlsafe(50)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="ascii") as file:
            path.chmod(0o600)
            file.write(secret)
    except FileExistsError:  # another process was first
        return path.read_text(encoding="ascii") or secret
    except OSError:
        return secret
    return secret
