"""Sums of the stored tallies of marks: by entrant, round, table and member of a team.

Trap: a tally of 0 remains where every hand was struck. It is left out, or it would look as if
somebody had played there.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import TypeAlias

from django.db.models import Q, QuerySet, Sum

from tracker.models import Format, RoundState, SeatTally, Tally, Tournament

Sums: TypeAlias = Mapping[int, Counter[str]]  # by entrant, by mark
# Marks of a single seat, besides those that a game declares as such.
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
NO_END = 2**31  # the last hand of a stint that goes on


@dataclass(frozen=True, slots=True)
class Member:
    """A player of a team, and how many hands they dealt."""

    player: int
    name: str
    dealt: int
    erased: bool = False


@dataclass(frozen=True, slots=True)
class SideStint:
    """A seat of an entrant at a table, its first and last hand, and its side's sums in them."""

    entrant: int
    place: int
    first: int
    last: int
    got: Counter[str] = field(default_factory=Counter)


def sums_by_entrant(tournament: Tournament) -> Sums:
    """Return the sums of every entrant, in one query."""
    tallies = Tally.objects.filter(entrant__tournament=tournament).exclude(amount=0)
    return _gathered(tallies.values_list("entrant_id", "key", "amount"))


def sums_upto(tournament: Tournament, number: int) -> Sums:
    """Return the sums of every entrant in the rounds up to this one, in one query."""
    if tournament.format == Format.TEAMS:
        of_teams = _of_teams([tournament], number)
        return _gathered((entrant, key, amount) for _, _, entrant, key, amount in of_teams)
    tallies = tallies_of([tournament], number)
    grouped = tallies.values_list("seat__entrant_id", "key").annotate(Sum("amount"))
    return _gathered(grouped.order_by())


def sums_by_round(tournaments: Collection[Tournament]) -> Mapping[int, Mapping[int, Sums]]:
    """Return the sums of every entrant by tournament and round.

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
        played = {entrant: marks for entrant, marks in table.items() if marks["hands"]}
        by_tournament[tournament].append((round_, played))
    return by_tournament


def team_members(tournament: Tournament, number: int | None) -> dict[int, tuple[Member, ...]]:
    """Return by team the players who played for it, the one who dealt most first, in one query."""
    rows = (
        tallies_of([tournament], number)
        .filter(key__in=["hands", "dealt"])
        .values_list(
            "seat__entrant_id", "seat__player_id", "seat__player__name", "seat__player__erased_at"
        )
        .annotate(dealt=Sum("amount", filter=Q(key="dealt"), default=0))
        .order_by()
    )
    by_team: dict[int, list[Member]] = defaultdict(list)
    for team, player, name, erased_at, dealt in rows:
        by_team[team].append(Member(player, name, dealt, erased=erased_at is not None))
    return {
        team: tuple(sorted(each, key=lambda member: (-member.dealt, member.name)))
        for team, each in by_team.items()
    }


def tallies_of(
    tournaments: Collection[Tournament | int], number: int | None = None
) -> QuerySet[SeatTally]:
    """Return the tallies of rounds that are not undone, or of those up to a *number*."""
    tallies = SeatTally.objects.filter(seat__entrant__tournament__in=tournaments)
    if number is not None:
        tallies = tallies.filter(seat__round__number__lte=number)
    return tallies.exclude(Q(seat__round__state=RoundState.UNDONE) | Q(amount=0))


def _gathered(rows: Iterable[tuple[int, str, int]]) -> Sums:
    gathered: dict[int, Counter[str]] = defaultdict(Counter)
    for entrant, key, amount in rows:
        marks = gathered[entrant]
        marks[key] = marks.get(key, 0) + amount  # quicker than += of a counter without the key
    return gathered


def _of_teams(
    tournaments: Collection[Tournament], number: int | None = None
) -> Iterator[tuple[int, int, int, str, int]]:
    """Yield tournament, round, entrant, key and amount of what counts for a team."""
    of_seats = {each.pk: _OF_SEATS | each.rules.seat_scoped for each in tournaments}
    tallies = tallies_of(tournaments, number)
    for tournament, round_, _, entrant, key, amount in _counting_once(tallies, of_seats):
        yield tournament, round_, entrant, key, amount


def _counting_once(
    tallies: QuerySet[SeatTally], of_seats: Mapping[int, Collection[str]]
) -> Iterator[tuple[int, int, int, int, str, int]]:
    """Yield tournament, round, sitting, entrant, key and amount of what counts for an entrant.

    Marks of single seats (their keys are *of_seats*, by tournament) are summed. Marks of a whole
    side count once a hand, however many players of the entrant sat there.
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
    """Yield each entrant of one side with the side's sums in the hands that the entrant played.

    They are the differences between the side's sums after an unbroken run of the entrant's hands
    and before it, however many of its players sat there and whenever they came and went.
    """
    by_entrant: dict[int, list[SideStint]] = defaultdict(list)
    for stint in stints:
        by_entrant[stint.entrant].append(stint)
    upto: dict[int, Counter[str]] = {}  # the sums before each stint and after its last hand
    so_far: dict[int, Counter[str]] = defaultdict(Counter)  # by place
    for stint in sorted(stints, key=lambda each: each.first):
        before = upto.setdefault(stint.first - 1, so_far[stint.place])
        after = before.copy()
        after.update(stint.got)  # not +, which drops what is negative
        upto[stint.last] = so_far[stint.place] = after
    for entrant, of_entrant in by_entrant.items():
        got: Counter[str] = Counter()
        for first, last in _spans(of_entrant):
            got.update(upto[last])
            got.subtract(upto[first - 1])
        yield entrant, got


def _spans(stints: Iterable[SideStint]) -> Iterator[tuple[int, int]]:
    """Yield the first and last hand of each unbroken run of hands that these stints cover."""
    first = reached = 0
    for stint in sorted(stints, key=lambda each: each.first):
        if stint.first > reached:
            if reached:
                yield first, reached
            first = stint.first
        reached = max(reached, stint.last)
    if reached:
        yield first, reached
