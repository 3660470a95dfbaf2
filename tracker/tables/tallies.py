"""Tallies: the stored sums of marks of each seat and each entrant, and how changes add to them.

A *mark* is a whole number that a hand gives to a place, such as victory points, with a key. A
*seat* is here a stint: one player at one place of a table, from one hand to another. An *entrant*
is a player or a team as the standings rank it.

For an entrant, a mark of scope ``side`` counts once for each hand and side, so that a team's points
are not counted once per member; a mark of scope ``seat`` is summed. The tracker adds the marks
``hands`` and, for hands that were played, ``dealt`` (who dealt) and ``opened`` (who dealt the first
hand). Struck hands (undone or taken out) and hands of undone rounds are left out.

A mark may name another mark in ``anew``. It is then the change of that other mark since the hand
before, at the same place, so its sum is the last value of the other mark. Where a player takes over
a seat, the stored change is since the hand of the player before. So for the newcomer's first hand
it is worked out again: as the change since their entrant's last hand at that place, or since 0.
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

# Sums keyed by (id of a seat or an entrant, key of a mark).
Sums: TypeAlias = Counter[tuple[int, str]]
HANDS, DEALT, OPENED = "hands", "dealt", "opened"


@dataclass(frozen=True, slots=True)
class HandMarks:
    """What a hand adds to the tallies."""

    number: int
    dealer: int | None  # the place that dealt the hand; ``None`` if unknown
    marks: Sequence[Mapping[str, int]] | None  # by place; ``None`` if the hand counts for nobody
    played: bool = True  # otherwise nobody has dealt the hand


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
    """Return the tallies of these hands, which are all hands of the table."""
    sums, takeovers = Tallies(), _Takeovers(table)
    for hand in sorted(hands, key=lambda hand: hand.number):
        _add_hand(sums, hand, table, takeovers)
    return sums


def tallies_of_next(hand: HandMarks, table: TableNow) -> Tallies:
    """Return what the table's next hand adds to its tallies."""
    sums, takeovers = Tallies(), _Takeovers(table)
    if takeovers.newcomers:
        # The earlier hands are needed only for the values that *takeovers* remembers. Their own
        # sums are stored already, and dropped here.
        stored = marks_of(Hand.objects.filter(sitting=table.sitting_id))
        for earlier in sorted(stored, key=lambda hand: hand.number):
            _add_hand(Tallies(), earlier, table, takeovers)
    _add_hand(sums, hand, table, takeovers)
    return sums


class _Takeovers:
    """Corrects the ``anew`` marks of players who took over a seat; hands are added in order."""

    def __init__(self, table: TableNow) -> None:
        self.anew_marks = [mark for mark in table.game.marks if mark.anew]
        late_seats = (stint.seat_id for stint in table.stints if stint.from_hand > 1)
        # The seats of newcomers whose first hand has not been added yet.
        self.newcomers = set(late_seats) if self.anew_marks else set()
        # The last value of the mark named by ``anew``, keyed by place, entrant and mark.
        self.last_values: dict[tuple[int, int, str], int] = {}

    def corrected(self, stint: Stint, marks: Mapping[str, int]) -> dict[str, int]:
        """Return new values for *marks* of the next hand that need them; remember the hand."""
        new_values: dict[str, int] = {}
        if not self.newcomers:  # nothing needs to be remembered for a later hand
            return new_values
        for mark in self.anew_marks:
            key = (stint.place, stint.entrant_id, mark.key)
            if stint.seat_id in self.newcomers:
                new_values[mark.key] = marks[mark.anew] - self.last_values.get(key, 0)
            self.last_values[key] = marks[mark.anew]
        self.newcomers.discard(stint.seat_id)
        return new_values


def _add_hand(sums: Tallies, hand: HandMarks, table: TableNow, takeovers: _Takeovers) -> None:
    """Add the marks of a hand to the sums, and update *takeovers*."""
    seat_scoped = table.game.seat_scoped | {DEALT, OPENED}  # keys of the marks of scope ``seat``
    marks_by_place: dict[int, dict[str, int]] = {}
    # Keyed by side and entrant: a mark of scope ``side`` counts once for each side.
    places_by_entrant: dict[tuple[int, int], list[int]] = defaultdict(list)
    for stint in table.during(hand.number):
        marks: dict[str, int] = {}
        if hand.marks is not None:
            stored_marks = hand.marks[stint.place]
            marks = {**stored_marks, **takeovers.corrected(stint, stored_marks), HANDS: 1}
        if hand.played and stint.place == hand.dealer:
            marks[DEALT] = 1
            marks[OPENED] = int(hand.number == 1)
        marks_by_place[stint.place] = marks
        places_by_entrant[stint.side, stint.entrant_id].append(stint.place)
        for key, amount in marks.items():
            if amount:
                sums.seats[stint.seat_id, key] += amount
    for (_side, entrant), places in places_by_entrant.items():
        for key, amount in side_marks(marks_by_place, places, seat_scoped).items():
            if amount:
                sums.entrants[entrant, key] += amount


def marks_of(hands: Iterable[Hand]) -> list[HandMarks]:
    """Return what stored hands add to the tallies, leaving out struck hands."""
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
    """Lock these tables, and return the sum of their tallies, without undone rounds."""
    sums = Tallies()
    for table in lock_tables(sitting_ids):
        if table.tallied:
            hands = marks_of(Hand.objects.filter(sitting=table.sitting_id))
            sums.add(tallies_of(hands, table))
    return sums


def subtract_round(round_id: int) -> None:
    """Subtract the hands of a round from the tallies, before it is marked as undone."""
    add_to_tallies(Tallies().less(_tallies_of_round(round_id)))


def add_round_again(round_id: int) -> None:
    """Add the hands of a round to the tallies again, once it is no longer marked as undone."""
    add_to_tallies(_tallies_of_round(round_id))


def _tallies_of_round(round_id: int) -> Tallies:
    return lock_and_tally(Sitting.objects.filter(round=round_id).values_list("pk", flat=True))
