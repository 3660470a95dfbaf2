"""What restoring a copy would lose: rows of the present database that the copy does not have.

Rows are compared by identities that are the same in every copy: the *entry* of a report (a UUID
that the phone made), the uid of other rows, and the time and verb of an entry in the log.
"""

import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from django.db import connection
from django.utils import formats, timezone
from django.utils.translation import gettext as _, ngettext, ngettext_lazy

from tracker.backups import postgresql, sqlite
from tracker.backups.archive import READING, unpack
from tracker.backups.copies import CopyFailed, CopyNote

# The tables whose rows are compared by their uids, with the text for how many rows are lost.
ROWS = {
    "tracker_club": ngettext_lazy("%(count)d club", "%(count)d clubs", "count"),
    "tracker_player": ngettext_lazy("%(count)d player", "%(count)d players", "count"),
    "tracker_team": ngettext_lazy("%(count)d team", "%(count)d teams", "count"),
    "tracker_season": ngettext_lazy("%(count)d season", "%(count)d seasons", "count"),
    "tracker_clubnight": ngettext_lazy("%(count)d club night", "%(count)d club nights", "count"),
    "tracker_tournament": ngettext_lazy("%(count)d tournament", "%(count)d tournaments", "count"),
    "tracker_round": ngettext_lazy("%(count)d round", "%(count)d rounds", "count"),
}
# A function of the name of a table and names of columns, which returns these columns of each row;
# nothing if there is no such table. All versions since the first release have these columns.
Reader = Callable[[str, Sequence[str]], Iterable[Sequence[object]]]


class ReportedHand(NamedTuple):
    """The hand of a report, and the time of the report."""

    sitting: str  # the key of a table in a round
    number: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseContents:
    """The identities of a database's rows."""

    # The reported hands, keyed by the entry of the report.
    reports: Mapping[str, ReportedHand] = field(default_factory=dict)
    rows: Mapping[str, frozenset[str]] = field(default_factory=dict)  # the uids in each table
    acts: frozenset[tuple[datetime, str]] = frozenset()  # time and verb of each entry in the log


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """How much would be lost: the numbers of hands, of tables with lost hands, and of other rows.

    ``since`` is when the first of the hands was reported. ``rows`` has how many rows of each table
    are lost, without zeros. ``acts`` counts entries of the log: corrections, swaps, attendance.
    """

    hands: int
    tables: int
    since: datetime | None
    rows: Mapping[str, int]
    acts: int


def compare(present: DatabaseContents, copy: DatabaseContents) -> Loss:
    """Return how much of the *present* contents the *copy* lacks."""
    lost = [report for entry, report in present.reports.items() if entry not in copy.reports]
    rows = {
        table: len(uids - copy.rows.get(table, frozenset())) for table, uids in present.rows.items()
    }
    return Loss(
        hands=len({(report.sitting, report.number) for report in lost}),
        tables=len({report.sitting for report in lost}),
        since=min((report.at for report in lost), default=None),
        rows={table: count for table, count in rows.items() if count},
        acts=len(present.acts - copy.acts),
    )


def parse_time(value: object) -> datetime:
    """Return a time read from a database, in UTC; SQLite's text has no zone.

    >>> parse_time("2026-11-20 20:15:00.5")
    datetime.datetime(2026, 11, 20, 20, 15, 0, 500000, tzinfo=datetime.timezone.utc)
    >>> parse_time("2026-11-20 23:15:00+03") == parse_time("2026-11-20 20:15:00")
    True
    """
    at = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)


def loss_lines(loss: Loss) -> Iterator[str]:
    """Yield a line of text for each kind of loss."""
    if loss.since is not None:
        since = formats.date_format(timezone.localtime(loss.since), "DATETIME_FORMAT")
        hands = ngettext("%(count)d hand", "%(count)d hands", loss.hands) % {"count": loss.hands}
        tables = ngettext("%(count)d table", "%(count)d tables", loss.tables)
        params = {"hands": hands, "since": since, "tables": tables % {"count": loss.tables}}
        yield _("%(hands)s reported since %(since)s at %(tables)s") % params
    for table, count in loss.rows.items():
        yield ROWS[table] % {"count": count}
    if loss.acts:
        acts = ngettext(
            "%(count)d other change that somebody made",
            "%(count)d other changes that people made",
            loss.acts,
        )
        yield acts % {"count": loss.acts}


def loss_by_archive(file: Path, note: CopyNote) -> Loss:
    """Return what restoring an archive would lose, or raise ``CopyFailed`` if it is unreadable."""
    try:
        # Beside the copy: the folder for temporary files may be in memory, and small.
        with tempfile.TemporaryDirectory(prefix=READING, dir=file.parent) as folder:
            return loss_by_database(unpack(file, note, Path(folder)))
    except OSError as error:
        raise CopyFailed(f"The copy cannot be read: {error.strerror}.") from error


def loss_by_database(database: Path) -> Loss:
    """Return what restoring this database, which ``unpack`` has checked, would lose.

    :raises CopyFailed: if the present database cannot be read.
    """
    if connection.vendor != "sqlite":
        return compare(_contents(_read_postgresql), _contents(postgresql.rows_in(database)))
    if not sqlite.database_file().exists():  # nothing is there to be lost
        return compare(DatabaseContents(), DatabaseContents())
    try:
        with _sqlite_reader(sqlite.database_file()) as present, _sqlite_reader(database) as copy:
            return compare(_contents(present), _contents(copy))
    except sqlite3.Error as error:  # of the present database, as the copy was checked
        raise CopyFailed(f"What is there now cannot be read ({error}).") from error


def _contents(read: Reader) -> DatabaseContents:
    report_rows = read("tracker_report", ("entry", "sitting_id", "number", "received_at"))
    reports = {
        _uid(entry): ReportedHand(str(sitting), str(number), parse_time(at))
        for entry, sitting, number, at in report_rows
    }
    rows = {table: frozenset(_uid(uid) for (uid,) in read(table, ("uid",))) for table in ROWS}
    log_rows = read("tracker_logentry", ("at", "verb"))
    acts = frozenset((parse_time(at), str(verb)) for at, verb in log_rows)
    return DatabaseContents(reports=reports, rows=rows, acts=acts)


def _uid(uid: object) -> str:
    return str(uid).replace("-", "")  # SQLite stores it without hyphens


@contextmanager
def _sqlite_reader(file: Path) -> Iterator[Reader]:
    with closing(sqlite3.connect(file)) as database:

        def read(table: str, columns: Sequence[str]) -> Iterable[Sequence[object]]:
            existing = {column[1] for column in database.execute(f"PRAGMA table_info({table})")}
            if not existing.issuperset(columns):  # there is no such table
                return ()
            return database.execute(f"SELECT {', '.join(columns)} FROM {table}")  # noqa: S608

        yield read


def _read_postgresql(table: str, columns: Sequence[str]) -> Iterable[Sequence[object]]:
    if table not in connection.introspection.table_names():
        return []
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(columns)} FROM {table}")  # noqa: S608
        return list(cursor.fetchall())
