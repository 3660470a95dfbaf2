"""Revisions: values that change when something shown on a page changes, each read in one statement.

A sitting (the people around one table in one round) counts changes in its own row, which such
changes write anyway. Every other change writes an entry into its club's log. So every act that
changes a page must count up its sitting, or log with its club. There is no counter of the whole
club: all tables would have to wait for its row.

The revision of a club's log is the sum of the ids of its last 64 entries. Simultaneous writers are
far fewer; in whatever order their entries appear, the sum only grows. Times stand beside sums and
counts because these repeat after a backup was restored.

A statement is put together from the parts below. It reads one row, that of the page's subject (such
as a sitting) joined with its club, and in subqueries what else the page shows.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from django.db.models import F

from tracker.models import Sitting
from tracker.tables.sql import LARGEST_KEY, Statement, execute

# Aliases: s sitting, r round, t tournament, n club night, c club, b table, m membership, u user.
# A column, the revision of the club's log.
_LOG = (
    "SELECT SUM(e.id) || ' ' || MAX(e.at) FROM"
    " (SELECT id, at FROM tracker_logentry WHERE club_id = c.id ORDER BY id DESC LIMIT 64) e"
)
# Columns with the reader's role and name, which every page shows, and the password: a new one signs
# the reader out. Then the joins for these columns.
_READER = (
    "c.public, m.role, u.is_active, u.is_superuser, u.password,"
    " u.username, u.first_name, u.last_name"
)
_OF_READER = (
    " LEFT JOIN tracker_membership m ON m.club_id = c.id AND m.user_id = %s"
    " LEFT JOIN tracker_user u ON u.id = %s"
)
# A column for the sittings under a condition, which is put after it: their number, the sum of their
# revisions, the time of the last report.
_SUM = (
    "SELECT COUNT(*) || ' ' || COALESCE(SUM(s.revision), 0) || ' '"
    " || COALESCE(CAST(MAX(s.last_at) AS text), '')"
    " FROM tracker_sitting s JOIN tracker_round r ON r.id = s.round_id WHERE "
)
# A column: whether a round under a condition is open, so that cards are on its tables.
_PLAYED = "EXISTS (SELECT 1 FROM tracker_round r WHERE r.state = 'open' AND {})"
# The beginning of a statement: ``event`` is all stages of the chosen tournaments, which show each
# other's people and points. First ``up`` follows each tournament to the stages before it, then
# ``event`` adds the stages after those.
_STAGES = (
    "WITH RECURSIVE up(id, follows_id) AS ("
    " SELECT id, follows_id FROM tracker_tournament WHERE {chosen}"
    " UNION SELECT t.id, t.follows_id FROM tracker_tournament t JOIN up ON t.id = up.follows_id"
    "), event(id) AS ("
    " SELECT id FROM up"
    " UNION SELECT t.id FROM tracker_tournament t JOIN event ON t.follows_id = event.id) "
)
_OF_EVENT = "r.tournament_id IN (SELECT id FROM event)"
# The database table of each kind of page, joined with its club.
_TO_CLUB = {
    "sitting": (
        " FROM tracker_sitting s JOIN tracker_round r ON r.id = s.round_id"
        " JOIN tracker_tournament t ON t.id = r.tournament_id"
        " JOIN tracker_club c ON c.id = t.club_id"
    ),
    "tournament": " FROM tracker_tournament t JOIN tracker_club c ON c.id = t.club_id",
    "night": " FROM tracker_clubnight n JOIN tracker_club c ON c.id = n.club_id",
    "club": " FROM tracker_club c",
    "card": (
        " FROM tracker_table b LEFT JOIN tracker_clubnight n ON n.id = b.night_id"
        " LEFT JOIN tracker_tournament t ON t.id = b.tournament_id"
        " JOIN tracker_club c ON c.id = COALESCE(n.club_id, t.club_id)"
    ),
}


class Revision(NamedTuple):
    """The state of all that a page shows."""

    state: str  # another text after any change
    playing: bool  # whether cards are on a table
    statement: Statement  # that read its one row, of which the state is the ``repr``


def count_up(sitting_id: int) -> None:
    """Count up a sitting's revision, after a change outside its own row."""
    Sitting.objects.filter(pk=sitting_id).update(revision=F("revision") + 1)


def _revision_reader(
    home: str, key_column: str, changes: str, playing: str, stages: str = ""
) -> Callable[[Any, int | None], Revision | None]:
    """Return a function that reads the revision of one kind of page.

    That function takes the page's key (a token or an id) and the id of the reader; it returns
    ``None`` if no row has this key in *key_column*. *home* is a key of ``_TO_CLUB``. *changes* and
    *playing* are SQL: a value that differs after each change, and whether cards are on a table.
    *stages* is ``_STAGES`` or empty: it takes the page's key, too.
    """
    columns = f"({changes}), {playing}, ({_LOG}), {_READER}"
    sql = f"{stages}SELECT {columns}{_TO_CLUB[home]}{_OF_READER} WHERE {key_column} = %s"

    def read(key: str | int, user_id: int | None) -> Revision | None:
        if isinstance(key, int) and key > LARGEST_KEY:
            return None
        statement = sql, (*([key] if stages else ()), user_id, user_id, key)
        [rows] = execute(statement)
        return Revision(repr(rows[0]), bool(rows[0][1]), statement) if rows else None

    return read


_EVENT_CHANGES, _EVENT_PLAYED = _SUM + _OF_EVENT, _PLAYED.format(_OF_EVENT)
_STAGES_AT_NIGHT = _STAGES.format(
    chosen="id IN (SELECT tournament_id FROM tracker_round WHERE night_id = %s)"
)
# Keyed by the token of a sitting.
of_sitting = _revision_reader(
    "sitting",
    "s.token",
    changes="s.revision || ' ' || COALESCE(CAST(s.last_at AS text), '')",
    playing="r.state = 'open' AND s.token_state = 'open'",
)
# Keyed by the token of a table's card, the sign with the QR code; that page never shows play.
of_card = _revision_reader("card", "b.card_token", changes="b.id", playing="0 = 1")
# A tournament with the other stages of its event.
of_tournament = _revision_reader(
    "tournament", "t.id", _EVENT_CHANGES, _EVENT_PLAYED, _STAGES.format(chosen="id = %s")
)
# A club night with the tournaments that are played at it.
of_night = _revision_reader("night", "n.id", _EVENT_CHANGES, _EVENT_PLAYED, _STAGES_AT_NIGHT)
_UNFINISHED_IN_CLUB = (
    "r.tournament_id IN (SELECT t.id FROM tracker_tournament t"
    " WHERE t.club_id = c.id AND t.official_at IS NULL)"
)
# A club with its tournaments that are not official yet.
of_club = _revision_reader(
    "club", "c.id", _SUM + _UNFINISHED_IN_CLUB, _PLAYED.format(_UNFINISHED_IN_CLUB)
)
