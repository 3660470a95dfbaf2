"""Tables of the site: columns and words; they ask the database nothing."""

from collections.abc import Sequence
from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tracker.queries.people import PlayerRow

NUMBER = {"th": {"class": "num"}, "td": {"class": "num"}}


class PlayersTable(tables.Table):  # type: ignore[misc]
    title = _("Players")
    name = tables.Column(verbose_name=_("Player"), order_by="key", attrs={"td": {"scope": "row"}})
    visitor_from = tables.Column(verbose_name=_("Home club"), default="")
    teams = tables.Column(verbose_name=_("Teams"), default="")
    tournaments = tables.Column(verbose_name=_("Tournaments"), attrs=NUMBER)
    change = tables.Column(
        verbose_name="", accessor="pk", orderable=False, attrs={"td": {"class": "num"}}
    )

    class Meta:
        empty_text = _("Nobody by that name.")

    def __init__(self, rows: Sequence[PlayerRow], *, may_change: bool, **kwargs: Any) -> None:
        visitors = any(row.visitor_from for row in rows)
        teams = any(row.teams for row in rows)
        hidden = {"visitor_from": not visitors, "teams": not teams, "change": not may_change}
        kwargs["exclude"] = tuple(name for name, hide in hidden.items() if hide)
        super().__init__(rows, **kwargs)

    def render_change(self, record: PlayerRow) -> SafeString:
        return format_html(
            '<a class="button link" href="{}" aria-label="{}">{}</a>',
            reverse("player-edit", args=[record.pk]),
            gettext("Change %(name)s") % {"name": record.name},
            gettext("Change"),
        )
