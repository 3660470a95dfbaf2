"""The pages of a club's teams: list, make, change."""

from collections.abc import Sequence
from copy import copy
from typing import Any

import django_tables2 as tables
from django import forms
from django.contrib import messages
from django.db.models import Count, Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.http import require_http_methods

from tracker.common.columns import ChangeColumn, ClubTable, counted, linked
from tracker.common.forms import refusals_on
from tracker.common.web import access, exports
from tracker.models import Club, Player, Role, Team, first_stage, name_key
from tracker.people.forms import SearchForm
from tracker.people.services.teams import edit_team, make_team


class TeamsTable(ClubTable):
    """The list of teams, from ``team_rows``; the people are shown unless the name lists them."""

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
    change = ChangeColumn("team-edit")

    class Meta:
        empty_text = _("No team by that name.")

    def __init__(self, rows: Sequence[Team], *, may_change: bool) -> None:
        shows = {"people": not all(row.name_lists_players for row in rows), "change": may_change}
        super().__init__(rows, exclude=tuple(name for name, show in shows.items() if not show))

    def render_name(self, value: str, record: Team) -> SafeString:
        return linked(value, "team", record.pk)

    def render_people(self, value: str, record: Team) -> str:
        return "" if record.name_lists_players else value

    # An exported file has the bare values, without links.
    value_name = value_people = ClubTable.as_is


class TeamForm(forms.ModelForm):  # type: ignore[type-arg]
    # Trap: a ModelMultipleChoiceField fails on a key too large for the database.
    roster = forms.TypedMultipleChoiceField(
        label=_("Who is in it?"),
        coerce=int,
        error_messages={
            "required": _("Tap the people of this team, two or more."),
            "invalid_choice": _("Somebody you chose has left this club. Please choose again."),
        },
        widget=forms.CheckboxSelectMultiple,
    )

    class Meta:
        model = Team
        fields = ("name",)
        labels = {"name": _("Name of the team")}
        help_texts = {"name": _("Left empty, it is called after its people: “Asha & Juma”.")}

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = Player.objects.present().filter(club=club).order_by("name_key")
        self.people = dict(people.values_list("pk", "name"))
        self.fields["roster"].choices = list(self.people.items())  # type: ignore[attr-defined]
        self.fields["name"].required = False
        if self.instance.pk is not None:
            self.initial["roster"] = list(self.instance.roster.values_list("pk", flat=True))

    def answers(self) -> dict[str, Any]:
        """Return the keys of the ``players`` and the ``name``, by default made from their names."""
        players = self.cleaned_data["roster"]
        joined_names = " & ".join(self.people[player] for player in players)
        return {"name": self.cleaned_data["name"] or joined_names, "players": players}


def team_rows(club: Club, *, named: str = "") -> list[Team]:
    """Return the teams of a club sorted by name, with their people prefetched, in two queries.

    *named* is part of a team's or player's name. ``tournaments`` counts stages of an event once.
    """
    key = name_key(named)
    teams = (
        Team.objects.filter(club=club)
        .annotate(tournaments=Count(first_stage("entrants__tournament"), distinct=True))
        .prefetch_related(Prefetch("roster", Player.objects.present().order_by("name_key")))
        .order_by("name_key")
    )
    return [
        team
        for team in teams
        if key in team.name_key or any(key in player.name_key for player in team.roster.all())
    ]


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def teams(request: HttpRequest, club_id: int) -> HttpResponse:
    """List the teams of a club, filtered, sorted and paged; make new ones."""
    making = request.method == "POST"
    club = access.club(request, club_id, Role.ORGANISER if making else None)
    may_make = access.may(request, club, Role.ORGANISER)
    form = TeamForm(club, request.POST if making else None) if may_make else None
    if form is not None and form.is_valid():
        with refusals_on(form):
            team = make_team(**form.answers(), club_id=club.pk, by=access.actor(request))
            messages.success(request, gettext("%(team)s is a team now.") % {"team": team.name})
            return redirect("teams", club.pk)
    search = SearchForm(request.GET)
    named = search.cleaned_data["q"] if search.is_valid() else ""
    rows = team_rows(club, named=named)
    table = TeamsTable(rows, may_change=may_make)
    if file_format := exports.configure_table(request, table):
        return exports.file_response(table, file_format, club.name, table.title)
    context = access.context(
        request, club, form=form, search=search, named=named, table=table, count=len(rows)
    )
    return render(request, "people/teams/teams.html", context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def team_edit(request: HttpRequest, team_id: int) -> HttpResponse:
    team = access.get(request, Team.objects, team_id, Role.ORGANISER)
    club = team.club
    # A copy: validation changes the instance of a form, and the page shows the stored name.
    form = TeamForm(club, request.POST or None, instance=copy(team))
    if form.is_valid():
        with refusals_on(form):
            changed = edit_team(**form.answers(), team_id=team_id, by=access.actor(request))
            messages.success(request, gettext("%(team)s is saved.") % {"team": changed.name})
            return redirect("teams", club.pk)
    return access.render(request, "people/teams/edit.html", club, form=form, team=team)


urlpatterns = [
    path("clubs/<int:club_id>/teams/", teams, name="teams"),
    path("teams/<int:team_id>/edit/", team_edit, name="team-edit"),
]
