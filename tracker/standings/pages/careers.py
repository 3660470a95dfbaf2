"""The pages of a player's and a team's career, with two charts.

A *finish* is the final place in an event, ``of`` so many entrants. A *companion* is a partner or an
opponent, with the points that the player, not the companion, got where both sat at a table.
"""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import django_tables2 as tables
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy as _, gettext_noop
from django.views.decorators.http import require_safe

from tracker.common.columns import (
    PLAIN,
    STRONG,
    ClubTable,
    FileColumn,
    counted,
    day,
    linked,
)
from tracker.common.figures import POINTS, average, figure, file_figure, placing
from tracker.common.template_tags import person_mark
from tracker.common.web import access, exports
from tracker.common.web.addresses import link_preview
from tracker.common.web.feeds import feed_address, store_nowhere
from tracker.models import Player, Team
from tracker.standings.columns import PlayedTable
from tracker.standings.queries.careers import (
    ENOUGH_HANDS,
    Career,
    TeamMember,
    TournamentResult,
    career,
    team_career,
)
from tracker.standings.queries.companions import Companion, most_played
from tracker.standings.queries.final_rankings import Finish

ROWS_A_PAGE = 10
LEFT, RIGHT, TOP, BOTTOM = 56, 350, 12, 122  # of the chart of places, in a picture of 360 by 150
TOURNAMENTS_SHOWN = 24  # the latest, as dots of the chart
BARS_SHOWN = 8
_LEAST_FIGURES = 2  # with fewer dots or bars, there is no chart
# Each time two titles of the bars: for a game that calls its points "Points", and for other games.
_BY_PARTNER = (
    gettext_noop("Where the points came from, by partner, in %(game)s"),
    gettext_noop("%(points)s in %(game)s, by partner"),
)
_BY_OPPONENT = (
    gettext_noop("Where the points came from, by opponent, in %(game)s"),
    gettext_noop("%(points)s in %(game)s, by opponent"),
)


def place_chart(results: Sequence[TournamentResult]) -> dict[str, Any] | None:
    """Return the chart of places in *results*, given latest first; ``None`` for fewer than two.

    It is a line with the first place at the top. ``dots`` are x and y of each place, the earliest
    first, ``path`` the same as SVG writes it; ``first`` and ``last`` are the days of the first and
    last dot. ``numbers`` are day, tournament and place, the latest first.
    """
    placed = [
        (day(result.tournament.created_at), result.tournament.name, result.finish)
        for result in reversed(results)
        if result.finish and result.finish.of > 1  # alone there is no one to beat
    ][-TOURNAMENTS_SHOWN:]
    if len(placed) < _LEAST_FIGURES:
        return None
    step = (RIGHT - LEFT) / (len(placed) - 1)
    # A dot is as high as the share of the other entrants that were beaten.
    heights = [float(finish.beaten) * (BOTTOM - TOP) for *_, finish in placed]
    dots = [
        (round(LEFT + step * position, 1), round(BOTTOM - height, 1))
        for position, height in enumerate(heights)
    ]
    numbers = [(when, name, place_in_field(finish)) for when, name, finish in reversed(placed)]
    path = " ".join(f"{x:g},{y:g}" for x, y in dots)
    ends = {"first": placed[0][0], "last": placed[-1][0]}
    return {"dots": dots, "path": path, **ends, "numbers": numbers}


def place_in_field(finish: Finish) -> str:
    numbers = {"place": placing(finish.place, tied=finish.tied), "of": finish.of}
    return gettext("%(place)s of %(of)d") % numbers


def where_points_came_from(career: Career) -> tuple[str, list[tuple[str, str, int]]] | None:
    """Return bars of the points with each partner, or against each opponent for lack of partners.

    A title comes first, then for each bar a name, its figure, and the length of the bar in percent.
    They are of the game played most in which points can be added up and the most are best.
    """
    for others, titles in ((career.partners, _BY_PARTNER), (career.opponents, _BY_OPPONENT)):
        # A criterion ``per`` something is a share: shares cannot be added up.
        addable = [each for each in others if not each.criterion.per and not each.criterion.fewest]
        game = most_played(addable)
        of_game = [line for line in addable if line.game.slug == game]
        lines = sorted(of_game, key=lambda line: (-line.points, line.name))[:BARS_SHOWN]
        if len(lines) >= _LEAST_FIGURES:
            criterion, most = lines[0].criterion, lines[0].points
            names = {"game": gettext(lines[0].game.name), "points": gettext(criterion.label)}
            percents = [round(100 * line.points / most) if most > 0 else 0 for line in lines]
            # The longest bar has 100 percent; a sum below 0 has no bar.
            rows = [
                (line.name, figure(line.points, percent=criterion.percent), max(0, percent))
                for line, percent in zip(lines, percents, strict=True)
            ]
            title = titles[0] if criterion.label == POINTS else titles[1]
            return gettext(title) % names, rows
    return None


class TournamentResultsTable(PlayedTable):
    """The tournaments of a team, or of a player, with the team they ``played_for`` if any."""

    title = _("Tournaments")
    name = tables.Column(
        verbose_name=_("Tournament"),
        accessor="tournament__name",
        attrs={"td": {"scope": "row", "class": "wrap"}},
    )
    place = tables.Column(
        verbose_name=_("Place"),
        accessor="finish",
        order_by="finish__place",
        default="–",
        # Wide: "10= of 25".
        attrs={**STRONG, "td": {"class": "num strong wide"}},
    )
    of = FileColumn(verbose_name=_("Of"), accessor="finish__of")
    points = tables.Column(
        verbose_name=_("Points"),
        accessor="finish",
        order_by="finish__points",
        default="–",
        attrs=counted(""),
    )
    hands = tables.Column(verbose_name=_("Played"), attrs=counted(_("played")))
    game = tables.Column(verbose_name=_("Game"), order_by="game__name", attrs=PLAIN)
    played_for = tables.Column(verbose_name=_("For"), default="")
    when = tables.Column(verbose_name=_("When"), accessor="tournament__created_at", attrs=PLAIN)

    class Meta:
        empty_text = _("No tournament yet.")

    def __init__(self, rows: Sequence[TournamentResult], **kwargs: Any) -> None:
        empty_columns = () if any(row.played_for for row in rows) else ("played_for",)
        criteria = [row.finish.criterion for row in rows if row.finish]
        super().__init__(rows, criteria, exclude=empty_columns, **kwargs)

    def render_name(self, record: TournamentResult) -> SafeString:
        name = linked(record.tournament.name, "tournament", record.tournament.pk)
        if record.event.official:
            return name
        return format_html('{} <span class="pill provisional">{}</span>', name, gettext("open"))

    def render_place(self, value: Finish) -> SafeString:
        return linked(place_in_field(value), "entrant", value.tournament, value.entrant)

    def value_place(self, value: Finish) -> int:
        return value.place

    def render_points(self, value: Finish) -> str:
        return self.points_in_words(value.points, value.criterion)

    def value_points(self, value: Finish) -> Fraction | Decimal:
        return file_figure(value.points, value.criterion)

    def render_played_for(self, value: str, record: TournamentResult) -> SafeString | str:
        return linked(value, "team", record.team) if record.team else value

    value_name = value_played_for = ClubTable.as_is  # in files, instead of the texts


class OthersTable(PlayedTable):
    """Partners or opponents of the player with the key *of*, and the points of that player."""

    name = tables.Column(verbose_name=_("Player"), attrs={"td": {"scope": "row"}})
    average = tables.Column(verbose_name=_("On average"))
    points = tables.Column(verbose_name=_("Points"), attrs=counted(""))
    hands = tables.Column(verbose_name=_("Played"), attrs=counted(_("played")))
    game = tables.Column(verbose_name=_("Game"), order_by="game__name", attrs=PLAIN)

    class Meta:
        empty_text = _("Nobody yet.")

    def __init__(
        self, rows: Sequence[Companion], *, of: int, title: str, heading: str, **kwargs: Any
    ) -> None:
        self.of, self.title = of, title
        super().__init__(rows, [row.criterion for row in rows], **kwargs)
        self.columns["name"].column.verbose_name = heading
        column = self.columns["average"].column
        after = gettext("average")
        # ``unit`` and ``criterion``: the words for a hand and for the points that all rows share.
        if self.unit and self.criterion:
            words = {"points": gettext(self.criterion.label), "unit": gettext(self.unit.one)}
            column.verbose_name = gettext("%(points)s a %(unit)s") % words
            after = gettext("a %(unit)s") % words
        column.attrs = {**STRONG, "td": {"class": "num strong wide", "data-after": after}}

    def render_name(self, record: Companion) -> SafeString:
        mark = person_mark(record.player, record.name)
        return mark + linked(record.name, "pair", self.of, record.player)

    def render_average(self, value: Fraction) -> str:
        return average(value)

    def render_points(self, value: Fraction, record: Companion) -> str:
        return self.points_in_words(value, record.criterion)

    def value_points(self, value: Fraction, record: Companion) -> Fraction | Decimal:
        return file_figure(value, record.criterion)

    value_name = value_average = ClubTable.as_is  # in files, instead of the texts


class MembersTable(ClubTable):
    """The players of a team, today's and earlier ones."""

    title = _("Who played")
    name = tables.Column(verbose_name=_("Player"), attrs={"td": {"scope": "row"}})
    hands = tables.Column(verbose_name=_("Hands"), attrs=counted(_("played")))
    dealt = tables.Column(verbose_name=_("Dealt"), attrs=counted(_("dealt")))

    class Meta:
        empty_text = _("Nobody yet.")

    def render_name(self, record: TeamMember) -> SafeString:
        link = linked(record.name, "player", record.player)
        name = person_mark(record.player, record.name) + link
        if record.now:
            return name
        return format_html('{} <span class="pill">{}</span>', name, gettext("no longer"))

    value_name = ClubTable.as_is  # in files, instead of the link


@access.page
@require_safe
def player(request: HttpRequest, player_id: int) -> HttpResponse:
    """Show a player's career; redirect a merged player to the one they were merged into."""
    player = access.get(request, Player.objects, player_id)
    club = player.club
    if player.merged_into_id:
        return redirect("player", player.merged_into_id)
    if player.erased_at:
        return access.render(request, "standings/careers/erased.html", club, player=player)
    life = career(player, game=request.GET.get("game", ""))
    results = TournamentResultsTable(life.tournaments, prefix="tournaments-")
    shown: dict[str, ClubTable] = {"tournaments": results}
    for name, rows, title, heading in (
        ("partners", life.partners, gettext("Partners"), gettext("With")),
        ("opponents", life.opponents, gettext("Opponents"), gettext("Against")),
    ):
        texts = {"title": title, "heading": heading}
        shown[name] = OthersTable(rows, of=player.pk, **texts, prefix=f"{name}-")
    if response := _file_response(request, shown, player.name):
        return response
    names = {"name": player.name, "club": club.name}
    description = gettext("What %(name)s has played at %(club)s") % names
    context = access.context(
        request,
        club,
        player=player,
        career=life,
        enough=ENOUGH_HANDS,
        form=place_chart(life.tournaments),  # as sports speak of form
        bars=where_points_came_from(life),
        preview=link_preview(request, club, title=player.name, description=description),
        calendar=feed_address(request, club, "player-calendar", player.pk),
        **shown,
    )
    return store_nowhere(render(request, "standings/careers/player.html", context), club)


@access.page
@require_safe
def team(request: HttpRequest, team_id: int) -> HttpResponse:
    team = access.get(request, Team.objects, team_id)
    life = team_career(team)
    shown: dict[str, ClubTable] = {
        "tournaments": TournamentResultsTable(life.tournaments, prefix="tournaments-"),
        "members": MembersTable(life.members, prefix="members-"),
    }
    if response := _file_response(request, shown, team.name):
        return response
    context = access.context(request, team.club, team=team, career=life, **shown)
    return render(request, "standings/careers/team.html", context)


def _file_response(
    request: HttpRequest, shown: dict[str, ClubTable], owner: str
) -> HttpResponse | None:
    """Sort and page the tables; if one is asked for as a file, return it, named after *owner*."""
    for name, table in shown.items():
        if file_format := exports.configure_table(request, table, per_page=ROWS_A_PAGE, name=name):
            return exports.file_response(table, file_format, owner, table.title)
    return None


urlpatterns = [
    path("players/<int:player_id>/", player, name="player"),
    path("teams/<int:team_id>/", team, name="team"),
]
