"""Reports, hands, sums and tables as they are written down, by hand for their pace: see ``statements``."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from games.errors import gettext_noop
from games.game import Session
from games.sheet import Card, Question, Scored, Sheet, plain
from tracker.common.actor import Actor
from tracker.common.errors import Refused
from tracker.models import HandKind, Report, Verdict
from tracker.models.progress import is_level
from tracker.tables.statements import Statement, execute
from tracker.tables.table import TableNow
from tracker.tables.warnings import warning_to_json


@dataclass(frozen=True, slots=True, kw_only=True)
class NewReport:
    """One submission, to be stored as it was sent."""

    entry: UUID
    sitting_id: int
    number: int
    side: int | None = None
    sheet: Sheet
    by: Actor
    verdict: Verdict
    answer: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewHand:
    """A hand accepted from a report, as the rules scored it."""

    number: int
    report_id: int
    before: str  # the session it was played from, as JSON
    scored: Scored[Session]


@dataclass(frozen=True, slots=True, kw_only=True)
class After:
    """What hands leave a table with. ``last_at`` is ``None`` where none was added."""

    session: Session
    last_number: int
    hands_standing: int
    games_over: int
    not_played: int
    finished: bool
    at: datetime
    last_at: datetime | None = None
    open_conflicts: int
    chosen_dealer: int | None = None
    chosen_after: int | None = None
    paced_until: float | None = None  # as it was
    side_points: tuple[int, ...] | None = None  # of a match of a bracket


_REPORT = (
    "INSERT INTO tracker_report (entry, sitting_id, number, side, device, sent_by_id, sheet,"
    " received_at, verdict, answer) "
)
_VALUES = "VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s) "
_ADD_REPORT = _REPORT + _VALUES + "RETURNING id"
_ADD_REPORT_UNLESS_KNOWN = {
    # Trap: what refuses REPLACE, a trigger, would come before an ON CONFLICT. Here only one writes.
    "sqlite": _REPORT  # noqa: S608 - no value stands in it
    + "SELECT %s, %s, %s, %s, %s, %s, %s, %s, %s, %s"
    + " WHERE NOT EXISTS (SELECT 1 FROM tracker_report WHERE entry = %s) RETURNING id",
    "postgresql": _REPORT + _VALUES + "ON CONFLICT (entry) DO NOTHING RETURNING id",
}
_ADD_HAND = (
    "INSERT INTO tracker_hand (sitting_id, number, accepted_report_id, session_before, sheet,"
    " dealer, marks, kind, warnings, ends_game, recorded_at)"
    " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
    # One that was undone is written anew. Of one that stands nothing comes back, and unpacking fails.
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
_KEEP_TABLE = (
    "UPDATE tracker_sitting SET session = %s, last_number = %s, last_at = COALESCE(%s, last_at),"
    " next_dealer = %s, may_deal = %s, over = %s, hands_standing = %s, games_over = %s,"
    " not_played = %s, open_conflicts = %s,"
    " finished_at = CASE WHEN %s THEN COALESCE(finished_at, %s) END,"
    " chosen_dealer = %s, chosen_after = %s, paced_until = COALESCE(%s, paced_until),"
    " side_points = %s, decided_side = CASE WHEN %s THEN decided_side END,"
    " decided_by = CASE WHEN %s THEN decided_by ELSE '' END,"
    " revision = revision + 1 WHERE id = %s"
)
_ADD_UP = (
    'INSERT INTO {table} ({owner}, "key", amount) {rows}'
    ' ON CONFLICT ({owner}, "key") DO UPDATE SET amount = {table}.amount + excluded.amount'
)
# All rows as one value, in their order: a statement that never changes is parsed once.
_ROWS = {
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
    """Keep one submission, whose entry is new, for ever and return its id."""
    [[(report_id,)]] = execute((_ADD_REPORT, _values_of(report)))
    return int(report_id)


def add_report_unless_known(report: NewReport) -> int | None:
    """Keep one submission for ever and return its id, or ``None`` if its entry is known."""
    values = _values_of(report)
    if connection.vendor == "sqlite":
        values = (*values, report.entry.hex)
    [added] = execute((_ADD_REPORT_UNLESS_KNOWN[connection.vendor], values))
    return next((int(report_id) for (report_id,) in added), None)


def _values_of(report: NewReport) -> tuple[Any, ...]:
    return (
        # SQLite keeps 32 digits, and PostgreSQL reads them.
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


def add_hand(table: TableNow, hand: NewHand, at: datetime, then: Iterable[Statement] = ()) -> int:
    """Write down the next hand of a table and return its id; on the same trip do *then*."""
    scored = hand.scored
    values = (
        table.sitting_id,
        hand.number,
        hand.report_id,
        hand.before,
        json.dumps(scored.sheet),
        scored.sheet["dealer"],
        None if scored.marks is None else json.dumps(scored.marks),
        kind_of(scored.sheet).value,
        json.dumps([warning_to_json(warning) for warning in scored.warnings]),
        scored.ends_game,
        _moment(at),
    )
    if table.undone_report is not None:  # later hands may have been undone, too
        session = json.dumps(table.game.save_session(scored.session))
        then = [*then, (_SET_LATER_SESSIONS, (session, table.sitting_id, hand.number))]
    [[(hand_id,)], *_] = execute((_ADD_HAND, values), *then)
    return int(hand_id)


def keeping_table(table: TableNow, after: After) -> Statement:
    """Return what keeps with a table what its hands now leave."""
    session, points = after.session, after.side_points
    # What was decided holds only while nobody leads.
    nobody_leads = is_level(points, None)
    return _KEEP_TABLE, (
        json.dumps(table.game.save_session(session)),
        after.last_number,
        _moment(after.last_at),
        session.dealer,
        json.dumps(session.may_deal),
        session.over,
        after.hands_standing,
        after.games_over,
        after.not_played,
        after.open_conflicts,
        after.finished,
        _moment(after.at),
        after.chosen_dealer,
        after.chosen_after,
        after.paced_until,
        None if points is None else json.dumps(points),
        nobody_leads,
        nobody_leads,
        table.sitting_id,
    )


def adding_up(table: str, owner: str, sums: Mapping[tuple[int, str], int]) -> list[Statement]:
    """Return the statements that add these amounts to their owners' stored sums, by mark key.

    They go in one order, so that nobody waits in a circle.
    """
    rows = sorted((of, key, amount) for (of, key), amount in sums.items() if amount)
    if not rows:
        return []
    sql = _ADD_UP.format(table=table, owner=owner, rows=_ROWS[connection.vendor])
    return [(sql, [json.dumps(rows)])]


def _moment(at: datetime | None) -> Any:
    return connection.ops.adapt_datetimefield_value(at)


# A round of so many hands is full when they are in, and takes them as fast as they come. A round
# without a length would take in whatever a phone sends; there a table may be ``AT_ONCE`` hands
# ahead of one that writes a hand every ``SECONDS_A_HAND`` without a pause. Shuffling and dealing
# alone take longer than that, and a whole evening typed from paper is fewer hands than that.
AT_ONCE = 60
SECONDS_A_HAND = 20


def paced_until(table: TableNow, at: datetime, *, hands: int = 1) -> float | None:
    """Return until when so many more hands keep the table; ``None`` where its round has a length.

    :raises Refused: ``too-many-reports``.
    """
    if table.hands is not None:
        return None
    now = at.timestamp()
    until = max(table.paced_until or now, now) + hands * SECONDS_A_HAND
    if until > now + AT_ONCE * SECONDS_A_HAND:
        raise too_many_reports()
    return until


def too_many_reports() -> Refused:
    """Return the refusal of what no table of people would send."""
    return Refused(
        "too-many-reports",
        gettext_noop("That was a lot at once. Wait a minute, then send it again."),
    )


# What a sheet says, and whether two say the same.


def kind_of(sheet: Sheet) -> HandKind:
    """Say whether a completed sheet was counted, or how not."""
    if "bare" in sheet:
        return HandKind.BARE
    return HandKind.DERIVED if sheet.get("derived") else HandKind.COUNTED


def with_dealer(sheet: Sheet, dealer: int | None) -> Sheet:
    """Return a sheet that names its dealer, this one unless it answers that itself.

    >>> with_dealer({"bare": 1}, 2), with_dealer({"bare": 1, "dealer": None}, 2)
    ({'bare': 1, 'dealer': 2}, {'bare': 1, 'dealer': None})
    """
    if dealer is None or "dealer" in sheet:
        return sheet
    return {**sheet, "dealer": dealer}


def same_result(questions: Iterable[Question], sheet: Sheet, other: Sheet) -> bool:
    """Say whether two completed sheets agree in the dealer and all that must be answered.

    >>> same_result((), {"bare": 1, "dealer": 0}, {"bare": 1, "dealer": 0})
    True
    """
    if sheet["dealer"] != other["dealer"] or ("bare" in sheet) != ("bare" in other):
        return False
    if "bare" in sheet:
        return bool(plain(sheet["bare"]) == plain(other["bare"]))
    for question in (each for each in questions if each.required):
        first, second = plain([sheet.get(question.name), other.get(question.name)])
        if isinstance(question, Card) and question.ranks:
            # Where the rank alone suffices, a card says no more than its rank.
            first, second = _rank(question, first), _rank(question, second)
        if first != second:
            return False
    return True


def _rank(question: Card, code: object) -> object:
    return next((rank for rank, _ in question.ranks if str(code).startswith(rank)), code)
