"""Display for the hall's screen, of a tournament or a night: *sheet* (screenful) after sheet."""

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
from tracker.common.web.addresses import address_to_type, full_address, qr_response
from tracker.common.web.polling import ONE_MINUTE, conditional_page
from tracker.common.web.requests import number_in
from tracker.models import ClubNight, Role, Tournament
from tracker.nights.queries.display import DisplaySheet, display, night_display
from tracker.tables import revisions


@access.page
@require_safe
@conditional_page(revisions.of_tournament, every=ONE_MINUTE)
def tournament_display(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show a sheet of a tournament's display; ``?hide=1`` hides the standing until the end."""
    tournament = access.tournament(request, tournament_id)
    number, hide = _number_in(request, "sheet"), _is_hidden(request)
    sheet = display(tournament, sheet=number, hide=hide, now=timezone.now())
    following = {"sheet": sheet.next_sheet}
    return _render(request, tournament.name, sheet, following, tournament=tournament)


@access.page
@require_safe
@conditional_page(revisions.of_night, every=ONE_MINUTE)
def night_display_page(request: HttpRequest, night_id: int) -> HttpResponse:
    """Show a sheet of a night's display, whose tournaments take turns."""
    night = access.get(request, ClubNight.objects, night_id)
    sheet = night_display(
        night,
        turn=_number_in(request, "turn"),
        sheet=_number_in(request, "sheet"),
        hide=_is_hidden(request),
        now=timezone.now(),
    )
    day = date_format(timezone.localtime(night.starts_at), "MONTH_DAY_FORMAT")
    following = {"turn": sheet.next_turn, "sheet": sheet.next_sheet}
    return _render(request, day, sheet, following, tournament=sheet.tournament, night=night)


def _render(
    request: HttpRequest,
    title: str,
    sheet: DisplaySheet,
    following: Mapping[str, int],
    *,
    tournament: Tournament | None,
    night: ClubNight | None = None,
) -> HttpResponse:
    """Render a sheet about *tournament*, if any; *following* are the parameters of the next one."""
    about = night or tournament
    assert about is not None  # noqa: S101 - one of them is always given
    club, hidden = about.club, _is_hidden(request)
    query = urlencode({**following, **({"hide": 1} if hidden else {})})
    door = night.door_token if night and access.may(request, club, Role.ORGANISER) else None
    # The page to join by, and its QR code: the night's door if it is open, or else "My table".
    if door:
        join, qr_code = reverse("door", args=[door]), reverse("door-qr", args=[door])
    else:
        join, qr_code = reverse("my-table", args=[club.pk]), reverse("my-table-qr", args=[club.pk])
    context = {"club": club, "called": title, "tournament": tournament, "display": sheet}
    context |= {"back": about.get_absolute_url(), "next_address": f"{request.path}?{query}"}
    context |= {"hidden": hidden, "at_door": door, "join_code": qr_code}
    context["address"] = address_to_type(request, join)
    return render(request, "nights/display.html", context)


@access.page
@require_safe
@cache_control(private=True, max_age=3600)
def my_table_qr(request: HttpRequest, club_id: int) -> HttpResponse:
    """Draw the QR code of the page on which people find their table."""
    club = access.club(request, club_id)
    return qr_response(full_address(request, reverse("my-table", args=[club.pk])))


def _is_hidden(request: HttpRequest) -> bool:
    return bool(request.GET.get("hide"))


def _number_in(request: HttpRequest, name: str) -> int:
    """Return the number of this name in the query string, 1 if it has none."""
    return number_in(request.GET.get(name, "")) or 1


urlpatterns = [
    path("clubs/<int:club_id>/my-table.svg", my_table_qr, name="my-table-qr"),
    path("nights/<int:night_id>/display/", night_display_page, name="night-display"),
    path("tournaments/<int:tournament_id>/display/", tournament_display, name="tournament-display"),
]
