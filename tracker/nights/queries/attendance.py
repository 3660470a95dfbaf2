"""Who comes to a night, who is there, and who is expected."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from django.db.models import OuterRef, Q, Subquery

from tracker.models import Attendance, ClubNight, Player, Rsvp, Seat, name_key
from tracker.seating.queries.my_table import players_to_choose

Person: TypeAlias = tuple[int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RsvpSummary:
    """Replies to a night; a name without a player goes with the key of its reply."""

    yes: tuple[str, ...]
    no: tuple[str, ...]
    players: frozenset[int]  # who said yes
    typed: tuple[Person, ...]  # names not known yet who said yes


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """The people of a club, grouped by their part in a night."""

    here: tuple[Attendance, ...]  # each with the ``table`` where they play just now
    expected: tuple[Person, ...]  # who said yes and is not here
    others: tuple[Person, ...]
    typed: tuple[Person, ...]


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


def rsvp_summary(night: ClubNight) -> RsvpSummary:
    """Return the replies to a night, by name, in one query."""
    answers = sorted(
        Rsvp.objects.filter(night=night, at_door_since=None)
        .filter(Q(player=None) | Q(player__merged_into=None, player__erased_at=None))
        .select_related("player"),
        key=lambda rsvp: rsvp.player.name_key if rsvp.player else rsvp.name_key,
    )
    return RsvpSummary(
        yes=tuple(rsvp.called for rsvp in answers if rsvp.yes),
        no=tuple(rsvp.called for rsvp in answers if not rsvp.yes),
        players=frozenset(
            rsvp.player_id for rsvp in answers if rsvp.yes and rsvp.player_id is not None
        ),
        typed=tuple((rsvp.pk, rsvp.name) for rsvp in answers if rsvp.yes and rsvp.player is None),
    )


def people(night: ClubNight) -> People:
    """Return who is here, who is expected and who else could come, in three queries."""
    answers = rsvp_summary(night)
    table = Seat.objects.active().filter(player=OuterRef("player")).values("sitting__number")[:1]
    stays = Attendance.objects.here(night).select_related("player").annotate(table=Subquery(table))
    here = tuple(stays.order_by("player__name_key"))
    are_here = {stay.player_id for stay in here}
    away = [person for person in players_to_choose(night.club) if person[0] not in are_here]
    return People(
        here=here,
        expected=tuple(person for person in away if person[0] in answers.players),
        others=tuple(person for person in away if person[0] not in answers.players),
        typed=answers.typed,
    )
