"""Services that store replies to a night, and check people in and out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.common.names import clean_name
from tracker.models import Attendance, ClubNight, Player, Rsvp, name_key
from tracker.people.services.players import add_players, chosen_players

# How many may reply under a name that the club does not know: anybody can have the link.
MOST_NEW_NAMES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedIn:
    """All players of a check-in, and the ``new`` ones, who were not checked in before."""

    players: tuple[Player, ...]
    new: tuple[Player, ...]


@transaction.atomic
def record_rsvp(
    *, night_id: int, player_id: int | None, name: str = "", yes: bool, by: Actor
) -> Rsvp:
    """Store a reply to a night, in place of the person's earlier one.

    If a player of the club has the typed name, the reply is that player's.

    :raises Refused: if the night has ended, nobody is named, or too many new names have replied.
    """
    night = ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    if night.ended_at is not None:
        raise Refused(
            "night-over", gettext_noop("This night is finished: ask the organiser to reopen it.")
        )
    if player_id is not None:
        player: Player | None = listed_player(night, player_id)
    else:
        name = clean_name(name, most=Rsvp.name.field.max_length)
        people = Player.objects.present().filter(club=night.club_id)
        player = people.filter(name_key=name_key(name)).first()
    if player is not None:
        return _save_reply(Rsvp(night=night, player=player), yes, by)
    without_player = Rsvp.objects.filter(night=night, player=None)
    key = name_key(name)
    replied = without_player.filter(name_key=key).exists()
    if not replied and without_player.count() >= MOST_NEW_NAMES:
        raise Refused(
            "rsvps-full",
            gettext_noop("The list of new names is full. Please tell the organiser yourself."),
            question="name",
        )
    return _save_reply(Rsvp(night=night, name=name, name_key=key), yes, by)


def listed_player(night: ClubNight, player_id: int) -> Player:
    """Return a player of the night's club.

    :raises Refused: ``player-unknown`` if the club does not list that player any more.
    """
    player = Player.objects.present().filter(club=night.club_id, pk=player_id).first()
    if player is None:
        raise Refused(
            "player-unknown",
            gettext_noop("That name is no longer in the list: type yours."),
            question="player",
        )
    return player


def _save_reply(reply: Rsvp, yes: bool, by: Actor) -> Rsvp:
    """Save a reply over the person's earlier one, and log it if it changes."""
    stored = Rsvp.objects.filter(
        night=reply.night, player=reply.player, name_key=reply.name_key
    ).first()
    rsvp = stored or reply
    is_change = stored is None or stored.yes != yes
    rsvp.name, rsvp.yes, rsvp.answered_at = reply.name, yes, by.at
    rsvp.save()
    if is_change:
        whose = {"rsvp": rsvp.pk} if rsvp.player_id is None else {"player": rsvp.player_id}
        on: dict[str, Any] = {"night": rsvp.night_id, **whose}
        log(by, "rsvp", club_id=reply.night.club_id, numbers={"yes": int(yes)}, **on)
    return rsvp


@transaction.atomic
def arrive(
    *,
    night_id: int,
    players: Sequence[int] = (),
    new_names: Sequence[str] = (),
    visitor_from: str = "",
    in_season: bool = False,
    by: Actor,
) -> CheckedIn:
    """Check in *players* of the club; add *new_names* to the club, and check them in too.

    With *visitor_from*, the name of their home club, the new players are visitors, who count for the
    season only if *in_season*.

    :raises Refused: if somebody is not in the club, or a name is not allowed.
    """
    night = ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    known = chosen_players(night.club_id, players)
    added = add_players(club_id=night.club_id, names=new_names, visitor_from=visitor_from, by=by)
    if visitor_from.strip() and not in_season:
        visitors = [player.pk for player in added.new]
        Player.objects.filter(pk__in=visitors).update(in_season=False)
    everybody = {key: known[key] for key in players}
    everybody |= {player.pk: player for player in added.players}
    here = set(Attendance.objects.here(night).values_list("player", flat=True))
    new = [player for player in everybody.values() if player.pk not in here]
    Attendance.objects.bulk_create(
        Attendance(night=night, player=player, since=by.at) for player in new
    )
    # Replies under new names become those of the players who now have the names.
    player_named = {player.name_key: player for player in added.players}
    for rsvp in Rsvp.objects.filter(night=night, player=None, name_key__in=player_named):
        player, answer = (
            player_named[rsvp.name_key],
            {"yes": rsvp.yes, "answered_at": rsvp.answered_at},
        )
        Rsvp.objects.get_or_create(night=night, player=player, defaults=answer)
        rsvp.delete()
    if new:
        keys = sorted(player.pk for player in new)
        log(by, "arrived", club_id=night.club_id, night=night.pk, players=keys)
    return CheckedIn(players=tuple(everybody.values()), new=tuple(new))


@transaction.atomic
def leave(*, night_id: int, players: Sequence[int], by: Actor) -> list[int]:
    """Check players out, and return the keys of those who were here."""
    night = ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    gone = Attendance.objects.here(night).filter(player__in=players).end(by.at)
    if gone:
        log(by, "left", club_id=night.club_id, night=night.pk, players=sorted(gone))
    return gone
