"""The few statements that every reported hand costs, written by hand: they set the site's pace.

All of them work on SQLite and PostgreSQL. ``lock`` comes first in a transaction:
whoever holds a sitting's row is the only one to number, change or tally its hands.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db import connection

from games import catalogue
from games.errors import gettext_noop
from games.game import AnyGame, Options, Session
from games.mode import Mode
from games.sheet import Marks, Scored, Sheet
from tracker.logic.cautions import kept_caution
from tracker.models import HandKind, RoundState, TokenState, Verdict
from tracker.services.errors import Refused


@dataclass(frozen=True, slots=True)
class Stint:
    """Somebody at a place, from one hand to another; ``to_hand`` is ``None`` while they stay."""

    seat_id: int
    place: int
    side: int
    entrant_id: int
    from_hand: int
    to_hand: int | None


@dataclass(frozen=True, kw_only=True)
class TableNow:
    """A sitting under its lock, with what its round, tournament and seats say of it."""

    sitting_id: int
    round_id: int
    mode_code: str
    options: Options
    token_state: str
    first_dealer: int
    dealt_before: tuple[int | None, ...]
    chosen_dealer: int | None
    chosen_after: int | None
    finished: bool
    saved: Mapping[str, Any]  # the session after the last hand
    last_number: int
    next_dealer: int
    may_deal: tuple[int, ...]
    over: bool
    games_over: int
    open_conflicts: int
    round_state: str
    hands: int | None
    games: int | None
    tournament_id: int
    game: str
    club_id: int
    stints: tuple[Stint, ...]

    @property
    def closed(self) -> bool:
        """Say whether reports come too late here."""
        return self.token_state != TokenState.OPEN or self.round_state in {
            RoundState.CLOSED,
            RoundState.UNDONE,
        }

    @property
    def tallied(self) -> bool:
        """Say whether its hands count: those of an undone round do not."""
        return self.round_state != RoundState.UNDONE

    @property
    def coming_dealer(self) -> int:
        """Return who deals the coming hand: the one the table chose, or the rules' own."""
        if self.chosen_dealer is not None and self.chosen_after == self.last_number:
            return self.chosen_dealer
        return self.next_dealer

    @cached_property
    def rules(self) -> AnyGame:
        return catalogue.GAMES[self.game]

    @cached_property
    def house(self) -> Options:
        """Return the house rules, also those the game has learnt since the table opened."""
        return {**self.rules.default_options(), **self.options}

    @cached_property
    def mode(self) -> Mode:
        return self.rules.mode(self.mode_code, self.house)

    def open_session(self) -> Session:
        """Return the session before the first hand."""
        session: Session = self.rules.open_session(
            self.mode, self.house, self.first_dealer, self.dealt_before
        )
        return session

    def resume_session(self) -> Session:
        """Return the session after the last hand, without a look at the hands before."""
        session: Session = self.rules.resume_session(self.mode, self.house, self.saved)
        return session


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


_SITTING = (
    "SELECT id, round_id, mode, options, token_state, first_dealer, dealt_before, chosen_dealer,"
    " chosen_after, finished_at IS NOT NULL, session, last_number, next_dealer, may_deal, over, games_over,"
    " open_conflicts FROM tracker_sitting WHERE "
)
# An immediate transaction of SQLite has the whole file already.
_LOCKED = {"postgresql": " FOR UPDATE"}
_BY_TOKEN = _SITTING + "token = %s"
_BY_ID = _SITTING + "id = %s"
# A statement of its own: on PostgreSQL it sees what was committed while we waited for the lock.
_ABOUT = (
    "SELECT r.state, r.hands, r.games, t.id, t.game, t.club_id,"
    " s.id, s.place, s.side, s.entrant_id, s.from_hand, s.to_hand"
    " FROM tracker_seat s JOIN tracker_round r ON r.id = s.round_id"
    " JOIN tracker_tournament t ON t.id = r.tournament_id"
    " WHERE s.sitting_id = %s ORDER BY s.place, s.from_hand"
)
_ADD_REPORT = (
    "INSERT INTO tracker_report (entry, sitting_id, number, side, device, sent_by_id, sheet,"
    " received_at, verdict, answer) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
    " ON CONFLICT (entry) DO NOTHING RETURNING id"
)
_ADD_HAND = (
    "INSERT INTO tracker_hand (sitting_id, number, standing_id, sheet, dealer, marks, kind,"
    " cautions, recorded_at) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s) RETURNING id"
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
    now = _lock(_BY_TOKEN, token)
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
    now = _lock(_BY_ID, sitting_id)
    if now is None:
        raise LookupError(sitting_id)
    return now


def add_report(
    *,
    entry: UUID,
    sitting_id: int,
    number: int,
    side: int | None = None,
    device: str = "",
    user_id: int | None,
    sheet: Sheet,
    now: datetime,
    verdict: Verdict,
    answer: Mapping[str, Any],
) -> int | None:
    """Keep one submission for ever and return its id, or ``None`` if the entry is known."""
    with connection.cursor() as cursor:
        cursor.execute(
            _ADD_REPORT,
            (
                # SQLite keeps 32 digits, and PostgreSQL reads them.
                entry.hex,
                sitting_id,
                number,
                side,
                device,
                user_id,
                json.dumps(sheet),
                _moment(now),
                verdict.value,
                json.dumps(answer),
            ),
        )
        added = cursor.fetchall()
    return int(added[0][0]) if added else None


def add_hand(
    *, sitting_id: int, number: int, standing_id: int, scored: Scored[Session], now: datetime
) -> int:
    """Write down the next hand of a sitting and return its id."""
    with connection.cursor() as cursor:
        cursor.execute(
            _ADD_HAND,
            (
                sitting_id,
                number,
                standing_id,
                json.dumps(scored.sheet),
                scored.sheet["dealer"],
                None if scored.marks is None else json.dumps(scored.marks),
                kind_of(scored.sheet).value,
                json.dumps([kept_caution(caution) for caution in scored.cautions]),
                _moment(now),
            ),
        )
        return int(cursor.fetchall()[0][0])


def keep_sitting(table: TableNow, after: After) -> None:
    """Keep with a sitting what its hands now leave."""
    session = after.session
    with connection.cursor() as cursor:
        cursor.execute(
            _KEEP_SITTING,
            (
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
            ),
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


def _lock(statement: str, key: str | int) -> TableNow | None:
    with connection.cursor() as cursor:
        cursor.execute(statement + _LOCKED.get(connection.vendor, ""), (key,))
        if not (found := cursor.fetchall()):
            return None
        sitting = found[0]
        cursor.execute(_ABOUT, (sitting[0],))
        about = cursor.fetchall()
    return _table_now(sitting, about)


def _table_now(sitting: Sequence[Any], about: Sequence[Sequence[Any]]) -> TableNow:
    return TableNow(
        sitting_id=sitting[0],
        round_id=sitting[1],
        mode_code=sitting[2],
        options=json.loads(sitting[3]),
        token_state=sitting[4],
        first_dealer=sitting[5],
        dealt_before=tuple(json.loads(sitting[6])),
        chosen_dealer=sitting[7],
        chosen_after=sitting[8],
        finished=bool(sitting[9]),
        saved=json.loads(sitting[10]),
        last_number=sitting[11],
        next_dealer=sitting[12],
        may_deal=tuple(json.loads(sitting[13])),
        over=bool(sitting[14]),
        games_over=sitting[15],
        open_conflicts=sitting[16],
        round_state=about[0][0],
        hands=about[0][1],
        games=about[0][2],
        tournament_id=about[0][3],
        game=about[0][4],
        club_id=about[0][5],
        stints=tuple(Stint(*row[6:]) for row in about),
    )


def _moment(at: datetime | None) -> Any:
    return connection.ops.adapt_datetimefield_value(at)
