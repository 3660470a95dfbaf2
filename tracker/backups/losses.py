"""What is there now and not in a copy, counted row by row: what restoring the copy would lose."""

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
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy

from tracker.backups import postgresql, sqlite
from tracker.backups.packing import unpack
from tracker.backups.stored import CopyFailed, CopyNote

ROWS = {
    "tracker_club": ngettext_lazy("%(count)d club", "%(count)d clubs", "count"),
    "tracker_player": ngettext_lazy("%(count)d player", "%(count)d players", "count"),
    "tracker_team": ngettext_lazy("%(count)d team", "%(count)d teams", "count"),
    "tracker_season": ngettext_lazy("%(count)d season", "%(count)d seasons", "count"),
    "tracker_clubnight": ngettext_lazy("%(count)d club night", "%(count)d club nights", "count"),
    "tracker_tournament": ngettext_lazy("%(count)d tournament", "%(count)d tournaments", "count"),
    "tracker_round": ngettext_lazy("%(count)d round", "%(count)d rounds", "count"),
}
Read = Callable[[str, Sequence[str]], Iterable[Sequence[object]]]


class Reported(NamedTuple):
    sitting: str
    number: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseContents:
    """What a database holds, by what names it anywhere."""

    reports: Mapping[str, Reported] = field(default_factory=dict)  # by entry
    rows: Mapping[str, frozenset[str]] = field(default_factory=dict)  # uids, by table
    acts: frozenset[tuple[datetime, str]] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """How much would be gone."""

    hands: int
    tables: int
    since: datetime | None  # when the first of the hands was reported
    rows: Mapping[str, int]  # only what is not 0
    acts: int  # other things that somebody did: corrections, swaps, who came


def loss(now: DatabaseContents, then: DatabaseContents) -> Loss:
    """Return what *now* holds and *then* does not."""
    gone = [report for entry, report in now.reports.items() if entry not in then.reports]
    rows = {of: len(uids - then.rows.get(of, frozenset())) for of, uids in now.rows.items()}
    return Loss(
        hands=len({(report.sitting, report.number) for report in gone}),
        tables=len({report.sitting for report in gone}),
        since=min((report.at for report in gone), default=None),
        rows={of: count for of, count in rows.items() if count},
        acts=len(now.acts - then.acts),
    )


def moment(said: object) -> datetime:
    """Return the moment that a database says, in UTC; SQLite's says no zone.

    >>> moment("2026-11-20 20:15:00.5")
    datetime.datetime(2026, 11, 20, 20, 15, 0, 500000, tzinfo=datetime.timezone.utc)
    >>> moment("2026-11-20 23:15:00+03") == moment("2026-11-20 20:15:00")
    True
    """
    at = said if isinstance(said, datetime) else datetime.fromisoformat(str(said))
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)


def lines(loss: Loss) -> Iterator[str]:
    """Yield what would be lost, a line each."""
    if loss.since is not None:
        since = formats.date_format(timezone.localtime(loss.since), "DATETIME_FORMAT")
        hands = ngettext("%(count)d hand", "%(count)d hands", loss.hands) % {"count": loss.hands}
        tables = ngettext("%(count)d table", "%(count)d tables", loss.tables) % {
            "count": loss.tables
        }
        yield _("%(hands)s reported since %(since)s at %(tables)s") % {
            "hands": hands,
            "since": since,
            "tables": tables,
        }
    for of, count in loss.rows.items():
        yield ROWS[of] % {"count": count}
    if loss.acts:
        acts = ngettext(
            "%(count)d other change that somebody made",
            "%(count)d other changes that people made",
            loss.acts,
        )
        yield acts % {"count": loss.acts}


def what_would_be_lost(file: Path, note: CopyNote) -> Loss:
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
        return loss(DatabaseContents(), DatabaseContents())
    try:
        with _in_sqlite(sqlite.database_file()) as now, _in_sqlite(database) as then:
            return loss(_holding(now), _holding(then))
    except sqlite3.Error as error:
        raise CopyFailed(f"What is there now cannot be read ({error}).") from error


def _holding(read: Read) -> DatabaseContents:
    reports = {
        _uid(entry): Reported(str(sitting), str(number), moment(at))
        for entry, sitting, number, at in read(
            "tracker_report", ("entry", "sitting_id", "number", "received_at")
        )
    }
    rows = {table: frozenset(_uid(uid) for (uid,) in read(table, ("uid",))) for table in ROWS}
    acts = frozenset(
        (moment(at), str(verb)) for at, verb in read("tracker_logentry", ("at", "verb"))
    )
    return DatabaseContents(reports=reports, rows=rows, acts=acts)


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
