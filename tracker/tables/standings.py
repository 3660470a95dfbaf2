"""The table of a standing."""

from fractions import Fraction

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.sheet import Measure
from tracker.models import Format, Tournament
from tracker.queries.dealers import Deals, When
from tracker.queries.figures import figure, placing
from tracker.queries.standings import OnTheWall, Standing, StandingRow
from tracker.tables.cells import NUMBER, STRONG


class FigureColumn(tables.Column):  # type: ignore[misc]
    """A column of one of a game's measures."""

    def __init__(self, measure: Measure, attrs: dict[str, dict[str, str]]) -> None:
        super().__init__(
            verbose_name=gettext(measure.label), accessor=f"figures__{measure.key}", attrs=attrs
        )
        self.measure = measure

    def render(self, value: Fraction) -> str:
        return figure(value, percent=self.measure.percent)


class StandingsTable(tables.Table):  # type: ignore[misc]
    title = _("Standings")
    place = tables.Column(verbose_name=_("Place"), attrs=NUMBER)
    name = tables.Column(verbose_name=_("Player"), attrs={"td": {"scope": "row"}})
    hands = tables.Column(attrs=NUMBER)
    opened = tables.Column(verbose_name=_("Opened"), attrs=NUMBER)
    dealt = tables.Column(verbose_name=_("Dealt"), attrs=NUMBER)
    deals = tables.Column(verbose_name=_("Deals"), default="–")
    wall = tables.Column(verbose_name=_("On the wall then"), default="–", attrs=NUMBER)

    class Meta:
        orderable = False  # the order is the standing
        attrs = {"class": "data sticky-2 standings"}

    def __init__(self, standing: Standing, tournament: Tournament, *, past: bool) -> None:
        points, *others = standing.columns
        columns = {points.key: FigureColumn(points, STRONG)}
        columns |= {column.key: FigureColumn(column, NUMBER) for column in others}
        self.standing, self.points = standing, points
        super().__init__(
            standing.rows,
            extra_columns=[(f"figure_{key}", column) for key, column in columns.items()],
            sequence=(
                "place",
                "name",
                f"figure_{points.key}",
                "hands",
                *(f"figure_{column.key}" for column in others),
                "...",
            ),
            exclude=_hidden(standing, past=past),
            row_attrs={"class": self.row_class},
        )
        if tournament.format == Format.TEAMS:
            self.columns["name"].column.verbose_name = gettext("Team")
            self.columns["dealt"].column.attrs = {}  # told by member, in words
        self.columns["hands"].column.verbose_name = _played(tournament)

    def row_class(self, record: StandingRow) -> str:
        if not self.standing.begun:
            return ""
        marked = {"leader": record.place == 1, "tied": record.tied}
        return " ".join(name for name, holds in marked.items() if holds)

    def render_place(self, record: StandingRow) -> str:
        return placing(record.place, tied=record.tied) if self.standing.begun else "–"

    def render_name(self, record: StandingRow) -> SafeString | str:
        if not record.withdrawn:
            return record.name
        return format_html('{} <span class="pill">{}</span>', record.name, gettext("withdrew"))

    def render_dealt(self, record: StandingRow) -> SafeString | str:
        """Tell a team's dealing by its members, and whose turn it is when they win."""
        if not record.members:
            return str(record.dealt)
        each = gettext("%(name)s %(dealt)d")
        split = ", ".join(each % {"name": one.name, "dealt": one.dealt} for one in record.members)
        if record.deals is None or record.deals.turn is None:
            return split
        return gettext("%(split)s; %(name)s’s turn") % {"split": split, "name": record.deals.turn}

    def render_deals(self, value: Deals) -> SafeString | str:
        match value.when:
            case When.NOW:
                now = gettext("now, Table %(number)d") % {"number": value.table}
                return format_html('<span class="dealer-badge">{}</span>', now)
            case When.NEXT:
                return gettext("next, Table %(number)d") % {"number": value.table}
            case When.IF_THEY_WIN:
                return gettext("next if they win")
            case When.PERHAPS:
                return gettext("perhaps next")

    def render_wall(self, value: OnTheWall) -> str:
        place = placing(value.place, tied=value.tied)
        points = figure(value.points, percent=self.points.percent)
        return gettext("%(place)s with %(points)s") % {"place": place, "points": points}


def _played(tournament: Tournament) -> str:
    """Return what to call the number of hands: where those are deals, dealing is told beside it."""
    units = gettext(tournament.rules.unit.many).capitalize()
    return gettext("Played") if units == gettext("Deals") else units


def _hidden(standing: Standing, *, past: bool) -> tuple[str, ...]:
    """Return the columns that have nothing to say."""
    hidden = {
        "deals": past or not any(row.deals for row in standing.rows),
        "wall": not any(row.wall for row in standing.rows),
    }
    return tuple(name for name, hide in hidden.items() if hide)
