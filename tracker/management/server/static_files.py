"""The files that never change (styles, scripts, pictures), gathered once for each version of them.

Each version has a folder of its own below ``STATIC_HOME``, which appears there whole: after a
power cut, and while an older Kula still serves its own.
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
_OURS = re.compile(r"[0-9a-f]{16}|\.(new|old)-[0-9a-f]{16}")
_KEPT = 2  # folders: this version's, and the one that may still be served


def prepare() -> OSError | None:
    """Have the files of this version ready, here and in processes started from here.

    Where they cannot be written, they are served as they lie in the code, unpacked; then the
    reason is returned.
    """
    folder = settings.STATIC_HOME / _version()
    try:
        if not is_whole(folder):
            _gather(folder)
    except OSError as error:
        os.environ["KULA_STATIC_SOURCES"] = "yes"
        settings.WHITENOISE_USE_FINDERS = True
        settings.STORAGES = {**settings.STORAGES, "staticfiles": settings.STATIC_SOURCES}
        return error
    os.environ["KULA_GATHERED"] = str(folder / _FILES)
    settings.STATIC_ROOT = folder / _FILES
    return None


def is_whole(folder: Path) -> bool:
    """Say whether every file that was gathered there is still as long as it was."""
    try:
        sizes = json.loads((folder / _SIZES).read_bytes())
        return bool(sizes) and all(
            (folder / name).stat().st_size == size for name, size in sizes.items()
        )
    except (OSError, ValueError, AttributeError):
        return False


def _version() -> str:
    """Return a name that is another one as soon as one of the files would be."""
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


def _gather(folder: Path) -> None:
    """Gather the files beside *folder* first, and have them on the disk before they stand there."""
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
            if not is_whole(folder):  # else another process was first
                raise
        sync_folder(home)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    ours = [place for place in home.iterdir() if _OURS.fullmatch(place.name)]
    for place in sorted(ours, key=lambda place: place.stat().st_mtime)[:-_KEPT]:
        shutil.rmtree(place, ignore_errors=True)
