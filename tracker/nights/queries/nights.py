"""The nights of a club: which come, which are past, and what was played at one."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from tracker.models import Club, ClubNight, RoundState, Tournament

PAST_SHOWN = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Nights:
    """Nights, each with ``coming``, how many said yes, and ``came``, how many were there."""

    coming: tuple[ClubNight, ...]
    past: tuple[ClubNight, ...]


def nights(club: Club, *, now: datetime) -> Nights:
    """Return the nights that come or go on, the next one first, and the last past ones."""
    known = ClubNight.objects.filter(club=club)
    past = known.over(now).order_by("-starts_at", "-pk")[:PAST_SHOWN]
    return Nights(coming=_counted(known.to_come(now)), past=_counted(past))


def coming_nights(club: Club, *, now: datetime, most: int) -> tuple[ClubNight, ...]:
    """Return the next nights, one that goes on first, in one query."""
    return _counted(ClubNight.objects.filter(club=club).to_come(now)[:most])


def night_of_link(link: str) -> ClubNight | None:
    """Return the night that a link is for, with its club."""
    try:
        uid = UUID(link)
    except ValueError:
        return None
    good = Q(new_link=uid) | Q(new_link=None, uid=uid)
    return ClubNight.objects.select_related("club").filter(good).first()


def tournaments_of(night: ClubNight) -> tuple[Tournament, ...]:
    """Return what was played at the night, for anybody to read, in one query."""
    rounds = night.rounds.exclude(state=RoundState.UNDONE)
    return tuple(Tournament.objects.filter(pk__in=rounds.values("tournament")).order_by("pk"))


def _counted(known: QuerySet[ClubNight]) -> tuple[ClubNight, ...]:
    return tuple(
        known.annotate(
            coming=Count("rsvps", filter=Q(rsvps__yes=True), distinct=True),
            came=Count("attendances__player", distinct=True),
        )
    )
