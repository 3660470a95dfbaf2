"""Sums of marks that are kept: of every entrant now, up to a round, and of each of a team."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from django.db.models import QuerySet, Sum

from games.sheet import Scope
from tracker.models import Format, RoundState, SeatTally, Tally, Tournament

Sums: TypeAlias = Mapping[int, Counter[str]]  # by entrant, by mark
# The tracker's own marks of a seat, beside those a game declares.
_OF_SEATS = frozenset({"dealt", "opened"})
_STINT = (
    "seat__round__number",
    "seat_id",
    "seat__entrant_id",
    "seat__sitting_id",
    "seat__side",
    "seat__from_hand",
    "seat__to_hand",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One of a team, and how often this one dealt."""

    name: str
    dealt: int


@dataclass(frozen=True, slots=True)
class _Stint:
    """A seat of a team at a sitting, from one hand to another."""

    seat: int
    of: tuple[int, int, int]  # entrant, sitting, side
    first: int
    last: float

    def meets(self, other: "_Stint") -> bool:
        return self.of == other.of and self.first <= other.last and other.first <= self.last


def sums(tournament: Tournament) -> Sums:
    """Return what every entrant has gathered, in one query."""
    kept = Tally.objects.filter(entrant__tournament=tournament)
    return _gathered(kept.values_list("entrant_id", "key", "amount"))


def sums_upto(tournament: Tournament, number: int) -> Sums:
    """Return what every entrant gathered in the rounds up to this one, in one query."""
    kept = _of_seats(tournament, number)
    if tournament.format == Format.TEAMS:
        return _sums_of_teams(tournament, kept)
    grouped = kept.values_list("seat__entrant_id", "key").annotate(Sum("amount"))
    return _gathered(grouped.order_by())


def sums_by_round(tournament: Tournament) -> dict[int, Sums]:
    """Return what every entrant gathered in each round that has hands, in one query."""
    found: dict[int, dict[int, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    kept = _of_seats(tournament, None)
    if tournament.format == Format.TEAMS:
        for number, entrant, key, amount in _of_teams(tournament, kept):
            found[number][entrant][key] += amount
    else:
        grouped = kept.values_list("seat__round__number", "seat__entrant_id", "key")
        for number, entrant, key, amount in grouped.annotate(Sum("amount")).order_by():
            found[number][entrant][key] += amount
    return dict(found)


def sums_by_table(
    tournaments: Collection[Tournament], keys: Collection[str], upto: int | None = None
) -> dict[int, list[tuple[int, Sums]]]:
    """Return by tournament what everybody got at each table, with its round, in one query."""
    kept = SeatTally.objects.filter(
        seat__entrant__tournament__in=tournaments, key__in={"hands", *keys}
    ).exclude(seat__round__state=RoundState.UNDONE)
    if upto is not None:
        kept = kept.filter(seat__round__number__lte=upto)
    rows = list(kept.values_list("seat__entrant__tournament_id", *_STINT, "key", "amount"))
    speaking = _one_a_side({_stint(row[1:8]) for row in rows})
    of_seats = {
        tournament.pk: {mark.key for mark in tournament.rules.marks if mark.scope is Scope.SEAT}
        for tournament in tournaments
    }
    tables: dict[tuple[int, int, int], dict[int, Counter[str]]] = defaultdict(dict)
    for tournament, round_, seat, entrant, sitting, *_, key, amount in rows:
        if amount and (key in of_seats[tournament] or seat in speaking):
            table = tables[tournament, round_, sitting]
            table.setdefault(entrant, Counter())[key] += amount
    found: dict[int, list[tuple[int, Sums]]] = defaultdict(list)
    for (tournament, round_, _), table in tables.items():
        found[tournament].append((round_, {one: own for one, own in table.items() if own["hands"]}))
    return found


def members(tournament: Tournament, number: int | None) -> dict[int, tuple[Member, ...]]:
    """Return by team who played for it, who dealt most first, in one query."""
    grouped = (
        _of_seats(tournament, number)
        .filter(key__in=["hands", "dealt"])
        .values_list("seat__entrant_id", "seat__player_id", "seat__player__name", "key")
        .annotate(Sum("amount"))
        .order_by()
    )
    dealt: dict[int, Counter[tuple[int, str]]] = defaultdict(Counter)
    for entrant, player, name, key, amount in grouped:
        dealt[entrant][player, name] += amount if key == "dealt" else 0
    return {
        entrant: tuple(
            Member(name=name, dealt=times)
            for (_, name), times in sorted(each.items(), key=lambda one: (-one[1], one[0][1]))
        )
        for entrant, each in dealt.items()
    }


def _of_seats(tournament: Tournament, number: int | None) -> QuerySet[SeatTally]:
    kept = SeatTally.objects.filter(seat__entrant__tournament=tournament)
    if number is not None:
        kept = kept.filter(seat__round__number__lte=number)
    return kept.exclude(seat__round__state=RoundState.UNDONE)


def _gathered(rows: Iterable[tuple[int, str, int]]) -> Sums:
    found: dict[int, Counter[str]] = defaultdict(Counter)
    for entrant, key, amount in rows:
        found[entrant][key] += amount
    return found


def _sums_of_teams(tournament: Tournament, kept: QuerySet[SeatTally]) -> Sums:
    """Sum what each seat of a team got by itself, and once what its seats got together."""
    return _gathered(
        (entrant, key, amount) for _, entrant, key, amount in _of_teams(tournament, kept)
    )


def _of_teams(
    tournament: Tournament, kept: QuerySet[SeatTally]
) -> Iterator[tuple[int, int, str, int]]:
    """Yield round, entrant, key and amount of what counts for a team."""
    rows = list(kept.values_list(*_STINT, "key", "amount"))
    speaking = _one_a_side({_stint(row[:7]) for row in rows})
    of_seats = _OF_SEATS | {mark.key for mark in tournament.rules.marks if mark.scope is Scope.SEAT}
    for number, seat, entrant, _, _, _, _, key, amount in rows:
        if key in of_seats or seat in speaking:
            yield number, entrant, key, amount


def _stint(row: tuple[Any, ...]) -> _Stint:
    _round, seat, entrant, sitting, side, first, last = row
    return _Stint(seat, (entrant, sitting, side), first, float("inf") if last is None else last)


def _one_a_side(stints: Iterable[_Stint]) -> set[int]:
    """Return seats no two of which share a hand of one team's side; longer stints come first."""
    speaking: list[_Stint] = []
    for stint in sorted(stints, key=lambda one: (one.first - one.last, one.first, one.seat)):
        if not any(stint.meets(other) for other in speaking):
            speaking.append(stint)
    return {stint.seat for stint in speaking}
