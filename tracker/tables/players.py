"""The table of a club's players."""

from collections.abc import Sequence
from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tracker.queries.people import PlayerRow
from tracker.tables.cells import NUMBER, ClubTable, linked


class PlayersTable(ClubTable):
    title = _("Players")
    name = tables.Column(verbose_name=_("Player"), order_by="key", attrs={"td": {"scope": "row"}})
    tournaments = tables.Column(verbose_name=_("Tournaments"), attrs=NUMBER)
    visitor_from = tables.Column(verbose_name=_("Home club"), default="")
    teams = tables.Column(verbose_name=_("Teams"), default="")
    change = tables.Column(
        verbose_name=_("Change"), empty_values=(), orderable=False, exclude_from_export=True
    )

    class Meta:
        empty_text = _("Nobody by that name.")

    def __init__(self, rows: Sequence[PlayerRow], *, may_change: bool, **kwargs: Any) -> None:
        shown = {
            "visitor_from": any(row.visitor_from for row in rows),
            "teams": any(row.teams for row in rows),
            "change": may_change,
        }
        kwargs["exclude"] = tuple(name for name, show in shown.items() if not show)
        super().__init__(rows, **kwargs)

    def render_name(self, value: str, record: PlayerRow) -> SafeString:
        return linked(value, "player", record.pk)

    def value_name(self, value: str) -> str:
        return value

    def render_change(self, record: PlayerRow) -> SafeString:
        return format_html(
            '<a href="{}" aria-label="{}">{}</a>',
            reverse("player-edit", args=[record.pk]),
            gettext("Change %(name)s") % {"name": record.name},
            gettext("Change"),
        )
