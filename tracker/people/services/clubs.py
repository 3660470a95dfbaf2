"""Making a club, and saying what it is called and who may read it."""

from django.db import transaction

from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.names import CLUB_NAME, clean_name
from tracker.models import Club, Membership, Role


@transaction.atomic
def make_club(*, name: str, public: bool = True, by: Actor) -> Club:
    """Make a club and make the user its owner.

    :raises Refused: if the name cannot be kept.
    """
    club = Club.objects.create(name=clean_name(name, most=CLUB_NAME), public=public)
    Membership.objects.create(club=club, user_id=by.signed_in(), role=Role.OWNER)
    log(by, "club-made", club_id=club.pk, club=club.pk)
    return club


@transaction.atomic
def edit_club(*, club_id: int, name: str, public: bool, by: Actor) -> Club:
    """Call a club something else, open it to strangers or close it to them.

    :raises Refused: if the name cannot be kept.
    """
    club = Club.objects.select_for_update().get(pk=club_id)
    club.name, club.public = clean_name(name, most=CLUB_NAME), public
    club.save(update_fields=["name", "public"])
    log(by, "club-changed", club_id=club.pk, club=club.pk, numbers={"public": int(public)})
    return club
