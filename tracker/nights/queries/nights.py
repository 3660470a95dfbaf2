"""Club nights: found by the links that people have, with their people, replies and tournaments.

A person replies to a night with a ``Rsvp``: as a player of the club, or under a name that is new.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from uuid import UUID

from django.db.models import OuterRef, Q, QuerySet, Subquery

from tracker.common.actor import Actor
from tracker.models import Attendance, ClubNight, LogEntry, Rsvp, Seat, Tournament
from tracker.seating.queries.players import players_to_choose
from tracker.standings.queries.prizes import EventResult, results_of
from tracker.standings.queries.tournament_stages import events_of

# Key and name, of a player or of a reply under a new name.
Person: TypeAlias = tuple[int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class NightPeople:
    """The people of a club, grouped by their part in a night."""

    here: tuple[Attendance, ...]  # each with the number of their ``table`` if they play now
    expected: tuple[Person, ...]  # players who are not here and replied yes
    others: tuple[Person, ...]  # all other players who are not here
    typed: tuple[Person, ...]  # new names that replied yes, with the keys of the replies


def night_of_link(reply_id: str) -> ClubNight | None:
    """Return the night with this UUID in its link for replies: ``new_link``, or else ``uid``."""
    try:
        uid = UUID(reply_id)
    except ValueError:
        return None
    has_link = Q(new_link=uid) | Q(new_link=None, uid=uid)
    return ClubNight.objects.select_related("club").filter(has_link).first()


def night_of_door(door_token: str) -> ClubNight | None:
    """Return the night with this secret token in the QR code at its door, with its club."""
    return ClubNight.objects.select_related("club").filter(door_token=door_token).first()


def tournaments_of(night: ClubNight) -> QuerySet[Tournament]:
    rounds = night.rounds.not_undone()
    return Tournament.objects.filter(pk__in=rounds.values("tournament")).order_by("pk")


def results_of_night(night: ClubNight) -> list[EventResult]:
    """Return the official results of a night; after its end, all results."""
    events = events_of(tournaments_of(night))
    return results_of([event for event in events if event.official or night.ended_at])


def waiting_at_door(night: ClubNight) -> list[Person]:
    """Return the new names at the door that wait for the organiser; no query if no door is open."""
    if night.door_token is None:
        return []
    return list(Rsvp.objects.at_door(night).values_list("pk", "name"))


def replies(night: ClubNight) -> Mapping[str, Sequence[Rsvp]]:
    """Map "yes" and "no" to those replies to a night, in order of the names, in one query."""
    # Without merged and erased players, and without the new names that wait at the door.
    present = Q(player=None) | Q(player__merged_into=None, player__erased_at=None)
    rsvps = sorted(
        Rsvp.objects.filter(present, night=night, at_door_since=None).select_related("player"),
        key=lambda rsvp: rsvp.player.name_key if rsvp.player else rsvp.name_key,
    )
    return {"yes": [row for row in rsvps if row.yes], "no": [row for row in rsvps if not row.yes]}


def people_of_night(night: ClubNight) -> NightPeople:
    """Return who is here, who is expected and who else could come, in three queries."""
    coming = replies(night)["yes"]
    replied_yes = {rsvp.player_id for rsvp in coming}
    table = Seat.objects.active().filter(player=OuterRef("player")).values("sitting__number")[:1]
    stays = Attendance.objects.here(night).select_related("player").annotate(table=Subquery(table))
    here = tuple(stays.order_by("player__name_key"))
    checked_in = {stay.player_id for stay in here}
    away = [(key, name) for key, name in players_to_choose(night.club) if key not in checked_in]
    return NightPeople(
        here=here,
        expected=tuple((key, name) for key, name in away if key in replied_yes),
        others=tuple((key, name) for key, name in away if key not in replied_yes),
        typed=tuple((rsvp.pk, rsvp.name) for rsvp in coming if rsvp.player is None),
    )


def expected_and_others(night: ClubNight) -> tuple[list[Person], list[Person]]:
    """Return the players who replied yes, and all others of the club, by name; in two queries."""
    said_yes = Rsvp.objects.filter(night=night, yes=True).exclude(player=None)
    coming = set(said_yes.values_list("player", flat=True))
    people = players_to_choose(night.club)
    expected = [(key, name) for key, name in people if key in coming]
    return expected, [(key, name) for key, name in people if key not in coming]


def checked_in_by(night: ClubNight, player_id: int, by: Actor) -> bool | None:
    """Return whether the phone of *by* checked the player in, or the player is signed in on it.

    ``None`` if the player is not checked in.
    """
    stay = Attendance.objects.here(night).filter(player=player_id).select_related("player").first()
    if stay is None:
        return None
    if by.user_id is not None and stay.player.user_id == by.user_id:
        return True
    # A check-in is logged at the moment from which the player is here.
    check_ins = LogEntry.objects.filter(
        club=night.club_id, verb="arrived", at=stay.since, device=by.device, on__night=night.pk
    )
    return bool(by.device) and any(player_id in entry.on["players"] for entry in check_ins)
