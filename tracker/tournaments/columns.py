"""The table of a club's tournaments."""

from datetime import datetime

import django_tables2 as tables
from django.db.models import QuerySet
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tracker.common.columns import NUMBER, PLAIN, ClubTable, FileColumn, day, linked
from tracker.models import Tournament


class TournamentsTable(ClubTable):
    """Tournaments as ``tournaments_of`` finds them."""

    title = _("Tournaments")
    name = tables.Column(
        verbose_name=_("Tournament"), attrs={"td": {"scope": "row", "class": "wrap"}}
    )
    game = tables.Column(verbose_name=_("Game"), attrs=PLAIN)
    last = tables.Column(verbose_name=_("Rounds"), default="–", attrs=NUMBER)
    planned = FileColumn(verbose_name=_("Rounds planned"), default="")
    entered = tables.Column(verbose_name=_("Entered"), attrs=NUMBER)
    season = tables.Column(
        verbose_name=_("Season"), accessor="season__name", default="", attrs=PLAIN
    )
    created_at = tables.Column(verbose_name=_("When"), attrs=PLAIN)
    official_at = FileColumn(verbose_name=_("Official since"), default="")

    class Meta:
        empty_text = _("Nothing like that here.")

    def __init__(self, tournaments: QuerySet[Tournament], *, seasons: bool) -> None:
        super().__init__(tournaments, exclude=() if seasons else ("season",))

    def render_name(self, record: Tournament) -> SafeString:
        name = linked(record.name, "tournament", record.pk)
        if record.official_at:
            return name
        if getattr(record, "playing", False):
            state, words = "now", gettext("playing now")
        else:
            state, words = "provisional", gettext("open")
        return format_html('{} <span class="pill {}">{}</span>', name, state, words)

    def render_game(self, record: Tournament) -> str:
        return gettext(record.rules.name)

    def render_last(self, value: int, record: Tournament) -> str:
        if record.planned is None or record.planned < value:
            return str(value)
        numbers = {"number": value, "all": record.planned}
        return gettext("%(number)d of %(all)d") % numbers

    def render_created_at(self, value: datetime) -> str:
        return day(value)

    value_name = value_last = value_created_at = ClubTable.as_is
