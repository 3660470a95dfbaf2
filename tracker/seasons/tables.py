"""The table of a season's standing."""

from collections.abc import Sequence
from fractions import Fraction

import django_tables2 as tables
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from tracker.common.cells import RANK, STRONG, ClubTable, counted, links_to
from tracker.common.figures import placing
from tracker.common.marks import person_mark
from tracker.seasons.queries import SeasonRow, out_of_a_hundred


class SeasonTable(ClubTable):
    title = _("Season standings")
    place = tables.Column(verbose_name=_("Place"), default="–", attrs=RANK)
    name = tables.Column(verbose_name=_("Player"), attrs={"td": {"scope": "row"}})
    points = tables.Column(verbose_name=_("Season points"), attrs=STRONG)
    played = tables.Column(verbose_name=_("Tournaments"), attrs=counted(_("played"), hidden=True))
    average = tables.Column(verbose_name=_("Average"), attrs=counted(_("on average"), hidden=True))
    best = tables.Column(
        verbose_name=_("Best tournament"), attrs=counted(_("at best"), hidden=True)
    )

    class Meta:
        orderable = False  # the order is the standing
        attrs = {"class": "data sticky-2 standings short"}

    def __init__(self, rows: Sequence[SeasonRow]) -> None:
        self.player = links_to("player")
        super().__init__(rows, row_attrs={"class": self.row_class})

    def row_class(self, record: SeasonRow) -> str:
        marked = {"leader": record.place == 1, "tied": record.tied}
        return " ".join(name for name, holds in marked.items() if holds)

    def render_place(self, value: int, record: SeasonRow) -> str:
        return placing(value, tied=record.tied)

    def render_name(self, record: SeasonRow) -> SafeString:
        return person_mark(record.player, record.name) + self.player(record.name, record.player)

    def render_points(self, value: Fraction) -> str:
        return out_of_a_hundred(value)

    render_average = render_best = render_points
    value_place = value_name = value_points = value_average = value_best = ClubTable.as_is
