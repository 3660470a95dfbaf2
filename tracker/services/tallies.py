"""Sums of marks, at two grains: of a seat, and of an entrant. They move by differences.

A hand gives its marks to the seats as they are. To an entrant a mark of scope
``side`` counts once for each hand and side, as a team is not counted twice; one of
scope ``seat`` is summed. The tracker adds ``hands``, ``dealt`` and ``opened``.
Struck hands and undone rounds are not in the sums.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from django.db import connection

from games.sheet import Scope
from tracker.models import Hand, Sitting
from tracker.services.ledger import lock_sitting
from tracker.services.statements import Statement, execute
from tracker.services.table_now import Stint, TableNow

Sums: TypeAlias = Counter[tuple[int, str]]  # of seats or entrants, by mark key
HANDS, DEALT, OPENED = "hands", "dealt", "opened"
# All rows as one value, in their order: a statement that never changes is parsed once.
_ROWS = {
    "sqlite": (
        "SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'),"
        " json_extract(value, '$[2]') FROM json_each(%s) WHERE true"
    ),
    "postgresql": (
        "SELECT (value->>0)::bigint, value->>1, (value->>2)::integer"
        " FROM jsonb_array_elements(%s::jsonb)"
    ),
}


@dataclass(frozen=True, slots=True)
class Played:
    """What of a hand is tallied. ``marks`` go by place; ``None`` if it counts for nothing."""

    number: int
    dealer: int
    marks: Sequence[Mapping[str, int]] | None


@dataclass(frozen=True, slots=True)
class Tallied:
    """What some hands add up to."""

    seats: Sums = field(default_factory=Counter)
    entrants: Sums = field(default_factory=Counter)

    def less(self, other: "Tallied") -> "Tallied":
        """Return by how much this is more, or less, than the *other*."""
        seats, entrants = Counter(self.seats), Counter(self.entrants)
        seats.subtract(other.seats)
        entrants.subtract(other.entrants)
        return Tallied(seats, entrants)


def tallied(hands: Iterable[Played], table: TableNow) -> Tallied:
    """Return what these hands give to everybody who sat there."""
    scopes = {mark.key: mark.scope for mark in table.rules.marks}
    scopes |= {HANDS: Scope.SIDE, DEALT: Scope.SEAT, OPENED: Scope.SEAT}
    sums = Tallied()
    for hand in hands:
        _add_hand(sums, hand, table.stints, scopes)
    return sums


def standing_hands(hands: Iterable[Hand]) -> list[Played]:
    """Return what is tallied of hands as they are kept, the struck ones left out."""
    return [
        Played(hand.number, hand.dealer, hand.marks) for hand in hands if hand.struck_at is None
    ]


def move(difference: Tallied) -> None:
    """Add a difference to what is kept."""
    if statements := moving(difference):
        execute(*statements)


def moving(difference: Tallied) -> list[Statement]:
    """Return what adds a difference, in one order so that nobody waits in a circle."""
    return [
        *_moving("tracker_seattally", "seat_id", difference.seats),
        *_moving("tracker_tally", "entrant_id", difference.entrants),
    ]


def take_out_round(round_id: int) -> None:
    """Take the hands of a round out of the sums, before it is marked as undone."""
    move(Tallied().less(_of_round(round_id)))


def put_back_round(round_id: int) -> None:
    """Put the hands of a round into the sums again."""
    move(_of_round(round_id))


def _of_round(round_id: int) -> Tallied:
    """Lock the sittings of a round, in the order of their keys, and sum up their hands."""
    sums = Tallied()
    sittings = Sitting.objects.filter(round_id=round_id).order_by("pk")
    for sitting_id in sittings.values_list("pk", flat=True):
        table = lock_sitting(sitting_id)
        of_table = tallied(standing_hands(Hand.objects.filter(sitting_id=sitting_id)), table)
        sums.seats.update(of_table.seats)
        sums.entrants.update(of_table.entrants)
    return sums


def _add_hand(
    sums: Tallied, hand: Played, stints: Iterable[Stint], scopes: Mapping[str, Scope]
) -> None:
    counted: set[tuple[int, int, str]] = set()
    for stint in stints:
        if not _there(stint, hand.number):
            continue
        for key, amount in _earned(hand, stint.place).items():
            if not amount:
                continue
            sums.seats[stint.seat_id, key] += amount
            of_side = (stint.side, stint.entrant_id, key)
            if scopes[key] is Scope.SEAT or of_side not in counted:
                sums.entrants[stint.entrant_id, key] += amount
                counted.add(of_side)


def _there(stint: Stint, number: int) -> bool:
    return stint.from_hand <= number and (stint.to_hand is None or number <= stint.to_hand)


def _earned(hand: Played, place: int) -> dict[str, int]:
    """Return what this place has of a hand."""
    earned = {} if hand.marks is None else {**hand.marks[place], HANDS: 1}
    if place == hand.dealer:
        earned[DEALT] = 1
        earned[OPENED] = int(hand.number == 1)
    return earned


def _moving(table: str, owner: str, difference: Sums) -> list[Statement]:
    rows = sorted((of, key, amount) for (of, key), amount in difference.items() if amount)
    if not rows:
        return []
    upsert = (
        f'INSERT INTO {table} ({owner}, "key", amount) {_ROWS[connection.vendor]}'
        f' ON CONFLICT ({owner}, "key") DO UPDATE SET amount = {table}.amount + excluded.amount'
    )
    return [(upsert, [json.dumps(rows)])]
