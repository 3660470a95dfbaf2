"""What is there now and not in a copy: what would be lost if the copy took its place."""

import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from django.db import connection

from tracker.copies import postgresql, sqlite
from tracker.copies.errors import CopyFailed
from tracker.copies.logic.losses import Holding, Loss, Reported, loss, moment
from tracker.copies.logic.note import Note
from tracker.copies.packing import unpack

ROWS = {
    "clubs": "tracker_club",
    "players": "tracker_player",
    "teams": "tracker_team",
    "seasons": "tracker_season",
    "nights": "tracker_clubnight",
    "tournaments": "tracker_tournament",
    "rounds": "tracker_round",
}
Read = Callable[[str, Sequence[str]], Iterable[Sequence[object]]]


def what_would_be_lost(file: Path, note: Note) -> Loss:
    """Return what is there now and not in the copy, counted row by row.

    :raises CopyFailed: if either cannot be read.
    """
    try:
        # In the folder of the copy: the one for temporary files may be in memory, and small.
        with tempfile.TemporaryDirectory(prefix=".reading-", dir=file.parent) as folder:
            database = unpack(file, note, Path(folder))
            return loss_against(database)
    except OSError as error:
        raise CopyFailed(f"The copy cannot be read: {error.strerror}.") from error


def loss_against(database: Path) -> Loss:
    """Return what is there now and not in this database, which came out of a copy.

    :raises CopyFailed: if what is there now cannot be read.
    """
    if connection.vendor != "sqlite":
        return loss(_holding(_in_postgresql), _holding(postgresql.rows_in(database)))
    if not sqlite.database_file().exists():
        return loss(Holding(), Holding())
    try:
        with _in_sqlite(sqlite.database_file()) as now, _in_sqlite(database) as then:
            return loss(_holding(now), _holding(then))
    except sqlite3.Error as error:
        raise CopyFailed(f"What is there now cannot be read ({error}).") from error


def _holding(read: Read) -> Holding:
    reports = {
        _uid(entry): Reported(str(sitting), str(number), moment(at))
        for entry, sitting, number, at in read(
            "tracker_report", ("entry", "sitting_id", "number", "received_at")
        )
    }
    rows = {
        of: frozenset(_uid(uid) for (uid,) in read(table, ("uid",))) for of, table in ROWS.items()
    }
    acts = frozenset(
        (moment(at), str(verb)) for at, verb in read("tracker_logentry", ("at", "verb"))
    )
    return Holding(reports=reports, rows=rows, acts=acts)


def _uid(uid: object) -> str:
    return str(uid).replace("-", "")


@contextmanager
def _in_sqlite(file: Path) -> Iterator[Read]:
    with closing(sqlite3.connect(file)) as database:

        def read(table: str, columns: Sequence[str]) -> Iterable[Sequence[object]]:
            there = {name for _, name, *_ in database.execute(f"PRAGMA table_info({table})")}
            if not there.issuperset(columns):  # an older version's
                return ()
            return database.execute(f"SELECT {', '.join(columns)} FROM {table}")  # noqa: S608

        yield read


def _in_postgresql(table: str, columns: Sequence[str]) -> Iterable[Sequence[object]]:
    if table not in connection.introspection.table_names():
        return []
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(columns)} FROM {table}")  # noqa: S608
        rows: list[Sequence[object]] = cursor.fetchall()
    return rows
