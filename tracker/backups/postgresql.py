"""Copies of a PostgreSQL database by its own tools: ``pg_dump``, ``pg_restore``, ``psql``."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from itertools import takewhile
from pathlib import Path

from django.db import connection

from tracker.backups.copies import CopyFailed
from tracker.backups.sqlite import COUNTED, NEWEST_MIGRATION

IN_COPY = "kula.dump"  # the name of the dump in a copy (a backup of the site)
# Drops all tables and routines of the site's schema, but none that belong to an extension.
_DROP_ALL = """
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
    """Dump the database into the new file *target*; return its newest migration and row counts.

    :raises CopyFailed: if ``pg_dump`` is missing or fails.
    """
    tool = tool_named("pg_dump")
    # Created first, as ``pg_dump`` would let other users read it.
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    second_connection = connection.copy(alias="copies")  # the first may be in a transaction
    try:
        # ``pg_dump`` reads this transaction's snapshot, so that the counts are those of the dump.
        with second_connection.cursor() as cursor:
            cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            cursor.execute(NEWEST_MIGRATION)
            (migration,) = cursor.fetchone()
            counts = {}
            for table in COUNTED:
                cursor.execute(f"SELECT count(*) FROM tracker_{table}")  # noqa: S608
                counts[table] = int(cursor.fetchone()[0])
            cursor.execute("SELECT pg_export_snapshot()")
            (snapshot_id,) = cursor.fetchone()
            run_tool([
                tool, "--format=custom", "--no-owner", "--no-privileges",
                f"--snapshot={snapshot_id}", f"--file={target}", *connection_flags(),
            ])  # fmt: skip
    finally:
        second_connection.close()
    return str(migration or ""), counts


def tool_named(name: str) -> str:
    """Return the path of one of PostgreSQL's tools; raise ``CopyFailed`` if missing or too old."""
    tool = shutil.which(name)
    if tool is None:
        raise CopyFailed(
            f"Copies of a PostgreSQL database are made with its own tool {name}, which is not"
            " installed here. Install PostgreSQL’s client tools (on Debian: postgresql-client)."
        )
    version = re.search(r"\) (\d+)", run_tool([tool, "--version"]))  # "pg_dump (PostgreSQL) 17.4"
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        server = int(cursor.fetchone()[0]) // 10000  # 170004 is version 17.4
    if version is None or int(version[1]) < server:
        raise CopyFailed(
            f"{name} here is of version {version[1] if version else '?'}, and the database’s server"
            f" of version {server}: install PostgreSQL’s client tools of version {server} or newer."
        )
    return tool


def connection_flags() -> list[str]:
    settings = connection.settings_dict
    keys = {"--host": "HOST", "--port": "PORT", "--username": "USER"}
    flags = [f"{flag}={settings[key]}" for flag, key in keys.items() if settings[key]]
    return [*flags, "--no-password", f"--dbname={settings['NAME']}"]


def run_tool(command: list[str]) -> str:
    """Return the output of one of PostgreSQL's tools; raise ``CopyFailed`` if the tool fails."""
    # The password goes into the environment: all users of a machine can read a command's arguments.
    settings = connection.settings_dict
    password = {"PGPASSWORD": settings["PASSWORD"]} if settings["PASSWORD"] else {}
    ssl = {"PGSSLMODE": settings["OPTIONS"]["sslmode"]} if "sslmode" in settings["OPTIONS"] else {}
    process = subprocess.run(  # noqa: S603
        command, env={**os.environ, **password, **ssl}, capture_output=True, text=True, check=False
    )
    if process.returncode:
        name = Path(command[0]).name
        raise CopyFailed(f"{name} could not do it: {' '.join(process.stderr.split())[:400]}")
    return str(process.stdout)


def rows_in(dump: Path) -> Callable[[str, Sequence[str]], list[list[str]]]:
    """Return a function that reads columns of a table from a dump."""
    tool = tool_named("pg_restore")

    def read(table: str, columns: Sequence[str]) -> list[list[str]]:
        script = run_tool([tool, "--data-only", f"--table={table}", "--file=-", str(dump)])
        lines = iter(script.splitlines())
        # The script has "COPY table (column, …) FROM stdin;", then a line for each row, and "\.".
        copy_line = next((line for line in lines if line.startswith("COPY ")), "")
        in_brackets = copy_line.partition("(")[2].partition(")")[0]
        names = [name.strip(' "') for name in in_brackets.split(",")]
        if not set(names).issuperset(columns):  # there is no such table
            return []
        indexes = [names.index(column) for column in columns]
        rows = (line.split("\t") for line in takewhile(lambda line: line != r"\.", lines))
        return [[row[index] for index in indexes] for row in rows]

    return read


def restore_dump(dump: Path, script: Path) -> None:
    """Replace the content of the database by that of a dump.

    *script* is a new file into which the SQL of the dump is written, for ``psql`` to run.

    :raises CopyFailed: if it fails; then nothing has changed, as it is one transaction.
    """
    run_tool(
        [tool_named("pg_restore"), "--no-owner", "--no-privileges", f"--file={script}", str(dump)]
    )
    run_tool([
        tool_named("psql"), "--no-psqlrc", "--quiet", "--single-transaction",
        "--set=ON_ERROR_STOP=1", f"--command={_DROP_ALL}", f"--file={script}", *connection_flags(),
    ])  # fmt: skip


def other_connections() -> int:
    """Return the number of other connections to the database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        return int(cursor.fetchone()[0])
