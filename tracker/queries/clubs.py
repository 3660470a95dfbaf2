"""What the pages about clubs show."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count
from django.utils.translation import gettext

from tracker.models import Club, Membership, Player, Role, Round, RoundState, Team, Tournament
from tracker.queries.figures import figure, placing
from tracker.queries.nights import NightLine, coming_nights
from tracker.queries.standings import standings

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
    measure: str  # what they lead by
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
    """Return what the page of a club shows, in six queries and those of one standing."""
    tournaments = Tournament.objects.filter(club=club)
    running = list(tournaments.filter(official_at=None).order_by("-created_at", "-pk"))
    official = tournaments.exclude(official_at=None).order_by("-official_at", "-pk")
    past = list(official[:PAST_SHOWN])
    last = _last_rounds([*running, *past])
    return ClubPage(
        nights=coming_nights(club, now=now, most=NIGHTS_SHOWN),
        running=tuple(_line(tournament, last) for tournament in running),
        past=tuple(_line(tournament, last) for tournament in past),
        leading=next(
            (_leading(tournament) for tournament in running if tournament.pk in last), None
        ),
        players=Player.objects.present().filter(club=club).count(),
        teams=Team.objects.filter(club=club).count(),
    )


def _last_rounds(tournaments: Iterable[Tournament]) -> dict[int, tuple[int, str, int]]:
    """Return number, state and tables of each tournament's last round, by tournament."""
    rounds = (
        Round.objects.filter(tournament__in=tournaments)
        .filter(state__in=[RoundState.OPEN, RoundState.CLOSED])
        .annotate(tables=Count("sittings"))
        .order_by("number")
        .values_list("tournament_id", "number", "state", "tables")
    )
    return {tournament: (number, state, tables) for tournament, number, state, tables in rounds}


def _leading(tournament: Tournament) -> Leading | None:
    standing = standings(tournament)
    if not standing.begun:
        return None
    points = standing.deciding[0]
    return Leading(
        tournament=tournament,
        measure=gettext(points.label),
        leaders=tuple(
            Leader(
                place=placing(row.place, tied=row.tied),
                name=row.name,
                points=figure(row.figures[points.key], percent=points.percent),
            )
            for row in standing.rows[:LEADERS_SHOWN]
        ),
    )


def _line(tournament: Tournament, last: Mapping[int, tuple[int, str, int]]) -> TournamentLine:
    number, state, tables = last.get(tournament.pk, (0, "", 0))
    return TournamentLine(
        tournament=tournament,
        game=gettext(tournament.rules.name),
        round=number,
        open=state == RoundState.OPEN,
        tables=tables,
    )
