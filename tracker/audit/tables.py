"""The table of the log."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import django_tables2 as tables
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tracker.audit.queries.lines import Line
from tracker.audit.queries.moments import Moments
from tracker.common.cells import ClubTable
from tracker.models import Role

_SENTENCE = {"td": {"class": "wrap plain whole told"}}


class LogTable(ClubTable):
    """Moments as rows of the database, told in words once a page of them is chosen."""

    said = tables.Column(verbose_name=_("What happened"), empty_values=(), attrs=_SENTENCE)

    class Meta:
        orderable = False  # the newest first
        empty_text = _("Nothing like that here.")

    def __init__(self, rows: Moments, *, may: frozenset[Role], token: str) -> None:
        super().__init__(rows)
        self.may, self.token = may, token
        self.title = gettext("Log")
        self.lines: Mapping[tuple[str, int], Line] = {}

    def tell(self, lines: Mapping[tuple[str, int], Line]) -> None:
        """Take in the page's lines."""
        self.lines = lines

    def render_said(self, record: Mapping[str, Any]) -> SafeString:
        """Say what happened, and in smaller letters when, where and why."""
        line = self.lines[record["what"], record["key"]]
        beside: list[str] = [_when(line.at)]
        if line.about is not None:
            beside.append(format_html('<a href="{}">{}</a>', line.about.address, line.about.label))
        if line.reason:
            beside.append(gettext("Reason: %(reason)s") % {"reason": line.reason})
        joined = format_html_join(" · ", "{}", [(each,) for each in beside])
        words = format_html('{} <span class="under">{}</span>', line.sentence, joined)
        return format_html('<div class="spread"><p>{}</p>{}</div>', words, self._undo(line))

    def _undo(self, line: Line) -> SafeString:
        """Say that something was undone, or offer to undo it to whoever may."""
        if line.undone_at is not None:
            undone = gettext("undone %(when)s") % {"when": _when(line.undone_at)}
            return format_html('<span class="pill quiet">{}</span>', undone)
        undo = line.undo
        if undo is None or undo.role not in self.may:
            return SafeString()
        label = gettext("%(undo)s: %(what)s") % {"undo": undo.label, "what": line.sentence}
        if undo.at_once:
            return format_html(
                '<form method="post" action="{}"><input type="hidden" name="csrfmiddlewaretoken"'
                ' value="{}"><button class="button" aria-label="{}">{}</button></form>',
                *(undo.address, self.token, label, undo.label),
            )
        return format_html(
            '<a class="button" href="{}" aria-label="{}">{}</a>', undo.address, label, undo.label
        )


def _when(at: datetime) -> str:
    """Return a day with its year, and a time of day: a log is read for years."""
    return str(date_format(localtime(at), "DATETIME_FORMAT"))
