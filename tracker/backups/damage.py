"""Detection of a damaged SQLite database, reported with the command that restores it."""

import os
import shlex
import sqlite3
import sys
from contextlib import closing

from django.db import connection

from tracker.backups import sqlite
from tracker.backups.listing import folder, listed_copies


def found_damage() -> str:
    """Return what is wrong with the database and how the newest copy is restored, or nothing.

    A file that cannot be opened here is not damaged: whoever opens it says why.
    """
    file = sqlite.database_file()
    if connection.vendor != "sqlite" or not file.exists():
        return ""
    newest = next((each.copy.name for each in listed_copies() if each.note is not None), "")
    try:
        with closing(sqlite3.connect(file, timeout=30)) as database:
            sqlite.check_whole(database)
            (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if newest and not tables:  # without copies it is a new one
            return _said("it is empty", newest)
    except sqlite3.OperationalError:
        return ""
    except sqlite3.DatabaseError as error:
        return _said(" ".join(str(error).split()), newest)
    return ""


def _said(wrong: str, newest: str) -> str:
    said = f"The database {sqlite.database_file()} is damaged: {wrong}."
    if not newest:
        return f"{said} There is no copy in {folder()}. Restore one from elsewhere: restore FILE"
    command = shlex.join([sys.executable, sys.argv[0], "restore", newest])
    if "KULA_DATA" in os.environ:
        command = f"KULA_DATA={shlex.quote(os.environ['KULA_DATA'])} {command}"
    return (
        f"{said} The newest copy is {folder() / newest}. To put it back (what is there is kept,"
        f" and you are asked first):\n{command}"
    )
