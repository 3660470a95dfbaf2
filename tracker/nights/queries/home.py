"""What the front pages show: the clubs there are, and what is going on in one."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from tracker.common.figures import placing
from tracker.models import (
    Club,
    ClubNight,
    Player,
    Round,
    RoundState,
    Rsvp,
    Season,
    Team,
    Tournament,
)
from tracker.nights.logic.home_layout import PageLayout, layout
from tracker.nights.queries.desk import needs_of
from tracker.nights.queries.finished import Finished, FinishedLine, finished, finished_lines
from tracker.nights.queries.home_tonight import Leader, Tonight, tonight
from tracker.seating.queries.players import rests_of
from tracker.standings.queries.seasons import out_of_a_hundred, season_standing
from tracker.tables.statements import read_open_tables
from tracker.tournaments.queries.games import days_of_namesakes, game_unless_named
from tracker.tournaments.queries.tournaments import gone_on

PAST_SHOWN = 5
NIGHTS_SHOWN, NIGHTS_READ = 3, 20
SEASON_LEADERS_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentLine:
    tournament: Tournament
    game: str
    round: int  # the last one; 0 before the first
    open: bool  # people are sitting at its tables
    tables: int  # of that round
    tonight: bool  # its last round is of the night that goes on
    day: str  # where another of them has its name


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonHead:
    season: Season
    places: tuple[Leader, ...]  # the first three, and the reader's own


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubPage:
    layout: PageLayout
    on: bool  # a night is being played
    night: ClubNight | None  # the one that goes on
    nights: tuple[ClubNight, ...]  # the next ones
    reply: bool | None  # what the reader said about the first of them
    running: tuple[TournamentLine, ...]
    past: tuple[FinishedLine, ...]
    tonight: Tonight
    needs: int  # what waits for the organiser beside a night
    finished: Finished | None  # where no night is on
    season: SeasonHead | None
    players: int
    teams: int

    @property
    def empty(self) -> bool:
        """Return whether the club has nothing to show yet."""
        return not (self.on or self.running or self.past or self.nights)

    @property
    def playing(self) -> tuple[TournamentLine, ...]:
        return tuple(line for line in self.running if line.open or line.tonight)

    @property
    def unfinished(self) -> tuple[TournamentLine, ...]:
        """Return what goes on some other day."""
        return tuple(line for line in self.running if line not in self.playing)

    @property
    def won(self) -> tuple[FinishedLine, ...]:
        """Return the results of the running night, once all its tournaments are official."""
        if self.on or self.night is None:
            return ()
        here = self.night.pk
        return tuple(x for x in self.past if getattr(x.tournament, "last_night", None) == here)

    @property
    def tables(self) -> int:
        return len(self.tonight.tables)

    @property
    def desk(self) -> Tournament | None:
        """Return the tournament whose desk serves the night, if no night was announced."""
        return next((line.tournament for line in self.running if line.open), None)


def club_page(
    club: Club, player: Player | None, *, organises: bool, belongs: bool, now: datetime
) -> ClubPage:
    """Return what the page of a club shows to a *player*, in a number of queries that is fixed.

    While a night is on, nothing is read of what is over: the page is cheap for a whole hall.
    """
    known = ClubNight.objects.filter(club=club).counted()
    coming = tuple(known.to_come(now)[:NIGHTS_READ])
    nights, night = coming[:NIGHTS_SHOWN], ClubNight.going_on_of(coming, now)
    running, past = _tournaments(club, night)
    tables = read_open_tables(club=club.pk)
    on = bool(tables) or any(line.tonight for line in running)
    beside = [line.tournament for line in running if line.open and not line.tonight]
    begun = [line for line in running if line.round and (line.open or line.tonight or not on)]
    counts = Club.objects.filter(pk=club.pk).values_list(
        _count(Player.objects.present()),
        _count(Team.objects.all()),
        Exists(rests_of(player)) if player else Value(value=False),
    )
    players, teams, resting = counts.get()
    over = None if on else finished(past, player)
    reply = None
    if nights and player and not on:
        said = Rsvp.objects.filter(night=nights[0], player=player)
        reply = said.values_list("yes", flat=True).first()
    return ClubPage(
        layout=layout(on=on, plays=player is not None, organises=organises, belongs=belongs),
        on=on,
        night=night,
        nights=nights,
        reply=reply,
        running=running,
        past=over.past if over else finished_lines(past, {}),
        tonight=tonight(
            [line.tournament for line in begun], tables, player if on else None, resting=resting
        ),
        needs=needs_of(beside).count if organises and beside else 0,
        finished=over,
        season=None if on else season_head(club, player),
        players=players,
        teams=teams,
    )


def _count(rows: QuerySet[Any]) -> Coalesce:
    """Return how many of these rows are of the club that is asked about."""
    of_club = rows.filter(club=OuterRef("pk")).order_by().values("club")
    return Coalesce(Subquery(of_club.values(n=Count("pk"))), 0)


def _tournaments(
    club: Club, night: ClubNight | None
) -> tuple[tuple[TournamentLine, ...], tuple[Tournament, ...]]:
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


def season_head(club: Club, player: Player | None) -> SeasonHead | None:
    """Return the newest season with its leaders, in one query and those of its standing."""
    season = Season.objects.latest_of(club.pk)
    if season is None:
        return None
    standing = season_standing(season)
    own = player.pk if player else None
    placed = [row for row in standing.rows if row.place is not None]
    shown = placed[:SEASON_LEADERS_SHOWN]
    shown += [row for row in placed[SEASON_LEADERS_SHOWN:] if row.player == own]
    return SeasonHead(
        season=season,
        places=tuple(
            (
                placing(row.place or 0, tied=row.tied),
                row.name,
                out_of_a_hundred(row.points),
                row.player == own,
            )
            for row in shown
        ),
    )
