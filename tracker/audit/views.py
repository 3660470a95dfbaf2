"""The log of a club, as a page."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import django_filters
import django_tables2 as tables
from django import forms
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tracker.audit.queries.lines import LogLine, lines
from tracker.audit.queries.moments import RESULTS, Moments, Wanted, moments, people_of, tables_of
from tracker.audit.queries.verbs import KINDS
from tracker.common.cells import ClubTable
from tracker.common.web import access
from tracker.common.web.parameters import key_in
from tracker.models import Club, Role, Tournament

A_PAGE = 30


class LogFilter(django_filters.FilterSet):  # type: ignore[misc]
    """What happened in a club, by who, where, what and when."""

    person = django_filters.ChoiceFilter(label=gettext_lazy("Person"))
    tournament = django_filters.ChoiceFilter(label=gettext_lazy("Tournament"))
    table = django_filters.ChoiceFilter(label=gettext_lazy("Table"))
    kind = django_filters.ChoiceFilter(label=gettext_lazy("What"))
    day = django_filters.DateFilter(
        label=gettext_lazy("Day"), widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    )

    def __init__(self, club: Club, data: Any, *, logins: bool) -> None:
        self.club, self.logins = club, logins
        super().__init__(data, moments(club, Wanted(), logins=logins))
        tournaments = Tournament.objects.filter(club=club).order_by("-created_at", "-pk")
        chosen = key_in(data.get("tournament", "")) or None if data else None
        choices = {
            "person": people_of(club),
            "tournament": list(tournaments.values_list("pk", "name")),
            "table": [(number, str(number)) for number in tables_of(club, chosen)],
            "kind": [
                (RESULTS, gettext("Results from the tables")),
                *(
                    (kind, label)
                    for kind, (label, _) in KINDS.items()
                    if logins or kind != "logins"
                ),
            ],
        }
        for name, known in choices.items():
            self.filters[name].extra["choices"] = known
            self.filters[name].extra["empty_label"] = gettext("All")

    def filter_queryset(self, queryset: Moments) -> Moments:  # noqa: ARG002 - the library's signature
        """Return the moments that match; an invalid choice is reported and filters nothing."""
        chosen = self.form.cleaned_data
        wanted = Wanted(
            person=chosen.get("person") or "",
            tournament=key_in(chosen.get("tournament") or "") or None,
            table=key_in(chosen.get("table") or "") or None,
            kind=chosen.get("kind") or "",
            day=chosen.get("day"),
        )
        return moments(self.club, wanted, logins=self.logins)


class LogTable(ClubTable):
    """Table of log moments; the sentences are set with ``tell`` once a page is chosen."""

    said = tables.Column(
        verbose_name=gettext_lazy("What happened"),
        empty_values=(),
        attrs={"td": {"class": "wrap plain whole told"}},
    )

    class Meta:
        orderable = False  # the newest first
        empty_text = gettext_lazy("Nothing like that here.")

    def __init__(self, rows: Moments, *, may: frozenset[Role], token: str) -> None:
        super().__init__(rows)
        self.may, self.token = may, token
        self.title = gettext("Log")
        self.lines: Mapping[tuple[str, int], LogLine] = {}

    def tell(self, lines: Mapping[tuple[str, int], LogLine]) -> None:
        """Set the sentences of the chosen page."""
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

    def _undo(self, line: LogLine) -> SafeString:
        """Return when the act was undone, or a button to undo it if the reader may."""
        if line.undone_at is not None:
            undone = gettext("undone %(when)s") % {"when": _when(line.undone_at)}
            return format_html('<span class="pill quiet">{}</span>', undone)
        undo, address = line.undo, line.undo_address
        if undo is None or not address or undo.role not in self.may:
            return SafeString()
        called = gettext(undo.label)
        label = gettext("%(undo)s: %(what)s") % {"undo": called, "what": line.sentence}
        if undo.at_once:
            return format_html(
                '<form method="post" action="{}"><input type="hidden" name="csrfmiddlewaretoken"'
                ' value="{}"><button class="button" aria-label="{}">{}</button></form>',
                *(address, self.token, label, called),
            )
        return format_html(
            '<a class="button" href="{}" aria-label="{}">{}</a>', address, label, called
        )


def _when(at: datetime) -> str:
    """Return a day with its year, and a time of day: a log is read for years."""
    return str(date_format(localtime(at), "DATETIME_FORMAT"))


@access.page
@require_safe
@never_cache
def club_log(request: HttpRequest, club_id: int) -> HttpResponse:
    """List the log of a club for its members, newest first."""
    club = access.club(request, club_id, Role.MEMBER)
    may = frozenset(role for role in Role if access.may(request, club, role))
    organises = Role.ORGANISER in may
    narrowed = LogFilter(club, request.GET or None, logins=organises)
    table = LogTable(narrowed.qs, may=may, token=get_token(request))
    table.paginate(per_page=A_PAGE)
    table.page = table.paginator.get_page(request.GET.get("page"))
    page = [row.record for row in table.paginated_rows]
    table.tell(lines(club.pk, page, organises=organises))
    context = access.context(
        request,
        club,
        filter=narrowed,
        narrowed=any(narrowed.form.data.get(name) for name in narrowed.filters),
        table=table,
    )
    return render(request, "audit/log.html", context)
