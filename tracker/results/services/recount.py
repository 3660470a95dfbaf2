"""Recount of a tournament from its sheets, compared with the stored hands, tables and tallies.

A *sheet* is what was written down after a hand; everything else about hands follows from sheets by
the rules. A *tally* is the stored sum of one mark (a whole number that a hand gives a seat), of a
player's stay at one place (``SeatTally``) or of an entrant of the tournament (``Tally``). ``Sums``
map (key of that seat or entrant, mark) to an amount; a pair that is missing has the amount 0.
"""

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
    """A stored value that differs from the value computed from the sheets."""

    where: str  # "tournament 3", "sitting 5" or "sitting 5 hand 2"
    what: str  # the field, "points of entrant 7", or "hand 2" where the rules refuse its sheet
    stored: object
    counted: object

    def __str__(self) -> str:
        return f"{self.where}: {self.what} is {self.stored!r}, counted {self.counted!r}"


@dataclass(slots=True)
class Recount:
    """The result of a recount: the number of hands, the differences, and the counted tallies."""

    hands: int = 0  # how many
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
        result, history = Recount(), dealing_history(tournament_id)
        for table in tables:
            replayed = _count_table(table, history, result, by)
            if write and replayed:
                _write_table(replayed, by)
        seats = SeatTally.objects.filter(seat__round__tournament=tournament_id)
        entrants = Tally.objects.filter(entrant__tournament=tournament_id)
        stored = Tallies(
            Sums({(row.seat_id, row.key): row.amount for row in seats}),
            Sums({(row.entrant_id, row.key): row.amount for row in entrants}),
        )
        for owner, old, new in (
            ("seat", stored.seats, result.sums.seats),
            ("entrant", stored.entrants, result.sums.entrants),
        ):
            result.findings += tuple(
                Finding(where, f"{mark} of {owner} {key}", old[key, mark], new[key, mark])
                for key, mark in sorted(old.keys() | new.keys())
                if old[key, mark] != new[key, mark]
            )
        if write and result.findings:
            add_to_tallies(result.sums.less(stored))
            club_id = Tournament.objects.values_list("club", flat=True).get(pk=tournament_id)
            numbers = {"findings": len(result.findings)}
            log(by, "recounted", club_id=club_id, tournament=tournament_id, numbers=numbers)
    return result


def _count_table(
    table: TableNow, history: DealingHistory, result: Recount, by: Actor
) -> Replay | None:
    """Recount one table and add what is found to *result*; ``None`` if the rules refuse a hand."""
    where = f"sitting {table.sitting_id}"
    hands = hands_by_number(table.sitting_id)
    result.hands += len(hands)
    # ``dealt_before``: how long ago each player dealt at earlier tables, which decides who deals
    # first. An undone round (not ``tallied``) is in no tally, and gets it when it is restored.
    dealt_before = history.before_table(table) if table.tallied else table.dealt_before
    if dealt_before != table.dealt_before:
        result.findings += (Finding(where, "dealt_before", table.dealt_before, dealt_before),)
    table_to_count = replace(table, dealt_before_json=json.dumps(dealt_before))
    try:
        # Nothing is changed, but all hands are scored again, from the first.
        replayed = replay(table_to_count, hands, {}, first=1)
    except ReplayRefused as refusal:
        what, why = f"hand {refusal.number}", f"refused: {refusal}"
        result.findings += (Finding(where, what, "accepted", why),)
        # The table keeps its marks, so the tallies count them.
        if table.tallied:
            result.sums.add(tallies_of(marks_of(hands.values()), table))
        return None
    result.findings += tuple(
        Finding(f"{where} hand {number}", name, getattr(hand, name), value)
        for number, hand in hands.items()
        for name, value in replayed.changed_fields(number).items()
    )
    result.findings += tuple(table_findings(where, replayed, by))
    if table.tallied:
        result.sums.add(tallies_of(replayed.hand_marks, table))
    return replayed


def _write_table(replayed: Replay, by: Actor) -> None:
    """Store the counted values of a table and its hands."""
    table = replayed.table  # with the counted ``dealt_before``
    for number, hand in replayed.hands.items():
        if values := replayed.changed_fields(number):
            Hand.objects.filter(pk=hand.pk).update(**values)
    Sitting.objects.filter(pk=table.sitting_id).update(dealt_before=list(table.dealt_before))
    execute(update_table(table, replayed.table_state(by.at)))


def table_findings(where: str, replayed: Replay, by: Actor) -> Iterator[Finding]:
    """Yield the stored values of a table that differ from those counted from its hands."""
    table, counted_state = replayed.table, replayed.table_state(by.at)
    session = counted_state.session
    counts = "last_number", "hands_standing", "games_over", "not_played", "open_conflicts"
    same_names = *counts, "side_points", "chosen_dealer"
    match_is_level = is_level(counted_state.side_points, decided_side=None)
    # {column: (stored value, counted value)}
    pairs: dict[str, tuple[Any, Any]] = {
        **{name: (getattr(table, name), getattr(counted_state, name)) for name in same_names},
        "session": (table.stored_session, plain(table.game.save_session(session))),
        "next_dealer": (table.next_dealer, session.dealer),
        "may_deal": (table.may_deal, tuple(session.may_deal)),
        "over": (bool(table.over), session.over),
        "finished": (bool(table.finished), counted_state.finished),
        # The winner by the organiser or the lot: none unless the match is level.
        "decided_side": (table.decided_side, table.decided_side if match_is_level else None),
    }
    for column, (stored, counted) in pairs.items():
        if stored != counted:
            yield Finding(where, column, stored, counted)
