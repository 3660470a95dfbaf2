"""Stored sums of marks: by entrant, now or up to a round, and by member of a team.

Trap: a sum of 0 stays where every hand was struck. It says no more than none at all, and is left out,
as otherwise it would look as if somebody had played there.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import TypeAlias

from django.db.models import Q, QuerySet, Sum

from tracker.models import Format, RoundState, SeatTally, Tally, Tournament

Sums: TypeAlias = Mapping[int, Counter[str]]  # by entrant, by mark
# The tracker's own marks of a seat, beside those a game declares.
_OF_SEATS = frozenset({"dealt", "opened"})
_STINT = (
    "seat__entrant__tournament_id",
    "seat__round__number",
    "seat__sitting_id",
    "seat__side",
    "seat__entrant_id",
    "seat_id",
    "seat__place",
    "seat__from_hand",
    "seat__to_hand",
)
NO_END = 2**31  # of who sits there still: a hand after all others


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One of a team, and how often this one dealt."""

    player: int
    name: str
    dealt: int
    erased: bool = False


@dataclass(frozen=True, slots=True)
class SideStint:
    """A seat of an entrant at a table, the hands it covers, and what its side got in them."""

    entrant: int
    place: int
    first: int
    last: int
    got: Counter[str] = field(default_factory=Counter)


def sums(tournament: Tournament) -> Sums:
    """Return what every entrant has gathered, in one query."""
    tallies = Tally.objects.filter(entrant__tournament=tournament).exclude(amount=0)
    return _gathered(tallies.values_list("entrant_id", "key", "amount"))


def sums_upto(tournament: Tournament, number: int) -> Sums:
    """Return what every entrant gathered in the rounds up to this one, in one query."""
    if tournament.format == Format.TEAMS:
        of_teams = _of_teams([tournament], number)
        return _gathered((entrant, key, amount) for _, _, entrant, key, amount in of_teams)
    tallies = tallies_of([tournament], number)
    grouped = tallies.values_list("seat__entrant_id", "key").annotate(Sum("amount"))
    return _gathered(grouped.order_by())


def sums_by_round(tournaments: Collection[Tournament]) -> Mapping[int, Mapping[int, Sums]]:
    """Return by tournament and round what every entrant gathered there.

    It takes one query for the tournaments of teams and one for the others.
    """
    of_teams = [each for each in tournaments if each.format == Format.TEAMS]
    others = [each for each in tournaments if each.format != Format.TEAMS]
    grouped = (
        tallies_of(others)
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
    """Return by tournament the sums of all entrants at each table, with its round, in one query."""
    tallies = tallies_of(tournaments, upto).filter(key__in={"hands", *keys})
    of_seats = {tournament.pk: tournament.rules.seat_scoped for tournament in tournaments}
    tables: dict[tuple[int, int, int], dict[int, Counter[str]]] = defaultdict(dict)
    for tournament, round_, sitting, entrant, key, amount in _counting_once(tallies, of_seats):
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
        tallies_of([tournament], number)
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


def tallies_of(
    tournaments: Collection[Tournament | int], number: int | None = None
) -> QuerySet[SeatTally]:
    """Return the sums of each seat in the rounds that stand, or in those up to this one."""
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
    of_seats = {each.pk: _OF_SEATS | each.rules.seat_scoped for each in tournaments}
    tallies = tallies_of(tournaments, number)
    for tournament, round_, _, entrant, key, amount in _counting_once(tallies, of_seats):
        yield tournament, round_, entrant, key, amount


def _counting_once(
    tallies: QuerySet[SeatTally], of_seats: Mapping[int, Collection[str]]
) -> Iterator[tuple[int, int, int, int, str, int]]:
    """Yield tournament, round, sitting, entrant, key and amount of what counts for an entrant.

    What each seat got by itself (*of_seats*, by tournament) is summed; what a side got together
    counts once a hand, however many of the entrant's people sat there.
    """
    sides: dict[tuple[int, int, int, int], dict[int, SideStint]] = defaultdict(dict)
    for row in tallies.values_list(*_STINT, "key", "amount"):
        tournament, round_, sitting, side, entrant, seat, place, first, last, key, amount = row
        if key in of_seats[tournament]:
            yield tournament, round_, sitting, entrant, key, amount
            continue
        stints = sides[tournament, round_, sitting, side]
        if seat not in stints:
            stints[seat] = SideStint(entrant, place, first, NO_END if last is None else last)
        stints[seat].got[key] += amount
    for (tournament, round_, sitting, _), stints in sides.items():
        for entrant, got in sums_of_side(stints.values()):
            for key, amount in got.items():
                yield tournament, round_, sitting, entrant, key, amount


def sums_of_side(stints: Collection[SideStint]) -> Iterator[tuple[int, Counter[str]]]:
    """Yield by entrant what those of one side got in the hands that any of its people played.

    As a rule some of an entrant's stints hold each of its hands once: those of its first place.
    Where its people came and went at different hands, what the side had got by then tells it:
    the stints of a place, one after the other, say that of every hand after which somebody came.
    """
    by_entrant: dict[int, list[SideStint]] = defaultdict(list)
    for stint in stints:
        by_entrant[stint.entrant].append(stint)
    for entrant, own in by_entrant.items():
        got: Counter[str] = Counter()
        speaking: list[SideStint] = []
        for stint in sorted(own, key=lambda each: (each.place, each.first)):
            if all(stint.last < other.first or other.last < stint.first for other in speaking):
                speaking.append(stint)
        spans = list(_spans(own))
        if _hands((each.first, each.last) for each in speaking) == _hands(spans):
            for stint in speaking:
                got.update(stint.got)
        else:
            upto = _sums_by_hand(stints)
            for first, last in spans:
                got.update(upto[last])
                got.subtract(upto[first - 1])
        yield entrant, got


def _spans(stints: Iterable[SideStint]) -> Iterator[tuple[int, int]]:
    """Yield from which hand to which any of these stints goes on, each hand once."""
    first = reached = 0
    for stint in sorted(stints, key=lambda each: each.first):
        if stint.first > reached:
            if reached:
                yield first, reached
            first = stint.first
        reached = max(reached, stint.last)
    if reached:
        yield first, reached


def _hands(spans: Iterable[tuple[int, int]]) -> int:
    return sum(last - first + 1 for first, last in spans)


def _sums_by_hand(stints: Iterable[SideStint]) -> dict[int, Counter[str]]:
    """Return a side's sums by hand: just before each stint, and at its last hand."""
    upto: dict[int, Counter[str]] = {}
    so_far: dict[int, Counter[str]] = defaultdict(Counter)  # by place
    for stint in sorted(stints, key=lambda each: each.first):
        upto[stint.first - 1] = so_far[stint.place].copy()
        so_far[stint.place].update(stint.got)
        upto[stint.last] = so_far[stint.place].copy()
    return upto
