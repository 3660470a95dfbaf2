"""The page of a club's log."""

from collections.abc import Mapping
from typing import Any

import django_filters
import django_tables2 as tables
from django import forms
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import path
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tracker.audit.queries.filters import (
    RESULTS,
    Events,
    WantedEvents,
    matching_events,
    matching_sittings,
)
from tracker.audit.queries.lines import LogLine, lines
from tracker.audit.queries.verbs import KINDS
from tracker.common.columns import ClubTable
from tracker.common.web import access
from tracker.common.web.requests import key_in
from tracker.models import Club, Player, Role, Tournament, User

_LINES_PER_PAGE = 30


def people_of(club: Club) -> list[tuple[str, str]]:
    """Return the players, and the members who are no players, as choices in order of their names.

    A choice is ("p5", name) for the player with the key 5, and ("u5", name) for a user.
    """
    players = Player.objects.present().filter(club=club)
    choices = [(f"p{player.pk}", player.name) for player in players]
    users_of_players = [player.user_id for player in players if player.user_id]
    members = User.objects.filter(memberships__club=club).exclude(pk__in=users_of_players)
    choices += [(f"u{user.pk}", user.called) for user in members]
    return sorted(choices, key=lambda choice: choice[1].casefold())


class LogFilter(django_filters.FilterSet):  # type: ignore[misc]
    """The filters of the log, with their form; *for_organiser* finds more."""

    person = django_filters.ChoiceFilter(label=gettext_lazy("Person"))
    tournament = django_filters.ChoiceFilter(label=gettext_lazy("Tournament"))
    table = django_filters.ChoiceFilter(label=gettext_lazy("Table"))
    kind = django_filters.ChoiceFilter(label=gettext_lazy("What"))
    day = django_filters.DateFilter(
        label=gettext_lazy("Day"), widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    )

    def __init__(self, club: Club, data: Any, *, for_organiser: bool) -> None:
        self.club, self.for_organiser = club, for_organiser
        super().__init__(data, matching_events(club, WantedEvents(), for_organiser=for_organiser))
        tournaments = Tournament.objects.filter(club=club).order_by("-created_at", "-pk")
        # Once a tournament is chosen, only the numbers of its tables are offered.
        chosen = (key_in(data.get("tournament", "")) or None) if data else None
        played = matching_sittings(club, WantedEvents(tournament=chosen))
        tables = sorted(played.values_list("number", flat=True).distinct())
        kinds = [(kind, label) for kind, (label, _verbs) in KINDS.items()]
        kinds = [(kind, label) for kind, label in kinds if for_organiser or kind != "logins"]
        choices = {
            "person": people_of(club),
            "tournament": list(tournaments.values_list("pk", "name")),
            "table": [(number, str(number)) for number in tables],
            "kind": [(RESULTS, gettext("Results from the tables")), *kinds],
        }
        for name, choices_of_filter in choices.items():
            self.filters[name].extra.update(choices=choices_of_filter, empty_label=gettext("All"))

    def filter_queryset(self, queryset: Events) -> Events:  # noqa: ARG002 - the library's signature
        """Return the events that match; an invalid choice is reported and filters nothing."""
        chosen = {name: value for name, value in self.form.cleaned_data.items() if value}
        table = key_in(chosen.pop("table", "")) or None
        tournament = key_in(chosen.pop("tournament", "")) or None
        if person := chosen.pop("person", ""):
            chosen["player" if person[0] == "p" else "user"] = int(person[1:])
        wanted = WantedEvents(table=table, tournament=tournament, **chosen)
        return matching_events(self.club, wanted, for_organiser=self.for_organiser)


class LogTable(ClubTable):
    """HTML table of log events; the view sets ``lines`` when it knows the rows of the page."""

    said = tables.Column(
        verbose_name=gettext_lazy("What happened"),
        empty_values=(),  # rendered although events have no value ``said``
        attrs={"td": {"class": "wrap plain whole told"}},
    )

    class Meta:
        orderable = False  # the newest first
        empty_text = gettext_lazy("Nothing like that here.")

    def __init__(self, rows: Events, *, may: frozenset[Role], token: str) -> None:
        """*may* are the reader's roles, *token* the CSRF token for the forms of undo buttons."""
        super().__init__(rows)
        self.may, self.token = may, token
        self.title = gettext("Log")
        self.lines: Mapping[tuple[str, int], LogLine] = {}

    def render_said(self, record: Mapping[str, Any]) -> SafeString:
        """Render the sentence, with time, subject and reason in small print."""
        line = self.lines[record["what"], record["key"]]
        context = {"line": line, "may": self.may, "token": self.token}
        return SafeString(render_to_string("audit/line.html", context).strip())


@access.page
@require_safe
@never_cache
def club_log(request: HttpRequest, club_id: int) -> HttpResponse:
    """List the log of a club for its members, newest first."""
    club = access.club(request, club_id, Role.MEMBER)
    may = frozenset(role for role in Role if access.may(request, club, role))
    organises = Role.ORGANISER in may
    log_filter = LogFilter(club, request.GET or None, for_organiser=organises)
    table = LogTable(log_filter.qs, may=may, token=get_token(request))
    # This sets the paginator; its get_page shows the last page if the number is too high.
    table.paginate(per_page=_LINES_PER_PAGE)
    table.page = table.paginator.get_page(request.GET.get("page"))
    table.lines = lines(club.pk, [row.record for row in table.paginated_rows], organises=organises)
    narrowed = any(log_filter.form.data.get(name) for name in log_filter.filters)
    context = access.context(request, club, filter=log_filter, narrowed=narrowed, table=table)
    return render(request, "audit/log.html", context)


urlpatterns = [path("clubs/<int:club_id>/log/", club_log, name="log")]
