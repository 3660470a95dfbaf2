"""Sums of marks, at two grains: of a seat, and of an entrant. They move by differences.

A hand gives its marks to the seats as they are. To an entrant a mark of scope
``side`` counts once for each hand and side, as a team is not counted twice; one of
scope ``seat`` is summed. The tracker adds ``hands``, ``dealt`` and ``opened``.
Struck hands and undone rounds are not in the sums. Whoever takes over a seat begins
``anew`` with the marks that only tell a change.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from django.db import connection
from django.db.models import Max

from games.sheet import Scope
from tracker.ledger.ledger import lock_sitting
from tracker.ledger.statements import Statement, execute
from tracker.ledger.table_now import Stint, TableNow
from tracker.models import Hand, Sitting

Sums: TypeAlias = Counter[tuple[int, str]]  # of seats or entrants, by mark key
HANDS, DEALT, OPENED = "hands", "dealt", "opened"
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


@dataclass(frozen=True, slots=True)
class Played:
    """What of a hand is tallied. ``marks`` go by place; ``None`` if it counts for nothing."""

    number: int
    dealer: int
    marks: Sequence[Mapping[str, int]] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """How the marks of a game are to be summed; ``newcomers`` lose who has had a first hand."""

    scopes: Mapping[str, Scope]
    anew: Mapping[str, str]
    newcomers: set[int]

    def earned(self, hand: Played, stint: Stint) -> dict[str, int]:
        """Return what somebody has of a hand."""
        earned = _earned(hand, stint.place)
        if hand.marks is not None and stint.seat_id in self.newcomers:
            self.newcomers.discard(stint.seat_id)
            earned |= {key: earned[whole] for key, whole in self.anew.items()}
        return earned


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
    """Return what these hands, all that the table has, give to everybody who sat there."""
    return _tallied(hands, table, {stint.seat_id for stint in table.stints if _took_over(stint)})


def tallied_next(hand: Played, table: TableNow) -> Tallied:
    """Return what the hand after the last gives to everybody who sits there."""
    return _tallied([hand], table, _without_a_hand(table))


def _tallied(hands: Iterable[Played], table: TableNow, newcomers: set[int]) -> Tallied:
    """Return what hands give; *newcomers* are the seats taken over before anything counted."""
    marks = table.rules.marks
    reading = _Reading(
        scopes={mark.key: mark.scope for mark in marks}
        | {HANDS: Scope.SIDE, DEALT: Scope.SEAT, OPENED: Scope.SEAT},
        anew={mark.key: mark.anew for mark in marks if mark.anew},
        newcomers=newcomers,
    )
    sums = Tallied()
    for hand in sorted(hands, key=lambda one: one.number):
        _add_hand(sums, hand, table.stints, reading)
    return sums


def _took_over(stint: Stint) -> bool:
    return stint.from_hand > 1


def _without_a_hand(table: TableNow) -> set[int]:
    """Return the seats that were taken over and where nothing has counted since."""
    late = [stint for stint in table.stints if _took_over(stint) and stint.to_hand is None]
    if not late or not any(mark.anew for mark in table.rules.marks):
        return set()
    counted = Hand.objects.filter(sitting_id=table.sitting_id, struck_at=None, marks__isnull=False)
    last = counted.aggregate(last=Max("number"))["last"] or 0
    return {stint.seat_id for stint in late if last < stint.from_hand}


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


def _add_hand(sums: Tallied, hand: Played, stints: Iterable[Stint], reading: _Reading) -> None:
    counted: set[tuple[int, int, str]] = set()
    for stint in stints:
        if not _there(stint, hand.number):
            continue
        for key, amount in reading.earned(hand, stint).items():
            if not amount:
                continue
            sums.seats[stint.seat_id, key] += amount
            of_side = (stint.side, stint.entrant_id, key)
            if reading.scopes[key] is Scope.SEAT or of_side not in counted:
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
