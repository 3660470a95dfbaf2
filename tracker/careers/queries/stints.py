"""Who sat with whom, from which hand to which, and what that came to."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from django.utils.translation import gettext

from tracker.models import Hand, RoundState, Seat, SeatTally

SeatSums: TypeAlias = Mapping[int, Counter[str]]  # by seat, by mark
_FIELDS = (
    "pk",
    "sitting_id",
    "place",
    "side",
    "from_hand",
    "to_hand",
    "player_id",
    "player__name",
    "entrant_id",
    "entrant__player_id",
    "entrant__team_id",
    "entrant__team__name",
    "round__tournament_id",
    "round__number",
    "sitting__number",
    "sitting__started_at",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stint:
    """Somebody at one place of a table, from one hand to another."""

    seat: int
    sitting: int
    place: int
    side: int
    first: int
    last: float
    player: int
    name: str
    entrant: int
    entered_by: int | None  # the player whose entrant it is
    team: int | None
    team_name: str
    tournament: int
    round: int
    table: int
    since: datetime


@dataclass(frozen=True, slots=True)
class Span:
    """The part of a stint that somebody else spent at the same table."""

    stint: Stint
    first: int
    last: float

    @property
    def whole(self) -> bool:
        return (self.first, self.last) == (self.stint.first, self.stint.last)


def stints_beside(*players: int) -> tuple[Stint, ...]:
    """Return every stint at the tables where all these players sat, in one query."""
    seats = Seat.objects.exclude(round__state=RoundState.UNDONE)
    for player in players:
        seats = seats.filter(sitting__in=Seat.objects.filter(player=player).values("sitting"))
    rows = seats.order_by("sitting__started_at", "sitting", "place", "from_hand")
    return tuple(_stint(row) for row in rows.values_list(*_FIELDS))


def sums_by_seat(*players: int) -> SeatSums:
    """Return what these players gathered on each of their seats, in one query."""
    kept: dict[int, Counter[str]] = defaultdict(Counter)
    rows = SeatTally.objects.filter(seat__player__in=players)
    for seat, key, amount in rows.values_list("seat_id", "key", "amount"):
        kept[seat][key] += amount
    return kept


def shared(stint: Stint, other: Stint) -> tuple[Span, Span] | None:
    """Return the hands that two people spent at one table, as a part of each one's stint."""
    first, last = max(stint.first, other.first), min(stint.last, other.last)
    if stint.sitting != other.sitting or stint.place == other.place or first > last:
        return None
    return Span(stint, first, last), Span(other, first, last)


def sums_of_spans(spans: Iterable[Span], kept: SeatSums) -> dict[Span, Counter[str]]:
    """Return what was gathered in these spans, in one query where a stint was broken, else none.

    What is kept is summed over whole stints, so the hands tell of parts.
    """
    wanted = set(spans)
    found = {span: kept.get(span.stint.seat, Counter()) for span in wanted if span.whole}
    parts = [span for span in wanted if not span.whole]
    if not parts:
        return found
    hands: dict[int, list[tuple[int, list[Mapping[str, int]]]]] = defaultdict(list)
    rows = Hand.objects.filter(sitting__in={span.stint.sitting for span in parts}, struck_at=None)
    for sitting, number, marks in rows.values_list("sitting_id", "number", "marks"):
        if marks is not None:
            hands[sitting].append((number, marks))
    for span in parts:
        gathered: Counter[str] = Counter()
        for number, marks in hands[span.stint.sitting]:
            if span.first <= number <= span.last:
                gathered.update(marks[span.stint.place])
                gathered["hands"] += 1
        found[span] = gathered
    return found


def public_name(name: str, erased_at: datetime | None) -> str:
    """Return what to call somebody who may have asked to be forgotten."""
    return name if erased_at is None else gettext("A former player")


def _stint(row: tuple[Any, ...]) -> Stint:
    told = dict(zip(_FIELDS, row, strict=True))
    to_hand = told["to_hand"]
    return Stint(
        seat=told["pk"],
        sitting=told["sitting_id"],
        place=told["place"],
        side=told["side"],
        first=told["from_hand"],
        last=float("inf") if to_hand is None else to_hand,
        player=told["player_id"],
        name=told["player__name"],
        entrant=told["entrant_id"],
        entered_by=told["entrant__player_id"],
        team=told["entrant__team_id"],
        team_name=told["entrant__team__name"] or "",
        tournament=told["round__tournament_id"],
        round=told["round__number"],
        table=told["sitting__number"],
        since=told["sitting__started_at"],
    )
