"""Recount of a tournament from its sheets, compared with the stored hands, tables and tallies."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import transaction

from games.sheet import plain
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.models import Hand, SeatTally, Sitting, Tally, Tournament
from tracker.models.progress import is_level
from tracker.tables.dealing_history import DealingHistory, dealing_history
from tracker.tables.locks import hold_tables_of, lock_tables
from tracker.tables.replay import Replay, ReplayRefused, hands_by_number, replay
from tracker.tables.sql import execute
from tracker.tables.table_now import TableNow
from tracker.tables.tallies import Sums, Tallies, add_to_tallies, marks_of, tallies_of
from tracker.tables.writing import update_table


@dataclass(frozen=True, slots=True)
class Finding:
    """A stored value that differs from the one counted from the sheets."""

    where: str
    what: str
    stored: object
    counted: object

    def __str__(self) -> str:
        return f"{self.where}: {self.what} is {self.stored!r}, counted {self.counted!r}"


@dataclass(slots=True)
class Recount:
    """The result of a recount: number of hands, differences, and the sums of all tallies."""

    hands: int = 0
    findings: tuple[Finding, ...] = ()
    sums: Tallies = field(default_factory=Tallies)


def recount(*, tournament_id: int, by: Actor, write: bool = False) -> Recount:
    """Recount a tournament from its sheets and return where the stored values differ.

    With *write* the counted values are stored. A table with a sheet that the rules no longer
    accept is reported, and left as it is.
    """
    where = f"tournament {tournament_id}"
    with transaction.atomic():
        sittings = Sitting.objects.filter(round__tournament=tournament_id)
        # All tables are locked first, so that no report changes a tally meanwhile.
        hold_tables_of([tournament_id])
        tables = lock_tables(sittings.values_list("pk", flat=True))
        count, history = Recount(), dealing_history(tournament_id)
        for table in tables:
            _count_table(table, history, count, by, write=write)
        seats = SeatTally.objects.filter(seat__round__tournament=tournament_id)
        entrants = Tally.objects.filter(entrant__tournament=tournament_id)
        stored = Tallies(
            Sums({(row.seat_id, row.key): row.amount for row in seats}),
            Sums({(row.entrant_id, row.key): row.amount for row in entrants}),
        )
        for grain, has, makes in (
            ("seat", stored.seats, count.sums.seats),
            ("entrant", stored.entrants, count.sums.entrants),
        ):
            count.findings += tuple(
                Finding(where, f"{key} of {grain} {owner}", has[owner, key], makes[owner, key])
                for owner, key in sorted(has.keys() | makes.keys())
                if has[owner, key] != makes[owner, key]
            )
        if write:
            add_to_tallies(count.sums.less(stored))
        if write and count.findings:
            club_id = Tournament.objects.values_list("club", flat=True).get(pk=tournament_id)
            numbers = {"findings": len(count.findings)}
            log(by, "recounted", club_id=club_id, tournament=tournament_id, numbers=numbers)
    return count


def _count_table(
    table: TableNow, history: DealingHistory, count: Recount, by: Actor, *, write: bool
) -> None:
    where = f"sitting {table.sitting_id}"
    hands = hands_by_number(table.sitting_id)
    count.hands += len(hands)
    # An undone round learns who dealt before when it is restored.
    known = history.before_table(table) if table.tallied else table.dealt_before
    if known != table.dealt_before:
        count.findings += (Finding(where, "dealt_before", table.dealt_before, known),)
    remembering = replace(table, dealt_before_json=json.dumps(known))
    try:
        replayed = replay(remembering, hands, {}, first=1)
    except ReplayRefused as refusal:
        what = f"hand {refusal.number}"
        count.findings += (Finding(where, what, "accepted", f"refused: {refusal}"),)
        if table.tallied:
            count.sums.add(tallies_of(marks_of(hands.values()), table))
        return
    for number, hand in hands.items():
        values = replayed.changed_fields(number)
        count.findings += tuple(
            Finding(f"{where} hand {number}", name, getattr(hand, name), value)
            for name, value in values.items()
        )
        if write and values:
            Hand.objects.filter(pk=hand.pk).update(**values)
    count.findings += tuple(differing_table(where, replayed, by))
    if write:
        Sitting.objects.filter(pk=table.sitting_id).update(dealt_before=list(known))
        execute(update_table(table, replayed.table_state(by.at)))
    if table.tallied:
        count.sums.add(tallies_of(replayed.hand_marks, table))


def differing_table(where: str, replayed: Replay, by: Actor) -> Iterator[Finding]:
    """Yield the stored values of a table that differ from those counted from its hands."""
    table, now = replayed.table, replayed.table_state(by.at)
    session = now.session
    pairs: dict[str, tuple[Any, Any]] = {
        "session": (table.stored_session, plain(table.game.save_session(session))),
        "next_dealer": (table.next_dealer, session.dealer),
        "may_deal": (table.may_deal, tuple(session.may_deal)),
        "over": (bool(table.over), session.over),
        "last_number": (table.last_number, now.last_number),
        "hands_standing": (table.hands_standing, now.hands_standing),
        "games_over": (table.games_over, now.games_over),
        "not_played": (table.not_played, now.not_played),
        "finished": (bool(table.finished), now.finished),
        "open_conflicts": (table.open_conflicts, now.open_conflicts),
        "side_points": (table.side_points, now.side_points),
        "decided_side": (
            table.decided_side,
            table.decided_side if is_level(now.side_points, None) else None,
        ),
        "chosen_dealer": (table.chosen_dealer, now.chosen_dealer),
    }
    for what, (stored, counted) in pairs.items():
        if stored != counted:
            yield Finding(where, what, stored, counted)
