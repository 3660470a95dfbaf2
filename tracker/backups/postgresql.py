"""PostgreSQL's own tools: ``pg_dump`` writes a copy, ``pg_restore`` and ``psql`` put it back."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from itertools import takewhile
from pathlib import Path

from django.db import connection

from tracker.backups.sqlite import COUNTED, NEWEST_MIGRATION
from tracker.backups.stored import CopyFailed

IN_COPY = "kula.dump"
# All that the site has there, and nothing that somebody else put beside it in another schema.
_EMPTY = """
DO $$
DECLARE it record;
BEGIN
  FOR it IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
    EXECUTE format('DROP TABLE IF EXISTS %I CASCADE', it.tablename);
  END LOOP;
  FOR it IN SELECT p.oid::regprocedure AS called FROM pg_proc p
      JOIN pg_namespace n ON n.oid = p.pronamespace
      WHERE n.nspname = current_schema() AND NOT EXISTS (
        SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e') LOOP
    EXECUTE format('DROP ROUTINE IF EXISTS %s CASCADE', it.called);
  END LOOP;
END $$;
"""


def write_dump(target: Path) -> tuple[str, dict[str, int]]:
    """Write the PostgreSQL database into the new file *target*, and return what was counted in it.

    :raises CopyFailed: if ``pg_dump`` is not there, or cannot do it.
    """
    tool = tool_named("pg_dump")
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    others = connection.copy(alias="copies")
    try:
        # A moment of the database is kept open: what is counted in it is what the tool writes.
        with others.cursor() as cursor:
            cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            cursor.execute(NEWEST_MIGRATION)
            (migration,) = cursor.fetchone()
            counts = {}
            for of in COUNTED:
                cursor.execute(f"SELECT count(*) FROM tracker_{of}")  # noqa: S608
                counts[of] = int(cursor.fetchone()[0])
            cursor.execute("SELECT pg_export_snapshot()")
            (name,) = cursor.fetchone()
            run_tool([
                tool, "--format=custom", "--no-owner", "--no-privileges", f"--snapshot={name}",
                f"--file={target}", *where(),
            ])  # fmt: skip
    finally:
        others.close()
    return str(migration or ""), counts


def tool_named(name: str) -> str:
    """Return the way to one of PostgreSQL's tools.

    :raises CopyFailed: if it is not there, or older than the server.
    """
    tool = shutil.which(name)
    if tool is None:
        raise CopyFailed(
            f"Copies of a PostgreSQL database are made with its own tool {name}, which is not"
            " installed here. Install PostgreSQL’s client tools (on Debian: postgresql-client)."
        )
    said = run_tool([tool, "--version"])
    version = re.search(r"\) (\d+)", said)
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        server = int(cursor.fetchone()[0]) // 10000
    if version is None or int(version[1]) < server:
        raise CopyFailed(
            f"{name} here is of version {version[1] if version else '?'}, and the database’s server of"
            f" version {server}: install PostgreSQL’s client tools of version {server} or newer."
        )
    return tool


def where() -> list[str]:
    settings = connection.settings_dict
    said = {"--host": settings["HOST"], "--port": settings["PORT"], "--username": settings["USER"]}
    flags = [f"{flag}={value}" for flag, value in said.items() if value]
    return [*flags, "--no-password", f"--dbname={settings['NAME']}"]


def run_tool(command: list[str]) -> str:
    """Run one of PostgreSQL's tools, and return what it says.

    :raises CopyFailed: if it fails; with its own words.
    """
    # The password is passed on unseen: a command's arguments are read by everybody on a machine.
    settings = connection.settings_dict
    more = {"PGPASSWORD": settings["PASSWORD"]} if settings["PASSWORD"] else {}
    ssl = {"PGSSLMODE": settings["OPTIONS"]["sslmode"]} if "sslmode" in settings["OPTIONS"] else {}
    done = subprocess.run(  # noqa: S603
        command,
        env={**os.environ, **more, **ssl},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        name = Path(command[0]).name
        raise CopyFailed(f"{name} could not do it: {' '.join(done.stderr.split())[:400]}")
    return str(done.stdout)


def rows_in(dump: Path) -> Callable[[str, Sequence[str]], list[list[str]]]:
    """Return what reads columns of a table out of a dump."""
    tool = tool_named("pg_restore")

    def read(table: str, columns: Sequence[str]) -> list[list[str]]:
        said = run_tool([tool, "--data-only", f"--table={table}", "--file=-", str(dump)])
        lines = iter(said.splitlines())
        head = next((line for line in lines if line.startswith("COPY ")), "")
        named = [name.strip(' "') for name in head.partition("(")[2].partition(")")[0].split(",")]
        if not set(named).issuperset(columns):  # an older version's
            return []
        places = [named.index(column) for column in columns]
        cells = (line.split("\t") for line in takewhile(lambda line: line != r"\.", lines))
        return [[row[place] for place in places] for row in cells]

    return read


def put_back(dump: Path, script: Path) -> None:
    """Put the content of a dump in the place of what is there, in one transaction.

    :raises CopyFailed: if it cannot be done; then nothing has changed.
    """
    run_tool(
        [tool_named("pg_restore"), "--no-owner", "--no-privileges", f"--file={script}", str(dump)]
    )
    run_tool([
        tool_named("psql"), "--no-psqlrc", "--quiet", "--single-transaction",
        "--set=ON_ERROR_STOP=1", f"--command={_EMPTY}", f"--file={script}", *where(),
    ])  # fmt: skip


def others_connected() -> int:
    """Return how many others have the database open."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        return int(cursor.fetchone()[0])
