"""What restoring a copy would lose: rows of the present database that the copy does not have.

Rows are compared by identities that are the same in every copy: the *entry* of a report (a UUID
that the phone made), the uid of other rows, and the time and verb of an entry in the log.
"""

import sqlite3
import tempfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from django.utils import formats, timezone
from django.utils.translation import gettext as _, ngettext, ngettext_lazy

from tracker.backups import sqlite
from tracker.backups.archive import READING, unpack
from tracker.backups.copies import CopyFailed, CopyNote

# The tables whose rows are compared by their uids, with the text for how many rows are lost. Every
# version since the first release has them, and the columns that are read here.
ROWS = {
    "tracker_club": ngettext_lazy("%(count)d club", "%(count)d clubs", "count"),
    "tracker_player": ngettext_lazy("%(count)d player", "%(count)d players", "count"),
    "tracker_team": ngettext_lazy("%(count)d team", "%(count)d teams", "count"),
    "tracker_season": ngettext_lazy("%(count)d season", "%(count)d seasons", "count"),
    "tracker_clubnight": ngettext_lazy("%(count)d club night", "%(count)d club nights", "count"),
    "tracker_tournament": ngettext_lazy("%(count)d tournament", "%(count)d tournaments", "count"),
    "tracker_round": ngettext_lazy("%(count)d round", "%(count)d rounds", "count"),
}
# In these statements ``main`` is the present database, and ``copy`` that of the copy.
_REPORTS = """
WITH lost AS (
    SELECT sitting_id, number, received_at FROM main.tracker_report
    WHERE entry NOT IN (SELECT entry FROM copy.tracker_report)
)
SELECT
    (SELECT count(*) FROM (SELECT DISTINCT sitting_id, number FROM lost)),
    count(DISTINCT sitting_id),
    min(received_at)
FROM lost
"""
_ACTS = """
SELECT count(*) FROM (
    SELECT at, verb FROM main.tracker_logentry EXCEPT SELECT at, verb FROM copy.tracker_logentry
)
"""


def loss_by_archive(file: Path, note: CopyNote) -> list[str]:
    """Return what restoring an archive would lose, or raise ``CopyFailed`` if it is unreadable."""
    try:
        # Beside the copy: the folder for temporary files may be in memory, and small.
        with tempfile.TemporaryDirectory(prefix=READING, dir=file.parent) as folder:
            return loss_by_database(unpack(file, note, Path(folder)))
    except OSError as error:
        raise CopyFailed(f"The copy cannot be read: {error.strerror}.") from error


def loss_by_database(copy: Path) -> list[str]:
    """Return what restoring this database, which ``unpack`` has checked, would lose.

    A line of text is about reported hands, one about each table of ``ROWS``, and one about entries
    of the log: corrections, swaps, attendance.

    :raises CopyFailed: if the present database cannot be read.
    """
    if not sqlite.database_file().exists():  # nothing is there to be lost
        return []
    try:
        with closing(sqlite3.connect(sqlite.database_file())) as database:
            database.execute("ATTACH ? AS copy", [str(copy)])
            return loss_lines(database)
    except sqlite3.Error as error:  # of the present database, as the copy was checked
        raise CopyFailed(f"What is there now cannot be read ({error}).") from error


def loss_lines(database: sqlite3.Connection) -> list[str]:
    """Return the lines of ``loss_by_database``; *database* has the copy attached as ``copy``."""
    if not database.execute("SELECT 1 FROM main.sqlite_master").fetchone():  # an empty database
        return []
    lines = []
    hands, tables, first_lost = database.execute(_REPORTS).fetchone()
    if hands:
        at = datetime.fromisoformat(first_lost).replace(tzinfo=UTC)  # SQLite's text has no zone
        lines.append(
            _("%(hands)s reported since %(since)s at %(tables)s")
            % {
                "hands": ngettext("%(count)d hand", "%(count)d hands", hands) % {"count": hands},
                "since": formats.date_format(timezone.localtime(at), "DATETIME_FORMAT"),
                "tables": ngettext("%(count)d table", "%(count)d tables", tables)
                % {"count": tables},
            }
        )
    for table, text in ROWS.items():
        (count,) = database.execute(
            f"SELECT count(*) FROM main.{table} WHERE uid NOT IN (SELECT uid FROM copy.{table})"  # noqa: S608
        ).fetchone()
        if count:
            lines.append(text % {"count": count})
    (acts,) = database.execute(_ACTS).fetchone()
    if acts:
        changes = ngettext(
            "%(count)d other change that somebody made",
            "%(count)d other changes that people made",
            acts,
        )
        lines.append(changes % {"count": acts})
    return lines
