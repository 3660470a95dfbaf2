"""What the rounds of a tournament are drawn by: openings, who met, seating wishes; and pending tables."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from django.db.models import Q, Sum

from tracker.models import (
    Club,
    Entrant,
    Format,
    Round,
    RoundState,
    Seat,
    SeatingWish,
    SeatTally,
    Team,
    Tournament,
    WishKind,
)
from tracker.movements.round_robin import rounds_left
from tracker.movements.types import Wishes
from tracker.tables.statements import read_tables
from tracker.tables.table import TableNow


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningCounts:
    """How often each player and entrant opened a table of a tournament, and how often each dealt."""

    by_player: Mapping[int, int]
    by_entrant: Mapping[int, int]
    dealt: Mapping[int, int]  # by player


def opening_counts(tournament_id: int) -> OpeningCounts:
    """Count first deals of sittings by player and by entrant, and all deals, in one query."""
    by_player: Counter[int] = Counter()
    by_entrant: Counter[int] = Counter()
    dealt: Counter[int] = Counter()
    sums = (
        SeatTally.objects.filter(key__in=["opened", "dealt"], seat__round__tournament=tournament_id)
        .exclude(seat__round__state=RoundState.UNDONE)
        .values_list("key", "seat__player", "seat__entrant")
        .annotate(times=Sum("amount"))
        .order_by()
    )
    for key, player, entrant, times in sums:
        if key == "dealt":
            dealt[player] += times
        else:
            by_player[player] += times
            by_entrant[entrant] += times
    return OpeningCounts(by_player=by_player, by_entrant=by_entrant, dealt=dealt)


def rounds_until_all_met(tournament: Tournament) -> int:
    """Return how many rounds a round robin still takes, 0 once everybody has met everybody.

    It is about those who have not withdrawn, and takes two queries.
    """
    mode = tournament.table_mode
    seats = Seat.objects.running().filter(round__tournament=tournament)
    at_table: dict[int, set[int]] = defaultdict(set)
    standing = seats.exclude(round__state=RoundState.UNDONE)
    for sitting, entrant in standing.values_list("sitting", "entrant"):
        at_table[sitting].add(entrant)
    met = Counter(two for units in at_table.values() for two in combinations(sorted(units), 2))
    playing = Entrant.objects.playing().filter(tournament=tournament).values_list("pk", flat=True)
    return rounds_left(playing, len(mode.sides), met)


def lineups(entrants: Iterable[Entrant]) -> dict[int, tuple[int, ...]]:
    """Return the players of every entrant: one, or the roster of the team in its order."""
    entered = list(entrants)
    members: dict[int, list[int]] = {}
    roster = Team.roster.through.objects.filter(
        team__in=[entrant.team_id for entrant in entered if entrant.team_id]
    )
    for team, player in roster.order_by("pk").values_list("team", "player"):
        members.setdefault(team, []).append(player)
    return {
        entrant.pk: (entrant.player_id,)
        if entrant.player_id
        else tuple(members.get(entrant.team_id or 0, ()))
        for entrant in entered
    }


def pending_tables(round_: Round) -> list[TableNow]:
    """Return the tables that keep a round from closing, by number; a struck hand is missing again.

    A table that only calls the organiser owes nothing. Where both sides must agree it takes
    two queries, otherwise one.
    """
    return [table for table in read_tables(rounds=[round_.pk], to_do=True) if table.owes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Promised:
    """A club's seating wishes: players who keep a table, and pairs to keep apart."""

    tables: tuple[SeatingWish, ...]
    apart: tuple[SeatingWish, ...]


def promised(club: Club) -> Promised:
    """Return the seats that are promised, by name, in one query."""
    present = Q(player__merged_into=None) & (Q(other=None) | Q(other__merged_into=None))
    wishes = SeatingWish.objects.filter(present, club=club).select_related("player", "other")
    wishes = wishes.order_by("player__name_key", "other__name_key", "kind")
    return Promised(
        tables=tuple(wish for wish in wishes if wish.kind == WishKind.KEEPS_TABLE),
        apart=tuple(wish for wish in wishes if wish.kind != WishKind.KEEPS_TABLE),
    )


def wishes_of(tournament: Tournament, entrants: Iterable[Entrant]) -> Wishes:
    """Return the wishes of these *entrants*, by entrant, in one query, or two for teams.

    A wish of anybody in a team is the team's. Tables are named by their numbers in the hall.
    Fixed teams meet or do not; who would be their own partner is none of the draw's business.
    """
    units: dict[int, int] = {}  # by player
    for entrant, players in lineups(entrants).items():
        units.update((player, entrant) for player in players)
    keeps: dict[int, int] = {}
    apart: set[frozenset[int]] = set()
    not_partners: set[frozenset[int]] = set()
    wishes = SeatingWish.objects.filter(club=tournament.club_id, player__in=units)
    # Who asked first keeps the table, where two of a team would keep different ones.
    for wish in wishes.order_by("pk"):
        unit, other = units[wish.player_id], units.get(wish.other_id or 0)
        match WishKind(wish.kind):
            case WishKind.KEEPS_TABLE:
                keeps.setdefault(unit, wish.table or 1)
            case WishKind.NOT_MEET if other is not None and other != unit:
                apart.add(frozenset((unit, other)))
            case WishKind.NOT_PARTNERS if other is not None and other != unit:
                not_partners.add(frozenset((unit, other)))
            case _:
                pass  # the other does not play, or is in the same team
    if tournament.format == Format.TEAMS:
        not_partners.clear()
    return Wishes(keeps=keeps, apart=frozenset(apart), not_partners=frozenset(not_partners))
