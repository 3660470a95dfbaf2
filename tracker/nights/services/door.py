"""The door of a night: people check themselves in by its token, and go home."""

import secrets

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import ClubNight, LogEntry, Player
from tracker.nights.queries.door import goes_on
from tracker.nights.services.attendance import MOST_TYPED, arrive, leave


@transaction.atomic
def open_door(*, night_id: int, by: Actor, anew: bool = False) -> ClubNight:
    """Return the night with the token of its door, made if there is none.

    Where it is made *anew*, the one before leads nowhere from then on.
    """
    night = ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    if night.door_token is None or anew:
        verb = "door-opened" if night.door_token is None else "door-renewed"
        night.door_token = secrets.token_urlsafe(16)
        night.save(update_fields=["door_token"])
        log(by, verb, club_id=night.club_id, night=night.pk)
    return night


@transaction.atomic
def come_in(*, night_id: int, player_id: int | None, name: str = "", by: Actor) -> Player:
    """Check in whoever stands at the door: a player, or somebody who writes a new name.

    A name that a player of the club has is that player; who is here already stays so.

    :raises Refused: ``night-not-on``, ``player-unknown`` or ``names-full`` beside the field
        it is about, or if the name cannot be kept.
    """
    night = _night_that_goes_on(night_id, by)
    if player_id is not None:
        if not Player.objects.present().filter(club=night.club_id, pk=player_id).exists():
            raise Refused(
                "player-unknown",
                gettext_noop("That name is no longer in the list: type yours."),
                question="player",
            )
        return arrive(night_id=night.pk, players=[player_id], by=by).players[0]
    written = LogEntry.objects.filter(club=night.club_id, verb="door-name", on__night=night.pk)
    if written.count() >= MOST_TYPED:
        raise Refused(
            "names-full",
            gettext_noop("The list of new names is full. Please tell the organiser yours."),
            question="name",
        )
    before = Player.objects.filter(club=night.club_id).count()
    (player,) = arrive(night_id=night.pk, new_names=[name], by=by).players
    if Player.objects.filter(club=night.club_id).count() > before:
        log(by, "door-name", club_id=night.club_id, night=night.pk, player=player.pk)
    return player


@transaction.atomic
def go_home(*, night_id: int, player_id: int, by: Actor) -> bool:
    """Let somebody go home, and say whether they were here.

    :raises Refused: ``night-not-on``.
    """
    night = _night_that_goes_on(night_id, by)
    return bool(leave(night_id=night.pk, players=[player_id], by=by))


def _night_that_goes_on(night_id: int, by: Actor) -> ClubNight:
    night = ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    if not goes_on(night, by.at):
        raise Refused("night-not-on", gettext_noop("Check-in is closed just now."))
    return night
