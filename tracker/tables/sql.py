"""Execution of hand-written SQL, and functions that read tables (``TableNow``) and their sums.

How many reports a server takes depends on these statements: through the ORM locking a table takes
twelve times as long, and storing a hand ten times. All of it works on SQLite and PostgreSQL.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias

from django.db import connection

from tracker.models import Hand, IssueKind, ResultType, RoundState
from tracker.tables.table_now import TableNow, ToDo
from tracker.tables.table_row import Stint

Statement: TypeAlias = tuple[str, Sequence[Any]]  # SQL with the values for its %s
Rows: TypeAlias = list[tuple[Any, ...]]

# No row has a larger key, and a database may not even accept one in a query.
LARGEST_KEY = 2**63 - 1
LARGEST_ROUND = 2**15 - 1  # the largest number of a round


def execute(*statements: Statement) -> list[Rows]:
    """Execute these statements in order, and return the rows of each.

    PostgreSQL gets them all at once. Each of them still sees what was committed before that
    statement began, so a statement after a lock sees what was done while waiting for the lock.
    """
    if connection.vendor == "postgresql":
        rows: list[Rows] = connection.execute_prepared(statements)  # type: ignore[attr-defined]
        return rows
    with connection.cursor() as cursor:
        return [cursor.execute(sql, values).fetchall() for sql, values in statements]


# Aliases: s sitting, p stint (one player at one place, from one hand to another), r round, t
# tournament, i issue. These columns are in the order of the fields of ``Stint``.
_STINT_COLUMNS = (
    *("p.id", "p.place", "p.side", "p.entrant_id", "p.player_id"),
    *("person.name", "person.erased_at IS NOT NULL", "p.from_hand", "p.to_hand"),
)
_SITTING_COLUMNS = (
    *("number", "token", "token_state", "first_dealer", "chosen_dealer", "chosen_after"),
    *("started_at", "last_at", "last_number", "next_dealer", "over", "hands_standing"),
    *("games_over", "not_played", "open_conflicts", "decided_side", "decided_by", "paced_until"),
)
# Field of ``TableNow`` -> its column.
_TABLE_COLUMNS = {
    "sitting_id": "s.id",
    **{name: f"s.{name}" for name in _SITTING_COLUMNS},
    "sitting_uid": "s.uid",
    "mode_code": "s.mode",
    "options_json": "s.options",
    "dealt_before_json": "s.dealt_before",
    "finished": "s.finished_at IS NOT NULL",
    "session_json": "s.session",
    "undone_report": "undone.accepted_report_id",
    "may_deal_json": "s.may_deal",
    "side_points_json": "s.side_points",
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
# The numbers of issues to settle, and of calls for the organiser: the first fields of ``ToDo``.
_TO_DO_COLUMNS = "".join(
    ", (SELECT COUNT(*) FROM tracker_issue i"  # noqa: S608
    f" WHERE i.sitting_id = s.id AND i.settled_at IS NULL AND i.kind {sign} '{IssueKind.CALL}')"
    for sign in ("<>", "=")
)
# One row for every stint of every table, which has the table's columns, too; at each place the
# earliest stint comes first. A hand that is stored after the table's last one was ``undone``.
_SELECT = (
    f"SELECT {', '.join([*_STINT_COLUMNS, *_TABLE_COLUMNS.values()])}{{more}}"  # noqa: S608
    " FROM tracker_sitting s JOIN tracker_round r ON r.id = s.round_id"
    " JOIN tracker_tournament t ON t.id = r.tournament_id"
    " JOIN tracker_seat p ON p.sitting_id = s.id"
    " JOIN tracker_player person ON person.id = p.player_id"
    " LEFT JOIN tracker_table card ON card.id = s.table_id"
    " LEFT JOIN tracker_hand undone"
    " ON undone.sitting_id = s.id AND undone.number = s.last_number + 1"
    " WHERE {where} ORDER BY r.number, s.number, s.id, p.place, p.from_hand"
)
_STINT_END = len(_STINT_COLUMNS)
_TABLE_END = _STINT_END + len(_TABLE_COLUMNS)
# SQL conditions or columns, by the keyword for them in the functions below.
_TABLE_BY = {"token": "s.token = %s", "sitting_id": "s.id = %s"}
_TABLES_AMONG = {"sittings": "s.id", "rounds": "s.round_id"}
_TABLES_OF = {
    "tournament": "r.tournament_id = %s",
    "club": "t.club_id = %s",
    "player": "s.id IN (SELECT o.sitting_id FROM tracker_seat o WHERE o.player_id = %s)",
}


def read_table(**key: str | int) -> TableNow | None:
    """Return the table with this ``token`` or ``sitting_id`` as it now is, in one query."""
    if not all(isinstance(value, str) or value <= LARGEST_KEY for value in key.values()):
        return None
    return next(iter(_read_where(*table_condition(key))), None)


def read_tables(*, to_do: bool = False, **keys: Iterable[int]) -> list[TableNow]:
    """Return the tables with these ``sittings``, or of these ``rounds``.

    They are in the order of their rounds and numbers. This takes one query; *to_do* adds what is to
    be done at each table, with a second query for unconfirmed hands if a side has to confirm them.
    """
    [(name, ids)] = keys.items()
    values = list(ids)
    if not values:
        return []
    where = f"{_TABLES_AMONG[name]} IN ({', '.join(['%s'] * len(values))})"
    tables = _read_where(where, values, to_do=to_do)  # without the unconfirmed hands
    if not to_do or not any(table.needs_both for table in tables):
        return tables
    unconfirmed: dict[int, list[tuple[int, int | None]]] = defaultdict(list)
    hands = Hand.objects.unconfirmed().filter(sitting__in=[table.sitting_id for table in tables])
    for sitting, number, side in hands.order_by("number").values_list(
        "sitting", "number", "accepted_report__side"
    ):
        unconfirmed[sitting].append((number, side))
    return [
        replace(
            table, read_to_do=table.to_do._replace(unconfirmed=tuple(unconfirmed[table.sitting_id]))
        )
        for table in tables
    ]


def read_open_tables(**key: int) -> list[TableNow]:
    """Return the tables in open rounds of a ``tournament``, ``club`` or ``player``: one query."""
    [(name, value)] = key.items()
    return _read_where(f"{_TABLES_OF[name]} AND r.state = %s", [value, RoundState.OPEN])


class StintSums(NamedTuple):
    """A stint with its sums by mark, without those that are 0, and columns of its table and round.

    ``played`` is whether the table has a hand that is not a walkover and the like; ``None`` at other
    places than 0.
    """

    sitting: int
    tournament: int
    number: int
    state: str
    hands: int | None
    games: int | None
    hands_standing: int
    games_over: int
    not_played: int
    played: bool | None
    seat: int
    place: int
    side: int
    entrant: int
    from_hand: int
    to_hand: int | None
    sums: dict[str, int]


_WITHOUT_PLAYING = ResultType.WALKOVER, ResultType.NOT_PLAYED, ResultType.GAME_NOT_PLAYED
_STINT_SUMS = (
    "SELECT s.id, r.tournament_id, r.number, r.state, r.hands, r.games,"  # noqa: S608
    " s.hands_standing, s.games_over, s.not_played,"
    " CASE WHEN p.place = 0 THEN EXISTS (SELECT 1 FROM tracker_hand h WHERE h.sitting_id = s.id"
    f" AND h.struck_at IS NULL AND h.result_type NOT IN {tuple(map(str, _WITHOUT_PLAYING))}) END,"
    " p.id, p.place, p.side, p.entrant_id, p.from_hand, p.to_hand, {amounts}"
    " FROM tracker_round r JOIN tracker_sitting s ON s.round_id = r.id"
    " JOIN tracker_seat p ON p.sitting_id = s.id {tallies}"
    " WHERE {of_rounds} ORDER BY r.number, s.id, p.place, p.from_hand"
)
_TALLY = "LEFT JOIN tracker_seattally {t} ON {t}.seat_id = p.id AND {t}.key = %s"
_RESTS = (
    "SELECT r.tournament_id, r.number, rest.entrant_id"
    " FROM tracker_rest rest JOIN tracker_round r ON r.id = rest.round_id WHERE {of_rounds}"
)
_OF_ROUNDS = "r.tournament_id IN ({tournaments}) AND r.state <> %s AND r.number <= %s"


def read_stint_sums(
    tournaments: Collection[int], marks: Collection[str], upto: int | None = None
) -> tuple[list[StintSums], Rows]:
    """Return stints and rests of rounds that are not undone, up to number *upto*, in two queries.

    The stints are in the order of rounds, tables and places. A rest is tournament, number of the
    round and entrant; some who rested were seated after all.
    """
    of_rounds = _OF_ROUNDS.format(tournaments=", ".join(["%s"] * len(tournaments)))
    values = [*tournaments, RoundState.UNDONE, LARGEST_ROUND if upto is None else upto]
    # A join for each mark: one row a stint is read in half the time of one row a mark.
    sums = _STINT_SUMS.format(
        amounts=", ".join(f"t{number}.amount" for number in range(len(marks))),
        tallies=" ".join(_TALLY.format(t=f"t{number}") for number in range(len(marks))),
        of_rounds=of_rounds,
    )
    rows, rests = execute((sums, [*marks, *values]), (_RESTS.format(of_rounds=of_rounds), values))
    end = -len(marks)
    stints = []
    for row in rows:
        amounts = zip(marks, row[end:], strict=True)
        own = {mark: amount for mark, amount in amounts if amount}
        stints.append(StintSums._make((*row[:end], own)))
    return stints, rests


def has_open_issues(sitting_id: int) -> bool:
    """Return whether anything at this table waits for a person, which is rare."""
    sql = "SELECT 1 FROM tracker_issue WHERE sitting_id = %s AND settled_at IS NULL LIMIT 1"
    return bool(execute((sql, [sitting_id]))[0])


def table_condition(key: Mapping[str, str | int]) -> Statement:
    """Return the SQL condition for the table with this ``token`` or ``sitting_id``."""
    [(name, value)] = key.items()
    return _TABLE_BY[name], [value]


def select_tables(where: str, values: Sequence[Any], *, to_do: bool = False) -> Statement:
    """Return the statement that reads the tables for which an SQL condition holds."""
    return _SELECT.format(more=_TO_DO_COLUMNS if to_do else "", where=where), values


def tables_of_rows(rows: Rows) -> list[TableNow]:
    """Return the tables in the rows of ``select_tables``: a table's rows follow each other."""
    return [
        TableNow(
            **dict(zip(_TABLE_COLUMNS, first[_STINT_END:_TABLE_END], strict=True)),
            stints=tuple(Stint(*row[:_STINT_END]) for row in (first, *others)),
            read_to_do=ToDo(*first[_TABLE_END:]) if first[_TABLE_END:] else None,
        )
        # The first column after the stint is the sitting's id.
        for _, (first, *others) in groupby(rows, key=lambda row: row[_STINT_END])
    ]


def _read_where(where: str, values: Sequence[Any], *, to_do: bool = False) -> list[TableNow]:
    return tables_of_rows(execute(select_tables(where, values, to_do=to_do))[0])
