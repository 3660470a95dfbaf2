"""The nights of a club: which is going on, which come, who comes, and who is here."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeAlias
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from tracker.models import Attendance, Club, ClubNight, Player, Rest, RoundState, Rsvp, Seat

LASTS = timedelta(hours=16)  # past midnight it is still the same night
EARLY = timedelta(hours=8)  # before it begins somebody puts up the tables
PAST_SHOWN = 30

Person: TypeAlias = tuple[int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class NightLine:
    """A night as a line in a list."""

    night: ClubNight
    coming: int  # who said yes
    came: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Nights:
    coming: tuple[NightLine, ...]
    past: tuple[NightLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RsvpSummary:
    """What people said about coming; a name without a player has the key of what was typed."""

    yes: tuple[str, ...]
    no: tuple[str, ...]
    players: frozenset[int]  # who said yes
    typed: tuple[Person, ...]  # names not known yet who said yes


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    """Somebody who is at the night."""

    player_id: int
    name: str
    since: datetime
    visitor_from: str
    table: int | None  # where they play just now


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """Everybody of a club, as a night sees them."""

    here: tuple[Here, ...]
    expected: tuple[Person, ...]  # who said yes and is not here
    others: tuple[Person, ...]
    typed: tuple[Person, ...]


def going_on(club_id: int, now: datetime) -> ClubNight | None:
    """Return the night that is going on: the one begun last, or else the one about to begin."""
    nights = ClubNight.objects.filter(
        club=club_id, ended_at=None, starts_at__gt=now - LASTS, starts_at__lte=now + EARLY
    ).order_by("starts_at", "pk")
    begun = [night for night in nights if night.starts_at <= now]
    return begun[-1] if begun else next(iter(nights), None)


def night_of_link(link: str) -> ClubNight | None:
    """Return the night that a link is for, with its club."""
    try:
        uid = UUID(link)
    except ValueError:
        return None
    return ClubNight.objects.select_related("club").filter(uid=uid).first()


def nights(club: Club, *, now: datetime) -> Nights:
    """Return the nights that come or go on, the next one first, and the last past ones."""
    over = Q(ended_at__isnull=False) | Q(starts_at__lte=now - LASTS)
    known = ClubNight.objects.filter(club=club)
    coming = known.exclude(over).order_by("starts_at", "pk")
    past = known.filter(over).order_by("-starts_at", "-pk")[:PAST_SHOWN]
    return Nights(coming=_lines(coming), past=_lines(past))


def coming_nights(club: Club, *, now: datetime, most: int) -> tuple[NightLine, ...]:
    """Return the next nights, one that goes on first, in one query."""
    coming = ClubNight.objects.filter(club=club, ended_at=None, starts_at__gt=now - LASTS)
    return _lines(coming.order_by("starts_at", "pk")[:most])


def rsvp_summary(night: ClubNight) -> RsvpSummary:
    """Return what people said about coming, by name, in one query."""
    answers = sorted(
        Rsvp.objects.filter(night=night)
        .filter(Q(player=None) | Q(player__merged_into=None, player__erased_at=None))
        .select_related("player"),
        key=lambda rsvp: rsvp.player.name_key if rsvp.player else rsvp.name_key,
    )
    return RsvpSummary(
        yes=tuple(_name(rsvp) for rsvp in answers if rsvp.yes),
        no=tuple(_name(rsvp) for rsvp in answers if not rsvp.yes),
        players=frozenset(c.player_id for c in answers if c.yes and c.player_id is not None),
        typed=tuple((c.pk, c.name) for c in answers if c.yes and c.player_id is None),
    )


def present(night: ClubNight) -> QuerySet[Player]:
    """Return who is at the night now, by name."""
    stays = Attendance.objects.filter(night=night, until=None)
    return Player.objects.filter(pk__in=stays.values("player")).order_by("name_key")


def people(night: ClubNight) -> People:
    """Return who is here, who is expected and who else could come, in four queries."""
    answers = rsvp_summary(night)
    tables = tables_of(night.club_id)
    stays = (
        Attendance.objects.filter(night=night, until=None)
        .select_related("player")
        .order_by("player__name_key")
    )
    here = tuple(
        Here(
            player_id=stay.player_id,
            name=stay.player.name,
            since=stay.since,
            visitor_from=stay.player.visitor_from,
            table=tables.get(stay.player_id),
        )
        for stay in stays
    )
    are_here = {one.player_id for one in here}
    away = [
        person
        for person in Player.objects.present()
        .filter(club=night.club_id)
        .order_by("name_key")
        .values_list("pk", "name")
        if person[0] not in are_here
    ]
    return People(
        here=here,
        expected=tuple(person for person in away if person[0] in answers.players),
        others=tuple(person for person in away if person[0] not in answers.players),
        typed=answers.typed,
    )


def tables_of(club_id: int) -> dict[int, int]:
    """Return at which table each player of the club sits just now, in one query."""
    seats = Seat.objects.running().filter(
        round__state=RoundState.OPEN, round__tournament__club=club_id
    )
    return dict(seats.values_list("player", "sitting__number"))


def waiting_players(night: ClubNight | None) -> list[int]:
    """Return who is at the night and neither sits at a table nor rests, in one query."""
    if night is None:
        return []
    resting = Rest.objects.sat_out().filter(round__night=night, round__state=RoundState.OPEN)
    sitting = Seat.objects.running().filter(round__state=RoundState.OPEN)
    free = present(night).exclude(pk__in=sitting.values("player"))
    return list(free.exclude(pk__in=resting.people()).values_list("pk", flat=True))


def gone_home(night: ClubNight | None, players: Iterable[int]) -> set[int]:
    """Return who of *players* was at the night and has left it."""
    if night is None:
        return set()
    stays = Attendance.objects.filter(night=night, player__in=list(players))
    here = set(stays.filter(until=None).values_list("player", flat=True))
    return set(stays.values_list("player", flat=True)) - here


def _lines(found: QuerySet[ClubNight]) -> tuple[NightLine, ...]:
    counted = found.annotate(
        said_yes=Count("rsvps", filter=Q(rsvps__yes=True), distinct=True),
        came=Count("attendances__player", distinct=True),
    )
    return tuple(
        NightLine(night=night, coming=night.said_yes, came=night.came) for night in counted
    )


def _name(rsvp: Rsvp) -> str:
    return rsvp.player.name if rsvp.player else rsvp.name
