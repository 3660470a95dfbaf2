"""Tables of the site: columns and words; they ask the database nothing."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

import django_tables2 as tables
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.sheet import Measure
from tracker.models import Format, Hand, HandKind, Tournament
from tracker.queries.dealers import Deals, When
from tracker.queries.figures import figure, placing
from tracker.queries.hands import HandRow
from tracker.queries.people import PlayerRow
from tracker.queries.standings import OnTheWall, Standing, StandingRow

NUMBER = {"th": {"class": "num"}, "td": {"class": "num"}}
WRAPPED = {"td": {"class": "wrap"}}
STRONG = {"th": {"class": "num"}, "td": {"class": "num strong"}}


class PlayersTable(tables.Table):  # type: ignore[misc]
    title = _("Players")
    name = tables.Column(verbose_name=_("Player"), order_by="key", attrs={"td": {"scope": "row"}})
    tournaments = tables.Column(verbose_name=_("Tournaments"), attrs=NUMBER)
    visitor_from = tables.Column(verbose_name=_("Home club"), default="")
    teams = tables.Column(verbose_name=_("Teams"), default="")

    class Meta:
        empty_text = _("Nobody by that name.")

    def __init__(self, rows: Sequence[PlayerRow], *, may_change: bool, **kwargs: Any) -> None:
        shown = {
            "visitor_from": any(row.visitor_from for row in rows),
            "teams": any(row.teams for row in rows),
        }
        self.may_change = may_change
        kwargs["exclude"] = tuple(name for name, show in shown.items() if not show)
        super().__init__(rows, **kwargs)

    def render_name(self, value: str, record: PlayerRow) -> str | SafeString:
        if not self.may_change:
            return value
        return format_html(
            '<a href="{}" title="{}">{}</a>',
            reverse("player-edit", args=[record.pk]),
            gettext("Change %(name)s") % {"name": value},
            value,
        )


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


class HandsTable(tables.Table):  # type: ignore[misc]
    """Hands as rows of the database, told in words once a page of them is chosen."""

    where = tables.Column(
        accessor="number",
        order_by=("sitting__round__number", "sitting__number", "number"),
        attrs={"td": {"scope": "row"}},
    )
    result = tables.Column(verbose_name=_("Result"), empty_values=(), orderable=False)
    points = tables.Column(verbose_name=_("Points"), empty_values=(), orderable=False, attrs=STRONG)
    totals = tables.Column(verbose_name=_("Count"), empty_values=(), orderable=False, attrs=NUMBER)
    who = tables.Column(
        verbose_name=_("Who played"), empty_values=(), orderable=False, attrs=WRAPPED
    )
    dealer = tables.Column(verbose_name=_("Dealt"), empty_values=(), orderable=False)
    confirmed_at = tables.Column(verbose_name=_("Confirmed"), default="–")
    recorded_at = tables.Column(verbose_name=_("When"))

    class Meta:
        empty_text = _("Nothing like that here.")
        row_attrs = {"class": lambda record: "struck" if record.struck_at else ""}

    def __init__(self, hands: QuerySet[Hand], tournament: Tournament, *, may_score: bool) -> None:
        super().__init__(hands)
        self.told: Mapping[int, HandRow] = {}
        self.may_score = may_score
        self.title = gettext(tournament.rules.unit.many).capitalize()
        self.unit = tournament.rules.unit
        self.columns["where"].column.verbose_name = gettext(self.unit.one).capitalize()

    @property
    def hands(self) -> list[Hand]:
        """Return the hands of the chosen page."""
        return [row.record for row in self.page.object_list]

    def tell(self, told: Mapping[int, HandRow]) -> None:
        """Take in what the page's hands come to, and leave out columns that stay empty."""
        self.told = told
        if not any(row.totals for row in told.values()):
            self.columns.hide("totals")
        confirmed = self.columns["confirmed_at"]
        if not confirmed.is_ordered and not any(hand.confirmed_at for hand in self.hands):
            self.columns.hide("confirmed_at")

    def render_where(self, record: Hand) -> SafeString:
        called = gettext(self.unit.numbered) % {"number": record.number}
        numbers = {"round": record.sitting.round.number, "table": record.sitting.number}
        place = gettext("Round %(round)d, Table %(table)d") % numbers
        both = format_html('{}<br><span class="muted small">{}</span>', called, place)
        if not self.may_score:
            return both
        return format_html(
            '<a href="{}">{}</a>', reverse("sitting", args=[record.sitting_id]), both
        )

    def render_result(self, record: Hand) -> SafeString:
        told = self.told[record.pk]
        marks = [("bad", gettext("two different counts"))] if told.conflict else []
        if record.kind != HandKind.COUNTED and not record.struck_at:
            marks.append(("quiet", gettext("not counted")))
        pills = format_html_join("", '<br><span class="pill {}">{}</span>', marks)
        cautions = format_html_join(
            "", '<br><span class="muted small">{}</span>', [(each,) for each in told.cautions]
        )
        return format_html("{}{}{}", told.result, pills, cautions)

    def render_points(self, record: Hand) -> str:
        return self.told[record.pk].points

    def render_totals(self, record: Hand) -> str:
        return self.told[record.pk].totals

    def render_who(self, record: Hand) -> str:
        return " – ".join(self.told[record.pk].sides)

    def render_dealer(self, record: Hand) -> str:
        return self.told[record.pk].dealer

    def render_confirmed_at(self, value: datetime) -> str:
        return _moment(value)

    def render_recorded_at(self, value: datetime) -> str:
        return _moment(value)


def _moment(value: datetime) -> str:
    # A date format of Django's: day, short month, hour and minute.
    return str(date_format(localtime(value), gettext("j M, H:i")))
