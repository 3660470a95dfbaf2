"""The filters above the log."""

from typing import Any

import django_filters
from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tracker.audit.logic import LOGINS, RESULTS
from tracker.audit.queries.moments import Moments, Wanted, moments, people_of, tables_of
from tracker.common.web.parameters import key_in
from tracker.models import Club, Tournament

KINDS = (
    (RESULTS, _("Results from the tables")),
    ("hands", _("Corrections")),
    ("calls", _("Calls for the organiser")),
    ("seats", _("Who sits where")),
    ("rounds", _("Rounds and clocks")),
    ("tournaments", _("Tournaments and points")),
    ("nights", _("Club nights")),
    ("people", _("Players and teams")),
    ("cards", _("Table cards")),
    (LOGINS, _("Members and roles")),
)


class LogFilter(django_filters.FilterSet):  # type: ignore[misc]
    """What happened in a club, by who, where, what and when."""

    person = django_filters.ChoiceFilter(label=_("Person"))
    tournament = django_filters.ChoiceFilter(label=_("Tournament"))
    table = django_filters.ChoiceFilter(label=_("Table"))
    kind = django_filters.ChoiceFilter(label=_("What"))
    day = django_filters.DateFilter(
        label=_("Day"), widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
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
            "kind": [kind for kind in KINDS if logins or kind[0] != LOGINS],
        }
        for name, known in choices.items():
            self.filters[name].extra["choices"] = known
            self.filters[name].extra["empty_label"] = gettext("All")

    def filter_queryset(self, queryset: Moments) -> Moments:  # noqa: ARG002 - the library's signature
        """Return what is wanted; a choice that is none narrows nothing, and is told of."""
        chosen = self.form.cleaned_data
        wanted = Wanted(
            person=chosen.get("person") or "",
            tournament=key_in(chosen.get("tournament") or "") or None,
            table=key_in(chosen.get("table") or "") or None,
            kind=chosen.get("kind") or "",
            day=chosen.get("day"),
        )
        return moments(self.club, wanted, logins=self.logins)
