"""The door of a night: people check themselves in by its token, and go home."""

import secrets
from collections.abc import Sequence

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.common.names import clean_name
from tracker.models import ClubNight, LogEntry, Player, Rsvp, name_key
from tracker.nights.queries.attendance import checked_in_by
from tracker.nights.services.attendance import arrive, leave, listed_player

# New names that come in by themselves, of one phone and of all; the others wait at the desk.
FREE_A_PHONE, FREE_A_NIGHT = 3, 20
MOST_WAITING = 40


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
def come_in(*, night_id: int, player_id: int | None, name: str = "", by: Actor) -> Player | None:
    """Check in a player at the door, or a new name.

    A name that a player of the club has is that player; who is here already stays so. After
    some new names of one phone, or of all, further ones wait for the organiser: ``None``.

    :raises Refused: ``night-not-on``, ``player-unknown`` or ``names-full`` beside the field
        it is about, or if the name cannot be kept.
    """
    night = _night_that_goes_on(night_id, by)
    if player_id is not None:
        player = listed_player(night, player_id)
        return arrive(night_id=night.pk, players=[player.pk], by=by).players[0]
    name = clean_name(name, most=Player.name.field.max_length)
    players = Player.objects.present().filter(club=night.club_id)
    known = players.filter(name_key=name_key(name)).exists()
    written = LogEntry.objects.filter(club=night.club_id, verb="door-name", on__night=night.pk)
    from_here = written.filter(device=by.device).count()
    if not known and (from_here >= FREE_A_PHONE or written.count() >= FREE_A_NIGHT):
        _let_wait(night, name, by)
        return None
    (player,) = arrive(night_id=night.pk, new_names=[name], by=by).players
    if not known:
        log(by, "door-name", club_id=night.club_id, night=night.pk, player=player.pk)
    return player


@transaction.atomic
def answer_waiting(*, night_id: int, names: Sequence[int], let_in: bool, by: Actor) -> list[str]:
    """Let in new names that wait at the door, or turn them away; return which were answered.

    *names* are keys of ``Rsvp``; who was answered meanwhile is left out.
    """
    night = ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    waiting = Rsvp.objects.at_door(night).filter(pk__in=names)
    called = [rsvp.name for rsvp in waiting]
    if called and let_in:
        arrive(night_id=night.pk, new_names=called, by=by)
    elif called:
        waiting.delete()
        numbers = {"names": len(called)}
        log(by, "door-declined", club_id=night.club_id, night=night.pk, numbers=numbers)
    return called


@transaction.atomic
def go_home(*, night_id: int, player_id: int, by: Actor) -> bool:
    """Check a player out, and return whether they were here.

    :raises Refused: ``night-not-on``, or ``not-from-here`` if they were checked in otherwise than
        by this phone, and whoever is signed in is not them.
    """
    night = _night_that_goes_on(night_id, by)
    if checked_in_by(night, player_id, by) is False:
        raise Refused(
            "not-from-here",
            gettext_noop("This phone did not check you in. Tell the organiser that you go home."),
        )
    return bool(leave(night_id=night.pk, players=[player_id], by=by))


def _let_wait(night: ClubNight, name: str, by: Actor) -> None:
    """Keep a new name until the organiser has answered."""
    waiting = Rsvp.objects.at_door(night)
    if waiting.filter(name_key=name_key(name)).exists():
        return
    if waiting.count() >= MOST_WAITING:
        raise Refused(
            "names-full",
            gettext_noop("The list of new names is full. Please tell the organiser yours."),
            question="name",
        )
    said = {"name": name, "yes": True, "answered_at": by.at, "at_door_since": by.at}
    rsvp, _made = Rsvp.objects.update_or_create(
        night=night, player=None, name_key=name_key(name), defaults=said
    )
    log(by, "door-waits", club_id=night.club_id, night=night.pk, rsvp=rsvp.pk)


def _night_that_goes_on(night_id: int, by: Actor) -> ClubNight:
    night = ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    if not night.goes_on(by.at):
        raise Refused(
            "night-not-on", gettext_noop("Check-in is closed just now: ask the organiser.")
        )
    return night
