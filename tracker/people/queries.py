"""The people of a club: players, teams, members and their links, and who may be here twice."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, Prefetch, Q
from django.db.models.functions import Coalesce

from tracker.models import (
    Club,
    Entrant,
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
_HIGHEST_FIRST = tuple(Role)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRow:
    pk: int
    name: str
    key: str  # what the name sorts by
    visitor_from: str
    teams: str
    tournaments: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamRow:
    pk: int
    name: str
    key: str  # what the name sorts by
    people: tuple[str, ...]
    tournaments: int

    @property
    def says_all(self) -> bool:
        """Tell whether the name already says who they are."""
        return set(self.name.split(" & ")) == set(self.people)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPlayer:
    player_id: int
    name: str
    sits: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberRow:
    pk: int
    name: str
    username: str
    role: str
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationRow:
    pk: int
    role: str
    player: str
    many: bool
    used: int
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Mine:
    """A club of mine: what I may do there, and who I am among its players."""

    club: Club
    role: str
    player: Player | None
    claimed: Player | None  # who I say I am, unanswered yet


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """A player who may be another; ``tournaments`` says how much there is to move."""

    pk: int
    name: str
    tournaments: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Merger:
    log_entry: int
    gone: str
    stays: str
    at: datetime


def player_rows(club: Club, *, named: str = "") -> list[PlayerRow]:
    """Return the players of a club with *named* in their names, by name, in three queries."""
    players = (
        Player.objects.present()
        .filter(club=club, name_key__contains=name_key(named))
        .prefetch_related(Prefetch("teams", Team.objects.order_by("name_key")))
        .order_by("name_key")
    )
    by_player = Entrant.objects.filter(player__club=club).values("player")
    counted = by_player.annotate(count=Count(_event("tournament"), distinct=True))
    entered = dict(counted.values_list("player", "count"))
    return [
        PlayerRow(
            pk=player.pk,
            name=player.name,
            key=player.name_key,
            visitor_from=player.visitor_from,
            teams=", ".join(team.name for team in player.teams.all()),
            tournaments=entered.get(player.pk, 0),
        )
        for player in players
    ]


def _event(tournament: str) -> Coalesce:
    """Return in a query the first stage of a tournament: an event of a few stages counts once."""
    return Coalesce(f"{tournament}__follows__follows", f"{tournament}__follows", tournament)


def known_players(club: Club) -> list[KnownPlayer]:
    """Return the players of the club by name; those who sit at a table just now come last."""
    now = Count("seats", filter=Q(seats__active=True))
    people = Player.objects.present().filter(club=club).annotate(sits=now).order_by("name_key")
    known = [
        KnownPlayer(player_id=pk, name=name, sits=bool(sits))
        for pk, name, sits in people.values_list("pk", "name", "sits")
    ]
    return sorted(known, key=lambda player: player.sits)


def team_rows(club: Club, *, named: str = "") -> list[TeamRow]:
    """Return the teams of a club with their people, by name, in two queries.

    With *named* only those with that in their name, or in that of one of their people.
    """
    key = name_key(named)
    roster = Prefetch("roster", Player.objects.present().order_by("name_key"))
    teams = (
        Team.objects.filter(club=club)
        .annotate(tournaments=Count(_event("entrants__tournament"), distinct=True))
        .prefetch_related(roster)
        .order_by("name_key")
    )
    return [
        TeamRow(
            pk=team.pk,
            name=team.name,
            key=team.name_key,
            people=tuple(player.name for player in team.roster.all()),
            tournaments=team.tournaments,
        )
        for team in teams
        if key in team.name_key or any(key in player.name_key for player in team.roster.all())
    ]


def member_rows(club: Club) -> list[MemberRow]:
    """Return everybody with a role in the club, owners first, in two queries."""
    held = Membership.objects.filter(club=club).select_related("user")
    people = Player.objects.present().filter(club=club).exclude(user=None)
    players = dict(people.values_list("user", "name"))
    rows = sorted(
        held,
        key=lambda member: (
            _HIGHEST_FIRST.index(Role(member.role)),
            member.user.username.casefold(),
        ),
    )
    return [
        MemberRow(
            pk=member.pk,
            name=member.user.called,
            username=member.user.username,
            role=str(Role(member.role).label),
            player=players.get(member.user_id, ""),
        )
        for member in rows
    ]


def open_invitations(
    club: Club, *, now: datetime, player: Player | None = None
) -> list[InvitationRow]:
    """Return the links that still open something, the newest first, in one query.

    With a player only those by which somebody becomes that player.
    """
    good = Invitation.objects.filter(club=club, withdrawn_at=None, expires_at__gt=now)
    unused = good.filter(Q(many=True) | Q(used=0)).select_related("player")
    if player is not None:
        unused = unused.filter(player=player)
    return [
        InvitationRow(
            pk=link.pk,
            role=str(Role(link.role).label),
            player=link.player.name if link.player else "",
            many=link.many,
            used=link.used,
            expires_at=link.expires_at,
        )
        for link in unused.order_by("-made_at", "-pk")
    ]


def claims(club: Club) -> list[Player]:
    """Return the players somebody says to be, unanswered yet, in one query."""
    claimed = Player.objects.present().filter(club=club).exclude(claimed_by=None)
    return list(claimed.select_related("claimed_by").order_by("name_key"))


def mine(user_id: int) -> list[Mine]:
    """Return the clubs of a user, in two queries."""
    held = Membership.objects.filter(user_id=user_id).select_related("club")
    players = Player.objects.present().filter(Q(user=user_id) | Q(claimed_by=user_id))
    am = {player.club_id: player for player in players if player.user_id == user_id}
    say = {player.club_id: player for player in players if player.user_id != user_id}
    return [
        Mine(
            club=membership.club,
            role=str(Role(membership.role).label),
            player=am.get(membership.club_id),
            claimed=say.get(membership.club_id),
        )
        for membership in held.order_by(F("club__name"), "club_id")
    ]


def likely_pairs(club: Club) -> list[tuple[Twin, Twin]]:
    """Return pairs of players with names alike who never sat in one round, in three queries.

    The first of a pair has played less: it is the one that would become the other.
    """
    players = Player.objects.present().filter(club=club).order_by("name_key")
    names = dict(players.values_list("pk", "name"))
    pairs = alike(names)
    wanted = {player for pair in pairs for player in pair}
    rounds: dict[int, set[int]] = defaultdict(set)
    for player, round_ in Seat.objects.filter(player__in=wanted).values_list("player", "round"):
        rounds[player].add(round_)
    entered: dict[int, int] = defaultdict(int)
    for player in Entrant.objects.filter(player__in=wanted).values_list("player", flat=True):
        entered[player or 0] += 1

    def twin(player: int) -> Twin:
        return Twin(pk=player, name=names[player], tournaments=entered[player])

    apart = [pair for pair in pairs if not rounds[pair[0]] & rounds[pair[1]]]
    return [
        (twin(less), twin(more))
        for pair in apart[:PAIRS_SHOWN]
        for less, more in [sorted(pair, key=lambda player: len(rounds[player]))]
    ]


def mergers(club: Club) -> list[Merger]:
    """Return the last mergers that stand, the newest first, in two queries."""
    log_entries = LogEntry.objects.filter(club=club, verb="players-merged", undone_by=None)
    merger_entries = list(log_entries.order_by("-at", "-pk")[:MERGERS_SHOWN])
    keys = {
        key
        for log_entry in merger_entries
        for key in (log_entry.on["player"], log_entry.on["into"])
    }
    players = Player.objects.in_bulk(keys)
    return [
        Merger(
            log_entry=log_entry.pk,
            gone=players[log_entry.on["player"]].name,
            stays=players[log_entry.on["into"]].name,
            at=log_entry.at,
        )
        for log_entry in merger_entries
    ]
