"""The hall's display: pages for a projector or a large screen that follow what is played."""

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.http import urlencode
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from tracker.common.web import access
from tracker.common.web.addresses import address_to_type, reachable
from tracker.common.web.parameters import number_in
from tracker.common.web.qr import qr
from tracker.common.web.watched import A_MINUTE, watched
from tracker.models import Club, ClubNight, Role, Tournament
from tracker.nights.pages.nights import night_for
from tracker.nights.queries.display import Display, display, night_display
from tracker.tables import revisions


@access.page
@require_safe
@watched(revisions.of_tournament, every=A_MINUTE)
def tournament_display(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show the hall what it wants to know now; ``?hide=1`` keeps the standings for the end."""
    tournament = access.tournament(request, tournament_id)
    shown = display(
        tournament, sheet=_number(request, "sheet"), hide=_hidden(request), now=timezone.now()
    )
    return _show(
        request,
        tournament.club,
        tournament.name,
        tournament=tournament,
        display=shown,
        following={"sheet": shown.next_sheet},
    )


@access.page
@require_safe
@watched(revisions.of_night, every=A_MINUTE)
def night_display_page(request: HttpRequest, night_id: int) -> HttpResponse:
    """Show what is on at a night, whichever tournament that is."""
    night = night_for(request, night_id)
    shown = night_display(
        night,
        turn=_number(request, "turn"),
        sheet=_number(request, "sheet"),
        hide=_hidden(request),
        now=timezone.now(),
    )
    return _show(
        request,
        night.club,
        date_format(timezone.localtime(night.starts_at), "MONTH_DAY_FORMAT"),
        night=night,
        tournament=shown.tournament,
        display=shown,
        following={"turn": shown.next_turn, "sheet": shown.next_sheet},
    )


def _show(
    request: HttpRequest,
    club: Club,
    called: str,
    *,
    tournament: Tournament | None,
    display: Display,
    following: Mapping[str, int],
    night: ClubNight | None = None,
) -> HttpResponse:
    hidden = _hidden(request)
    asked = urlencode({**following, **({"hide": 1} if hidden else {})})
    door = night.door_token if night and access.may(request, club, Role.ORGANISER) else None
    join = reverse("door", args=[door]) if door else reverse("my-table", args=[club.pk])
    context = {
        "club": club,
        "called": called,
        "back": (night or tournament or club).get_absolute_url(),
        "tournament": tournament,
        "display": display,
        "hidden": hidden,
        "next_address": f"{request.path}?{asked}",
        "address": address_to_type(request, join),
        "at_door": door,
        "join_code": f"{join}qr.svg" if door else reverse("my-table-qr", args=[club.pk]),
    }
    return render(request, "nights/display.html", context)


@access.page
@require_safe
@cache_control(private=True, max_age=3600)
def my_table_qr(request: HttpRequest, club_id: int) -> HttpResponse:
    """Draw the QR code of the page where everybody finds their table."""
    club = access.club(request, club_id)
    return qr(reachable(request, reverse("my-table", args=[club.pk])))


def _hidden(request: HttpRequest) -> bool:
    return bool(request.GET.get("hide"))


def _number(request: HttpRequest, name: str) -> int:
    """Return which one is asked for, the first unless the address says otherwise."""
    return number_in(request.GET.get(name, "")) or 1


urlpatterns = [
    path("clubs/<int:club_id>/my-table.svg", my_table_qr, name="my-table-qr"),
    path("nights/<int:night_id>/display/", night_display_page, name="night-display"),
    path("tournaments/<int:tournament_id>/display/", tournament_display, name="tournament-display"),
]
