"""The seasons of a club and their standings; the prizes of a tournament that are tied."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tracker.common.errors import Refused
from tracker.common.refusals import refuse
from tracker.common.web import access, exports
from tracker.models import Role, Season, SeasonRule
from tracker.seasons.forms import SeasonForm
from tracker.seasons.queries import rule_in_words, season_lines, season_standing
from tracker.seasons.services import edit_season, make_season
from tracker.seasons.tables import SeasonTable


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def seasons(request: HttpRequest, club_id: int) -> HttpResponse:
    """List the seasons of a club, and make new ones."""
    making = request.method == "POST"
    club = access.club(request, club_id, Role.ORGANISER if making else None)
    may_make = access.may(request, club, Role.ORGANISER)
    usual = {"rule": SeasonRule.BEST, "best": 6}
    form = SeasonForm(request.POST if making else None, initial=usual) if may_make else None
    if form is not None and form.is_valid():
        try:
            made = make_season(
                club_id=club.pk,
                name=form.cleaned_data["name"],
                rule=SeasonRule(form.cleaned_data["rule"]),
                best=form.cleaned_data["best"],
                by=access.actor(request),
            )
        except Refused as refused:
            refuse(form, refused)
        else:
            messages.success(request, _("“%(name)s” is ready.") % {"name": made.name})
            return redirect("season", made.pk)
    context = access.context(request, club, form=form, seasons=season_lines(club))
    return render(request, "seasons/seasons.html", context)


@access.page
@require_safe
def season(request: HttpRequest, season_id: int) -> HttpResponse:
    """Show how much of the room everybody beat over a season."""
    found = access.get(request, Season.objects, season_id)
    club = found.club
    standing = season_standing(found)
    table = SeasonTable(standing.rows)
    if form := exports.asked(request):
        return exports.file_of(table, form, club.name, found.name)
    context = access.context(
        request,
        club,
        season=found,
        standing=standing,
        table=table,
        rule=rule_in_words(found),
    )
    return render(request, "seasons/season.html", context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def season_edit(request: HttpRequest, season_id: int) -> HttpResponse:
    """Change what a season is called, and what counts in it."""
    found = access.get(request, Season.objects, season_id, Role.ORGANISER)
    club = found.club
    kept = {"name": found.name, "rule": found.rule, "best": found.best_of}
    form = SeasonForm(request.POST or None, initial=kept)
    if form.is_valid():
        try:
            edit_season(
                season_id=found.pk,
                name=form.cleaned_data["name"],
                rule=SeasonRule(form.cleaned_data["rule"]),
                best=form.cleaned_data["best"],
                by=access.actor(request),
            )
        except Refused as refused:
            refuse(form, refused)
        else:
            return redirect("season", found.pk)
    context = access.context(request, club, season=found, form=form)
    return render(request, "seasons/edit.html", context)
