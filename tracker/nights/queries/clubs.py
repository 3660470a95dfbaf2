"""What the pages about clubs show."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

from tracker.common.figures import figure, placing
from tracker.models import Club, Membership, Player, Role, Round, RoundState, Team, Tournament
from tracker.nights.queries.nights import NightLine, coming_nights
from tracker.standings.queries.standings import standings
from tracker.tournaments.queries import gone_on

PAST_SHOWN = LEADERS_SHOWN = 5
NIGHTS_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class MyClub:
    club: Club
    role: str  # in the reader's words


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentLine:
    """A tournament as a line in a list."""

    tournament: Tournament
    game: str
    round: int  # the last one; 0 before the first
    open: bool  # people are sitting at its tables
    tables: int  # of that round


@dataclass(frozen=True, slots=True, kw_only=True)
class Leader:
    place: str
    name: str
    points: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Leading:
    """The head of the standing of one tournament."""

    tournament: Tournament
    criterion: str  # what they lead by
    leaders: tuple[Leader, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubPage:
    nights: tuple[NightLine, ...]  # the next ones
    running: tuple[TournamentLine, ...]
    past: tuple[TournamentLine, ...]
    leading: Leading | None  # of the newest tournament that has begun
    players: int
    teams: int


def my_clubs(user_id: int) -> tuple[MyClub, ...]:
    """Return the clubs in which the user has a role, in one query."""
    held = Membership.objects.filter(user_id=user_id).select_related("club")
    return tuple(
        MyClub(club=membership.club, role=str(Role(membership.role).label))
        for membership in held.order_by("club__name", "club_id")
    )


def public_clubs(*, beside: Iterable[MyClub] = ()) -> tuple[Club, ...]:
    """Return the clubs open to everybody, without those in *beside*, in one query."""
    shown = [mine.club.pk for mine in beside]
    return tuple(Club.objects.filter(public=True).exclude(pk__in=shown).order_by("name", "pk"))


def club_page(club: Club, *, now: datetime) -> ClubPage:
    """Return what the page of a club shows, in three queries and those of one standing."""
    running, past = _tournaments(club)
    begun = next((line.tournament for line in running if line.round), None)
    counts = Club.objects.filter(pk=club.pk).values_list(
        _count(Player.objects.present()), _count(Team.objects.all())
    )
    players, teams = counts.get()
    return ClubPage(
        nights=coming_nights(club, now=now, most=NIGHTS_SHOWN),
        running=running,
        past=past,
        leading=_leading(begun) if begun else None,
        players=players,
        teams=teams,
    )


def _count(rows: QuerySet[Any]) -> Coalesce:
    """Return how many of these rows are of the club that is asked about."""
    of_club = rows.filter(club=OuterRef("pk")).order_by().values("club")
    return Coalesce(Subquery(of_club.values(n=Count("pk"))), 0)


def _tournaments(club: Club) -> tuple[tuple[TournamentLine, ...], tuple[TournamentLine, ...]]:
    """Return those being played, the newest first, and the last that are over, in one query.

    Of several stages those are shown that are being played, and what is over is shown once.
    """
    tournaments = Tournament.objects.filter(club=club)
    over = tournaments.filter(follows=None).exclude(official_at=None)
    official = over.order_by("-official_at", "-pk")
    rounds = Round.objects.filter(
        tournament=OuterRef("pk"), state__in=[RoundState.OPEN, RoundState.CLOSED]
    )
    last = rounds.order_by("-number")
    shown = tournaments.filter(
        (Q(official_at=None) & ~gone_on()) | Q(pk__in=official.values("pk")[:PAST_SHOWN])
    ).annotate(
        last_number=Subquery(last.values("number")[:1]),
        last_state=Subquery(last.values("state")[:1]),
        last_tables=Subquery(last.annotate(tables=Count("sittings")).values("tables")[:1]),
    )
    lines = [
        TournamentLine(
            tournament=tournament,
            game=gettext(tournament.rules.name),
            round=tournament.last_number or 0,
            open=tournament.last_state == RoundState.OPEN,
            tables=tournament.last_tables or 0,
        )
        for tournament in shown.order_by("-official_at", "-created_at", "-pk")
    ]
    return (
        tuple(line for line in lines if line.tournament.official_at is None),
        tuple(line for line in lines if line.tournament.official_at is not None),
    )


def _leading(tournament: Tournament) -> Leading | None:
    standing = standings(tournament)
    if not standing.begun:
        return None
    points = standing.criteria[0]
    return Leading(
        tournament=tournament,
        criterion=gettext(points.label),
        leaders=tuple(
            Leader(
                place=placing(row.place, tied=row.tied),
                name=row.name,
                points=figure(row.figures[points.key], percent=points.percent),
            )
            for row in standing.rows[:LEADERS_SHOWN]
        ),
    )
