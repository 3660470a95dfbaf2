"""Tables of a career: tournaments, partners, opponents and meetings."""

from collections.abc import Collection, Sequence
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.game import AnyGame, Unit
from games.sheet import Criterion
from tracker.common.cells import (
    NUMBER,
    PLAIN,
    STRONG,
    ClubTable,
    FileColumn,
    counted,
    day,
    linked,
)
from tracker.common.figures import (
    POINTS,
    after_number,
    average,
    figure,
    figures_in_a_row,
    file_figure,
    placing,
)
from tracker.common.marks import person_mark
from tracker.models import Tournament
from tracker.standings.queries.careers import TeamMember, TournamentResult
from tracker.standings.queries.final_rankings import Finish
from tracker.standings.queries.head_to_head import Companion, MeetingLine


class PlayedTable(ClubTable):
    """Lines of one game, counted in what it plays, or of several, each with its own word."""

    def __init__(self, rows: Sequence[Any], *, exclude: Sequence[str] = (), **kwargs: Any) -> None:
        same_game = ("game",) if len({row.game.slug for row in rows}) < 2 else ()
        super().__init__(rows, exclude=(*exclude, *same_game), **kwargs)
        units = {row.game.unit for row in rows}
        self.unit: Unit | None = units.pop() if len(units) == 1 else None
        if self.unit:
            self.columns["hands"].column.verbose_name = gettext(self.unit.many).capitalize()

    def call_points(self, criteria: Collection[Criterion]) -> str:
        """Head the points column with the label all lines share, or "Points"; return it."""
        labels = {criterion.label for criterion in criteria}
        self.several = len(labels) > 1
        called = gettext(labels.pop() if len(labels) == 1 else POINTS)
        column = self.columns["points"].column
        column.verbose_name = called
        unit = next(iter(criteria), None)
        column.attrs = counted(after_number(unit) if unit and not self.several else "")
        return called

    def points_in_words(self, value: Fraction, criterion: Criterion) -> str:
        """Return points, with their unit if the page has points of several games."""
        if self.several:
            return figures_in_a_row({criterion: value})
        return figure(value, percent=criterion.percent)

    def render_hands(self, value: int, record: Any) -> str:
        if self.unit:
            return str(value)
        unit = record.game.unit.one if value == 1 else record.game.unit.many
        return gettext("%(number)d %(unit)s") % {"number": value, "unit": gettext(unit)}

    def render_game(self, value: AnyGame) -> str:
        return gettext(value.name)

    def render_when(self, value: datetime, record: Any) -> str:
        """Return the day, unless the tournament is called after it."""
        when = day(value)
        return "" if when in record.tournament.name else when

    value_hands = value_when = ClubTable.as_is


class TournamentResultsTable(PlayedTable):
    """The tournaments that a player or a team has played."""

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
        attrs=NUMBER,
    )
    hands = tables.Column(verbose_name=_("Played"), attrs=counted(_("played")))
    game = tables.Column(verbose_name=_("Game"), order_by="game__name", attrs=PLAIN)
    played_for = tables.Column(verbose_name=_("For"), default="")
    when = tables.Column(verbose_name=_("When"), accessor="tournament__created_at", attrs=PLAIN)

    class Meta:
        empty_text = _("No tournament yet.")

    def __init__(self, rows: Sequence[TournamentResult], **kwargs: Any) -> None:
        nobody = () if any(row.played_for for row in rows) else ("played_for",)
        super().__init__(rows, exclude=nobody, **kwargs)
        self.call_points([row.finish.criterion for row in rows if row.finish])

    def render_name(self, record: TournamentResult) -> SafeString:
        name = linked(record.tournament.name, "tournament", record.tournament.pk)
        if record.event.official:
            return name
        return format_html('{} <span class="pill provisional">{}</span>', name, gettext("open"))

    def render_place(self, value: Finish) -> str:
        numbers = {"place": placing(value.place, tied=value.tied), "of": value.of}
        return gettext("%(place)s of %(of)d") % numbers

    def value_place(self, value: Finish) -> int:
        return value.place

    def render_points(self, value: Finish) -> str:
        return self.points_in_words(value.points, value.criterion)

    def value_points(self, value: Finish) -> Fraction | Decimal:
        return file_figure(value.points, value.criterion)

    def render_played_for(self, value: str, record: TournamentResult) -> SafeString | str:
        return linked(value, "team", record.team) if record.team else value

    value_name = value_played_for = ClubTable.as_is


class OthersTable(PlayedTable):
    """Partners or opponents, with the points of the career's own player beside them."""

    name = tables.Column(verbose_name=_("Player"), attrs={"td": {"scope": "row"}})
    average = tables.Column(verbose_name=_("On average"))
    points = tables.Column(verbose_name=_("Points"), attrs=NUMBER)
    hands = tables.Column(verbose_name=_("Played"), attrs=counted(_("played")))
    game = tables.Column(verbose_name=_("Game"), order_by="game__name", attrs=PLAIN)

    class Meta:
        empty_text = _("Nobody yet.")

    def __init__(
        self, rows: Sequence[Companion], *, of: int, title: str, heading: str, **kwargs: Any
    ) -> None:
        self.of, self.title = of, title
        super().__init__(rows, **kwargs)
        self.columns["name"].column.verbose_name = heading
        points = self.call_points([row.criterion for row in rows])
        average = self.columns["average"].column
        told = gettext("average")
        if self.unit and not self.several:
            unit = {"points": points, "unit": gettext(self.unit.one)}
            average.verbose_name = gettext("%(points)s a %(unit)s") % unit
            told = gettext("a %(unit)s") % unit
        average.attrs = {**STRONG, "td": {"class": "num strong wide", "data-after": told}}

    def render_name(self, record: Companion) -> SafeString:
        mark = person_mark(record.player, record.name)
        return mark + linked(record.name, "pair", self.of, record.player)

    def render_average(self, value: Fraction) -> str:
        return average(value)

    def render_points(self, value: Fraction, record: Companion) -> str:
        return self.points_in_words(value, record.criterion)

    def value_points(self, value: Fraction, record: Companion) -> Fraction | Decimal:
        return file_figure(value, record.criterion)

    value_name = value_average = ClubTable.as_is


class MeetingsTable(PlayedTable):
    """The tables at which two people sat together."""

    title = _("Every table")
    tournament_name = tables.Column(
        verbose_name=_("Tournament"),
        accessor="tournament__name",
        attrs={"td": {"scope": "row", "class": "wrap"}},
    )
    where = tables.Column(
        verbose_name=_("Where"),
        accessor="stint__round_number",
        order_by=("stint__round_number", "stint__table"),
        default="",
        attrs=PLAIN,
    )
    partners = tables.Column(verbose_name=_("As"), attrs=PLAIN)
    first = tables.Column(accessor="points__0", orderable=False, attrs=NUMBER)
    second = tables.Column(accessor="points__1", orderable=False, attrs=NUMBER)
    hands = tables.Column(verbose_name=_("Played"), attrs=counted(_("played")))
    game = tables.Column(verbose_name=_("Game"), order_by="game__name", attrs=PLAIN)
    when = tables.Column(verbose_name=_("When"), accessor="stint__since", attrs=PLAIN)

    class Meta:
        empty_text = _("They have not met at a table yet.")

    def __init__(self, rows: Sequence[MeetingLine], names: tuple[str, str], **kwargs: Any) -> None:
        super().__init__(rows, row_attrs={"class": self.row_class}, **kwargs)
        self.above: Tournament | None = None  # of the row before
        for column, name in zip(("first", "second"), names, strict=True):
            told = gettext("for %(name)s") % {"name": name}
            self.columns[column].column.verbose_name = name
            self.columns[column].column.attrs = counted(told)

    def row_class(self, record: MeetingLine) -> str:
        """Mark a row of the same tournament as the one above: its name is said once."""
        same, self.above = record.tournament == self.above, record.tournament
        return "same" if same else ""

    def render_tournament_name(self, record: MeetingLine) -> SafeString:
        return linked(record.tournament.name, "tournament", record.tournament.pk)

    def render_where(self, record: MeetingLine) -> str:
        numbers = {"round": record.stint.round_number, "table": record.stint.table}
        return gettext("Round %(round)d, Table %(table)d") % numbers

    def render_partners(self, value: bool) -> str:
        return gettext("partners") if value else gettext("opponents")

    def render_first(self, value: Fraction, record: MeetingLine) -> str:
        return figure(value, percent=record.criterion.percent)

    render_second = render_first
    value_tournament_name = value_first = value_second = ClubTable.as_is


class MembersTable(ClubTable):
    """Who plays, and who played, for a team."""

    title = _("Who played")
    name = tables.Column(verbose_name=_("Player"), attrs={"td": {"scope": "row"}})
    hands = tables.Column(verbose_name=_("Hands"), attrs=counted(_("played")))
    dealt = tables.Column(verbose_name=_("Dealt"), attrs=counted(_("dealt")))

    class Meta:
        empty_text = _("Nobody yet.")

    def render_name(self, record: TeamMember) -> SafeString:
        name = person_mark(record.player, record.name) + linked(
            record.name, "player", record.player
        )
        if record.now:
            return name
        return format_html('{} <span class="pill">{}</span>', name, gettext("no longer"))

    value_name = ClubTable.as_is
