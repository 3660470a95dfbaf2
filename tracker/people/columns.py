"""The tables of a club's players and of its teams."""

from collections.abc import Sequence
from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tracker.common.cells import PLAIN, WRAP, ClubTable, counted, linked, links_to
from tracker.common.marks import person_mark
from tracker.models import Player, Team


class _ChangeColumn(tables.Column):  # type: ignore[misc]
    """Leads those who may change a row to its form, which is at *address*."""

    def __init__(self, address: str) -> None:
        in_file = {"exclude_from_export": True, "attrs": PLAIN}
        super().__init__(verbose_name=_("Change"), empty_values=(), orderable=False, **in_file)
        self.address = address

    def render(self, record: Player | Team) -> SafeString:
        return format_html(
            '<a href="{}" aria-label="{}">{}</a>',
            reverse(self.address, args=[record.pk]),
            gettext("Change %(name)s") % {"name": record.name},
            gettext("Change"),
        )


class PlayersTable(ClubTable):
    title = _("Players")
    name = tables.Column(
        verbose_name=_("Player"), order_by="name_key", attrs={"td": {"scope": "row"}}
    )
    tournaments = tables.Column(verbose_name=_("Tournaments"), attrs=counted(_("played")))
    visitor_from = tables.Column(verbose_name=_("Home club"), default="", attrs=WRAP)
    teams = tables.Column(verbose_name=_("Teams"), accessor="team_names", default="", attrs=WRAP)
    change = _ChangeColumn("player-edit")

    class Meta:
        empty_text = _("Nobody by that name.")

    def __init__(self, rows: Sequence[Player], *, may_change: bool, **kwargs: Any) -> None:
        shown = {
            "visitor_from": any(row.visitor_from for row in rows),
            "teams": any(row.team_names for row in rows),
            "change": may_change,
        }
        kwargs["exclude"] = tuple(name for name, show in shown.items() if not show)
        super().__init__(rows, **kwargs)
        self.player = links_to("player")

    def render_name(self, value: str, record: Player) -> SafeString:
        return person_mark(record.pk, value) + self.player(value, record.pk)

    value_name = ClubTable.as_is


class TeamsTable(ClubTable):
    title = _("Teams")
    name = tables.Column(
        verbose_name=_("Team"), order_by="name_key", attrs={"td": {"scope": "row", "class": "wrap"}}
    )
    people = tables.Column(
        verbose_name=_("People"),
        accessor="roster_names",
        default="",
        attrs={"td": {"class": "wrap plain whole"}},
    )
    tournaments = tables.Column(verbose_name=_("Tournaments"), attrs=counted(_("played")))
    change = _ChangeColumn("team-edit")

    class Meta:
        empty_text = _("No team by that name.")

    def __init__(self, rows: Sequence[Team], *, may_change: bool) -> None:
        shown = {"people": not all(row.says_all for row in rows), "change": may_change}
        super().__init__(rows, exclude=tuple(name for name, show in shown.items() if not show))

    def render_name(self, value: str, record: Team) -> SafeString:
        return linked(value, "team", record.pk)

    def render_people(self, value: str, record: Team) -> str:
        return "" if record.says_all else value

    value_name = value_people = ClubTable.as_is
