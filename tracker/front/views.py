"""The front pages, of the site and of a club; and the search."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tracker.common.web import access
from tracker.common.web.reader import player_reading
from tracker.common.web.watched import watched
from tracker.front.queries.clubs import Reader, club_page, my_clubs, public_clubs
from tracker.front.queries.search import search as search_club
from tracker.ledger import revisions
from tracker.models import Role, User


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
        return render(request, "front/home_new.html")
    return render(request, "front/home.html", {"mine": mine, "others": others})


@require_safe
@watched(revisions.of_club)
def club(request: HttpRequest, club_id: int) -> HttpResponse:
    """Answer what each reader came for: my table, who deals, who leads, my next night."""
    club = access.club(request, club_id)
    reader = Reader(
        player=player_reading(request, club),
        organises=access.may(request, club, Role.ORGANISER),
        belongs=access.role_in(request, club) is not None,
    )
    owns = access.may(request, club, Role.OWNER)
    page = club_page(club, reader, now=timezone.now())
    context = access.context(request, club, page=page, reader=reader, owns=owns)
    return render(request, "front/club.html", context)


@access.page
@require_safe
def search(request: HttpRequest, club_id: int) -> HttpResponse:
    """Find players, teams, tournaments and nights by what people remember of them."""
    club = access.club(request, club_id)
    asked = request.GET.get("q", "")[:100]
    only = request.GET.get("only", "")
    found = search_club(club, asked, only=only)
    context = access.context(request, club, q=asked, only=only, found=found)
    return render(request, "front/search.html", context)
