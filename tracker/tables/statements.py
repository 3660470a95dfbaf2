"""The statements that are written by hand, and the tables that they read or lock.

They set the pace at which tables can report; those that write stand in ``writing``. All of
them work on SQLite and PostgreSQL. A lock comes first in a transaction: whoever holds a
sitting's row is the only one to number, change or tally its hands. Through the ORM the lock
takes twelve times as long, and a hand ten times.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, TypeAlias

from django.db import connection

from games.errors import gettext_noop
from tracker.common.errors import Refused
from tracker.models import Hand, IssueKind, RoundState
from tracker.tables.table import Stint, TableNow, ToDo

Statement: TypeAlias = tuple[str, Sequence[Any]]
Rows: TypeAlias = list[tuple[Any, ...]]


def execute(*statements: Statement) -> list[Rows]:
    """Execute these one after another and return what each of them answered, if it asked.

    PostgreSQL gets them all at once: each still sees what was committed before it began,
    so that one behind a lock sees what was done while the lock was waited for.
    """
    answers: list[Rows] = []
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            all_values = [value for _, values in statements for value in values]
            cursor.execute("; ".join(sql for sql, _ in statements), all_values)
            answers.append(_rows(cursor))
            while cursor.nextset():
                answers.append(_rows(cursor))
        else:
            for sql, values in statements:
                cursor.execute(sql, values)
                answers.append(_rows(cursor))
    return answers


def _rows(cursor: Any) -> Rows:
    return cursor.fetchall() if cursor.description else []


# A table, read or locked --------------------------------------------------------------------------

_STINT = {
    "seat_id": "p.id",
    "place": "p.place",
    "side": "p.side",
    "entrant_id": "p.entrant_id",
    "player_id": "p.player_id",
    "name": "person.name",
    "erased": "person.erased_at IS NOT NULL",
    "from_hand": "p.from_hand",
    "to_hand": "p.to_hand",
}
_TABLE = {
    "sitting_id": "s.id",
    "sitting_uid": "s.uid",
    "number": "s.number",
    "token": "s.token",
    "token_state": "s.token_state",
    "mode_code": "s.mode",
    "options_json": "s.options",
    "first_dealer": "s.first_dealer",
    "dealt_before_json": "s.dealt_before",
    "chosen_dealer": "s.chosen_dealer",
    "chosen_after": "s.chosen_after",
    "finished": "s.finished_at IS NOT NULL",
    "started_at": "s.started_at",
    "last_at": "s.last_at",
    "session_json": "s.session",
    "last_number": "s.last_number",
    "undone_report": "undone.accepted_report_id",
    "next_dealer": "s.next_dealer",
    "may_deal_json": "s.may_deal",
    "over": "s.over",
    "hands_standing": "s.hands_standing",
    "games_over": "s.games_over",
    "not_played": "s.not_played",
    "open_conflicts": "s.open_conflicts",
    "side_points_json": "s.side_points",
    "decided_side": "s.decided_side",
    "decided_by": "s.decided_by",
    "paced_until": "s.paced_until",
    "card_token": "card.card_token",
    "card_code": "card.code",
    "card_withdrawn": "card.withdrawn_at IS NOT NULL",
    "round_id": "r.id",
    "round_number": "r.number",
    "round_state": "r.state",
    "hands": "r.hands",
    "games": "r.games",
    "tournament_id": "t.id",
    "tournament_name": "t.name",
    "game_slug": "t.game",
    "format": "t.format",
    "confirm": "t.confirm",
    "club_id": "t.club_id",
}
_OPEN_ISSUES = (
    "(SELECT COUNT(*) FROM tracker_issue i WHERE i.sitting_id = s.id AND i.settled_at IS NULL"
    " AND i.kind {} '{}')"
)
_TO_DO = "".join(f", {_OPEN_ISSUES.format(sign, IssueKind.CALL)}" for sign in ("<>", "="))
# One statement: a row for every stint, the first to sit at a place first.
_READ = (
    f"SELECT {', '.join([*_STINT.values(), *_TABLE.values()])}{{more}}"  # noqa: S608
    " FROM tracker_sitting s JOIN tracker_round r ON r.id = s.round_id"
    " JOIN tracker_tournament t ON t.id = r.tournament_id"
    " JOIN tracker_seat p ON p.sitting_id = s.id"
    " JOIN tracker_player person ON person.id = p.player_id"
    " LEFT JOIN tracker_table card ON card.id = s.table_id"
    " LEFT JOIN tracker_hand undone"
    " ON undone.sitting_id = s.id AND undone.number = s.last_number + 1"
    " WHERE {where} ORDER BY r.number, s.number, s.id, p.place, p.from_hand"
)
_OF_STINT, _NAMES = len(_STINT), tuple(_TABLE)
_OF_TABLE = _OF_STINT + len(_TABLE)
_LOCK = "SELECT id FROM tracker_sitting s WHERE {where} ORDER BY id FOR NO KEY UPDATE"
_BY_KEY = {"token": "s.token = %s", "sitting_id": "s.id = %s"}
LARGEST_KEY = 2**63 - 1
_AMONG = {"sittings": "s.id", "rounds": "s.round_id"}
_OF = {
    "tournament": "r.tournament_id = %s",
    "club": "t.club_id = %s",
    "player": "s.id IN (SELECT o.sitting_id FROM tracker_seat o WHERE o.player_id = %s)",
}


def read_table(**key: str | int) -> TableNow | None:
    """Return the table with this ``token`` or ``sitting_id`` as it now is, in one query."""
    if not all(isinstance(value, str) or value <= LARGEST_KEY for value in key.values()):
        return None  # no row has such a key, and a database may not even read it
    return next(iter(_read(_where(key), [*key.values()])), None)


def read_tables(*, to_do: bool = False, **keys: Iterable[int]) -> list[TableNow]:
    """Return the tables with these ``sittings``, or of these ``rounds``, as they now are.

    They come by round and number, in one query; with what is *to_do* at them there are two
    where sides have to agree.
    """
    [(name, among)] = keys.items()
    values = list(among)
    if not values:
        return []
    where = f"{_AMONG[name]} IN ({', '.join(['%s'] * len(values))})"
    tables = _read(where, values, to_do=to_do)
    if not to_do or not any(table.needs_both for table in tables):
        return tables
    # The hands at each that another side has yet to confirm.
    waiting: dict[int, list[tuple[int, int | None]]] = defaultdict(list)
    hands = Hand.objects.unconfirmed().filter(sitting__in=[table.sitting_id for table in tables])
    for sitting, number, side in hands.order_by("number").values_list(
        "sitting", "number", "accepted_report__side"
    ):
        waiting[sitting].append((number, side))
    return [
        replace(
            table,
            read_to_do=table.to_do._replace(unconfirmed=tuple(waiting[table.sitting_id])),
        )
        for table in tables
    ]


def read_open_tables(**key: int) -> list[TableNow]:
    """Return the tables of a ``tournament``, ``club`` or ``player`` in rounds that run, in one query."""
    [(name, value)] = key.items()
    return _read(f"{_OF[name]} AND r.state = %s", [value, RoundState.OPEN])


def lock_table(**key: str | int) -> TableNow:
    """Lock the table with this ``token`` or ``sitting_id``, and return it as it now is.

    :raises LookupError: if no sitting has this key.
    :raises Refused: ``token-unknown`` or ``token-revoked``, of a table asked for by its token.
    """
    read = _READ.format(more="", where=_where(key)), [*key.values()]
    # A statement of its own: what it waited for, the next one sees.
    lock = _LOCK.format(where=_where(key)), [*key.values()]
    # An immediate transaction of SQLite has the whole file already.
    statements = [lock, read] if connection.vendor == "postgresql" else [read]
    table = next(iter(_tables(execute(*statements)[-1])), None)
    if "sitting_id" in key:
        if table is None:
            raise LookupError(key["sitting_id"])
        return table
    if table is None:
        raise Refused(
            "token-unknown",
            gettext_noop("Nobody knows this table’s address: scan the table’s card again."),
        )
    if table.withdrawn:
        raise Refused(
            "token-revoked",
            gettext_noop("This table’s address was withdrawn. Scan the table’s card again."),
        )
    return table


def lock_tables(sitting_ids: Iterable[int]) -> list[TableNow]:
    """Lock several tables of one round by their keys, or any that are held already: see ``locks``."""
    return [lock_table(sitting_id=key) for key in sorted(set(sitting_ids))]


def _where(key: Mapping[str, str | int]) -> str:
    [name] = key
    return _BY_KEY[name]


def _read(where: str, values: Sequence[Any], *, to_do: bool = False) -> list[TableNow]:
    more = _TO_DO if to_do else ""
    return _tables(execute((_READ.format(more=more, where=where), values))[0])


def _tables(rows: Rows) -> list[TableNow]:
    """Return the tables of these rows, with what is to do there where more columns say it."""
    return [
        TableNow(
            **dict(zip(_NAMES, first[_OF_STINT:_OF_TABLE], strict=True)),
            stints=tuple(Stint(*row[:_OF_STINT]) for row in of_table),
            read_to_do=ToDo(*first[_OF_TABLE:]) if first[_OF_TABLE:] else None,
        )
        for _, grouped in groupby(rows, key=lambda row: row[_OF_STINT])
        for first, *others in [grouped]
        for of_table in [[first, *others]]
    ]
