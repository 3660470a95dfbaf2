"""Who may do what in a club, and who is invited."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Q

from tracker.models import Club, Invitation, Membership, Player, Role

_HIGHEST_FIRST = tuple(Role)


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


def member_rows(club: Club) -> list[MemberRow]:
    """Return everybody with a role in the club, owners first, in two queries."""
    held = Membership.objects.filter(club=club).select_related("user")
    people = Player.objects.present().filter(club=club).exclude(user=None)
    players = dict(people.values_list("user", "name"))
    rows = sorted(
        held,
        key=lambda one: (_HIGHEST_FIRST.index(Role(one.role)), one.user.username.casefold()),
    )
    return [
        MemberRow(
            pk=one.pk,
            name=one.user.get_full_name() or one.user.username,
            username=one.user.username,
            role=str(Role(one.role).label),
            player=players.get(one.user_id, ""),
        )
        for one in rows
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
            pk=one.pk,
            role=str(Role(one.role).label),
            player=one.player.name if one.player else "",
            many=one.many,
            used=one.used,
            expires_at=one.expires_at,
        )
        for one in unused.order_by("-made_at", "-pk")
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
            club=one.club,
            role=str(Role(one.role).label),
            player=am.get(one.club_id),
            claimed=say.get(one.club_id),
        )
        for one in held.order_by(F("club__name"), "club_id")
    ]
