"""Tallies: the stored sums of marks of each seat and each entrant, and how changes add to them.

A hand gives each seat its marks. To an entrant a mark of scope ``side`` counts once for each
hand and side, as a team is not counted twice; one of scope ``seat`` is summed. The tracker adds
the marks ``hands`` and, for hands that were played, ``dealt`` and ``opened``. Struck hands and
undone rounds are left out.

A mark with ``anew`` is the change since the hand before of another mark, which it names: its sum
is the other mark after an entrant's last hand at a place. In the first hand of a player who takes
over a seat, it counts from where their entrant stood at that place, or from 0.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from games.sheet import side_marks
from tracker.models import Hand, Sitting
from tracker.tables.locks import lock_tables
from tracker.tables.sql import Statement, execute
from tracker.tables.table_now import TableNow
from tracker.tables.table_row import Stint
from tracker.tables.writing import add_sums

Sums: TypeAlias = Counter[tuple[int, str]]  # of seats or entrants, by mark key
HANDS, DEALT, OPENED = "hands", "dealt", "opened"


@dataclass(frozen=True, slots=True)
class HandMarks:
    """What a hand adds to the tallies: marks by place, or ``None`` if it has none, and its dealer.

    A hand that was not ``played``, or whose dealer is unknown, counts as dealt for nobody.
    """

    number: int
    dealer: int | None
    marks: Sequence[Mapping[str, int]] | None
    played: bool = True


@dataclass(frozen=True, slots=True)
class Tallies:
    """The sums of some hands, or the changes to them."""

    seats: Sums = field(default_factory=Counter)
    entrants: Sums = field(default_factory=Counter)

    def less(self, other: "Tallies") -> "Tallies":
        seats, entrants = Counter(self.seats), Counter(self.entrants)
        seats.subtract(other.seats)
        entrants.subtract(other.entrants)
        return Tallies(seats, entrants)

    def add(self, other: "Tallies") -> None:
        self.seats.update(other.seats)
        self.entrants.update(other.entrants)


def tallies_of(hands: Iterable[HandMarks], table: TableNow) -> Tallies:
    """Return the tallies of all hands of the table, for everybody who sat there."""
    sums, anew_marks = Tallies(), _AnewMarks(table)
    for hand in sorted(hands, key=lambda hand: hand.number):
        _add_hand(sums, hand, table, anew_marks)
    return sums


def tallies_of_next(hand: HandMarks, table: TableNow) -> Tallies:
    """Return what the hand after the last adds to the tallies."""
    sums, anew_marks = Tallies(), _AnewMarks(table)
    if anew_marks.newcomers:
        before = marks_of(Hand.objects.filter(sitting=table.sitting_id))
        for earlier in sorted(before, key=lambda hand: hand.number):
            _add_hand(Tallies(), earlier, table, anew_marks)
    _add_hand(sums, hand, table, anew_marks)
    return sums


class _AnewMarks:
    """The marks with ``anew``, as they count for players who took over a seat."""

    def __init__(self, table: TableNow) -> None:
        self.marks = [mark for mark in table.game.marks if mark.anew]
        late = (stint.seat_id for stint in table.stints if stint.from_hand > 1)
        self.newcomers = set(late) if self.marks else set()  # before their first hand
        self.latest: dict[tuple[int, int, str], int] = {}  # by place, entrant and mark

    def replaced(self, stint: Stint, marks: Mapping[str, int]) -> dict[str, int]:
        """Return those *marks* of the next hand that have another value for this stint."""
        replaced: dict[str, int] = {}
        if not self.newcomers:
            return replaced
        for mark in self.marks:
            key = (stint.place, stint.entrant_id, mark.key)
            if stint.seat_id in self.newcomers:
                replaced[mark.key] = marks[mark.anew] - self.latest.get(key, 0)
            self.latest[key] = marks[mark.anew]
        self.newcomers.discard(stint.seat_id)
        return replaced


def _add_hand(sums: Tallies, hand: HandMarks, table: TableNow, anew_marks: _AnewMarks) -> None:
    """Add the marks of a hand to the sums, and update *anew_marks*."""
    of_seats = table.game.seat_scoped | {DEALT, OPENED}
    marks_at: dict[int, dict[str, int]] = {}
    places_of: dict[tuple[int, int], list[int]] = defaultdict(list)  # by side and entrant
    for stint in table.stints:
        if not stint.covers(hand.number):
            continue
        marks: dict[str, int] = {}
        if hand.marks is not None:
            own = hand.marks[stint.place]
            marks = {**own, **anew_marks.replaced(stint, own), HANDS: 1}
        if hand.played and stint.place == hand.dealer:
            marks[DEALT] = 1
            marks[OPENED] = int(hand.number == 1)
        marks_at[stint.place] = marks
        places_of[stint.side, stint.entrant_id].append(stint.place)
        for key, amount in marks.items():
            if amount:
                sums.seats[stint.seat_id, key] += amount
    for (_, entrant), places in places_of.items():
        for key, amount in side_marks(marks_at, places, of_seats).items():
            if amount:
                sums.entrants[entrant, key] += amount


def marks_of(hands: Iterable[Hand]) -> list[HandMarks]:
    """Return what stored hands add to the tallies, without the struck ones."""
    return [
        HandMarks(hand.number, hand.dealer, hand.marks, hand.played)
        for hand in hands
        if hand.struck_at is None
    ]


def tally_statements(changes: Tallies) -> list[Statement]:
    """Return the statements that add changes to the stored tallies."""
    return [
        *add_sums("tracker_seattally", "seat_id", changes.seats),
        *add_sums("tracker_tally", "entrant_id", changes.entrants),
    ]


def add_to_tallies(changes: Tallies) -> None:
    if statements := tally_statements(changes):
        execute(*statements)


def lock_and_tally(sitting_ids: Iterable[int]) -> Tallies:
    """Lock these tables, and return the tallies of their hands; undone rounds have none."""
    sums = Tallies()
    for table in lock_tables(sitting_ids):
        if table.tallied:
            hands = Hand.objects.filter(sitting=table.sitting_id)
            sums.add(tallies_of(marks_of(hands), table))
    return sums


def subtract_round(round_id: int) -> None:
    """Subtract the hands of a round from the tallies, before it is marked as undone."""
    add_to_tallies(Tallies().less(_tallies_of_round(round_id)))


def add_round_again(round_id: int) -> None:
    """Add the hands of a round to the tallies again, once it is no longer marked as undone."""
    add_to_tallies(_tallies_of_round(round_id))


def _tallies_of_round(round_id: int) -> Tallies:
    sittings = Sitting.objects.filter(round=round_id)
    return lock_and_tally(sittings.values_list("pk", flat=True))
