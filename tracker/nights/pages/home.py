"""Pages on which people enter the site: the list of clubs, and the page of a club."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_safe

from tracker.common.figures import placing
from tracker.common.web import access
from tracker.common.web.access import player_reading
from tracker.common.web.polling import conditional_page
from tracker.models import (
    Club,
    ClubNight,
    Membership,
    Player,
    Role,
    Round,
    RoundState,
    Rsvp,
    Season,
    Team,
    Tournament,
    User,
)
from tracker.nights.queries.club_page import (
    club_tonight,
    finished_lines,
    result_bars,
    results_of_club,
)
from tracker.nights.queries.desk import needs_of
from tracker.seating.queries.players import rests_of
from tracker.standings.queries.seasons import out_of_a_hundred, season_standing
from tracker.tables import revisions
from tracker.tables.sql import read_open_tables
from tracker.tournaments.queries import continues_elsewhere, days_of_namesakes, game_unless_named

# How many are shown of finished tournaments, the reader's own results, and leaders of the season.
PAST_SHOWN, RESULTS_SHOWN, SEASON_LEADERS_SHOWN = 5, 4, 3
# Of nights not over yet. More are read than shown, as the current night may be beyond those shown.
NIGHTS_SHOWN, NIGHTS_READ = 3, 20


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Redirect to the reader's only club, or to the only public one; else list the clubs."""
    memberships = Membership.objects.select_related("club").order_by("club__name", "club_id")
    user = request.user.pk
    joined = memberships.filter(user_id=user) if user is not None else memberships.none()
    if len(joined) == 1:
        return redirect(joined[0].club)
    public = Club.objects.filter(public=True).order_by("name", "pk")
    other_clubs = public.exclude(pk__in=[membership.club_id for membership in joined])
    if user is None and len(other_clubs) == 1:
        return redirect(other_clubs[0])
    if not joined and not other_clubs and not User.objects.exists():
        return render(request, "nights/home/home_new.html")
    return render(request, "nights/home/home.html", {"mine": joined, "others": other_clubs})


@require_safe
@conditional_page(revisions.of_club)
def club(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show a club: tables, dealers and leaders during a night, else results and the next night."""
    club = access.club(request, club_id)
    reader = player_reading(request, club)
    organises = access.may(request, club, Role.ORGANISER)
    page = _club_page(club, reader, organises=organises, now=timezone.now())
    context = {"reader": reader, "owns": access.may(request, club, Role.OWNER), "page": page}
    return access.render(request, "nights/home/club.html", club, **context)


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentLine:
    """An unfinished tournament with its last round."""

    tournament: Tournament
    game: str  # the name of the game, empty if the tournament's own name has it
    round: int  # the number of the last round, 0 before the first
    open: bool  # whether the last round is being played
    tables: int  # how many tables the last round has
    tonight: bool  # whether the last round belongs to the current night
    day: str  # when it began, empty unless another tournament has the same name

    @property
    def on(self) -> bool:
        """Return whether the tournament is being played now, or was played tonight."""
        return self.open or self.tonight


def _club_page(
    club: Club, player: Player | None, *, organises: bool, now: datetime
) -> dict[str, Any]:
    """Return what a club's page shows to a *player* or a stranger, in a fixed number of queries.

    A night is *on* if a table plays, or an unfinished tournament was played tonight. The results of
    finished tournaments are not read then, as many phones load the page.
    """
    coming = tuple(ClubNight.objects.filter(club=club).counted().to_come(now)[:NIGHTS_READ])
    nights_shown, night = coming[:NIGHTS_SHOWN], ClubNight.going_on_of(coming, now)
    running, past = _running_and_past(club, night)
    tables = read_open_tables(club=club.pk)
    on = bool(tables) or any(line.tonight for line in running)
    # The leaders of one of these are shown. While a night is on, only its tournaments count.
    begun = [line.tournament for line in running if line.round and (line.on or not on)]
    without_night = [line.tournament for line in running if line.open and not line.tonight]
    counts = Club.objects.filter(pk=club.pk).values_list(
        _count(Player.objects.present()),
        _count(Team.objects.all()),
        Exists(rests_of(player)) if player else Value(value=False),
    )
    players, teams, resting = counts.get()
    page = {
        "on": on,  # whether a night is being played
        "night": night,  # the current night, which may have no tournament yet
        "nights": nights_shown,  # the first nights that are not over
        "running": running,  # all unfinished tournaments: those in "playing" and in "unfinished"
        "playing": [line for line in running if line.on],
        "unfinished": [line for line in running if not line.on],
        "empty": not (on or running or past or nights_shown),  # the club has nothing to show yet
        "tonight": club_tonight(begun, tables, player if on else None, resting=resting),
        "tables": len(tables),
        # Without a current night: the tournament whose desk is linked instead of the night's.
        "desk": next((line.tournament for line in running if line.open), None),
        # The number of open issues of tournaments whose open round is not of the current night.
        "needs": needs_of(without_night).count if organises and without_night else 0,
        "players": players,
        "teams": teams,
    }
    if on:
        return page | {"past": finished_lines(past, {}), "won": ()}
    return page | _between_nights(club, player, past, nights_shown, night)


def _count(rows: QuerySet[Any]) -> Coalesce:
    """Return the expression that counts the rows of a club, in a query of clubs."""
    # Grouped by club only: an order would be grouped by too.
    of_club = rows.filter(club=OuterRef("pk")).order_by().values("club")
    return Coalesce(Subquery(of_club.values(n=Count("pk"))), 0)


def _running_and_past(
    club: Club, night: ClubNight | None
) -> tuple[tuple[TournamentLine, ...], tuple[Tournament, ...]]:
    """Return the unfinished tournaments and the last finished ones, newest first, in one query.

    Of a tournament with stages, the unfinished stages that no other follows are listed. A finished
    first stage stands for the whole tournament.
    """
    tournaments = Tournament.objects.filter(club=club)
    finished = tournaments.filter(follows=None).exclude(official_at=None)
    latest_finished = finished.order_by("-official_at", "-pk")
    # Of one tournament, the last round first; its columns become those of the tournament.
    rounds = Round.objects.filter(
        tournament=OuterRef("pk"), state__in=[RoundState.OPEN, RoundState.CLOSED]
    ).order_by("-number")
    shown = tournaments.filter(
        (Q(official_at=None) & ~continues_elsewhere())
        | Q(pk__in=latest_finished.values("pk")[:PAST_SHOWN])
    ).annotate(
        last_number=Subquery(rounds.values("number")[:1]),
        last_state=Subquery(rounds.values("state")[:1]),
        last_night=Subquery(rounds.values("night")[:1]),
        last_tables=Subquery(rounds.annotate(tables=Count("sittings")).values("tables")[:1]),
    )
    newest_first = list(shown.order_by("-official_at", "-created_at", "-pk"))
    running = [tournament for tournament in newest_first if tournament.official_at is None]
    days = days_of_namesakes(running)
    lines = tuple(
        TournamentLine(
            tournament=tournament,
            game=game_unless_named(tournament),
            round=tournament.last_number or 0,
            open=tournament.last_state == RoundState.OPEN,
            tables=tournament.last_tables or 0,
            tonight=night is not None and tournament.last_night == night.pk,
            day=days.get(tournament.pk, ""),
        )
        for tournament in running
    )
    return lines, tuple(row for row in newest_first if row.official_at is not None)


def _between_nights(
    club: Club,
    player: Player | None,
    past: Sequence[Tournament],
    nights: Sequence[ClubNight],
    current: ClubNight | None,
) -> dict[str, Any]:
    """Return what a club's page shows only while no night is on: results and the newest season."""
    past_lines, own_results = results_of_club(past, player)
    tonight = {row.pk for row in past if current and getattr(row, "last_night", 0) == current.pk}
    # The reader's answer to the next night.
    reply = None
    if nights and player:
        replies = Rsvp.objects.filter(night=nights[0], player=player)
        reply = replies.values_list("yes", flat=True).first()
    # Of the season's leaders and the player: place, name, points of 100, and if it is the player.
    places = []
    season = Season.objects.latest_of(club.pk)
    ranked = [row for row in season_standing(season).rows if row.place] if season else []
    for index, row in enumerate(ranked):
        is_own = player is not None and row.player == player.pk
        if index < SEASON_LEADERS_SHOWN or is_own:
            place = placing(row.place or 0, tied=row.tied)  # ``or 0`` only for the type
            places.append((place, row.name, out_of_a_hundred(row.points), is_own))
    return {
        "past": past_lines,
        # The results of the current night, once all its tournaments are official.
        "won": [line for line in past_lines if line.tournament.pk in tonight],
        "reply": reply,
        "own_results": own_results[:RESULTS_SHOWN],
        "bars": result_bars(own_results),
        "season": {"season": season, "places": places},
    }


urlpatterns = [path("", home, name="home"), path("clubs/<int:club_id>/", club, name="club")]
