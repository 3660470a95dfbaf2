"""The few statements that every reported hand costs, written by hand: they set the site's pace.

All of them work on SQLite and PostgreSQL. ``lock`` comes first in a transaction:
whoever holds a sitting's row is the only one to number, change or tally its hands.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from games.errors import gettext_noop
from games.game import Session
from games.sheet import Marks, Scored, Sheet
from tracker.common.errors import Refused
from tracker.ledger.statements import Statement, execute
from tracker.ledger.table_now import TableNow, table_now
from tracker.ledger.warnings import warning_to_json
from tracker.models import HandKind, TokenState, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class After:
    """What hands leave a sitting with. ``last_at`` is ``None`` where none was added."""

    session: Session
    last_number: int
    games_over: int
    finished: bool
    now: datetime
    last_at: datetime | None = None
    open_conflicts: int
    chosen_dealer: int | None = None
    chosen_after: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewReport:
    """One submission, to be kept as it was sent."""

    entry: UUID
    sitting_id: int
    number: int
    side: int | None = None
    device: str
    user_id: int | None
    sheet: Sheet
    now: datetime
    verdict: Verdict
    answer: Mapping[str, Any]


_SITTING = (
    "SELECT id, round_id, mode, options, token_state, first_dealer, dealt_before, chosen_dealer,"
    " chosen_after, finished_at IS NOT NULL, session, last_number, next_dealer, may_deal, over, games_over,"
    " open_conflicts FROM tracker_sitting WHERE "
)
# An immediate transaction of SQLite has the whole file already.
_LOCKED = {"postgresql": " FOR UPDATE"}
# A statement of its own: on PostgreSQL it sees what was committed while we waited for the lock.
_ABOUT = (
    "SELECT r.state, r.hands, r.games, t.id, t.game, t.club_id,"
    " s.id, s.place, s.side, s.entrant_id, s.from_hand, s.to_hand"
    " FROM tracker_seat s JOIN tracker_round r ON r.id = s.round_id"
    " JOIN tracker_tournament t ON t.id = r.tournament_id"
    " WHERE s.sitting_id = (SELECT id FROM tracker_sitting WHERE {key} = %s)"
    " ORDER BY s.place, s.from_hand"
)
_ADD_REPORT = (
    "INSERT INTO tracker_report (entry, sitting_id, number, side, device, sent_by_id, sheet,"
    " received_at, verdict, answer) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
)
_ADD_HAND = (
    "INSERT INTO tracker_hand (sitting_id, number, accepted_report_id, sheet, dealer, marks, kind,"
    " warnings, recorded_at) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s) RETURNING id"
)
_KEEP_SITTING = (
    "UPDATE tracker_sitting SET session = %s, last_number = %s, last_at = COALESCE(%s, last_at),"
    " next_dealer = %s, may_deal = %s, over = %s, games_over = %s, open_conflicts = %s,"
    " finished_at = CASE WHEN %s THEN COALESCE(finished_at, %s) END,"
    " chosen_dealer = %s, chosen_after = %s WHERE id = %s"
)


def lock_token(token: str) -> TableNow:
    """Lock the sitting that this token opens, and return it as it now is.

    :raises Refused: ``token-unknown`` or ``token-revoked``.
    """
    now = _lock("token", token)
    if now is None:
        raise Refused("token-unknown", gettext_noop("Nobody knows this table's address."))
    if now.token_state == TokenState.REVOKED:
        raise Refused(
            "token-revoked",
            gettext_noop("This table's address was withdrawn. Scan the table's card again."),
        )
    return now


def lock_sitting(sitting_id: int) -> TableNow:
    """Lock a sitting and return it as it now is.

    :raises LookupError: if there is no such sitting.
    """
    now = _lock("id", sitting_id)
    if now is None:
        raise LookupError(sitting_id)
    return now


def lock_sittings(sitting_ids: Iterable[int]) -> None:
    """Lock several sittings, in the order of their keys, so that nobody waits in a circle."""
    for sitting_id in sorted(set(sitting_ids)):
        lock_sitting(sitting_id)


def add_report(report: NewReport) -> int:
    """Keep one submission, whose entry is new, for ever and return its id."""
    return _add_report(report, "")[0]


def add_report_unless_known(report: NewReport) -> int | None:
    """Keep one submission for ever and return its id, or ``None`` if its entry is known."""
    added = _add_report(report, " ON CONFLICT (entry) DO NOTHING")
    return added[0] if added else None


def add_hand(
    *,
    sitting_id: int,
    number: int,
    accepted_report_id: int,
    scored: Scored[Session],
    now: datetime,
    then: Iterable[Statement] = (),
) -> int:
    """Write down the next hand of a sitting and return its id; on the same trip do *then*."""
    added = (
        sitting_id,
        number,
        accepted_report_id,
        json.dumps(scored.sheet),
        scored.sheet["dealer"],
        None if scored.marks is None else json.dumps(scored.marks),
        kind_of(scored.sheet).value,
        json.dumps([warning_to_json(warning) for warning in scored.warnings]),
        _moment(now),
    )
    [[(hand_id,)], *_] = execute((_ADD_HAND, added), *then)
    return int(hand_id)


def keep_sitting(table: TableNow, after: After) -> None:
    """Keep with a sitting what its hands now leave."""
    execute(keeping(table, after))


def keeping(table: TableNow, after: After) -> Statement:
    """Return what keeps with a sitting what its hands now leave."""
    session = after.session
    return _KEEP_SITTING, (
        json.dumps(table.rules.save_session(session)),
        after.last_number,
        _moment(after.last_at),
        session.dealer,
        json.dumps(session.may_deal),
        session.over,
        after.games_over,
        after.open_conflicts,
        after.finished,
        _moment(after.now),
        after.chosen_dealer,
        after.chosen_after,
        table.sitting_id,
    )


def kind_of(sheet: Sheet) -> HandKind:
    """Say whether a completed sheet was counted, or how not."""
    if "bare" in sheet:
        return HandKind.BARE
    return HandKind.DERIVED if sheet.get("derived") else HandKind.COUNTED


def plain(value: Any) -> Any:
    """Return a value as it comes back from JSON: with lists for tuples.

    >>> plain({"eaten": (70, 50)})
    {'eaten': [70, 50]}
    """
    return json.loads(json.dumps(value))


def plain_marks(marks: Marks | None) -> list[dict[str, int]] | None:
    return None if marks is None else [dict(of_seat) for of_seat in marks]


def _add_report(report: NewReport, unless: str) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(
            f"{_ADD_REPORT}{unless} RETURNING id",
            (
                # SQLite keeps 32 digits, and PostgreSQL reads them.
                report.entry.hex,
                report.sitting_id,
                report.number,
                report.side,
                report.device,
                report.user_id,
                json.dumps(report.sheet),
                _moment(report.now),
                report.verdict.value,
                json.dumps(report.answer),
            ),
        )
        return [int(report_id) for (report_id,) in cursor.fetchall()]


def _lock(key: str, value: str | int) -> TableNow | None:
    locked = f"{_SITTING}{key} = %s{_LOCKED.get(connection.vendor, '')}"
    found, about = execute((locked, [value]), (_ABOUT.format(key=key), [value]))
    return table_now(found[0], about) if found else None


def _moment(at: datetime | None) -> Any:
    return connection.ops.adapt_datetimefield_value(at)
