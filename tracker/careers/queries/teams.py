"""Teams: what each has played, and who played for it."""

from collections import Counter, defaultdict
from dataclasses import dataclass

from django.db.models import Sum

from tracker.careers.queries.careers import (
    GameLine,
    TournamentResult,
    game_lines,
    latest_first,
)
from tracker.models import RoundState, SeatTally, Tally, Team, Tournament
from tracker.standings.queries.events import events_of
from tracker.standings.queries.final_ranking import final_rankings


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMember:
    player: int
    name: str
    hands: int
    dealt: int
    now: bool  # in the team today


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamCareer:
    games: tuple[GameLine, ...]
    tournaments: tuple[TournamentResult, ...]
    members: tuple[TeamMember, ...]


def team_career(team: Team) -> TeamCareer:
    """Return what a team has played, in six queries, one more where a stage was among it."""
    events = events_of(Tournament.objects.filter(entrants__team=team))
    event_by = {stage.pk: event for event in events for stage in event.stages}
    tournaments = {event.root.pk: event.root for event in events}
    by_tournament: dict[int, Counter[str]] = defaultdict(Counter)
    entrants: dict[int, int] = {}
    rows = Tally.objects.filter(entrant__team=team)
    for tournament, entrant, key, amount in rows.values_list(
        "entrant__tournament_id", "entrant_id", "key", "amount"
    ):
        root = event_by[tournament].root.pk
        by_tournament[root][key] += amount
        entrants[root] = max(entrant, entrants.get(root, 0))  # of the latest stage
    rankings = final_rankings(events)
    finish_by = {
        placed.entrant: placed.overall for ranking in rankings.values() for placed in ranking
    }
    results = (
        TournamentResult(
            event=event_by[pk], finish=finish_by.get(entrant), hands=by_tournament[pk]["hands"]
        )
        for pk, entrant in entrants.items()
    )
    return TeamCareer(
        games=game_lines(by_tournament, tournaments),
        tournaments=latest_first(results),
        members=_members(team),
    )


def _members(team: Team) -> tuple[TeamMember, ...]:
    """Return who plays and who played for a team, in two queries."""
    now = dict(team.roster.order_by("name_key").values_list("pk", "name"))
    grouped = (
        SeatTally.objects.filter(seat__entrant__team=team, key__in=["hands", "dealt"])
        .exclude(seat__round__state=RoundState.UNDONE)
        .values_list("seat__player_id", "seat__player__name", "key")
        .annotate(Sum("amount"))
        .order_by()
    )
    sums: dict[int, Counter[str]] = defaultdict(Counter)
    names = dict(now)
    for player, name, key, amount in grouped:
        sums[player][key] += amount
        names[player] = name
    members = (
        TeamMember(
            player=player,
            name=name,
            hands=sums[player]["hands"],
            dealt=sums[player]["dealt"],
            now=player in now,
        )
        for player, name in names.items()
    )
    return tuple(sorted(members, key=lambda member: (-member.hands, member.name)))
