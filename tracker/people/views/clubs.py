"""Clubs, made and changed by those who own them."""

from copy import copy

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tracker.common.refusals import refusing
from tracker.common.web import access
from tracker.models import Role
from tracker.people.forms.clubs import ClubForm
from tracker.people.services.clubs import edit_club, make_club


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def club_new(request: HttpRequest) -> HttpResponse:
    """Let anybody who can sign in make a club, and own it."""
    access.signed_in(request)
    form = ClubForm(request.POST or None)
    if form.is_valid():
        with refusing(form):
            club = make_club(**form.cleaned_data, by=access.actor(request))
            messages.success(request, _("%(club)s is made, and yours.") % {"club": club.name})
            return redirect(club)
    return render(request, "people/clubs/new.html", {"form": form})


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def club_edit(request: HttpRequest, club_id: int) -> HttpResponse:
    """Let the owner say what the club is called and who may read it."""
    club = access.club(request, club_id, Role.OWNER)
    form = ClubForm(request.POST or None, instance=copy(club))
    if form.is_valid():
        with refusing(form):
            club = edit_club(**form.cleaned_data, club_id=club.pk, by=access.actor(request))
            messages.success(request, _("Saved."))
            return redirect(club)
    return render(request, "people/clubs/edit.html", access.context(request, club, form=form))
