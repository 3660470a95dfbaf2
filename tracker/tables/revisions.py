"""Revisions: whether anything shown on a watched page has changed, read in one statement.

A sitting counts its own changes in the row that they write anyway. All else that is shown
writes a line into its club's log, and so a club's revision is its last lines: their ids, by
their sum, which can only grow, as entries of writers at one time are seen in any order. There
is no row that all tables wait for. The times beside it tell a copy that was put back, whose
ids and counts come a second time, from what was lost.

So every act that changes a page counts up its sitting, or logs with its club.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from django.db.models import F

from tracker.models import Sitting
from tracker.tables.sql import LARGEST_KEY, execute

_LOG = (
    "SELECT SUM(e.id) || ' ' || MAX(e.at) FROM"
    " (SELECT id, at FROM tracker_logentry WHERE club_id = c.id ORDER BY id DESC LIMIT 64) e"
)
# The reader's part: who may read, and how they are called on every page.
_READER = (
    "c.public, m.role, u.is_active, u.is_superuser, u.password,"
    " u.username, u.first_name, u.last_name"
)
_OF_READER = (
    " LEFT JOIN tracker_membership m ON m.club_id = c.id AND m.user_id = %s"
    " LEFT JOIN tracker_user u ON u.id = %s"
)
_SUM = (
    "SELECT COUNT(*) || ' ' || COALESCE(SUM(s.revision), 0) || ' '"
    " || COALESCE(CAST(MAX(s.last_at) AS text), '')"
    " FROM tracker_sitting s JOIN tracker_round r ON r.id = s.round_id WHERE "
)
_PLAYED = "EXISTS (SELECT 1 FROM tracker_round r WHERE r.state = 'open' AND {})"
# With all stages of whatever is *chosen*: they show each other's people and points.
_STAGES = (
    "WITH RECURSIVE up(id, follows_id) AS ("
    " SELECT id, follows_id FROM tracker_tournament WHERE {chosen}"
    " UNION SELECT t.id, t.follows_id FROM tracker_tournament t JOIN up ON t.id = up.follows_id"
    "), event(id) AS ("
    " SELECT id FROM up"
    " UNION SELECT t.id FROM tracker_tournament t JOIN event ON t.follows_id = event.id) "
)
_OF_EVENT = "r.tournament_id IN (SELECT id FROM event)"
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
    """The state of all that a page shows: another text after any change."""

    state: str
    playing: bool  # cards are on a table now


def count_up(sitting_id: int) -> None:
    """Count up a sitting's revision, after a change outside its own row."""
    Sitting.objects.filter(pk=sitting_id).update(revision=F("revision") + 1)


def _reader(
    home: str, key: str, moved: str, playing: str, stages: str = ""
) -> Callable[[Any, int | None], Revision | None]:
    """Return what reads a revision by the *key* of a row, for a reader; ``None`` without such a row."""
    columns = f"({moved}), {playing}, ({_LOG}), {_READER}"
    sql = f"{stages}SELECT {columns}{_TO_CLUB[home]}{_OF_READER} WHERE {key} = %s"

    def read(of: str | int, user_id: int | None) -> Revision | None:
        if isinstance(of, int) and of > LARGEST_KEY:
            return None  # no row has such a key, and a database may not even read it
        [rows] = execute((sql, [*([of] if stages else ()), user_id, user_id, of]))
        if not rows:
            return None
        moved, playing, *rest = rows[0]
        return Revision(state=repr((moved, playing, *rest)), playing=bool(playing))

    return read


# By its token.
of_sitting = _reader(
    "sitting",
    "s.token",
    "s.revision || ' ' || COALESCE(CAST(s.last_at AS text), '')",
    "r.state = 'open' AND s.token_state = 'open'",
)
# By the token of a table's card: the revision of what the card leads to.
of_card = _reader("card", "b.card_token", "b.id", "0 = 1")
# With the stages beside it.
of_tournament = _reader(
    "tournament",
    "t.id",
    _SUM + _OF_EVENT,
    _PLAYED.format(_OF_EVENT),
    _STAGES.format(chosen="id = %s"),
)
# With the tournaments that are played there.
of_night = _reader(
    "night",
    "n.id",
    _SUM + _OF_EVENT,
    _PLAYED.format(_OF_EVENT),
    _STAGES.format(chosen="id IN (SELECT tournament_id FROM tracker_round WHERE night_id = %s)"),
)
_UNFINISHED_IN_CLUB = (
    "r.tournament_id IN (SELECT t.id FROM tracker_tournament t"
    " WHERE t.club_id = c.id AND t.official_at IS NULL)"
)
# With its tournaments that are not over.
of_club = _reader("club", "c.id", _SUM + _UNFINISHED_IN_CLUB, _PLAYED.format(_UNFINISHED_IN_CLUB))
