"""Opening counts of a tournament, and the tables that keep a round from closing."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from django.db.models import Count, Q, Sum

from tracker.ledger.matches import running_says
from tracker.models import (
    Confirm,
    Entrant,
    Hand,
    IssueKind,
    Progress,
    Round,
    RoundState,
    Seat,
    SeatTally,
    Team,
    Tournament,
)
from tracker.seating.logic.movements.round_robin import rounds_left


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningCounts:
    """How often each player and entrant opened a table of a tournament, and how often each dealt."""

    by_player: Mapping[int, int]
    by_entrant: Mapping[int, int]
    dealt: Mapping[int, int]  # by player


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingTable:
    """A table that keeps a round from closing: missing results, open issues or unconfirmed hands."""

    sitting_id: int
    number: int
    progress: Progress
    running: str
    issues: int
    unconfirmed: tuple[int, ...] = ()  # hands to which another side has to agree

    @property
    def owes(self) -> bool:
        """Say whether a round should not be closed over it without a word."""
        level = self.progress.level
        return bool(self.short or self.issues or self.unconfirmed or level)

    @property
    def short(self) -> int:
        """Return how many are still to come."""
        return self.progress.owed


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


def pending_tables(round_: Round) -> tuple[PendingTable, ...]:
    """Return the tables that keep a round from closing, by number; a struck hand is missing again.

    A table that only calls the organiser owes nothing. Where both sides must agree it takes
    two queries, otherwise one.
    """
    about_hands = [kind for kind in IssueKind if kind is not IssueKind.CALL]
    waiting = Count("issues", filter=Q(issues__settled_at=None, issues__kind__in=about_hands))
    unconfirmed = unconfirmed_hands(round_)
    tables = (
        PendingTable(
            sitting_id=sitting.pk,
            number=sitting.number,
            progress=sitting.progress(round_),
            running=running_says(sitting, round_),
            issues=sitting.issues_open,
            unconfirmed=tuple(unconfirmed.get(sitting.pk, ())),
        )
        for sitting in round_.sittings.annotate(issues_open=waiting).order_by("number")
    )
    return tuple(table for table in tables if table.owes)


def unconfirmed_hands(round_: Round) -> dict[int, list[int]]:
    """Return by sitting which hands of a round wait for another side to agree."""
    waiting: dict[int, list[int]] = {}
    if round_.tournament.confirm == Confirm.BOTH:
        hands = Hand.objects.unconfirmed().filter(sitting__round=round_).order_by("number")
        for sitting, number in hands.values_list("sitting_id", "number"):
            waiting.setdefault(sitting, []).append(number)
    return waiting
