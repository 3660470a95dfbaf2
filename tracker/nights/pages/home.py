"""The front pages, of the site and of a club; and the search."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_safe

from tracker.common.web import access
from tracker.common.web.reader import player_reading
from tracker.common.web.watched import watched
from tracker.models import Club, Membership, Role, User
from tracker.nights.queries.home import club_page
from tracker.nights.queries.search import search as search_club
from tracker.tables import revisions


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Lead to the reader's club, or to the only one there is; else let the reader choose."""
    held = Membership.objects.select_related("club").order_by("club__name", "club_id")
    user = request.user.pk
    mine = held.filter(user_id=user) if user is not None else held.none()
    if len(mine) == 1:
        return redirect(mine[0].club)
    clubs = Club.objects.filter(public=True).exclude(pk__in=[each.club_id for each in mine])
    others = clubs.order_by("name", "pk")
    if request.user.pk is None and len(others) == 1:
        return redirect(others[0])
    if not mine and not others and not User.objects.exists():
        return render(request, "nights/home/home_new.html")
    return render(request, "nights/home/home.html", {"mine": mine, "others": others})


@require_safe
@watched(revisions.of_club)
def club(request: HttpRequest, club_id: int) -> HttpResponse:
    """Answer what each reader came for: my table, who deals, who leads, my next night."""
    club = access.club(request, club_id)
    reader = player_reading(request, club)
    page = club_page(
        club,
        reader,
        organises=access.may(request, club, Role.ORGANISER),
        belongs=access.role_in(request, club) is not None,
        now=timezone.now(),
    )
    owns = access.may(request, club, Role.OWNER)
    context = access.context(request, club, page=page, reader=reader, owns=owns)
    return render(request, "nights/home/club.html", context)


@access.page
@require_safe
def search(request: HttpRequest, club_id: int) -> HttpResponse:
    """Find players, teams, tournaments and nights by what people remember of them."""
    club = access.club(request, club_id)
    asked = request.GET.get("q", "")[:100]
    only = request.GET.get("only", "")
    found = search_club(club, asked, only=only)
    context = access.context(request, club, q=asked, only=only, found=found)
    return render(request, "nights/home/search.html", context)


urlpatterns = [
    path("", home, name="home"),
    path("clubs/<int:club_id>/", club, name="club"),
    path("clubs/<int:club_id>/search/", search, name="search"),
]
