"""Queries for a night's door: its night, the names to choose from, and who checked in."""

from datetime import datetime

from tracker.common.actor import Actor
from tracker.models import Attendance, ClubNight, LogEntry, Rsvp
from tracker.models.nights import EARLY, LASTS
from tracker.nights.queries.attendance import Person
from tracker.seating.queries.my_table import players_to_choose


def night_of_door(door_token: str) -> ClubNight | None:
    """Return the night whose door has this token, with its club."""
    return ClubNight.objects.select_related("club").filter(door_token=door_token).first()


def at_the_door(night: ClubNight) -> tuple[list[Person], list[Person]]:
    """Return the players who said they come, and all others of the club, in two queries.

    Both are by name, and only the names are read.
    """
    yes = Rsvp.objects.filter(night=night, yes=True).exclude(player=None)
    coming = set(yes.values_list("player", flat=True))
    people = players_to_choose(night.club)
    expected = [person for person in people if person[0] in coming]
    return expected, [person for person in people if person[0] not in coming]


def checked_in_by(night: ClubNight, player_id: int, by: Actor) -> bool | None:
    """Return whether this phone or the player's own user checked them in; ``None`` if absent."""
    stay = Attendance.objects.here(night).filter(player=player_id).select_related("player").first()
    if stay is None:
        return None
    if by.user_id is not None and stay.player.user_id == by.user_id:
        return True
    arrived = LogEntry.objects.filter(
        club=night.club_id, verb="arrived", at=stay.since, device=by.device, on__night=night.pk
    )
    return bool(by.device) and any(player_id in entry.on["players"] for entry in arrived)


def goes_on(night: ClubNight, now: datetime) -> bool:
    """Say whether people come and go at the night: it is about to begin, or not over."""
    return night.ended_at is None and night.starts_at - EARLY <= now < night.starts_at + LASTS
