"""Members of a club and their logins: roles, removal, password links, new users, names."""

from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.common.names import clean_name
from tracker.models import Club, Membership, Player, Role, User


@transaction.atomic
def change_role(*, membership_id: int, role: Role, by: Actor) -> Membership:
    """Change the role of a member.

    :raises Refused: ``last-owner`` if no owner would be left, ``site-owner`` if the member owns the
        site and *by* does not.
    """
    membership = _locked(membership_id)
    if membership.role != role:
        check_may_change(membership.user, by.user_id)
        _check_owner_left(membership, stays=role == Role.OWNER)
        membership.role = role
        membership.save(update_fields=["role"])
        _record(by, "role-changed", membership)
    return membership


@transaction.atomic
def remove_member(*, membership_id: int, by: Actor) -> Membership:
    """Remove a member from a club, but not its last owner; login and results stay."""
    membership = _locked(membership_id)
    check_may_change(membership.user, by.user_id)
    _check_owner_left(membership, stays=False)
    _record(by, "member-removed", membership)
    claimed = Player.objects.filter(club=membership.club_id, claimed_by=membership.user_id)
    claimed.update(claimed_by=None)
    Membership.objects.filter(pk=membership.pk).delete()
    return membership


def check_may_change(member: User, by_user_id: int | None) -> None:
    """Raise ``Refused`` if the member owns the site, unless the user who changes them does too."""
    if member.is_superuser and not _owns_site(by_user_id):
        template = gettext_noop(
            "%(name)s is the owner of this site. Only the owner of the site can change their"
            " role, remove them from a club or erase them."
        )
        raise Refused("site-owner", template, name=member.called)


def may_reset(*, membership: Membership, user_id: int) -> bool:
    """Return whether the user may give this member a link to set a new password.

    A user who has the link can sign in as the member. So a club's owner may not give it to a member
    who is staff of the site, or is also in a club that the owner does not own.
    """
    if _owns_site(user_id):
        return True
    member = membership.user
    if member.is_superuser or member.is_staff:
        return False
    owned = Membership.objects.filter(user=user_id, role=Role.OWNER).values("club")
    return not Membership.objects.filter(user=member).exclude(club__in=owned).exists()


@transaction.atomic
def give_password_link(*, membership_id: int, by: Actor) -> str:
    """Return the path of a page to set a new password, valid once and for three days."""
    membership = _locked(membership_id)
    if not may_reset(membership=membership, user_id=by.signed_in()):
        template = gettext_noop(
            "%(name)s is also in other clubs, or runs this site:"
            " only the owner of the site can give them a new password."
        )
        raise Refused("reset-elsewhere", template, name=membership.user.called)
    _record(by, "password-link-given", membership)
    key = urlsafe_base64_encode(force_bytes(membership.user_id))
    return reverse("password-new", args=[key, default_token_generator.make_token(membership.user)])


def make_user(*, name: str, username: str, password: str, owns_site: bool = False) -> User:
    user = User(
        username=User.normalize_username(username),
        first_name=clean_name(name, most=Player.name.field.max_length),
        is_staff=owns_site,
        is_superuser=owns_site,
    )
    user.set_password(password)
    user.save()
    return user


@transaction.atomic
def rename_user(*, name: str, by: Actor) -> User:
    """Rename the user who is signed in, and log it in each of their clubs."""
    user = User.objects.select_for_update(no_key=True).get(pk=by.signed_in())
    name_before = user.get_full_name()
    user.first_name, user.last_name = clean_name(name, most=Player.name.field.max_length), ""
    user.save(update_fields=["first_name", "last_name"])
    if user.first_name != name_before:
        for club_id in user.memberships.order_by("club").values_list("club", flat=True):
            log(by, "user-renamed", club_id=club_id, member=user.pk)
    return user


def _owns_site(user_id: int | None) -> bool:
    return user_id is not None and User.objects.filter(pk=user_id, is_superuser=True).exists()


def _locked(membership_id: int) -> Membership:
    """Lock the club, so that two owners cannot leave at once, and return the membership."""
    club_id = Membership.objects.values_list("club", flat=True).get(pk=membership_id)
    Club.objects.select_for_update(no_key=True).get(pk=club_id)
    return Membership.objects.select_related("user", "club").get(pk=membership_id)


def _check_owner_left(membership: Membership, *, stays: bool) -> None:
    owners = Membership.objects.filter(club=membership.club_id, role=Role.OWNER)
    if not stays and not owners.exclude(pk=membership.pk).exists():
        template = gettext_noop("%(name)s is the only owner of %(club)s. Make another owner first.")
        name, club = membership.user.called, membership.club.name
        raise Refused("last-owner", template, question="role", name=name, club=club)


def _record(by: Actor, verb: str, membership: Membership) -> None:
    numbers = {"role": membership.role}
    log(by, verb, club_id=membership.club_id, member=membership.user_id, numbers=numbers)
