"""Pages on which people enter the site: the list of clubs, and the page of a club."""

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

PAST_SHOWN, RESULTS_SHOWN = 5, 4
NIGHTS_SHOWN, NIGHTS_READ = 3, 20
SEASON_LEADERS_SHOWN = 3


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Redirect to the reader's only club, or to the only public one; else list the clubs."""
    memberships = Membership.objects.select_related("club").order_by("club__name", "club_id")
    user = request.user.pk
    mine = memberships.filter(user_id=user) if user is not None else memberships.none()
    if len(mine) == 1:
        return redirect(mine[0].club)
    clubs = Club.objects.filter(public=True).exclude(pk__in=[each.club_id for each in mine])
    others = clubs.order_by("name", "pk")
    if request.user.pk is None and len(others) == 1:
        return redirect(others[0])
    if not mine and not others and not User.objects.exists():
        return render(request, "nights/home/home_new.html")
    return render(request, "nights/home/home.html", {"mine": mine, "others": others})


@require_safe
@conditional_page(revisions.of_club)
def club(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show a club: tables, dealers and leaders during a night; results and the next night otherwise."""
    club = access.club(request, club_id)
    reader = player_reading(request, club)
    context = access.context(
        request, club, reader=reader, owns=access.may(request, club, Role.OWNER)
    )
    organises = context["may_organise"]
    context["page"] = _club_page(club, reader, organises=organises, now=timezone.now())
    return render(request, "nights/home/club.html", context)


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentLine:
    """An unfinished tournament with its last round."""

    tournament: Tournament
    game: str
    round: int  # the number of its last round, 0 before the first
    open: bool  # that round is being played
    tables: int  # of that round
    tonight: bool  # that round belongs to the current night
    day: str  # if another tournament has the same name


def _club_page(
    club: Club, player: Player | None, *, organises: bool, now: datetime
) -> dict[str, Any]:
    """Return what the page of a club shows to a *player*, in a fixed number of queries.

    While a night is on, finished tournaments are not read: many phones load the page then.
    """
    all_nights = ClubNight.objects.filter(club=club).counted()
    coming = tuple(all_nights.to_come(now)[:NIGHTS_READ])
    nights, night = coming[:NIGHTS_SHOWN], ClubNight.going_on_of(coming, now)
    running, past = _running_and_past(club, night)
    tables = read_open_tables(club=club.pk)
    on = bool(tables) or any(line.tonight for line in running)
    begun = [line for line in running if line.round and (line.open or line.tonight or not on)]
    without_night = [line.tournament for line in running if line.open and not line.tonight]
    counts = Club.objects.filter(pk=club.pk).values_list(
        _count(Player.objects.present()),
        _count(Team.objects.all()),
        Exists(rests_of(player)) if player else Value(value=False),
    )
    players, teams, resting = counts.get()
    past_lines, own = (finished_lines(past, {}), ()) if on else results_of_club(past, player)
    reply = None
    if nights and player and not on:
        replies = Rsvp.objects.filter(night=nights[0], player=player)
        reply = replies.values_list("yes", flat=True).first()
    return {
        "on": on,  # a night is being played
        "night": night,
        "nights": nights,  # the coming ones
        "reply": reply,  # the reader's answer to the first of these
        "running": running,
        "playing": [line for line in running if line.open or line.tonight],
        "unfinished": [line for line in running if not (line.open or line.tonight)],
        "past": past_lines,
        # The results of the current night, once all its tournaments are official.
        "won": [
            line
            for line in past_lines
            if night and not on and getattr(line.tournament, "last_night", None) == night.pk
        ],
        "empty": not (on or running or past or nights),
        "tonight": club_tonight(
            [line.tournament for line in begun], tables, player if on else None, resting
        ),
        "tables": len(tables),
        # The desk to run if the rounds belong to no night, and the open issues of such rounds.
        "desk": next((line.tournament for line in running if line.open), None),
        "needs": needs_of(without_night).count if organises and without_night else 0,
        "own_results": own[:RESULTS_SHOWN],
        "bars": result_bars(own),
        "season": None if on else _newest_season(club, player),
        "players": players,
        "teams": teams,
    }


def _count(rows: QuerySet[Any]) -> Coalesce:
    """Return a count of the rows of the outer query's club."""
    of_club = rows.filter(club=OuterRef("pk")).order_by().values("club")
    return Coalesce(Subquery(of_club.values(n=Count("pk"))), 0)


def _running_and_past(
    club: Club, night: ClubNight | None
) -> tuple[tuple[TournamentLine, ...], tuple[Tournament, ...]]:
    """Return the unfinished tournaments and the last finished ones, newest first, in one query.

    Of a tournament in stages the unfinished stages are listed; once it is over, only its first.
    """
    tournaments = Tournament.objects.filter(club=club)
    over = tournaments.filter(follows=None).exclude(official_at=None)
    official = over.order_by("-official_at", "-pk")
    rounds = Round.objects.filter(
        tournament=OuterRef("pk"), state__in=[RoundState.OPEN, RoundState.CLOSED]
    )
    last = rounds.order_by("-number")
    shown = tournaments.filter(
        (Q(official_at=None) & ~continues_elsewhere())
        | Q(pk__in=official.values("pk")[:PAST_SHOWN])
    ).annotate(
        last_number=Subquery(last.values("number")[:1]),
        last_state=Subquery(last.values("state")[:1]),
        last_night=Subquery(last.values("night")[:1]),
        last_tables=Subquery(last.annotate(tables=Count("sittings")).values("tables")[:1]),
    )
    known = list(shown.order_by("-official_at", "-created_at", "-pk"))
    running = [tournament for tournament in known if tournament.official_at is None]
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
    return lines, tuple(each for each in known if each.official_at is not None)


def _newest_season(club: Club, player: Player | None) -> dict[str, Any] | None:
    """Return the newest season with its leaders and the player, in one query and its standing's."""
    season = Season.objects.latest_of(club.pk)
    if season is None:
        return None
    own = player.pk if player else None
    placed = [row for row in season_standing(season).rows if row.place is not None]
    shown = placed[:SEASON_LEADERS_SHOWN]
    shown += [row for row in placed[SEASON_LEADERS_SHOWN:] if row.player == own]
    places = [
        (
            placing(row.place or 0, tied=row.tied),
            row.name,
            out_of_a_hundred(row.points),
            row.player == own,
        )
        for row in shown
    ]
    return {"season": season, "places": places}


urlpatterns = [path("", home, name="home"), path("clubs/<int:club_id>/", club, name="club")]
