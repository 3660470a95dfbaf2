"""Seasons: the list of a club's, the standing of each, and what counts in it."""

from django.contrib import messages
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_safe

from tracker.common.errors import Refused
from tracker.common.poster import drawn
from tracker.common.refusals import refuse
from tracker.common.web import access, exports
from tracker.common.web.preview import preview
from tracker.models import Role, Season
from tracker.seasons.forms import SeasonForm
from tracker.seasons.queries import poster_of, season_standing
from tracker.seasons.services import save_season
from tracker.seasons.tables import SeasonTable

A_PAGE = 20


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def seasons(request: HttpRequest, club_id: int) -> HttpResponse:
    """List the seasons of a club, and make new ones."""
    making = request.method == "POST"
    club = access.club(request, club_id, Role.ORGANISER if making else None)
    form = None
    if access.may(request, club, Role.ORGANISER):
        form = SeasonForm(request.POST if making else None, instance=Season(club=club))
    if form and form.is_valid():
        try:
            season = save_season(form.save(commit=False), by=access.actor(request))
        except Refused as refused:
            refuse(form, refused)
        else:
            messages.success(request, _("“%(name)s” is ready.") % {"name": season.name})
            return redirect("season", season.pk)
    known = club.seasons.annotate(entered=Count("tournaments")).order_by("-pk")
    context = access.context(request, club, form=form, seasons=known)
    return render(request, "seasons/seasons.html", context)


@access.page
@require_safe
def season(request: HttpRequest, season_id: int) -> HttpResponse:
    """Show what share of the room each player beat over a season."""
    season = access.get(request, Season.objects, season_id)
    standing = season_standing(season)
    table = SeasonTable(standing.rows)
    if form := exports.lay_out(request, table, a_page=A_PAGE):
        return exports.file_of(table, form, season.club.name, season.name)
    context = access.context(
        request,
        season.club,
        season=season,
        standing=standing,
        table=table,
        picture=reverse("season-picture", args=[season.pk]),
        preview=preview(
            request,
            season.club,
            title=season.name,
            says=season.rule_in_words,
            picture=reverse("season-picture", args=[season.pk]),
        ),
    )
    return render(request, "seasons/season.html", context)


@access.page
@require_safe
@cache_control(private=True, max_age=60)
def season_picture(request: HttpRequest, season_id: int) -> HttpResponse:
    """Draw who leads a season."""
    season = access.get(request, Season.objects, season_id)
    return HttpResponse(drawn(poster_of(season)), content_type="image/png")


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def season_edit(request: HttpRequest, season_id: int) -> HttpResponse:
    """Change what a season is called, and what counts in it."""
    season = access.get(request, Season.objects, season_id, Role.ORGANISER)
    form = SeasonForm(request.POST or None, instance=season)
    if form.is_valid():
        try:
            save_season(form.save(commit=False), by=access.actor(request))
        except Refused as refused:
            refuse(form, refused)
        else:
            return redirect("season", season.pk)
    context = access.context(request, season.club, season=season, form=form)
    return render(request, "seasons/edit.html", context)
