"""Invitations to a club, which are links with a signed *token*: make, withdraw, check, accept."""

from dataclasses import replace
from datetime import datetime, timedelta

from django.core import signing
from django.db import transaction
from django.urls import reverse

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import Invitation, Membership, Player, Role, User
from tracker.people.services.claims import link_player
from tracker.people.services.members import make_user

USUAL_DAYS = 14
MOST_DAYS = 90
_SIGNER = signing.Signer(salt="tracker.invitation")


def join_path(invitation_id: int) -> str:
    """Return the path of the page that accepts an invitation."""
    return reverse("join", args=[_SIGNER.sign_object(invitation_id)])


@transaction.atomic
def invite(
    *,
    club_id: int,
    role: Role,
    many: bool = False,
    days: int,
    player_id: int | None = None,
    by: Actor,
) -> Invitation:
    """Make an invitation to join with a role, and as a player if given, for one user or *many*."""
    if many and role == Role.OWNER:
        text = gettext_noop("A link that makes an owner is for one person only.")
        raise Refused("invitation-owners", text, question="many")
    if not 1 <= days <= MOST_DAYS:
        text = gettext_noop("A link is good for 1 to %(most)d days.")
        raise Refused("invitation-days", text, question="days", most=MOST_DAYS)
    if player_id is not None:
        _check_unlinked(Player.objects.present().get(pk=player_id, club_id=club_id))
    invitation = Invitation.objects.create(
        club_id=club_id,
        role=role,
        many=many,
        player_id=player_id,
        made_by_id=by.user_id,
        made_at=by.at,
        expires_at=by.at + timedelta(days=days),
    )
    _record(by, "invited", invitation)
    return invitation


@transaction.atomic
def withdraw(*, invitation_id: int, by: Actor) -> Invitation:
    """Withdraw an invitation; members who joined by it stay."""
    invitation = Invitation.objects.select_for_update(no_key=True).get(pk=invitation_id)
    if invitation.withdrawn_at is None:
        invitation.withdrawn_at = by.at
        invitation.save(update_fields=["withdrawn_at"])
        _record(by, "invitation-withdrawn", invitation)
    return invitation


@transaction.atomic
def join(*, token: str, by: Actor) -> Membership:
    """Make the signed-in user a member by an invitation; a member with a higher role keeps it."""
    invitation = valid_invitation(token, now=by.at, lock=True)
    role = Role(invitation.role)
    membership, is_new = Membership.objects.get_or_create(
        club_id=invitation.club_id, user_id=by.signed_in(), defaults={"role": role}
    )
    promoted = role.rank < Role(membership.role).rank  # the highest role has rank 0
    if promoted:
        membership.role = role
        membership.save(update_fields=["role"])
    if invitation.player_id is not None:
        _check_unlinked(Player.objects.select_for_update(no_key=True).get(pk=invitation.player_id))
        link_player(player_id=invitation.player_id, user_id=membership.user_id, by=by)
    # An invitation that has changed nothing is not used up.
    if is_new or promoted or invitation.player_id is not None:
        invitation.used += 1
        invitation.save(update_fields=["used"])
        _record(by, "joined", invitation)
    return membership


@transaction.atomic
def join_as_new_user(
    *, token: str, name: str, username: str, password: str, by: Actor
) -> tuple[User, Membership]:
    """Make a user with a new login, and make this user a member by an invitation."""
    valid_invitation(token, now=by.at, lock=True)
    if User.objects.filter(username__iexact=User.normalize_username(username)).exists():
        text = gettext_noop("Somebody signs in with this word already. Please choose another.")
        raise Refused("username-taken", text, question="username")
    user = make_user(name=name, username=username, password=password)
    return user, join(token=token, by=replace(by, user_id=user.pk))


def valid_invitation(token: str, *, now: datetime, lock: bool = False) -> Invitation:
    """Return the invitation of a token, if it can be accepted now."""
    try:
        key = _SIGNER.unsign_object(token)
    except signing.BadSignature:
        key = None  # no invitation has this key
    invitations = Invitation.objects.select_related("club", "player")
    if lock:
        invitations = invitations.select_for_update(of=("self",), no_key=True)
    invitation = invitations.filter(pk=key).first()
    if invitation is None:
        text = gettext_noop("Part of this link is missing. Open it whole, as it was sent to you.")
        raise Refused("invitation-unknown", text)
    if invitation.withdrawn_at is not None:
        text = gettext_noop("This invitation was withdrawn: ask for another.")
        raise Refused("invitation-withdrawn", text)
    if invitation.used and not invitation.many:
        text = gettext_noop(
            "This invitation was for one person, and has been used: ask for another."
        )
        raise Refused("invitation-used", text)
    if now >= invitation.expires_at:
        raise Refused("invitation-late", gettext_noop("This invitation expired: ask for another."))
    return invitation


def _check_unlinked(player: Player) -> None:
    if player.merged_into_id or player.erased_at or player.user_id:
        raise Refused("player-linked", gettext_noop("Somebody signs in as this player already."))


def _record(by: Actor, verb: str, invitation: Invitation) -> None:
    club_id, player = invitation.club_id, invitation.player_id
    numbers = {"role": invitation.role, "many": int(invitation.many)}
    log(by, verb, club_id=club_id, invitation=invitation.pk, player=player, numbers=numbers)
