"""Sums of marks that are kept: of every entrant now, up to a round, and of each of a team.

Trap: a sum of 0 stays where every hand was struck. It says no more than none at all, and is left out,
as otherwise it would look as if somebody had played there.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeAlias

from django.db.models import Q, QuerySet, Sum

from tracker.models import Format, RoundState, SeatTally, Tally, Tournament
from tracker.models.stints import Hands, overlap

Sums: TypeAlias = Mapping[int, Counter[str]]  # by entrant, by mark
# The tracker's own marks of a seat, beside those a game declares.
_OF_SEATS = frozenset({"dealt", "opened"})
_STINT = (
    "seat__entrant__tournament_id",
    "seat__round__number",
    "seat_id",
    "seat__entrant_id",
    "seat__sitting_id",
    "seat__side",
    "seat__place",
    "seat__from_hand",
    "seat__to_hand",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One of a team, and how often this one dealt."""

    player: int
    name: str
    dealt: int
    erased: bool = False


@dataclass(frozen=True, slots=True)
class _Stint:
    """A seat of a team at a sitting, and the hands it covers."""

    seat: int
    of: tuple[int, int, int]  # entrant, sitting, side
    place: int
    hands: Hands


def sums(tournament: Tournament) -> Sums:
    """Return what every entrant has gathered, in one query."""
    tallies = Tally.objects.filter(entrant__tournament=tournament).exclude(amount=0)
    return _gathered(tallies.values_list("entrant_id", "key", "amount"))


def sums_upto(tournament: Tournament, number: int) -> Sums:
    """Return what every entrant gathered in the rounds up to this one, in one query."""
    if tournament.format == Format.TEAMS:
        of_teams = _of_teams([tournament], number)
        return _gathered((entrant, key, amount) for _, _, entrant, key, amount in of_teams)
    tallies = _of_seats([tournament], number)
    grouped = tallies.values_list("seat__entrant_id", "key").annotate(Sum("amount"))
    return _gathered(grouped.order_by())


def sums_by_round(tournament: Tournament) -> Mapping[int, Sums]:
    """Return what every entrant gathered in each round that has hands, in one query."""
    return sums_by_round_of_each([tournament]).get(tournament.pk, {})


def sums_by_round_of_each(tournaments: Collection[Tournament]) -> Mapping[int, Mapping[int, Sums]]:
    """Return by tournament its ``sums_by_round``, in a query for those of teams and one for others."""
    of_teams = [each for each in tournaments if each.format == Format.TEAMS]
    others = [each for each in tournaments if each.format != Format.TEAMS]
    grouped = (
        _of_seats(others)
        .values_list(
            "seat__entrant__tournament_id", "seat__round__number", "seat__entrant_id", "key"
        )
        .annotate(Sum("amount"))
        .order_by()
    )
    by_round: dict[int, dict[int, dict[int, Counter[str]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(Counter))
    )
    for tournament, number, entrant, key, amount in chain(grouped, _of_teams(of_teams)):
        by_round[tournament][number][entrant][key] += amount
    return by_round


def sums_by_table(
    tournaments: Collection[Tournament], keys: Collection[str], upto: int | None = None
) -> dict[int, list[tuple[int, Sums]]]:
    """Return by tournament what everybody got at each table, with its round, in one query."""
    tallies = SeatTally.objects.filter(
        seat__entrant__tournament__in=tournaments, key__in={"hands", *keys}
    ).exclude(Q(seat__round__state=RoundState.UNDONE) | Q(amount=0))
    if upto is not None:
        tallies = tallies.filter(seat__round__number__lte=upto)
    rows = list(tallies.values_list(*_STINT, "key", "amount"))
    speaking = _one_a_side(row[:9] for row in rows)
    of_seats = {tournament.pk: tournament.rules.seat_scoped for tournament in tournaments}
    tables: dict[tuple[int, int, int], dict[int, Counter[str]]] = defaultdict(dict)
    for tournament, round_, seat, entrant, sitting, *_, key, amount in rows:
        if key in of_seats[tournament] or seat in speaking:
            table = tables[tournament, round_, sitting]
            table.setdefault(entrant, Counter())[key] += amount
    by_tournament: dict[int, list[tuple[int, Sums]]] = defaultdict(list)
    for (tournament, round_, _), table in tables.items():
        there = {entrant: own for entrant, own in table.items() if own["hands"]}
        by_tournament[tournament].append((round_, there))
    return by_tournament


def members(tournament: Tournament, number: int | None) -> dict[int, tuple[Member, ...]]:
    """Return by team who played for it, who dealt most first, in one query."""
    grouped = (
        _of_seats([tournament], number)
        .filter(key__in=["hands", "dealt"])
        .values_list(
            "seat__entrant_id",
            "seat__player_id",
            "seat__player__name",
            "seat__player__erased_at",
            "key",
        )
        .annotate(Sum("amount"))
        .order_by()
    )
    dealt: dict[int, Counter[tuple[int, str, bool]]] = defaultdict(Counter)
    for entrant, player, name, erased_at, key, amount in grouped:
        dealt[entrant][player, name, erased_at is not None] += amount if key == "dealt" else 0
    return {
        entrant: tuple(
            Member(player=player, name=name, dealt=times, erased=erased)
            for (player, name, erased), times in sorted(
                each.items(), key=lambda member: (-member[1], member[0][1])
            )
        )
        for entrant, each in dealt.items()
    }


def _of_seats(
    tournaments: Collection[Tournament], number: int | None = None
) -> QuerySet[SeatTally]:
    tallies = SeatTally.objects.filter(seat__entrant__tournament__in=tournaments)
    if number is not None:
        tallies = tallies.filter(seat__round__number__lte=number)
    return tallies.exclude(Q(seat__round__state=RoundState.UNDONE) | Q(amount=0))


def _gathered(rows: Iterable[tuple[int, str, int]]) -> Sums:
    gathered: dict[int, Counter[str]] = defaultdict(Counter)
    for entrant, key, amount in rows:
        own = gathered[entrant]
        own[key] = own.get(key, 0) + amount  # quicker than what a counter does where it has none
    return gathered


def _of_teams(
    tournaments: Collection[Tournament], number: int | None = None
) -> Iterator[tuple[int, int, int, str, int]]:
    """Yield tournament, round, entrant, key and amount of what counts for a team.

    What each seat of a team got by itself is summed, what its seats got together counts once.
    """
    rows = list(_of_seats(tournaments, number).values_list(*_STINT, "key", "amount"))
    speaking = _one_a_side(row[:9] for row in rows)
    of_seats = {each.pk: _OF_SEATS | each.rules.seat_scoped for each in tournaments}
    for tournament, round_, seat, entrant, *_, key, amount in rows:
        if key in of_seats[tournament] or seat in speaking:
            yield tournament, round_, entrant, key, amount


def _one_a_side(rows: Iterable[tuple[Any, ...]]) -> set[int]:
    """Return seats no two of which share a hand of one team's side, place by place.

    Whoever takes over a seat plays on for the team, so that the stints of its first place
    hold every hand once. *rows* hold the fields of a stint.
    """
    stints = {
        _Stint(seat, (entrant, sitting, side), place, (from_hand, to_hand))
        for _, _, seat, entrant, sitting, side, place, from_hand, to_hand in rows
    }
    speaking: dict[tuple[int, int, int], list[_Stint]] = defaultdict(list)
    for stint in sorted(stints, key=lambda stint: (stint.place, stint.hands[0])):
        before = speaking[stint.of]
        if not any(overlap(stint.hands, other.hands) for other in before):
            before.append(stint)
    return {stint.seat for side in speaking.values() for stint in side}
