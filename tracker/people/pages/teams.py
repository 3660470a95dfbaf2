"""The teams of a club, listed, made and changed."""

from copy import copy

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tracker.common.refusals import refusing
from tracker.common.web import access, exports
from tracker.models import Role, Team
from tracker.people.columns import TeamsTable
from tracker.people.forms import SearchForm, TeamForm
from tracker.people.queries import team_rows
from tracker.people.services.teams import edit_team, make_team


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def teams(request: HttpRequest, club_id: int) -> HttpResponse:
    """List the teams of a club, to be narrowed down, sorted and paged, and make new ones."""
    making = request.method == "POST"
    club = access.club(request, club_id, Role.ORGANISER if making else None)
    may_make = access.may(request, club, Role.ORGANISER)
    form = TeamForm(club, request.POST if making else None) if may_make else None
    if form is not None and form.is_valid():
        with refusing(form):
            team = make_team(**form.answers(), club_id=club.pk, by=access.actor(request))
            messages.success(request, _("%(team)s is a team now.") % {"team": team.name})
            return redirect("teams", club.pk)
    search = SearchForm(request.GET)
    named = search.cleaned_data["q"] if search.is_valid() else ""
    rows = team_rows(club, named=named)
    table = TeamsTable(rows, may_change=may_make)
    if file := exports.lay_out(request, table):
        return exports.file_of(table, file, club.name, table.title)
    context = access.context(
        request, club, form=form, search=search, named=named, table=table, count=len(rows)
    )
    return render(request, "people/teams/teams.html", context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def team_edit(request: HttpRequest, team_id: int) -> HttpResponse:
    """Change what a team is called and who is in it."""
    team = access.get(request, Team.objects, team_id, Role.ORGANISER)
    club = team.club
    form = TeamForm(club, request.POST or None, instance=copy(team))
    if form.is_valid():
        with refusing(form):
            changed = edit_team(**form.answers(), team_id=team_id, by=access.actor(request))
            messages.success(request, _("%(team)s is saved.") % {"team": changed.name})
            return redirect("teams", club.pk)
    context = access.context(request, club, form=form, team=team)
    return render(request, "people/teams/edit.html", context)


urlpatterns = [
    path("clubs/<int:club_id>/teams/", teams, name="teams"),
    path("teams/<int:team_id>/edit/", team_edit, name="team-edit"),
]
