"""The front pages: of the site, and of a club."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tracker.common.web import access
from tracker.common.web.watched import watched
from tracker.ledger import revisions
from tracker.models import Role, User
from tracker.nights.queries.clubs import club_page, my_clubs, public_clubs


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Lead to the reader's club, or to the only one there is; else let the reader choose."""
    mine = my_clubs(request.user.pk) if request.user.pk is not None else ()
    if len(mine) == 1:
        return redirect(mine[0].club)
    others = public_clubs(beside=mine)
    if request.user.pk is None and len(others) == 1:
        return redirect(others[0])
    if not mine and not others and not User.objects.exists():
        return render(request, "nights/home_new.html")
    return render(request, "nights/home.html", {"mine": mine, "others": others})


@require_safe
@watched(revisions.of_club)
def club(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show what is going on in a club, and where its people go from here."""
    club = access.club(request, club_id)
    owns = access.may(request, club, Role.OWNER)
    context = access.context(request, club, page=club_page(club, now=timezone.now()), owns=owns)
    return render(request, "nights/club.html", context)
