"""Services of a night's door, where people check themselves in and out.

They scan a QR code whose URL has the night's secret token.
"""

import secrets
from collections.abc import Sequence

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.common.names import clean_name
from tracker.models import ClubNight, LogEntry, Player, Rsvp, name_key
from tracker.nights.queries.nights import checked_in_by
from tracker.nights.services.attendance import arrive, leave, listed_player

# How many new names a phone, and a night, may add before new names wait for the organiser.
NEW_NAMES_PER_PHONE, NEW_NAMES_PER_NIGHT = 3, 20
MOST_WAITING = 40


@transaction.atomic
def open_door(*, night_id: int, by: Actor, anew: bool = False) -> ClubNight:
    """Return the night with a door token; with *anew* a new token replaces the old one."""
    night = ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    if night.door_token is None or anew:
        verb = "door-opened" if night.door_token is None else "door-renewed"
        night.door_token = secrets.token_urlsafe(16)
        night.save(update_fields=["door_token"])
        log(by, verb, club_id=night.club_id, night=night.pk)
    return night


@transaction.atomic
def come_in(*, night_id: int, player_id: int | None, name: str = "", by: Actor) -> Player | None:
    """Check in a player of this key or name, or add a new one; ``None`` if the name has to wait.

    New names wait for the organiser after the first few of a phone, or of the night.

    :raises Refused: ``night-not-on``, ``player-unknown``, ``names-full``, or if the name is not
        allowed.
    """
    night = _locked_current_night(night_id, by)
    if player_id is not None:
        player = listed_player(night, player_id)
        return arrive(night_id=night.pk, players=[player.pk], by=by).players[0]
    name = clean_name(name, most=Player.name.field.max_length)
    players = Player.objects.present().filter(club=night.club_id)
    known = players.filter(name_key=name_key(name)).exists()
    added = LogEntry.objects.filter(club=night.club_id, verb="door-name", on__night=night.pk)
    by_phone = added.filter(device=by.device).count()
    if not known and (by_phone >= NEW_NAMES_PER_PHONE or added.count() >= NEW_NAMES_PER_NIGHT):
        _put_on_waiting_list(night, name, by)
        return None
    (player,) = arrive(night_id=night.pk, new_names=[name], by=by).players
    if not known:
        log(by, "door-name", club_id=night.club_id, night=night.pk, player=player.pk)
    return player


@transaction.atomic
def answer_waiting(*, night_id: int, names: Sequence[int], let_in: bool, by: Actor) -> list[str]:
    """Let in or turn away new names that wait at the door; return the names.

    *names* are keys of ``Rsvp``; those already answered are left out.
    """
    night = ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    waiting = Rsvp.objects.at_door(night).filter(pk__in=names)
    answered = [rsvp.name for rsvp in waiting]
    if answered and let_in:
        arrive(night_id=night.pk, new_names=answered, by=by)
    elif answered:
        waiting.delete()
        numbers = {"names": len(answered)}
        log(by, "door-declined", club_id=night.club_id, night=night.pk, numbers=numbers)
    return answered


@transaction.atomic
def go_home(*, night_id: int, player_id: int, by: Actor) -> bool:
    """Check a player out, and return whether they were here.

    :raises Refused: ``night-not-on``, or ``not-from-here`` unless this phone checked them in or they
        are signed in on it.
    """
    night = _locked_current_night(night_id, by)
    if checked_in_by(night, player_id, by) is False:
        raise Refused(
            "not-from-here",
            gettext_noop("This phone did not check you in. Tell the organiser that you go home."),
        )
    return bool(leave(night_id=night.pk, players=[player_id], by=by))


def _put_on_waiting_list(night: ClubNight, name: str, by: Actor) -> None:
    """Store a new name until the organiser answers.

    :raises Refused: ``names-full``.
    """
    waiting = Rsvp.objects.at_door(night)
    if waiting.filter(name_key=name_key(name)).exists():
        return
    if waiting.count() >= MOST_WAITING:
        raise Refused(
            "names-full",
            gettext_noop("The list of new names is full. Please tell the organiser yours."),
            question="name",
        )
    reply = {"name": name, "yes": True, "answered_at": by.at, "at_door_since": by.at}
    rsvp, _made = Rsvp.objects.update_or_create(
        night=night, player=None, name_key=name_key(name), defaults=reply
    )
    log(by, "door-waits", club_id=night.club_id, night=night.pk, rsvp=rsvp.pk)


def _locked_current_night(night_id: int, by: Actor) -> ClubNight:
    night = ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    if not night.goes_on(by.at):
        raise Refused(
            "night-not-on", gettext_noop("Check-in is closed just now: ask the organiser.")
        )
    return night
