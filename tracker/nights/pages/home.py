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
from tracker.common.web import access, devices
from tracker.common.web.polling import ONE_MINUTE, conditional_page
from tracker.models import (
    Club,
    ClubNight,
    Membership,
    Player,
    Role,
    Round,
    RoundState,
    Season,
    Team,
    Tournament,
    User,
)
from tracker.nights.queries.club_page import (
    finished_lines,
    play_of_club,
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
FINISHED_SHOWN, RESULTS_SHOWN, SEASON_LEADERS_SHOWN = 5, 4, 3
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
@conditional_page(revisions.of_club, every=ONE_MINUTE, shared=True, personal={devices.ME})
def club(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show a club: tables, dealers and leaders during a night, else results and the next night."""
    club = access.club(request, club_id)
    reader = access.player_reading(request, club)
    organises = access.may(request, club, Role.ORGANISER)
    page = _club_page(club, reader, organises=organises, now=timezone.now())
    context = {"reader": reader, "owns": access.may(request, club, Role.OWNER), "page": page}
    return access.render(request, "nights/home/club.html", club, **context)


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentLine:
    """A tournament with its last open round, or else its last; undone rounds do not count."""

    tournament: Tournament
    game: str  # the name of the game, empty if the tournament's own name has it
    round: int  # the number of that round, 0 before the first
    open: bool  # whether that round is being played
    tables: int  # how many tables that round has
    tonight: bool  # whether that round belongs to the current night
    day: str  # when it began, empty unless another unfinished tournament has the same name

    @property
    def active(self) -> bool:
        """Return whether the tournament is being played now, or was played tonight."""
        return self.open or self.tonight


def _club_page(
    club: Club, player: Player | None, *, organises: bool, now: datetime
) -> dict[str, Any]:
    """Return what a club's page shows to a *player* or a stranger, in a fixed number of queries.

    A club *is playing* if a table plays, or an unfinished tournament was played tonight. Winners
    and other results of finished tournaments are not read then, as many phones load the page.
    """
    nights = tuple(ClubNight.objects.filter(club=club).counted().to_come(now)[:NIGHTS_READ])
    current_night = ClubNight.going_on_of(nights, now)
    lines = _tournament_lines(club, current_night)
    unfinished = [line for line in lines if line.tournament.official_at is None]
    finished = [line.tournament for line in lines if line.tournament.official_at is not None]
    tables = read_open_tables(club=club.pk)
    is_playing = bool(tables) or any(line.tonight for line in unfinished)
    active = [line for line in unfinished if line.active]
    begun = [line.tournament for line in (active if is_playing else unfinished) if line.round]
    outside_night = [line.tournament for line in active if not line.tonight]
    over_tonight = {line.tournament for line in lines if line.tonight and not is_playing}
    results, own_results = (
        (finished_lines(finished, {}), []) if is_playing else results_of_club(finished, player)
    )
    counts = Club.objects.filter(pk=club.pk).values_list(
        _count(Player.objects.present()),
        _count(Team.objects.all()),
        Exists(rests_of(player)) if player else Value(value=False),
    )
    players, teams, resting = counts.get()
    return {
        "is_playing": is_playing,
        "is_empty": not (tables or lines or nights),  # whether there is nothing to show yet
        "current_night": current_night,  # even before anything is played in it
        "nights": nights[:NIGHTS_SHOWN],  # the first of those not over
        # The tables being played, the leaders of one of the tournaments, the reader's own seat.
        "play": play_of_club(begun, tables, player if is_playing else None, resting=resting),
        # The unfinished tournaments: those played now or tonight, and the others.
        "active": active,
        "idle": [line for line in unfinished if not line.active],
        "finished": results,  # the last finished tournaments
        # Those of the current night, once all its tournaments are finished.
        "finished_tonight": [result for result in results if result["tournament"] in over_tonight],
        # How many issues wait in open rounds that are not of the current night.
        "issues": needs_of(outside_night).count if organises and outside_night else 0,
        "player_count": players,
        "team_count": teams,
        "between_nights": {} if is_playing else _between_nights(club, player, nights, own_results),
    }


def _count(rows: QuerySet[Any]) -> Coalesce:
    """Return the expression that counts the rows of a club, in a query of clubs."""
    # Grouped by club only: an order would be grouped by too.
    of_club = rows.filter(club=OuterRef("pk")).order_by().values("club")
    return Coalesce(Subquery(of_club.values(n=Count("pk"))), 0)


def _tournament_lines(club: Club, current_night: ClubNight | None) -> list[TournamentLine]:
    """Return the unfinished and the last finished tournaments, each newest first, in one query.

    Of a tournament with stages, the unfinished stages that no other follows are listed. A finished
    first stage stands for the whole tournament.
    """
    tournaments = Tournament.objects.filter(club=club)
    finished = tournaments.filter(follows=None).exclude(official_at=None)
    latest_finished = finished.order_by("-official_at", "-pk")
    # The columns of the first become those of the tournament. In free play, an earlier round than
    # the last may be the one that is open: "open" comes after "closed" in the alphabet.
    rounds = Round.objects.filter(
        tournament=OuterRef("pk"), state__in=[RoundState.OPEN, RoundState.CLOSED]
    ).order_by("-state", "-number")
    shown = tournaments.filter(
        (Q(official_at=None) & ~continues_elsewhere())
        | Q(pk__in=latest_finished.values("pk")[:FINISHED_SHOWN])
    ).annotate(
        last_number=Subquery(rounds.values("number")[:1]),
        last_state=Subquery(rounds.values("state")[:1]),
        last_night=Subquery(rounds.values("night")[:1]),
        last_tables=Subquery(rounds.annotate(tables=Count("sittings")).values("tables")[:1]),
    )
    newest_first = list(shown.order_by("-official_at", "-created_at", "-pk"))
    days = days_of_namesakes([row for row in newest_first if row.official_at is None])
    return [
        TournamentLine(
            tournament=tournament,
            game=game_unless_named(tournament),
            round=tournament.last_number or 0,
            open=tournament.last_state == RoundState.OPEN,
            tables=tournament.last_tables or 0,
            tonight=current_night is not None and tournament.last_night == current_night.pk,
            day=days.get(tournament.pk, ""),
        )
        for tournament in newest_first
    ]


def _between_nights(
    club: Club,
    player: Player | None,
    nights: Sequence[ClubNight],
    own_results: list[dict[str, Any]],
) -> dict[str, Any]:
    """Return what a club's page shows only while the club is not playing."""
    reply = None
    if nights and player:
        reply = nights[0].rsvps.filter(player=player).values_list("yes", flat=True).first()
    places = []
    season = Season.objects.latest_of(club.pk)
    ranked = [row for row in season_standing(season).rows if row.place] if season else []
    for index, row in enumerate(ranked):
        is_own = player is not None and row.player == player.pk
        if index < SEASON_LEADERS_SHOWN or is_own:
            place = placing(row.place or 0, tied=row.tied)  # ``or 0`` only for the type
            places.append((place, row.name, out_of_a_hundred(row.points), is_own))
    return {
        "reply": reply,  # the reader's answer to the first of *nights*, None before they answer
        "own_results": own_results[:RESULTS_SHOWN],
        "bars": result_bars([result["finish"] for result in own_results]),
        "season": season,  # the newest
        "season_places": places,  # those of its leaders and of the reader
    }


urlpatterns = [path("", home, name="home"), path("clubs/<int:club_id>/", club, name="club")]
