"""The people of a club: players, teams, members and their links, and who may be here twice."""

from collections import defaultdict
from datetime import datetime

from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from tracker.models import (
    Attendance,
    Club,
    Invitation,
    LogEntry,
    Membership,
    Player,
    Role,
    Seat,
    Team,
    name_key,
)
from tracker.people.logic import alike

PAIRS_SHOWN = 30
MERGERS_SHOWN = 10


def player_rows(club: Club, *, named: str = "") -> list[Player]:
    """Return the players of a club with *named* in their names, by name, in two queries.

    They come with their teams, and with the number of ``tournaments`` they were entered in.
    """
    return list(
        Player.objects.present()
        .filter(club=club, name_key__contains=name_key(named))
        .annotate(tournaments=Count(_event("entrants__tournament"), distinct=True))
        .prefetch_related(Prefetch("teams", Team.objects.order_by("name_key")))
        .order_by("name_key")
    )


def _event(tournament: str) -> Coalesce:
    """Return in a query the first stage of a tournament: an event of a few stages counts once."""
    return Coalesce(f"{tournament}__follows__follows", f"{tournament}__follows", tournament)


def known_players(club: Club) -> list[Player]:
    """Return the players of the club, those of the last night first, then by name.

    Those who ``sit`` at a table just now come last.
    """
    sit = Exists(Seat.objects.active().filter(player=OuterRef("pk")))
    stays = Attendance.objects.filter(player=OuterRef("pk")).order_by("-night__starts_at")
    people = (
        Player.objects.present()
        .filter(club=club)
        .annotate(sits=sit, seen=Subquery(stays.values("night__starts_at")[:1]))
    )
    return list(people.order_by("sits", F("seen").desc(nulls_last=True), "name_key"))


def team_rows(club: Club, *, named: str = "") -> list[Team]:
    """Return the teams of a club with their people, by name, in two queries.

    With *named* only those with that in their name, or in that of one of their people. They come
    with the number of ``tournaments`` they were entered in.
    """
    key = name_key(named)
    teams = (
        Team.objects.filter(club=club)
        .annotate(tournaments=Count(_event("entrants__tournament"), distinct=True))
        .prefetch_related(Prefetch("roster", Player.objects.present().order_by("name_key")))
        .order_by("name_key")
    )
    return [
        team
        for team in teams
        if key in team.name_key or any(key in player.name_key for player in team.roster.all())
    ]


def member_rows(club: Club) -> list[Membership]:
    """Return the memberships of a club, owners first; ``plays_as`` is the player of each."""
    players = Player.objects.present().filter(club=club, user=OuterRef("user"))
    held = Membership.objects.filter(club=club).select_related("user")
    return sorted(
        held.annotate(plays_as=Subquery(players.values("name"))),
        key=lambda member: (Role(member.role).rank, member.user.username.casefold()),
    )


def open_invitations(
    club: Club, *, now: datetime, player: Player | None = None
) -> QuerySet[Invitation]:
    """Return the links that still open something, the newest first, in one query.

    With a player only those by which somebody becomes that player.
    """
    good = Invitation.objects.filter(club=club, withdrawn_at=None, expires_at__gt=now)
    unused = good.filter(Q(many=True) | Q(used=0)).select_related("player")
    if player is not None:
        unused = unused.filter(player=player)
    return unused.order_by("-made_at", "-pk")


def claims(club: Club) -> list[Player]:
    """Return the players with an unanswered claim, in one query."""
    claimed = Player.objects.present().filter(club=club).exclude(claimed_by=None)
    return list(claimed.select_related("claimed_by").order_by("name_key"))


def clubs_of(user_id: int) -> list[tuple[Membership, Player | None, Player | None]]:
    """Return the memberships of a user with their players, in two queries.

    Each membership comes with the player they are there, and the one they say they are.
    """
    held = Membership.objects.filter(user_id=user_id).select_related("club")
    players = Player.objects.present().filter(Q(user=user_id) | Q(claimed_by=user_id))
    am = {player.club_id: player for player in players if player.user_id == user_id}
    say = {player.club_id: player for player in players if player.user_id != user_id}
    return [
        (membership, am.get(membership.club_id), say.get(membership.club_id))
        for membership in held.order_by("club__name", "club_id")
    ]


def likely_pairs(club: Club) -> list[tuple[Player, Player]]:
    """Return pairs of players with names alike who never sat in one round, in two queries.

    The first of a pair has played less: it is the one that would become the other. They come
    with the number of ``tournaments`` they were entered in.
    """
    people = Player.objects.present().filter(club=club).order_by("name_key")
    players = {player.pk: player for player in people.annotate(tournaments=Count("entrants"))}
    pairs = alike({pk: player.name for pk, player in players.items()})
    rounds: dict[int, set[int]] = defaultdict(set)
    seats = Seat.objects.filter(player__in={player for pair in pairs for player in pair})
    for player_id, round_ in seats.values_list("player", "round"):
        rounds[player_id].add(round_)
    apart = [pair for pair in pairs if not rounds[pair[0]] & rounds[pair[1]]]
    return [
        (players[less], players[more])
        for pair in apart[:PAIRS_SHOWN]
        for less, more in [sorted(pair, key=lambda player_id: len(rounds[player_id]))]
    ]


def mergers(club: Club) -> list[tuple[LogEntry, Player, Player]]:
    """Return the last mergers that stand, the newest first, in two queries.

    Each comes with the player who is gone and the one who stays.
    """
    entries = LogEntry.objects.filter(club=club, verb="players-merged", undone_by=None)
    merged = [
        (entry, entry.on["player"], entry.on["into"])
        for entry in entries.order_by("-at", "-pk")[:MERGERS_SHOWN]
    ]
    players = Player.objects.in_bulk([key for _, *keys in merged for key in keys])
    return [(entry, players[gone], players[stays]) for entry, gone, stays in merged]
