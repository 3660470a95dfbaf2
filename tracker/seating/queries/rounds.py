"""What a tournament remembers from round to round, and what a round still waits for."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Count, F, Max, Q, Sum

from tracker.ledger.progress import NOT_PLAYED
from tracker.models import (
    Entrant,
    Hand,
    Round,
    RoundState,
    Seat,
    SeatTally,
    Sitting,
    Team,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Openings:
    """How often who opened a table in a tournament."""

    by_player: Mapping[int, int]
    by_entrant: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """What one table of a round still owes: hands or games, and issues to settle."""

    sitting_id: int
    number: int
    done: int
    of: int | None
    issues: int

    @property
    def short(self) -> int:
        """Return how many are still to come."""
        return max(0, self.of - self.done) if self.of is not None else 0


def openings(tournament_id: int) -> Openings:
    """Return who dealt the first hand of a sitting, by player and by entrant."""
    by_player: Counter[int] = Counter()
    by_entrant: Counter[int] = Counter()
    sums = (
        SeatTally.objects.filter(key="opened", seat__round__tournament=tournament_id)
        .exclude(seat__round__state=RoundState.UNDONE)
        .values_list("seat__player", "seat__entrant")
        .annotate(times=Sum("amount"))
        .order_by()
    )
    for player, entrant, times in sums:
        by_player[player] += times
        by_entrant[entrant] += times
    return Openings(by_player=by_player, by_entrant=by_entrant)


def dealt_before(tournament_id: int, players: Collection[int]) -> dict[int, int | None]:
    """Return when each of *players* last dealt in the tournament.

    ``None`` is never; otherwise the number is below 0, and the larger the later.
    Hands of the same number dealt in the same round are level.
    """
    dealt = (
        Hand.objects.filter(
            Q(sitting__seats__to_hand=None) | Q(sitting__seats__to_hand__gte=F("number")),
            sitting__seats__place=F("dealer"),
            sitting__seats__from_hand__lte=F("number"),
            sitting__seats__player__in=players,
            sitting__round__tournament=tournament_id,
            struck_at=None,
        )
        .exclude(sitting__round__state=RoundState.UNDONE)
        .values_list("sitting__seats__player", "sitting__round__number")
        .annotate(last=Max("number"))
        .order_by()
    )
    when: dict[int, tuple[int, int]] = {}
    for player, number, last in dealt:
        when[player] = max(when.get(player, (0, 0)), (number, last))
    times = sorted(set(when.values()))
    return {
        player: times.index(when[player]) - len(times) if player in when else None
        for player in players
    }


def rests(tournament_id: int) -> Counter[int]:
    """Return how many rounds each entrant sat out."""
    return Counter(entrant for out in sat_out(tournament_id).values() for entrant in out)


def sat_out(tournament_id: int) -> dict[int, tuple[int, ...]]:
    """Return by round who was left over and not fetched to a table after all, in two queries."""
    rounds = list(
        Round.objects.filter(tournament=tournament_id)
        .exclude(state=RoundState.UNDONE)
        .values_list("pk", "seating_plan")
    )
    seated = set(
        Seat.objects.filter(round__in=[pk for pk, _ in rounds]).values_list("round", "entrant")
    )
    return {
        pk: tuple(one for one in plan.get("resting", ()) if (pk, one) not in seated)
        for pk, plan in rounds
    }


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


def missing(round_: Round) -> tuple[Missing, ...]:
    """Return the tables that still owe something, by their number; a struck hand is owed again."""
    sittings = (
        Sitting.objects.filter(round=round_)
        .annotate(
            issues_open=Count("issues", filter=Q(issues__settled_at=None), distinct=True),
            struck=Count("hands", filter=Q(hands__struck_at__isnull=False), distinct=True),
            not_played=NOT_PLAYED,
        )
        .order_by("number")
    )
    tables = (
        Missing(
            sitting_id=sitting.pk,
            number=sitting.number,
            done=sitting.games_over + sitting.not_played
            if round_.games is not None
            else sitting.last_number - sitting.struck,
            of=round_.games if round_.games is not None else round_.hands,
            issues=sitting.issues_open,
        )
        for sitting in sittings
    )
    return tuple(table for table in tables if table.short or table.issues)
