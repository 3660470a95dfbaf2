"""Careers: what players, pairs and teams have played, and two charts of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tracker.common.cells import ClubTable, day
from tracker.common.figures import POINTS, figure, placing
from tracker.common.names import short_names
from tracker.common.web import access, exports
from tracker.common.web.addresses import preview
from tracker.models import Player, Role, Team
from tracker.standings.columns.careers import (
    MeetingsTable,
    MembersTable,
    OthersTable,
    TournamentResultsTable,
)
from tracker.standings.queries.careers import (
    ENOUGH_HANDS,
    Career,
    TournamentResult,
    career,
    team_career,
)
from tracker.standings.queries.head_to_head import most_played
from tracker.standings.queries.head_to_head import pair as pair_of

A_PAGE = 10
LEFT, RIGHT, TOP, BOTTOM = 56, 350, 12, 122  # of the line, in a picture of 360 by 150
TOURNAMENTS_SHOWN = 24  # the latest, as dots of the line
BARS_SHOWN = 8
_ENOUGH = 2  # figures: one is no line


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceChart:
    """Final places over time as a line, first place at the top, and the same figures as a table."""

    dots: tuple[tuple[float, float], ...]
    first: str  # the day it begins
    last: str
    numbers: tuple[tuple[str, str, str], ...]  # day, tournament, place; the latest first

    @property
    def path(self) -> str:
        """Return the line as a picture writes it."""
        return " ".join(f"{x:g},{y:g}" for x, y in self.dots)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """Figures beside each other: a name, its figure, and the length of its bar in hundredths."""

    title: str
    rows: tuple[tuple[str, str, int], ...]


def place_chart(results: Sequence[TournamentResult]) -> PlaceChart | None:
    """Return the places in these tournaments, the latest first, as a line; ``None`` for fewer than two."""
    placed = [
        (line.tournament.created_at, line.tournament.name, line.finish)
        for line in reversed(results)
        if line.finish and line.finish.of > 1
    ][-TOURNAMENTS_SHOWN:]
    if len(placed) < _ENOUGH:
        return None
    step = (RIGHT - LEFT) / (len(placed) - 1)
    return PlaceChart(
        dots=tuple(
            (round(LEFT + step * at, 1), round(BOTTOM - (BOTTOM - TOP) * float(finish.beaten), 1))
            for at, (*_, finish) in enumerate(placed)
        ),
        first=day(placed[0][0]),
        last=day(placed[-1][0]),
        numbers=tuple(
            (
                day(when),
                name,
                _("%(place)s of %(of)d")
                % {"place": placing(finish.place, tied=finish.tied), "of": finish.of},
            )
            for when, name, finish in reversed(placed)
        ),
    )


def where_points_came_from(career: Career) -> Bars | None:
    """Return bars of the points with each partner, or each opponent if partners are too few.

    Only the game that was played most counts.
    """
    for others, title, otherwise in (
        (
            career.partners,
            _("Where the points came from, by partner, in %(game)s"),
            _("%(points)s in %(game)s, by partner"),
        ),
        (
            career.opponents,
            _("Where the points came from, by opponent, in %(game)s"),
            _("%(points)s in %(game)s, by opponent"),
        ),
    ):
        usual = most_played(
            line for line in others if not line.criterion.per and not line.criterion.fewest
        )
        of_it = [line for line in others if line.game.slug == usual]
        lines = sorted(of_it, key=lambda line: (-line.points, line.name))[:BARS_SHOWN]
        if len(lines) >= _ENOUGH:
            label = lines[0].criterion.label
            called = {"game": _(lines[0].game.name), "points": _(label)}
            longest = lines[0].points
            return Bars(
                title=(title if label == POINTS else otherwise) % called,
                rows=tuple(
                    (
                        line.name,
                        figure(line.points, percent=line.criterion.percent),
                        max(0, round(100 * line.points / longest)) if longest > 0 else 0,
                    )
                    for line in lines
                ),
            )
    return None


@access.page
@require_safe
def player(request: HttpRequest, player_id: int) -> HttpResponse:
    """Show a player's career; redirect a merged player to the one they were merged into."""
    player = access.get(request, Player.objects, player_id)
    club = player.club
    if player.merged_into_id:
        return redirect("player", player.merged_into_id)
    if player.erased_at:
        return render(
            request, "standings/careers/erased.html", access.context(request, club, player=player)
        )

    life = career(player, game=request.GET.get("game", ""))
    partners, opponents = _("Partners"), _("Opponents")
    tables: dict[str, ClubTable] = {
        "tournaments": TournamentResultsTable(life.tournaments, prefix="tournaments-"),
        "partners": OthersTable(
            life.partners, of=player.pk, title=partners, heading=_("With"), prefix="partners-"
        ),
        "opponents": OthersTable(
            life.opponents, of=player.pk, title=opponents, heading=_("Against"), prefix="opponents-"
        ),
    }
    if answer := _file_asked(request, tables, player.name):
        return answer
    context = access.context(
        request,
        club,
        player=player,
        career=life,
        enough=ENOUGH_HANDS,
        form=place_chart(life.tournaments),
        bars=where_points_came_from(life),
        preview=preview(
            request,
            club,
            title=player.name,
            says=_("What %(name)s has played at %(club)s")
            % {"name": player.name, "club": club.name},
        ),
        **tables,
        may_change=access.may(request, club, Role.ORGANISER),
    )
    return render(request, "standings/careers/player.html", context)


@access.page
@require_safe
def pair(request: HttpRequest, player_id: int, other_id: int) -> HttpResponse:
    """Show what two players came to, as partners and against each other."""
    # Asked one by one: a number that no database knows is nobody's, where a list of them is an error.
    asked = Player.objects.filter(Q(pk=player_id) | Q(pk=other_id)).select_related("club")
    people = {player.pk: player for player in asked}
    player, other = people.get(player_id), people.get(other_id)
    club = access.check(request, player.club if player else None)
    if player is None or other is None or player.club_id != other.club_id:
        raise Http404
    now = (player.merged_into_id or player.pk, other.merged_into_id or other.pk)
    if now[0] == now[1]:
        return redirect("player", now[0])
    if now != (player_id, other_id):
        return redirect("pair", *now)
    if player.erased_at or other.erased_at:
        return redirect("player", other.pk if player.erased_at else player.pk)

    met = pair_of(player.pk, other.pk)
    names = (player.name, other.name)
    called = short_names(dict(enumerate(names)))
    tables: dict[str, ClubTable] = {"meetings": MeetingsTable(met.meetings, (called[0], called[1]))}
    if answer := _file_asked(request, tables, *names):
        return answer
    context = access.context(
        request,
        club,
        player=player,
        other=other,
        pair=met,
        called=(called[0], called[1]),
        **tables,
    )
    return render(request, "standings/careers/pair.html", context)


@access.page
@require_safe
def team(request: HttpRequest, team_id: int) -> HttpResponse:
    """Show what a team has played, and who played for it."""
    team = access.get(request, Team.objects, team_id)
    club = team.club
    life = team_career(team)
    tables: dict[str, ClubTable] = {
        "tournaments": TournamentResultsTable(life.tournaments, prefix="tournaments-"),
        "members": MembersTable(life.members, prefix="members-"),
    }
    if answer := _file_asked(request, tables, team.name):
        return answer
    context = access.context(
        request,
        club,
        team=team,
        career=life,
        **tables,
        may_change=access.may(request, club, Role.ORGANISER),
    )
    return render(request, "standings/careers/team.html", context)


def _file_asked(
    request: HttpRequest, tables: dict[str, ClubTable], *named: str
) -> HttpResponse | None:
    """Sort and page the tables; return the one that is asked for as a file, if any is."""
    for name, table in tables.items():
        if form := exports.lay_out(request, table, a_page=A_PAGE, of=name):
            return exports.file_of(table, form, *named, table.title)
    return None


urlpatterns = [
    path("players/<int:player_id>/", player, name="player"),
    path("players/<int:player_id>/with/<int:other_id>/", pair, name="pair"),
    path("teams/<int:team_id>/", team, name="team"),
]
