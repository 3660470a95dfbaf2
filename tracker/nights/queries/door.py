"""The door of a night: whose it is, and who stands there."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from tracker.models import Attendance, ClubNight, Player, Rsvp
from tracker.models.nights import EARLY, LASTS
from tracker.nights.queries.attendance import Person


@dataclass(frozen=True, slots=True, kw_only=True)
class AtTheDoor:
    """Whom the door knows: who said they come, and everybody else, by name."""

    expected: tuple[Person, ...]
    others: tuple[Person, ...]

    @property
    def everybody(self) -> Sequence[Person]:
        return (*self.expected, *self.others)


def night_of_door(door_token: str) -> ClubNight | None:
    """Return the night whose door has this token, with its club."""
    return ClubNight.objects.select_related("club").filter(door_token=door_token).first()


def at_the_door(night: ClubNight) -> AtTheDoor:
    """Return the players of the club, in two queries; only their names are read."""
    yes = Rsvp.objects.filter(night=night, yes=True).exclude(player=None)
    coming = set(yes.values_list("player", flat=True))
    players = Player.objects.present().filter(club=night.club_id).order_by("name_key")
    people = list(players.values_list("pk", "name"))
    return AtTheDoor(
        expected=tuple(person for person in people if person[0] in coming),
        others=tuple(person for person in people if person[0] not in coming),
    )


def is_here(night: ClubNight, player: Player) -> bool:
    """Say whether the player is at the night now, in one query."""
    return Attendance.objects.here(night).filter(player=player).exists()


def goes_on(night: ClubNight, now: datetime) -> bool:
    """Say whether people come and go at the night: it is about to begin, or not over."""
    return night.ended_at is None and night.starts_at - EARLY <= now < night.starts_at + LASTS
