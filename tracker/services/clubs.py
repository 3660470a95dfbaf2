"""Making a club, and saying what it is called and who may read it."""

from datetime import datetime

from django.db import transaction

from tracker.models import Club, Membership, Role
from tracker.services.acts import record_act
from tracker.services.names import CLUB_NAME, kept_name


@transaction.atomic
def make_club(*, name: str, public: bool = True, user_id: int, now: datetime) -> Club:
    """Make a club and make the user its owner.

    :raises Refused: if the name cannot be kept.
    """
    club = Club.objects.create(name=kept_name(name, most=CLUB_NAME), public=public)
    Membership.objects.create(club=club, user_id=user_id, role=Role.OWNER)
    record_act(club_id=club.pk, verb="club-made", on={"club": club.pk}, user_id=user_id, at=now)
    return club


@transaction.atomic
def edit_club(*, club_id: int, name: str, public: bool, user_id: int, now: datetime) -> Club:
    """Call a club something else, open it to strangers or close it to them.

    :raises Refused: if the name cannot be kept.
    """
    club = Club.objects.select_for_update().get(pk=club_id)
    club.name, club.public = kept_name(name, most=CLUB_NAME), public
    club.save(update_fields=["name", "public"])
    record_act(
        club_id=club.pk,
        verb="club-changed",
        on={"club": club.pk},
        numbers={"public": int(public)},
        user_id=user_id,
        at=now,
    )
    return club
