"""Revisions: values that change when something shown on a page changes, each read in one statement.

A sitting counts changes in its own row, which they write anyway. Every other change writes an
entry into its club's log, and a club's revision is the sum of the ids of its last entries: the sum
only grows, although entries of simultaneous writers appear in any order. There is no row that all
tables wait for. The times beside the counts differ after a backup was restored, when ids and
counts repeat.

So every act that changes a page must count up its sitting, or log with its club.
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
# The role and the name of the reader, which every page shows.
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
# All stages of the *chosen* tournaments: they show each other's people and points.
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


def _revision_reader(
    home: str, key: str, moved: str, playing: str, stages: str = ""
) -> Callable[[Any, int | None], Revision | None]:
    """Return a function of a key and a user that reads a revision, or ``None`` if there is no such row."""
    columns = f"({moved}), {playing}, ({_LOG}), {_READER}"
    sql = f"{stages}SELECT {columns}{_TO_CLUB[home]}{_OF_READER} WHERE {key} = %s"

    def read(of: str | int, user_id: int | None) -> Revision | None:
        if isinstance(of, int) and of > LARGEST_KEY:
            return None
        [rows] = execute((sql, [*([of] if stages else ()), user_id, user_id, of]))
        if not rows:
            return None
        moved, playing, *rest = rows[0]
        return Revision(state=repr((moved, playing, *rest)), playing=bool(playing))

    return read


# By token.
of_sitting = _revision_reader(
    "sitting",
    "s.token",
    "s.revision || ' ' || COALESCE(CAST(s.last_at AS text), '')",
    "r.state = 'open' AND s.token_state = 'open'",
)
# By the token of a table's card.
of_card = _revision_reader("card", "b.card_token", "b.id", "0 = 1")
# With the other stages of its event.
of_tournament = _revision_reader(
    "tournament",
    "t.id",
    _SUM + _OF_EVENT,
    _PLAYED.format(_OF_EVENT),
    _STAGES.format(chosen="id = %s"),
)
# With the tournaments that are played at it.
of_night = _revision_reader(
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
# With its tournaments that are not official yet.
of_club = _revision_reader(
    "club", "c.id", _SUM + _UNFINISHED_IN_CLUB, _PLAYED.format(_UNFINISHED_IN_CLUB)
)
