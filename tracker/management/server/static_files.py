"""Collection of static files (styles, scripts, pictures), once for each version of them.

Each version has a folder below ``STATIC_HOME``, which is renamed into place when it is complete: so it
is whole after a power cut, and an older site goes on serving its own version.
"""

import hashlib
import json
import os
import re
import secrets
import shutil
from importlib.metadata import version
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.management.commands import collectstatic
from django.core.management import call_command

from tracker.common.files import sync_folder, sync_tree
from tracker.config import storage
from tracker.config.storage import CollectedFiles, HashedFiles

_FILES, _SIZES = "files", "sizes.json"
_FOLDERS = re.compile(r"[0-9a-f]{16}|\.(new|old)-[0-9a-f]{16}")
_KEPT_FOLDERS = 2  # this version, and one that may still be served


def prepare() -> OSError | None:
    """Collect the files of this version, for this process and those that it starts.

    If they cannot be written, return the error, and let the source files be served.
    """
    folder = settings.STATIC_HOME / _version()
    try:
        if not is_whole(folder):
            _collect(folder)
    except OSError as error:
        os.environ["KULA_STATIC_SOURCES"] = "yes"
        settings.WHITENOISE_USE_FINDERS = True
        settings.STORAGES = {**settings.STORAGES, "staticfiles": settings.STATIC_SOURCES}
        return error
    os.environ["KULA_GATHERED"] = str(folder / _FILES)
    settings.STATIC_ROOT = folder / _FILES
    return None


def is_whole(folder: Path) -> bool:
    """Return whether all collected files are there with their recorded sizes."""
    try:
        sizes = json.loads((folder / _SIZES).read_bytes())
        return bool(sizes) and all(
            (folder / name).stat().st_size == size for name, size in sizes.items()
        )
    except (OSError, ValueError, AttributeError):
        return False


def _version() -> str:
    """Return a hash of all source files and of the programs that process them."""
    digest = hashlib.sha256(
        f"{version('django')} {version('whitenoise')} {version('rjsmin')}".encode()
    )
    digest.update(Path(storage.__file__).read_bytes())
    sources = [
        (name, Path(source.path(name)))
        for finder in get_finders()
        for name, source in finder.list(CollectedFiles.ignore_patterns)
    ]
    for name, file in sorted(sources):
        content = file.read_bytes()
        digest.update(f"{name} {len(content)} ".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def _collect(folder: Path) -> None:
    """Collect the files in a temporary folder, sync it, and rename it to *folder*."""
    home = folder.parent
    home.mkdir(parents=True, exist_ok=True)
    new = home / f".new-{secrets.token_hex(8)}"
    try:
        command = collectstatic.Command()
        command.storage = HashedFiles(location=str(new / _FILES), base_url=settings.STATIC_URL)
        call_command(command, interactive=False, verbosity=0)
        files = [file for file in new.rglob("*") if file.is_file()]
        sizes = {file.relative_to(new).as_posix(): file.stat().st_size for file in files}
        (new / _SIZES).write_text(json.dumps(sizes))
        sync_tree(new)
        if folder.exists() and not is_whole(folder):
            folder.rename(home / f".old-{secrets.token_hex(8)}")
        try:
            new.rename(folder)
        except OSError:
            if not is_whole(folder):  # otherwise another process was first
                raise
        sync_folder(home)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    ours = [place for place in home.iterdir() if _FOLDERS.fullmatch(place.name)]
    for place in sorted(ours, key=lambda place: place.stat().st_mtime)[:-_KEPT_FOLDERS]:
        shutil.rmtree(place, ignore_errors=True)
