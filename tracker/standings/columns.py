"""The table of a standing, and columns and a base class that tables of several pages share.

What ``render_x`` returns is shown in column x of the page; ``value_x`` is for exported files. On a
phone there are no headings: ``counted`` gives a column the word that is shown after its numbers.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy as _

from games.game import DEAL, AnyGame, Unit
from games.sheet import Criterion
from tracker.common.columns import (
    HIDDEN_ON_PHONE,
    RANK,
    STRONG,
    ClubTable,
    FileColumn,
    counted,
    day,
    links_to,
)
from tracker.common.figures import (
    after_number,
    figure,
    figures_in_a_row,
    file_figure,
    file_label,
    in_halves,
    placing,
)
from tracker.common.names import page_names
from tracker.common.template_tags import person_mark
from tracker.criteria.tie_breaks import DIRECT_ENCOUNTER
from tracker.models import Entrant, Format, Tournament
from tracker.standings.queries.standings import PublishedPlace, Standing, StandingRow
from tracker.tables.next_dealer import DealsWhen
from tracker.tables.table_now import DealersNow, Deals

_MOST_ON_PHONE = 3  # figures of a row; a phone shows the others after a tap
_MOST_LEADERS = 3  # if more are tied for the lead, none is marked


class PointsColumn(tables.Column):  # type: ignore[misc]
    """A column with the figures of one criterion; *halves*: all are whole numbers or halves."""

    def __init__(self, criterion: Criterion, *, halves: bool = True, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.criterion, self.halves = criterion, halves

    def render(self, value: Fraction) -> str:
        return figure(value, percent=self.criterion.percent, halves=self.halves)

    def value(self, value: Fraction) -> Fraction | Decimal:
        return file_figure(value, self.criterion)


class FigureColumn(PointsColumn):
    """A column of the standing; a figure is marked if it separates an entrant from a neighbour."""

    def __init__(self, criterion: Criterion, standing: Standing, **kwargs: Any) -> None:
        accessor, label = f"figures__{criterion.key}", gettext(criterion.label)
        halves = criterion.key in standing.halves
        super().__init__(criterion, halves=halves, accessor=accessor, verbose_name=label, **kwargs)

    def render(self, value: Fraction, record: StandingRow) -> str:  # type: ignore[override]
        deciding = record.separated_by.get(self.criterion)
        if deciding is not None:
            return format_html("<mark>{}</mark>", super().render(deciding))
        # A head-to-head figure compares only the entrants that it separates.
        return "" if self.criterion.key == DIRECT_ENCOUNTER.key else super().render(value)

    @property
    def file_header(self) -> str:
        return file_label(self.criterion)


class StandingsTable(ClubTable):
    title = _("Standings")
    place = tables.Column(verbose_name=_("Place"), attrs=RANK)
    carried = tables.Column(
        verbose_name=_("Carried over"), attrs=counted(_("carried over"), hidden=True)
    )
    rested = tables.Column(
        verbose_name=_("Sitting out"), default="–", attrs=counted(_("for sitting out"))
    )
    opened = tables.Column(
        verbose_name=_("Dealt first"), attrs=counted(_("dealt first"), hidden=True)
    )
    deals = tables.Column(
        verbose_name=_("Deals"),
        accessor="entrant",
        attrs={"td": {"class": "plain beside"}},
        exclude_from_export=True,
    )
    published = tables.Column(
        verbose_name=_("As it was announced"),
        default="–",
        attrs=HIDDEN_ON_PHONE,
        exclude_from_export=True,
    )
    published_place = FileColumn(verbose_name=_("Place as announced"), accessor="published__place")

    class Meta:
        orderable = False  # the order is the standing
        attrs = {"class": "data sticky-2 standings"}

    def __init__(
        self,
        standing: Standing,
        tournament: Tournament,
        *,
        dealers: DealersNow | None = None,
        before: Mapping[int, PublishedPlace] = MappingProxyType({}),
        query: str = "",
    ) -> None:
        """With *dealers*, show who deals when, and use the short names of that list.

        *before* are the places of the round before, to show who has moved. Names and places lead to
        the entrant's page, with this *query*.
        """
        self.standing, self.points, self.before = standing, standing.columns[0], before
        self.placed_by = standing.placed_by if standing.begun else {}
        announced = (row.published.points for row in standing.rows if row.published)
        self.announced_halves = in_halves(announced)
        self.few_lead = sum(row.place == 1 for row in standing.rows) <= _MOST_LEADERS
        self.names = dealers.names if dealers else page_names(standing.people)
        self.deals_by_entrant: Mapping[int, Deals] = dealers.of_entrant if dealers else {}
        self.link = links_to("entrant", tournament.pk, query=query)
        figures = _figure_columns(standing)
        points, *others = figures  # the names of the columns
        super().__init__(
            standing.rows,
            extra_columns=[*figures.items(), *_tournament_columns(standing, tournament).items()],
            sequence=(
                *("place", "name", points, "carried", "hands", *others),
                *("rested", "opened", "dealt", "..."),  # and then all others
            ),
            exclude=_empty_columns(standing, self.deals_by_entrant),
            row_attrs={"class": self.row_class},
        )

    def row_class(self, record: StandingRow) -> str:
        classes = {"leader": record.place == 1 and self.few_lead, "tied": record.tied}
        return " ".join(name for name, applies in classes.items() if applies)

    def render_place(self, record: StandingRow) -> str:
        place = self.link(placing(record.place, tied=record.tied), record.entrant)
        then = self.before.get(record.entrant)
        moved = then.place - record.place if then else 0
        if not moved:
            return place
        up = gettext("up %(places)d") % {"places": moved}
        down = gettext("down %(places)d") % {"places": -moved}
        return place + format_html(
            ' <small class="moved"><span aria-hidden="true">{}{}</span>'
            '<span class="visually-hidden">{}</span></small>',
            "▲" if moved > 0 else "▼",
            abs(moved),
            up if moved > 0 else down,
        )

    def value_place(self, record: StandingRow) -> int | None:
        return record.place if self.standing.begun else None  # before, all share place 1

    def render_name(self, record: StandingRow) -> SafeString:
        name = person_mark(record.player, record.name)
        name += self.link(record.called(self.names), record.entrant)
        if record.withdrawn:
            left = gettext("expelled") if record.expelled else gettext("withdrew")
            name += format_html(' <span class="pill">{}</span>', left)
        if placed_by := self.placed_by.get(record.entrant):
            name += format_html(' <small class="placed">{}</small>', placed_by)
        return name

    value_name = value_carried = value_rested = value_dealt = ClubTable.as_is  # in files

    def render_carried(self, value: Fraction) -> str:
        return figure(value)

    render_rested = render_carried

    def render_dealt(self, record: StandingRow) -> SafeString | str:
        """Return the hands dealt; for a team by each member, and who deals next if they win."""
        if not record.members:
            return str(record.dealt)
        template = gettext("%(name)s %(dealt)d")
        by_member = ", ".join(
            template % {"name": self.names.player(each.player, each.name), "dealt": each.dealt}
            for each in record.members
        )
        deals = self.deals_by_entrant.get(record.entrant)
        if deals is None or deals.turn is None:
            return by_member
        return gettext("%(split)s; %(name)s’s turn") % {"split": by_member, "name": deals.turn}

    def render_deals(self, value: int) -> SafeString | str:
        if (deals := self.deals_by_entrant.get(value)) is None:
            return "–"
        match deals.when:
            case DealsWhen.NOW:
                now = gettext("deals, table %(number)d") % {"number": deals.table}
                return format_html('<span class="dealer-badge">{}</span>', now)
            case DealsWhen.NEXT:
                return gettext("next, table %(number)d") % {"number": deals.table}
            case DealsWhen.IF_THEY_WIN:
                return gettext("next if they win")
            case DealsWhen.PERHAPS:
                return gettext("perhaps next")

    def render_published(self, value: PublishedPlace) -> str:
        points = figure(value.points, percent=self.points.percent, halves=self.announced_halves)
        params = {"place": value.place, "points": points}
        if value.tied:
            return gettext("tied for place %(place)d, with %(points)s") % params
        return gettext("place %(place)d, with %(points)s") % params


def _nonzero_criteria(standing: Standing) -> list[Criterion]:
    """Return the criteria after the points by which an entrant has another figure than 0."""
    after_points = standing.columns[1:]
    return [each for each in after_points if any(row.figures[each.key] for row in standing.rows)]


def _figure_columns(standing: Standing) -> dict[str, FigureColumn]:
    """Return the columns of the points, other criteria, and tie-breaks that decided, by name.

    The points are first. A column of zeros is only in the file.
    """
    points, *others = standing.columns
    nonzero = _nonzero_criteria(standing)
    columns = {points.key: FigureColumn(points, standing, attrs=STRONG)}
    for criterion in others:
        attrs = counted(after_number(criterion), hidden=criterion in nonzero[_MOST_ON_PHONE:])
        columns[criterion.key] = FigureColumn(
            criterion, standing, visible=criterion in nonzero, attrs=attrs
        )
    decided = {tie_break for row in standing.rows for tie_break in row.separated_by}
    for criterion in standing.criteria:
        if criterion in decided and criterion.key not in columns:
            attrs = counted(after_number(criterion), hidden=True)
            columns[criterion.key] = FigureColumn(
                criterion, standing, attrs=attrs, exclude_from_export=True
            )
    return {f"figure_{key}": column for key, column in columns.items()}


def _tournament_columns(standing: Standing, tournament: Tournament) -> dict[str, tables.Column]:
    """Return the columns, by name, whose heading or attributes depend on the tournament."""
    in_teams, unit = tournament.format == Format.TEAMS, tournament.rules.unit
    # The column that shows who deals has the heading "Deals" already.
    units = gettext("Played") if unit == DEAL else gettext(unit.many).capitalize()
    hidden = len(_nonzero_criteria(standing)) >= _MOST_ON_PHONE
    points = standing.columns[0]
    announced = gettext("%(figure)s as announced") % {"figure": file_label(points)}
    return {
        "name": tables.Column(
            verbose_name=gettext("Team") if in_teams else gettext("Player"),
            attrs={"td": {"scope": "row"}},
        ),
        "hands": tables.Column(verbose_name=units, attrs=counted(gettext("played"), hidden=hidden)),
        # For a team, the cell has a text: how many hands each member dealt.
        "dealt": tables.Column(
            verbose_name=gettext("Dealt"),
            attrs=HIDDEN_ON_PHONE if in_teams else counted(gettext("dealt"), hidden=True),
        ),
        "published_points": PointsColumn(
            points, visible=False, verbose_name=announced, accessor="published__points"
        ),
    }


def _empty_columns(standing: Standing, deals: Mapping[int, Deals]) -> list[str]:
    """Return the names of columns in which all rows are empty."""
    names = ("carried", "rested", "published")
    empty = [name for name in names if not any(getattr(row, name) for row in standing.rows)]
    if "published" in empty:
        empty += ["published_place", "published_points"]
    return empty if deals else [*empty, "deals"]


def entrant_link(entrant: Entrant | None, called: str) -> SafeString:
    """Return a name that links to the page of the player or team."""
    address = entrant.get_absolute_url() if entrant else ""
    return format_html('<a href="{}">{}</a>', address, called)


class PlayedTable(ClubTable):
    """A table of rows with a game, its hands and points; a *unit* is a game's word for a hand.

    If all games have the same unit, the heading of "hands" shows it; otherwise each row shows its
    own. So it is with the label of "points": *criteria* are those of the rows that have points. If
    their labels differ, the heading is the one that the subclass declares.
    """

    def __init__(
        self, rows: Sequence[Any], criteria: Sequence[Criterion] = (), **kwargs: Any
    ) -> None:
        if len({row.game.slug for row in rows}) <= 1:
            kwargs["exclude"] = (*kwargs.get("exclude", ()), "game")
        super().__init__(rows, **kwargs)
        units = {row.game.unit for row in rows}
        self.unit: Unit | None = units.pop() if len(units) == 1 else None
        if self.unit:
            self.columns["hands"].column.verbose_name = gettext(self.unit.many).capitalize()
        labels = {criterion.label for criterion in criteria}
        self.criterion = criteria[0] if len(labels) == 1 else None
        if self.criterion:
            self.columns["points"].column.verbose_name = gettext(self.criterion.label)
            self.columns["points"].column.attrs = counted(after_number(self.criterion))

    def points_in_words(self, value: Fraction, criterion: Criterion) -> str:
        """Return points, with their label if the heading does not show it."""
        if self.criterion is None:
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
        """Return the day, or nothing if the tournament's name contains it."""
        when = day(value)
        return "" if when in record.tournament.name else when

    value_hands = value_when = ClubTable.as_is  # in files
