"""Sums of marks, from stored tallies: of each entrant, round, table, and member of a team.

A *mark* is what a hand gives by a key: ``victory_points``, or ``hands``, which counts hands. A
*tally* is the stored sum of one mark, of an entrant (``Tally``) or of a *stint* (``SeatTally``),
which is a player at a place from one hand to another (a ``Seat``).

Trap: a tally of 0 remains where every hand was taken back. It is left out: nothing was played.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from django.db.models import Q, QuerySet, Sum

from tracker.models import Format, RoundState, SeatTally, Tally, Tournament

Sums: TypeAlias = Mapping[int, Counter[str]]  # of marks, keyed by entrant
# Marks of a single seat, besides those that a game declares (``seat_scoped``). All other marks are
# of a whole side, and stored at each of its places.
SEAT_MARKS = frozenset({"dealt", "opened"})
# The fields of a tally that name its side of a table, and its stint.
_SIDE = ("seat__entrant__tournament_id", "seat__round__number", "seat__sitting_id", "seat__side")
_STINT = ("seat__entrant_id", "seat_id", "seat__place", "seat__from_hand", "seat__to_hand")
NO_END = 2**31  # the number of the last hand of a stint that goes on


@dataclass(frozen=True, slots=True)
class Member:
    """A player of a team, and how many hands they dealt."""

    player: int
    name: str
    dealt: int
    erased: bool = False


@dataclass(frozen=True, slots=True)
class SideStint:
    """A stint for an entrant, its first and last hand, and the sums of its side in these hands."""

    entrant: int
    place: int
    first: int
    last: int
    sums: Counter[str] = field(default_factory=Counter)


def sums_by_entrant(tournament: Tournament) -> Sums:
    """Return the sums of every entrant, in one query."""
    tallies = Tally.objects.filter(entrant__tournament=tournament).exclude(amount=0)
    return _summed(tallies.values_list("entrant_id", "key", "amount"))


def sums_upto(tournament: Tournament, upto: int) -> Sums:
    """Return the sums of every entrant in the rounds up to number *upto*, in one query."""
    # Only a team can have several players at one side: ``_amounts`` counts them once.
    if tournament.format == Format.TEAMS:
        rows = _amounts([tournament], upto)
        return _summed((entrant, key, amount) for _, _, _, entrant, key, amount in rows)
    tallies = tallies_of([tournament], upto)
    grouped = tallies.values_list("seat__entrant_id", "key").annotate(Sum("amount"))
    return _summed(grouped.order_by())  # an order would add columns to the GROUP BY


def sums_by_round(tournaments: Collection[Tournament]) -> Mapping[int, Mapping[int, Sums]]:
    """Return {tournament: {number of a round: sums}}, in two queries: of teams, and of others."""
    in_teams = [each for each in tournaments if each.format == Format.TEAMS]
    others = [each for each in tournaments if each.format != Format.TEAMS]
    fields = ("seat__entrant__tournament_id", "seat__round__number", "seat__entrant_id", "key")
    tallies = tallies_of(others).values_list(*fields)
    grouped = tallies.annotate(Sum("amount")).order_by()  # no order: it would split the groups
    sums: dict[int, dict[int, dict[int, Counter[str]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(Counter))
    )
    for tournament, number, entrant, key, amount in grouped:
        sums[tournament][number][entrant][key] += amount
    for tournament, number, _, entrant, key, amount in _amounts(in_teams):
        sums[tournament][number][entrant][key] += amount
    return sums


def team_members(tournament: Tournament, upto: int | None) -> dict[int, tuple[Member, ...]]:
    """Return those who played for a team, who dealt most first, keyed by entrant, in one query."""
    fields = ("entrant_id", "player_id", "player__name", "player__erased_at")
    tallies = tallies_of([tournament], upto).filter(key__in=["hands", "dealt"])  # some never dealt
    rows = tallies.values_list(*(f"seat__{field}" for field in fields)).annotate(
        dealt=Sum("amount", filter=Q(key="dealt"), default=0)
    )
    members_of: dict[int, list[Member]] = defaultdict(list)
    for team, player, name, erased_at, dealt in rows.order_by():  # no order: it splits the groups
        members_of[team].append(Member(player, name, dealt, erased=erased_at is not None))
    return {
        team: tuple(sorted(members, key=lambda member: (-member.dealt, member.name)))
        for team, members in members_of.items()
    }


def tallies_of(
    tournaments: Collection[Tournament | int], upto: int | None = None
) -> QuerySet[SeatTally]:
    """Return the tallies of stints in rounds that are not undone, up to number *upto* if given."""
    tallies = SeatTally.objects.filter(seat__entrant__tournament__in=tournaments)
    if upto is not None:
        tallies = tallies.filter(seat__round__number__lte=upto)
    return tallies.exclude(Q(seat__round__state=RoundState.UNDONE) | Q(amount=0))


def _summed(rows: Iterable[tuple[int, str, int]]) -> Sums:
    sums: dict[int, Counter[str]] = defaultdict(Counter)
    for entrant, key, amount in rows:
        marks = sums[entrant]
        marks[key] = marks.get(key, 0) + amount  # quicker than += of a counter without the key
    return sums


def _amounts(
    tournaments: Collection[Tournament], upto: int | None = None
) -> Iterator[tuple[int, int, int, int, str, int]]:
    """Yield tournament, round, sitting, entrant, key and amount to add to the entrant's sums.

    The tallies of an entrant's players cannot just be
    added: marks of a whole side are stored at each of its places, and count once a hand.
    """
    tallies = tallies_of(tournaments, upto)
    seat_marks = {each.pk: SEAT_MARKS | each.rules.seat_scoped for each in tournaments}
    sides: dict[tuple[int, int, int, int], dict[int, SideStint]] = defaultdict(dict)
    for row in tallies.values_list(*_SIDE, *_STINT, "key", "amount"):
        tournament, round_, sitting, side, entrant, seat, place, first, last, key, amount = row
        if key in seat_marks[tournament]:
            yield tournament, round_, sitting, entrant, key, amount
            continue
        stints = sides[tournament, round_, sitting, side]
        if seat not in stints:
            stints[seat] = SideStint(entrant, place, first, NO_END if last is None else last)
        stints[seat].sums[key] += amount
    for (tournament, round_, sitting, _), stints in sides.items():
        for entrant, marks in sums_of_side(stints.values()):
            for key, amount in marks.items():
                yield tournament, round_, sitting, entrant, key, amount


def sums_of_side(stints: Collection[SideStint]) -> Iterator[tuple[int, Counter[str]]]:
    """Yield each entrant of one side with the side's sums in the hands that the entrant played.

    First it finds the running totals of the side after hands in which a stint ended. The stints of
    any one place have the side's sums, and follow each other without a gap: adding up one place is
    enough. Then it takes, for each unbroken run of an entrant's hands, the total after the run less
    the total before it. So a hand counts once, however many players of the entrant sat there.
    Example: at place 0 entrant A plays hands 1 and 2, then B hands 3 and 4; at place 1 A plays all.
    A's run is 1 to 4: the total after hand 4. B's is 3 to 4: the total after 4 less that after 2.
    """
    sums_after: dict[int, Counter[str]] = {}  # the side's totals, keyed by hand
    sums_at: dict[int, Counter[str]] = defaultdict(Counter)  # the latest total, keyed by place
    stints_of: dict[int, list[SideStint]] = defaultdict(list)  # keyed by entrant
    for stint in sorted(stints, key=lambda stint: stint.first):
        # Known already if another stint ends there. If not, the side scored nothing since the last
        # stint at this place: stints without any score have no tallies.
        before = sums_after.setdefault(stint.first - 1, sums_at[stint.place])
        after = before.copy()
        after.update(stint.sums)  # not +, which drops what is negative
        sums_after[stint.last] = sums_at[stint.place] = after
        stints_of[stint.entrant].append(stint)
    for entrant, of_entrant in stints_of.items():
        sums: Counter[str] = Counter()
        for first, last in _runs(of_entrant):
            sums.update(sums_after[last])
            sums.subtract(sums_after[first - 1])
        yield entrant, sums


def _runs(stints: Iterable[SideStint]) -> Iterator[tuple[int, int]]:
    """Yield first and last hand of each unbroken run of hands in these stints, in their order."""
    first = last = 0  # of the current run; hands are numbered from 1
    for stint in stints:
        if stint.first > last:
            if last:
                yield first, last
            first = stint.first
        last = max(last, stint.last)
    if last:
        yield first, last
