"""Calendar files (RFC 5545): a night by its link, and the nights of a club or a player as feeds.

Calendar programs ask for a feed again and again: it changes only with what it shows, so that its
ETag stays the same.
"""

from collections.abc import Iterable
from datetime import timedelta

from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import conditional_page, require_safe

from tracker.common.web.addresses import full_address
from tracker.common.web.feeds import check_feed
from tracker.models import Club, ClubNight, Player
from tracker.nights.queries.nights import night_of_link

ASSUMED_LENGTH = timedelta(hours=4)  # of a night, as its end is not known
KEPT_FOR = timedelta(days=365)  # after its start a night is in feeds


@require_safe
@never_cache
def night_calendar(request: HttpRequest, reply_id: str) -> HttpResponse:
    """Return the night as a calendar file, for anybody with the link."""
    night = night_of_link(reply_id)
    if night is None:
        raise Http404
    response = _calendar(request, [night])
    name = f"{timezone.localtime(night.starts_at):%Y-%m-%d}.ics"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_safe
@conditional_page
def club_calendar(request: HttpRequest, club_id: int) -> HttpResponse:
    """Return the nights of a club to come, and those of the last year."""
    club = check_feed(request, get_object_or_404(Club, pk=club_id))
    return _calendar(request, _nights_in_feed(club), name=club.name)


@require_safe
@conditional_page
def player_calendar(request: HttpRequest, player_id: int) -> HttpResponse:
    """Return those nights of ``club_calendar`` that the player attended or replied “yes” to."""
    players = Player.objects.select_related("club").filter(erased_at=None)
    player = get_object_or_404(players, pk=player_id)
    club = check_feed(request, player.club)
    if player.merged_into_id:
        return redirect(reverse("player-calendar", args=[player.merged_into_id], query=request.GET))
    coming = Q(pk__in=player.rsvps.filter(yes=True).values("night"))
    nights = _nights_in_feed(club).filter(coming | Q(pk__in=player.attendances.values("night")))
    name = gettext("%(name)s at %(club)s") % {"name": player.name, "club": club.name}
    return _calendar(request, nights, name=name)


def _nights_in_feed(club: Club) -> QuerySet[ClubNight]:
    after = timezone.now() - KEPT_FOR
    return club.nights.filter(starts_at__gt=after).order_by("starts_at", "pk")


def _calendar(request: HttpRequest, nights: Iterable[ClubNight], name: str = "") -> HttpResponse:
    """Return a calendar of these nights, with a *name* for people who subscribe to it."""
    # Imported here: the library is slow to import, and rarely needed.
    from icalendar import Calendar, Event

    calendar = Calendar()  # Calendar.new() would add a random uid
    calendar.add("version", "2.0")
    calendar.add("prodid", "-//Kula//Club nights//EN")
    calendar.calendar_name = name or None  # Trap: of a named file Outlook makes a new calendar.
    for night in nights:
        event = Event.new(
            uid=f"{night.uid}@kula",  # the same after any change: calendars update the night
            # A feed stays the same, so that its ETag does; a file that is opened again is newer.
            stamp=night.starts_at if name else timezone.now(),
            start=night.starts_at,
            end=night.starts_at + ASSUMED_LENGTH,
            summary=gettext("Cards at %(club)s") % {"club": night.club.name},
            location=night.place or None,
            description=night.games or None,
            url=full_address(request, reverse("night-rsvp", args=[night.reply_id])),
        )
        calendar.add_component(event)
    return HttpResponse(calendar.to_ical(), content_type="text/calendar; charset=utf-8")


urlpatterns = [
    path("come/<str:reply_id>/night.ics", night_calendar, name="night-calendar"),
    path("clubs/<int:club_id>/nights.ics", club_calendar, name="club-calendar"),
    path("players/<int:player_id>/nights.ics", player_calendar, name="player-calendar"),
]
