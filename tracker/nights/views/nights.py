"""Club nights: listed, announced, and the page of each."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tracker.common import disk
from tracker.common.web import access
from tracker.common.web.watched import A_MINUTE, watched
from tracker.ledger import revisions
from tracker.models import ClubNight, Role
from tracker.nights.forms import NightForm
from tracker.nights.queries.attendance import rsvp_summary
from tracker.nights.queries.night_desk import night_desk
from tracker.nights.queries.nights import nights as nights_of
from tracker.nights.queries.nights import tournaments_of
from tracker.nights.services.nights import announce_night, edit_night
from tracker.nights.views.actions import act


@require_safe
def nights(request: HttpRequest, club_id: int) -> HttpResponse:
    """List the nights of a club: those to come, then the past ones."""
    club = access.club(request, club_id)
    context = access.context(request, club, nights=nights_of(club, now=timezone.now()))
    return render(request, "nights/nights.html", context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def night_new(request: HttpRequest, club_id: int) -> HttpResponse:
    """Announce a night."""
    club = access.club(request, club_id, Role.ORGANISER)
    form = NightForm(request.POST or None)
    if form.is_valid():
        night = announce_night(**form.cleaned_data, club_id=club.pk, by=access.actor(request))
        messages.success(request, _("Announced. Send the link below around."))
        return redirect(night)
    return render(request, "nights/new.html", access.context(request, club, form=form))


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def night_edit(request: HttpRequest, night_id: int) -> HttpResponse:
    """Change when and where a night is."""
    night = night_for(request, night_id, Role.ORGANISER)
    form = NightForm(request.POST or None, instance=night)
    if form.is_valid():
        edit_night(**form.cleaned_data, night_id=night.pk, by=access.actor(request))
        messages.success(request, _("Saved."))
        return redirect(night)
    context = access.context(request, night.club, night=night, form=form)
    return render(request, "nights/edit.html", context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@watched(revisions.of_night, every=A_MINUTE)
def night_page(request: HttpRequest, night_id: int) -> HttpResponse:
    """Show the evening to whoever runs it, and to everybody else when and where it is."""
    acting = request.method == "POST"
    night = night_for(request, night_id, Role.ORGANISER if acting else None)
    if acting:
        return redirect(act(request, night))
    if not access.may(request, night.club, Role.SCORER):
        context = access.context(
            request,
            night.club,
            night=night,
            rsvps=rsvp_summary(night),
            tournaments=tournaments_of(night),
        )
        return render(request, "nights/night.html", context)
    desk = night_desk(night, now=timezone.now())
    context = access.context(request, night.club, night=night, desk=desk, disk=disk.trouble())
    return render(request, "nights/desk.html", context)


def night_for(request: HttpRequest, night_id: int, role: Role | None = None) -> ClubNight:
    """Return the night with its club, on the terms of ``access.get``."""
    return access.get(request, ClubNight.objects, night_id, role)
