"""Who comes to a night, who is there, who is expected, and who is at its door."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from django.db.models import OuterRef, Q, Subquery

from tracker.common.actor import Actor
from tracker.models import Attendance, ClubNight, LogEntry, Player, Rsvp, Seat, name_key
from tracker.seating.queries.players import players_to_choose

Person: TypeAlias = tuple[int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """The people of a club, grouped by their part in a night."""

    here: tuple[Attendance, ...]  # each with the ``table`` where they play just now
    expected: tuple[Person, ...]  # who said yes and is not here
    others: tuple[Person, ...]
    typed: tuple[Person, ...]  # names not known yet who said yes, by the keys of their replies


def waiting_at_door(night: ClubNight) -> list[Person]:
    """Return the new names that wait for the organiser; no query where no door was opened."""
    if night.door_token is None:
        return []
    return list(Rsvp.objects.at_door(night).values_list("pk", "name"))


def known_by_first_name(night: ClubNight, names: Sequence[str]) -> dict[str, int]:
    """Return the player for each name that is the first name of exactly one player of the club.

    Names that are already a player's full name are left out.
    """
    known: dict[str, int] = {}
    for name in names:
        key = name_key(name)
        called = Q(name_key=key) | Q(name_key__startswith=f"{key} ")
        found = list(Player.objects.present().filter(called, club=night.club_id)[:2])
        if len(found) == 1 and found[0].name_key != key:
            known[name] = found[0].pk
    return known


def replies(night: ClubNight) -> Mapping[str, Sequence[Rsvp]]:
    """Return who said ``yes`` to a night and who said ``no``, by name, in one query."""
    answers = sorted(
        Rsvp.objects.filter(night=night, at_door_since=None)
        .filter(Q(player=None) | Q(player__merged_into=None, player__erased_at=None))
        .select_related("player"),
        key=lambda rsvp: rsvp.player.name_key if rsvp.player else rsvp.name_key,
    )
    return {
        "yes": [rsvp for rsvp in answers if rsvp.yes],
        "no": [rsvp for rsvp in answers if not rsvp.yes],
    }


def people(night: ClubNight) -> People:
    """Return who is here, who is expected and who else could come, in three queries."""
    coming = replies(night)["yes"]
    said_yes = {rsvp.player_id for rsvp in coming}
    table = Seat.objects.active().filter(player=OuterRef("player")).values("sitting__number")[:1]
    stays = Attendance.objects.here(night).select_related("player").annotate(table=Subquery(table))
    here = tuple(stays.order_by("player__name_key"))
    are_here = {stay.player_id for stay in here}
    away = [person for person in players_to_choose(night.club) if person[0] not in are_here]
    return People(
        here=here,
        expected=tuple(person for person in away if person[0] in said_yes),
        others=tuple(person for person in away if person[0] not in said_yes),
        typed=tuple((rsvp.pk, rsvp.name) for rsvp in coming if rsvp.player is None),
    )


# The door -----------------------------------------------------------------------------------------


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
