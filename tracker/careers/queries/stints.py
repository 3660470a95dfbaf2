"""Stints of players at shared tables, and the sums of marks over shared hands."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from django.db.models import F, Value
from django.db.models.functions import Coalesce

from tracker.models import Hand, RoundState, Seat, SeatTally
from tracker.models.stints import Hands, covers, overlap

SeatSums: TypeAlias = Mapping[int, Counter[str]]  # by seat, by mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Stint:
    """A player at one place of a table, from one hand to another."""

    pk: int
    sitting_id: int
    place: int
    side: int
    from_hand: int
    to_hand: int | None
    player_id: int
    name: str
    entrant_id: int
    entered_by: int | None  # the player whose entrant it is
    team: int | None
    team_name: str
    tournament: int
    round_number: int
    table: int
    since: datetime

    @property
    def hands(self) -> Hands:
        return self.from_hand, self.to_hand


@dataclass(frozen=True, slots=True)
class Span:
    """The part of a stint during which another player sat at the same table."""

    stint: Stint
    hands: Hands


def stints_beside(*players: int) -> tuple[Stint, ...]:
    """Return every stint at the tables where all these players sat, in one query."""
    seats = Seat.objects.exclude(round__state=RoundState.UNDONE)
    for player in players:
        seats = seats.filter(sitting__in=Seat.objects.filter(player=player).values("sitting"))
    rows = seats.order_by("sitting__started_at", "sitting", "place", "from_hand").values(
        *("pk", "sitting_id", "place", "side", "from_hand", "to_hand", "player_id", "entrant_id"),
        name=F("player__name"),
        entered_by=F("entrant__player"),
        team=F("entrant__team"),
        team_name=Coalesce("entrant__team__name", Value("")),
        tournament=F("round__tournament"),
        round_number=F("round__number"),
        table=F("sitting__number"),
        since=F("sitting__started_at"),
    )
    return tuple(Stint(**row) for row in rows)


def sums_by_seat(*players: int) -> SeatSums:
    """Return what these players gathered on each of their seats, in one query."""
    sums: dict[int, Counter[str]] = defaultdict(Counter)
    rows = SeatTally.objects.filter(seat__player__in=players)
    for seat, key, amount in rows.values_list("seat_id", "key", "amount"):
        sums[seat][key] += amount
    return sums


def shared_spans(stint: Stint, other: Stint) -> tuple[Span, Span] | None:
    """Return the hands that two stints share at one table, as a span of each."""
    if stint.sitting_id != other.sitting_id or stint.place == other.place:
        return None
    hands = overlap(stint.hands, other.hands)
    return (Span(stint, hands), Span(other, hands)) if hands else None


def sums_of_spans(spans: Iterable[Span], seat_sums: SeatSums) -> dict[Span, Counter[str]]:
    """Return what was gathered in these spans, in one query where a stint was broken, else none.

    Tallies are sums over whole stints, so the hands tell of parts.
    """
    sums: dict[Span, Counter[str]] = {}
    parts: list[Span] = []
    for span in set(spans):
        if span.hands == span.stint.hands:
            sums[span] = seat_sums.get(span.stint.pk, Counter())
        else:
            parts.append(span)
    if not parts:
        return sums
    hands: dict[int, list[tuple[int, list[Mapping[str, int]]]]] = defaultdict(list)
    rows = Hand.objects.filter(
        sitting__in={span.stint.sitting_id for span in parts}, struck_at=None
    )
    for sitting, number, marks in rows.values_list("sitting_id", "number", "marks"):
        if marks is not None:
            hands[sitting].append((number, marks))
    for span in parts:
        sums[span] = Counter()
        for number, marks in hands[span.stint.sitting_id]:
            if covers(*span.hands, number):
                sums[span].update(marks[span.stint.place])
                sums[span]["hands"] += 1
    return sums
