"""Who means to come to a night, who arrives, and who leaves."""

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

MOST_TYPED = 100  # names at one night that no player has: a link goes far


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """The named players, who are all here now, and those of them who have just arrived."""

    players: tuple[Player, ...]
    new: tuple[Player, ...]


@transaction.atomic
def record_rsvp(
    *, night_id: int, player_id: int | None, name: str = "", yes: bool, by: Actor
) -> Rsvp:
    """Store a reply to a night; a later one replaces it.

    A name that a player of the club has is that player.

    :raises Refused: if the night is over, nobody is named, or too many were typed.
    """
    night = ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    if night.ended_at is not None:
        raise Refused(
            "night-over", gettext_noop("This night is finished: ask the organiser to reopen it.")
        )
    who: Player | None
    if player_id is not None:
        who = listed_player(night, player_id)
    else:
        name = clean_name(name, most=Rsvp.name.field.max_length)
        people = Player.objects.present().filter(club=night.club_id)
        who = people.filter(name_key=name_key(name)).first()
    if who is not None:
        return _answer(Rsvp(night=night, player=who), yes, by)
    typed = Rsvp.objects.filter(night=night, player=None)
    key = name_key(name)
    if not typed.filter(name_key=key).exists() and typed.count() >= MOST_TYPED:
        raise Refused(
            "rsvps-full",
            gettext_noop("The list of new names is full. Please tell the organiser yourself."),
            question="name",
        )
    return _answer(Rsvp(night=night, name=name, name_key=key), yes, by)


def listed_player(night: ClubNight, player_id: int) -> Player:
    """Return the player of the night's club who was tapped in the list.

    :raises Refused: ``player-unknown`` if they are in it no more.
    """
    player = Player.objects.present().filter(club=night.club_id, pk=player_id).first()
    if player is None:
        raise Refused(
            "player-unknown",
            gettext_noop("That name is no longer in the list: type yours."),
            question="player",
        )
    return player


def _answer(said: Rsvp, yes: bool, by: Actor) -> Rsvp:
    """Store a reply in place of the person's earlier one, and log it if it changes."""
    same = Rsvp.objects.filter(night=said.night, player=said.player, name_key=said.name_key)
    before = same.first()
    rsvp = before or said
    changes = before is None or before.yes != yes
    rsvp.name, rsvp.yes, rsvp.answered_at = said.name, yes, by.at
    rsvp.save()
    if changes:
        whose = {"rsvp": rsvp.pk} if rsvp.player_id is None else {"player": rsvp.player_id}
        on: dict[str, Any] = {"night": rsvp.night_id, **whose}
        log(by, "rsvp", club_id=said.night.club_id, numbers={"yes": int(yes)}, **on)
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
) -> Arrived:
    """Check in players of the club and new people; who is here already stays so.

    With *visitor_from* the new ones are guests of another club, who count for tonight
    alone unless *in_season*.

    :raises Refused: if somebody is not of the club, or a name cannot be kept.
    """
    night = ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    known = chosen_players(night.club_id, players)
    added = add_players(club_id=night.club_id, names=new_names, visitor_from=visitor_from, by=by)
    if visitor_from.strip() and not in_season:
        guests = [player.pk for player in added.new]
        Player.objects.filter(pk__in=guests).update(in_season=False)
    everybody = {
        **{player: known[player] for player in players},
        **{player.pk: player for player in added.players},
    }
    here = set(Attendance.objects.here(night).values_list("player", flat=True))
    new = [player for player in everybody.values() if player.pk not in here]
    Attendance.objects.bulk_create(
        Attendance(night=night, player=player, since=by.at) for player in new
    )
    # Replies under typed names become those of the players who now have these names.
    named = {player.name_key: player for player in added.players}
    for rsvp in Rsvp.objects.filter(night=night, player=None, name_key__in=named):
        said = {"yes": rsvp.yes, "answered_at": rsvp.answered_at}
        Rsvp.objects.get_or_create(night=night, player=named[rsvp.name_key], defaults=said)
        rsvp.delete()
    if new:
        came = sorted(player.pk for player in new)
        log(by, "arrived", club_id=night.club_id, night=night.pk, players=came)
    return Arrived(players=tuple(everybody.values()), new=tuple(new))


@transaction.atomic
def leave(*, night_id: int, players: Sequence[int], by: Actor) -> list[int]:
    """Let people go home, and return who of them was here; they may come back."""
    night = ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    gone = Attendance.objects.here(night).filter(player__in=players).end(by.at)
    if gone:
        log(by, "left", club_id=night.club_id, night=night.pk, players=sorted(gone))
    return gone
