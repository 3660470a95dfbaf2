"""SQL that stores reports, hands, tallies and the state of a table, and the rate limit of reports.

A *sitting*, here also the table, is the people around one table in one round. A *report* is one
submission of a *sheet*, the answers written down after a hand; a *hand* is made from the report
that was accepted, with the *marks* (points and other whole numbers) of each place.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db import connection

from games.errors import gettext_noop
from games.game import Session
from games.sheet import Scored, Sheet
from tracker.common.actor import Actor
from tracker.common.errors import Refused
from tracker.models import Report, Verdict
from tracker.models.progress import is_level
from tracker.tables.sql import Statement, execute
from tracker.tables.stored_hands import hand_kind, warning_to_json
from tracker.tables.table_now import TableNow


@dataclass(frozen=True, slots=True, kw_only=True)
class NewReport:
    """A submission, to be stored as it was sent."""

    entry: UUID  # made by the phone for this submission: sent twice, it is stored once
    sitting_id: int
    number: int  # of the hand
    side: int | None = None  # the side that reported it
    sheet: Sheet
    by: Actor
    verdict: Verdict
    answer: Mapping[str, Any]  # what the phone was answered, as JSON


@dataclass(frozen=True, slots=True, kw_only=True)
class NewHand:
    """A hand accepted from a report, as the rules scored it."""

    number: int
    report_id: int
    # JSON of the session from which the hand was played: dealer, running game, tokens.
    session_before: str
    scored: Scored[Session]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """The state of a table after its last hand; fields as in ``table_row.TableRow``."""

    session: Session
    last_number: int
    hands_standing: int
    games_over: int
    not_played: int
    finished: bool
    at: datetime  # the first one with ``finished`` is stored as the time when the table finished
    last_at: datetime | None = None  # if ``None``, the stored value stays
    open_conflicts: int
    chosen_dealer: int | None = None
    chosen_after: int | None = None
    paced_until: float | None = None  # if ``None``, the stored value stays
    side_points: tuple[int, ...] | None = None


_REPORT = (
    "INSERT INTO tracker_report (entry, sitting_id, number, side, device, sent_by_id, sheet,"
    " received_at, verdict, answer) "
)
_VALUES = "VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s) "
_ADD_REPORT = _REPORT + _VALUES + "RETURNING id"
_ADD_REPORT_UNLESS_KNOWN = {
    # Trap: with ON CONFLICT, the trigger that refuses REPLACE would fire first. SQLite has one
    # writer at a time, so that nobody adds the entry between the SELECT and the INSERT.
    "sqlite": _REPORT  # noqa: S608 - no value stands in it
    + "SELECT %s, %s, %s, %s, %s, %s, %s, %s, %s, %s"
    + " WHERE NOT EXISTS (SELECT 1 FROM tracker_report WHERE entry = %s) RETURNING id",
    "postgresql": _REPORT + _VALUES + "ON CONFLICT (entry) DO NOTHING RETURNING id",
}
_ADD_HAND = (
    "INSERT INTO tracker_hand (sitting_id, number, accepted_report_id, session_before, sheet,"
    " dealer, marks, kind, warnings, ends_game, recorded_at)"
    " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
    # An undone hand is replaced. If the stored hand is not struck, no row returns: unpacking fails.
    " ON CONFLICT (sitting_id, number) DO UPDATE SET accepted_report_id ="
    " excluded.accepted_report_id, session_before = excluded.session_before,"
    " sheet = excluded.sheet, dealer = excluded.dealer, marks = excluded.marks,"
    " kind = excluded.kind, warnings = excluded.warnings, ends_game = excluded.ends_game,"
    " recorded_at = excluded.recorded_at, confirmed_at = NULL, struck_at = NULL,"
    " result_type = '', reason = '' WHERE tracker_hand.struck_at IS NOT NULL RETURNING id"
)
_SET_LATER_SESSIONS = (
    "UPDATE tracker_hand SET session_before = %s WHERE sitting_id = %s AND number > %s"
)
_UPDATE_TABLE = (
    "UPDATE tracker_sitting SET session = %s, last_number = %s, last_at = COALESCE(%s, last_at),"
    " next_dealer = %s, may_deal = %s, over = %s, hands_standing = %s, games_over = %s,"
    " not_played = %s, open_conflicts = %s,"
    " finished_at = CASE WHEN %s THEN COALESCE(finished_at, %s) END,"
    " chosen_dealer = %s, chosen_after = %s, paced_until = COALESCE(%s, paced_until),"
    " side_points = %s, decided_side = CASE WHEN %s THEN decided_side END,"
    " decided_by = CASE WHEN %s THEN decided_by ELSE '' END,"
    " revision = revision + 1 WHERE id = %s"
)
_ADD_SUMS = (
    'INSERT INTO {table} ({owner}, "key", amount) {rows}'
    ' ON CONFLICT ({owner}, "key") DO UPDATE SET amount = {table}.amount + excluded.amount'
)
# Sums as one JSON value, [[owner id, key, amount], ...]: so the statement is always the same, and
# the database parses it once.
_SUM_ROWS = {
    "sqlite": (
        "SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'),"
        " json_extract(value, '$[2]') FROM json_each(%s) WHERE true"
    ),
    "postgresql": (
        "SELECT (value->>0)::bigint, value->>1, (value->>2)::bigint"
        " FROM jsonb_array_elements(%s::jsonb)"
    ),
}


def add_report(report: NewReport) -> int:
    """Store a submission whose entry is surely new, and return its id."""
    [[(report_id,)]] = execute((_ADD_REPORT, _values_of(report)))
    return int(report_id)


def add_report_unless_known(report: NewReport) -> int | None:
    """Store a submission and return its id, or ``None`` if its entry is stored already."""
    values = _values_of(report)
    if connection.vendor == "sqlite":
        values = (*values, report.entry.hex)
    [added] = execute((_ADD_REPORT_UNLESS_KNOWN[connection.vendor], values))
    return next((int(report_id) for (report_id,) in added), None)


def _values_of(report: NewReport) -> tuple[Any, ...]:
    return (
        # SQLite stores 32 digits, and PostgreSQL reads them.
        report.entry.hex,
        report.sitting_id,
        report.number,
        report.side,
        report.by.device[: Report.device.field.max_length],
        report.by.user_id,
        json.dumps(report.sheet),
        _moment(report.by.at),
        report.verdict.value,
        json.dumps(report.answer),
    )


def add_hand(table: TableNow, hand: NewHand, at: datetime, more: Iterable[Statement] = ()) -> int:
    """Store the next hand of a table, then execute *more* statements; return the hand's id."""
    scored = hand.scored
    values = (
        table.sitting_id,
        hand.number,
        hand.report_id,
        hand.session_before,
        json.dumps(scored.sheet),
        scored.sheet["dealer"],
        None if scored.marks is None else json.dumps(scored.marks),
        hand_kind(scored.sheet).value,
        json.dumps([warning_to_json(warning) for warning in scored.warnings]),
        scored.ends_game,
        _moment(at),
    )
    if table.undone_report is not None:
        # The new hand replaces an undone one. Undone hands after it now start from its session.
        session = json.dumps(table.game.save_session(scored.session))
        more = [*more, (_SET_LATER_SESSIONS, (session, table.sitting_id, hand.number))]
    [[(hand_id,)], *_] = execute((_ADD_HAND, values), *more)
    return int(hand_id)


def update_table(table: TableNow, state: TableState) -> Statement:
    """Return the statement that stores a new state of a table."""
    session, points = state.session, state.side_points
    # Who won a level match was decided by the organiser or by lot. That stays while nobody leads.
    nobody_leads = is_level(points, decided_side=None)
    return _UPDATE_TABLE, (
        json.dumps(table.game.save_session(session)),
        state.last_number,
        _moment(state.last_at),
        session.dealer,
        json.dumps(session.may_deal),
        session.over,
        state.hands_standing,
        state.games_over,
        state.not_played,
        state.open_conflicts,
        state.finished,
        _moment(state.at),
        state.chosen_dealer,
        state.chosen_after,
        state.paced_until,
        None if points is None else json.dumps(points),
        nobody_leads,
        nobody_leads,
        table.sitting_id,
    )


def add_sums(table: str, owner: str, sums: Mapping[tuple[int, str], int]) -> list[Statement]:
    """Return the statements that add *sums* to those stored in a database *table*.

    *sums* is keyed by the id of an owner (the column *owner*) and the key of a mark. Rows are
    locked in the order of owner and key, so that two transactions cannot deadlock.
    """
    rows = sorted((pk, key, amount) for (pk, key), amount in sums.items() if amount)
    if not rows:
        return []
    sql = _ADD_SUMS.format(table=table, owner=owner, rows=_SUM_ROWS[connection.vendor])
    return [(sql, [json.dumps(rows)])]


@lru_cache(maxsize=1)
def _moment(at: datetime | None) -> Any:
    """Return a moment as the database adapter needs it: a report has the same one four times."""
    return connection.ops.adapt_datetimefield_value(at)


# The rate limit of reports, only in rounds without a set number of hands: there a phone could send
# any number. A table may report AT_ONCE hands at once, then one more each SECONDS_A_HAND. Shuffling
# and dealing take longer, and an evening typed from paper has fewer hands. Each hand moves the time
# ``paced_until`` (seconds since 1970), or the present if that is later, by SECONDS_A_HAND.
AT_ONCE = 60
SECONDS_A_HAND = 20


def paced_until(table: TableNow, at: datetime, *, hands: int = 1) -> float | None:
    """Return the new ``paced_until`` after *hands* more hands; ``None`` if their number is set.

    :raises Refused: ``too-many-reports`` if these hands exceed the rate limit.
    """
    if table.hands is not None:
        return None
    now = at.timestamp()
    until = max(table.paced_until or now, now) + hands * SECONDS_A_HAND
    if until > now + AT_ONCE * SECONDS_A_HAND:
        raise too_many_reports()
    return until


def too_many_reports() -> Refused:
    """Return the refusal of more reports than people at a table would send."""
    template = gettext_noop("That was a lot at once. Wait a minute, then send it again.")
    return Refused("too-many-reports", template)
