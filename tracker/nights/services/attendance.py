"""Services that store replies to a night, and check people in and out.

The organiser checks people in, or they do so themselves at the *door*: they scan a QR code, whose
URL has the night's secret token.
"""

import secrets
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.common.names import clean_name
from tracker.models import Attendance, ClubNight, LogEntry, Player, Rsvp, name_key
from tracker.nights.queries.nights import checked_in_by
from tracker.people.services.players import add_players, chosen_players

# How many may reply under a name that the club does not know: anybody can have the link.
MOST_NEW_NAMES = 100
# How many new names may be added at the door by one phone, and in one night, before new names wait
# for the organiser; and how many may wait.
NEW_NAMES_PER_PHONE, NEW_NAMES_PER_NIGHT = 3, 20
MOST_WAITING = 40


@transaction.atomic
def record_rsvp(
    *, night_id: int, player_id: int | None, name: str = "", yes: bool, by: Actor
) -> Rsvp:
    """Store a reply to a night, in place of the person's earlier one.

    If a player of the club has the typed name, the reply is that player's, and keeps no name.

    :raises Refused: if the night has ended, there is no name, or too many new names have replied.
    """
    night = ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    if night.ended_at is not None:
        raise Refused(
            "night-over", gettext_noop("This night is finished: ask the organiser to reopen it.")
        )
    if player_id is not None:
        player: Player | None = _listed_player(night, player_id)
    else:
        name = clean_name(name, most=Rsvp.name.field.max_length)
        people = Player.objects.present().filter(club=night.club_id)
        player = people.filter(name_key=name_key(name)).first()
    if player is not None:
        name = ""
    # Without a player, these are the replies under new names, told apart by ``name_key``.
    replies = Rsvp.objects.filter(night=night, player=player)
    stored = replies.filter(name_key=name_key(name)).first()
    if player is None and stored is None and replies.count() >= MOST_NEW_NAMES:
        raise Refused(
            "rsvps-full",
            gettext_noop("The list of new names is full. Please tell the organiser yourself."),
            question="name",
        )
    rsvp = stored or Rsvp(night=night, player=player, name_key=name_key(name))
    is_change = stored is None or stored.yes != yes
    rsvp.name, rsvp.yes, rsvp.answered_at = name, yes, by.at
    rsvp.save()
    if is_change:
        person: dict[str, Any] = {"player": player.pk} if player else {"rsvp": rsvp.pk}
        log(by, "rsvp", club_id=night.club_id, night=night.pk, numbers={"yes": int(yes)}, **person)
    return rsvp


def _listed_player(night: ClubNight, player_id: int) -> Player:
    """Return a listed player of the night's club, or raise ``Refused`` (``player-unknown``)."""
    player = Player.objects.present().filter(club=night.club_id, pk=player_id).first()
    if player is None:
        raise Refused(
            "player-unknown",
            gettext_noop("That name is no longer in the list: type yours."),
            question="player",
        )
    return player


@transaction.atomic
def arrive(
    *,
    night_id: int,
    players: Sequence[int] = (),
    new_names: Sequence[str] = (),
    visitor_from: str = "",
    in_season: bool = False,
    by: Actor,
) -> tuple[list[Player], list[Player]]:
    """Check in *players* of the club; add *new_names* to the club, and check them in too.

    Return all of them, and those who were not checked in before.

    With *visitor_from*, the name of their home club, the new players are visitors. These count for
    the season only if *in_season*.

    :raises Refused: if a player is not in the club, or a name is not allowed.
    """
    night = ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    known = chosen_players(night.club_id, players)
    added = add_players(club_id=night.club_id, names=new_names, visitor_from=visitor_from, by=by)
    if visitor_from.strip() and not in_season:
        Player.objects.filter(pk__in=[player.pk for player in added.new]).update(in_season=False)
    arriving = {key: known[key] for key in players}
    arriving |= {player.pk: player for player in added.players}
    checked_in = set(Attendance.objects.here(night).values_list("player", flat=True))
    new = [player for player in arriving.values() if player.pk not in checked_in]
    Attendance.objects.bulk_create(
        Attendance(night=night, player=player, since=by.at) for player in new
    )
    # Replies under new names become those of the players who now have the names.
    player_named = {player.name_key: player for player in added.players}
    for rsvp in Rsvp.objects.filter(night=night, player=None, name_key__in=player_named):
        answer = {"yes": rsvp.yes, "answered_at": rsvp.answered_at}
        player = player_named[rsvp.name_key]
        Rsvp.objects.get_or_create(night=night, player=player, defaults=answer)
        rsvp.delete()
    if new:
        keys = sorted(player.pk for player in new)
        log(by, "arrived", club_id=night.club_id, night=night.pk, players=keys)
    return list(arriving.values()), new


@transaction.atomic
def leave(*, night_id: int, players: Sequence[int], by: Actor) -> list[int]:
    """Check players out, and return the keys of those who were here."""
    night = ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    gone = Attendance.objects.here(night).filter(player__in=players).end(by.at)
    if gone:
        log(by, "left", club_id=night.club_id, night=night.pk, players=sorted(gone))
    return gone


@transaction.atomic
def open_door(*, night_id: int, by: Actor, renew: bool = False) -> ClubNight:
    """Return the night with a door token; with *renew* a new token replaces the old one."""
    night = ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    if night.door_token is None or renew:
        verb = "door-opened" if night.door_token is None else "door-renewed"
        night.door_token = secrets.token_urlsafe(16)
        night.save(update_fields=["door_token"])
        log(by, verb, club_id=night.club_id, night=night.pk)
    return night


@transaction.atomic
def come_in(*, night_id: int, player_id: int | None, name: str = "", by: Actor) -> Player | None:
    """Check in a player of this key or name, or add a new one; ``None`` if the name has to wait.

    New names wait for the organiser after the first few of a phone, or of the night.

    :raises Refused: ``night-not-on``, ``player-unknown``, ``names-full`` if too many names wait, or
        if the name is not allowed.
    """
    night = _locked_current_night(night_id, by)
    if player_id is not None:
        player = _listed_player(night, player_id)
        arrive(night_id=night.pk, players=[player.pk], by=by)
        return player
    name = clean_name(name, most=Player.name.field.max_length)
    players = Player.objects.present().filter(club=night.club_id)
    known = players.filter(name_key=name_key(name)).exists()
    added = LogEntry.objects.filter(club=night.club_id, verb="door-name", on__night=night.pk)
    by_phone = added.filter(device=by.device).count()
    if not known and (by_phone >= NEW_NAMES_PER_PHONE or added.count() >= NEW_NAMES_PER_NIGHT):
        _put_on_waiting_list(night, name, by)
        return None
    [player], _new = arrive(night_id=night.pk, new_names=[name], by=by)
    if not known:
        log(by, "door-name", club_id=night.club_id, night=night.pk, player=player.pk)
    return player


@transaction.atomic
def answer_waiting(*, night_id: int, rsvps: Sequence[int], let_in: bool, by: Actor) -> list[str]:
    """Let in or turn away new names that wait at the door, each a ``Rsvp``; return the names.

    Those already answered are left out.
    """
    night = ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    waiting = Rsvp.objects.at_door(night).filter(pk__in=rsvps)
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

    :raises Refused: ``night-not-on``, or ``not-from-here`` unless this phone checked them in, or
        they are signed in on it.
    """
    night = _locked_current_night(night_id, by)
    # It is ``None`` if the player is not here: then there is nothing to refuse.
    if checked_in_by(night, player_id, by) is False:
        raise Refused(
            "not-from-here",
            gettext_noop("This phone did not check you in. Tell the organiser that you go home."),
        )
    return bool(leave(night_id=night.pk, players=[player_id], by=by))


def _put_on_waiting_list(night: ClubNight, name: str, by: Actor) -> None:
    """Store a new name until the organiser answers; raise ``Refused`` if the list is full."""
    waiting = Rsvp.objects.at_door(night)
    if waiting.filter(name_key=name_key(name)).exists():
        return
    if waiting.count() >= MOST_WAITING:
        raise Refused(
            "names-full",
            gettext_noop("The list of new names is full. Please tell the organiser yours."),
            question="name",
        )
    # The person may have replied by link under this name: then that reply waits at the door.
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
