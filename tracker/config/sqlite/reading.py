"""How a SQLite file is read where nothing can be written: a full disk, or a read-only one."""

import atexit
import functools
import shutil
import sqlite3
import tempfile
from pathlib import Path
from urllib.parse import quote

# Opening the file makes two more beside it, which is refused in these ways.
_REFUSALS = {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
}


def is_refusal(error: BaseException | None) -> bool:
    """Say whether SQLite could not write."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest says where it happened
    return isinstance(error, sqlite3.Error) and code in _REFUSALS


def name_for_reading(file: Path) -> str:
    """Return a URI that reads the database in *file* where its plain name was refused.

    ``immutable`` overlooks the hands that are still in the ``-wal`` beside it, and may mix old
    pages with new ones: where that has anything in it, both are copied to where there is room.

    :raises OSError: if there is no such file, or no room for a copy.
    """
    wal = file.with_name(f"{file.name}-wal")
    if wal.exists() and wal.stat().st_size:
        stamps = file.stat().st_mtime_ns, wal.stat().st_mtime_ns, wal.stat().st_size
        return f"file:{quote(str(_copy(file, wal, stamps)))}"
    file.stat()
    return f"file:{quote(str(file))}?mode=ro&immutable=1"


@functools.lru_cache(maxsize=1)
def _copy(file: Path, wal: Path, _stamps: tuple[int, int, int]) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="kula-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for part in (file, wal):
        shutil.copyfile(part, folder / part.name)
    return folder / file.name
