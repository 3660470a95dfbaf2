"""Sums of marks, at two grains: of a seat, and of an entrant. They move by differences.

A hand gives its marks to the seats as they are. To an entrant a mark of scope ``side``
counts once for each hand and side, as a team is not counted twice; one of scope ``seat``
is summed. The tracker adds ``hands``, and of hands that were played ``dealt`` and
``opened``. Struck hands and undone rounds are not in the sums. A mark that only tells a change
sums up to how an entrant's last hand at a place left it, whoever played in between: who takes
over a seat begins ``anew``, and an entrant for whom somebody else plays on, or who comes back,
goes on from where that entrant stood.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from games.sheet import side_marks
from tracker.models import Hand, Sitting
from tracker.tables.statements import Statement, execute, lock_tables
from tracker.tables.table import Stint, TableNow
from tracker.tables.writing import adding_up

Sums: TypeAlias = Counter[tuple[int, str]]  # of seats or entrants, by mark key
HANDS, DEALT, OPENED = "hands", "dealt", "opened"


@dataclass(frozen=True, slots=True)
class Counted:
    """What of a hand is tallied. ``marks`` go by place; ``None`` if it counts for nothing.

    A hand that nobody ``played``, or whose dealer is unknown, counts as dealt for nobody.
    """

    number: int
    dealer: int | None
    marks: Sequence[Mapping[str, int]] | None
    played: bool = True


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

    def add(self, other: "Tallied") -> None:
        self.seats.update(other.seats)
        self.entrants.update(other.entrants)


def tallied(hands: Iterable[Counted], table: TableNow) -> Tallied:
    """Return the tallies of these hands, all that the table has, for all who sat there."""
    sums, changing = Tallied(), _Changing(table)
    for hand in sorted(hands, key=lambda hand: hand.number):
        _add_hand(sums, hand, table, changing)
    return sums


def tallied_next(hand: Counted, table: TableNow) -> Tallied:
    """Return the tallies of the hand after the last, for those who sit there."""
    sums, changing = Tallied(), _Changing(table)
    if changing.newcomers:
        before = standing_hands(Hand.objects.filter(sitting=table.sitting_id))
        for earlier in sorted(before, key=lambda hand: hand.number):
            _add_hand(Tallied(), earlier, table, changing)
    _add_hand(sums, hand, table, changing)
    return sums


class _Changing:
    """The marks that only tell a change, of those who come to a place later than others."""

    def __init__(self, table: TableNow) -> None:
        self.marks = [mark for mark in table.game.marks if mark.anew]
        late = (stint.seat_id for stint in table.stints if stint.from_hand > 1)
        self.newcomers = set(late) if self.marks else set()  # without a hand that counted
        self.stood: dict[tuple[int, int, str], int] = {}  # by place, entrant and mark

    def of(self, stint: Stint, marks: Mapping[str, int]) -> dict[str, int]:
        """Return what of the *marks* of the next hand counts otherwise for this stint."""
        otherwise: dict[str, int] = {}
        if not self.newcomers:
            return otherwise
        for mark in self.marks:
            key = (stint.place, stint.entrant_id, mark.key)
            if stint.seat_id in self.newcomers:
                otherwise[mark.key] = marks[mark.anew] - self.stood.get(key, 0)
            self.stood[key] = marks[mark.anew]
        self.newcomers.discard(stint.seat_id)
        return otherwise


def _add_hand(sums: Tallied, hand: Counted, table: TableNow, changing: _Changing) -> None:
    """Add what a hand gives, and remember how it leaves those who are *changing*."""
    of_seats = table.game.seat_scoped | {DEALT, OPENED}
    earned: dict[int, dict[str, int]] = {}
    together: dict[tuple[int, int], list[int]] = defaultdict(list)  # seats by side and entrant
    for stint in table.stints:
        if not stint.covers(hand.number):
            continue
        # What the stint earns, the tracker's own marks included.
        marks: dict[str, int] = {}
        if hand.marks is not None:
            own = hand.marks[stint.place]
            marks = {**own, **changing.of(stint, own), HANDS: 1}
        if hand.played and stint.place == hand.dealer:
            marks[DEALT] = 1
            marks[OPENED] = int(hand.number == 1)
        earned[stint.place] = marks
        together[stint.side, stint.entrant_id].append(stint.place)
        for key, amount in marks.items():
            if amount:
                sums.seats[stint.seat_id, key] += amount
    for (_, entrant), places in together.items():
        for key, amount in side_marks(earned, places, of_seats).items():
            if amount:
                sums.entrants[entrant, key] += amount


def standing_hands(hands: Iterable[Hand]) -> list[Counted]:
    """Return stored hands as they are tallied, without the struck ones."""
    return [
        Counted(hand.number, hand.dealer, hand.marks, hand.played)
        for hand in hands
        if hand.struck_at is None
    ]


def moving(difference: Tallied) -> list[Statement]:
    """Return the statements that add a difference to the stored sums."""
    return [
        *adding_up("tracker_seattally", "seat_id", difference.seats),
        *adding_up("tracker_tally", "entrant_id", difference.entrants),
    ]


def move(difference: Tallied) -> None:
    """Add a difference to the stored sums."""
    if statements := moving(difference):
        execute(*statements)


def tallied_tables(sitting_ids: Iterable[int]) -> Tallied:
    """Lock these tables, and return the tallies of their hands for their seats as they now are.

    Those of undone rounds give nothing.
    """
    sums = Tallied()
    for table in lock_tables(sitting_ids):
        if table.tallied:
            hands = Hand.objects.filter(sitting=table.sitting_id)
            sums.add(tallied(standing_hands(hands), table))
    return sums


def take_out_round(round_id: int) -> None:
    """Take the hands of a round out of the sums, before it is marked as undone."""
    move(Tallied().less(_of_round(round_id)))


def put_back_round(round_id: int) -> None:
    """Put the hands of a round into the sums again, once it is no longer marked as undone."""
    move(_of_round(round_id))


def _of_round(round_id: int) -> Tallied:
    sittings = Sitting.objects.filter(round=round_id)
    return tallied_tables(sittings.values_list("pk", flat=True))
