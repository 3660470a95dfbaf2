"""Clubs: make and change them; the link with which the first owner of a new site registers."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from django.contrib.contenttypes.models import ContentType
from django.core import signing
from django.db import transaction
from django.urls import reverse

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log, set_columns
from tracker.common.errors import Refused
from tracker.common.names import clean_name
from tracker.models import Club, Membership, Role, User
from tracker.people.services.members import make_user

FIRST_OWNER_LASTS = timedelta(hours=24)
_SIGNER = signing.Signer(salt="tracker.first-owner")


@transaction.atomic
def make_club(*, name: str, public: bool = True, by: Actor) -> Club:
    """Make a club, and make the signed-in user its owner."""
    name = clean_name(name, most=Club.name.field.max_length)
    club = Club.objects.create(name=name, public=public)
    Membership.objects.create(club=club, user_id=by.signed_in(), role=Role.OWNER)
    log(by, "club-made", club_id=club.pk, club=club.pk)
    return club


@transaction.atomic
def edit_club(*, club_id: int, name: str, public: bool, by: Actor) -> Club:
    """Rename a club, and open or close its pages to the public."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    settings = {"name": clean_name(name, most=Club.name.field.max_length), "public": public}
    # Sets the columns, and returns what changed; the log must not hold the private ``name``.
    changed = set_columns(club, settings, private={"name"})
    club.save(update_fields=[*settings])
    numbers = {"public": int(public), "changed": changed}
    # ``club_id`` says whose log it is, ``club`` what the entry is about.
    log(by, "club-changed", club_id=club.pk, club=club.pk, numbers=numbers)
    return club


def first_owner_path(*, now: datetime) -> str | None:
    """Return the path that ``serve`` prints for the first owner; ``None`` if a user exists."""
    if User.objects.exists():
        return None
    return reverse("first-owner", args=[_SIGNER.sign_object(int(now.timestamp()))])


def check_first_owner(token: str, *, now: datetime) -> None:
    """Raise ``Refused`` if the token in ``first_owner_path`` is used, expired or invalid."""
    if User.objects.exists():
        text = gettext_noop("This link was used already: the site has an owner. Please sign in.")
        raise Refused("first-owner-there", text)
    try:
        made_at = datetime.fromtimestamp(_SIGNER.unsign_object(token), UTC)
    except signing.BadSignature:
        text = gettext_noop("Part of this link is missing. Open it whole, as “serve” printed it.")
        raise Refused("first-owner-unknown", text) from None
    if now - made_at > FIRST_OWNER_LASTS:
        text = gettext_noop(
            "This link was good for a day, and that day is over."
            " Close “serve” and start it again: it prints a new one."
        )
        raise Refused("first-owner-late", text)


@transaction.atomic
def make_first_owner(
    *, token: str, club_name: str, name: str, username: str, password: str, by: Actor
) -> tuple[User, Club]:
    """Make the first user of a new site, who owns the site, and this user's club."""
    # Lock a row that always exists: without it, two requests at once would both find no user.
    ContentType.objects.select_for_update(no_key=True).get(app_label="tracker", model="user")
    check_first_owner(token, now=by.at)
    user = make_user(name=name, username=username, password=password, owns_site=True)
    return user, make_club(name=club_name, by=replace(by, user_id=user.pk))
