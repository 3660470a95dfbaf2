"""Who comes to a night, and who is there."""

from datetime import datetime, timedelta

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tracker.common.forms import refusals_on
from tracker.common.names import another
from tracker.common.web import access
from tracker.common.web.access import signed_in_player
from tracker.common.web.addresses import full_address
from tracker.common.web.devices import remember_link
from tracker.common.web.requests import FROM_NIGHT, came_from_night, key_in
from tracker.models import ClubNight, Player, Role, Seat
from tracker.nights.forms import CheckInForm, RsvpForm
from tracker.nights.pages.nights import night_for
from tracker.nights.queries.attendance import (
    known_by_first_name,
    people,
    replies,
    waiting_at_door,
)
from tracker.nights.queries.nights import night_of_link
from tracker.nights.services.attendance import arrive, leave, record_rsvp
from tracker.nights.services.door import answer_waiting
from tracker.seating.queries.players import players_to_choose

KEPT_FREE = timedelta(hours=4)  # nobody knows when the last hand is over


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def night_people(request: HttpRequest, night_id: int) -> HttpResponse:
    """Check people in by tapping names, answer new ones at the door, and let people go home."""
    night = night_for(request, night_id, Role.ORGANISER)
    if "left" in request.POST:
        return _leave(request, night)
    there = night.get_absolute_url() if came_from_night(request) else request.path
    if "let-in" in request.POST or "decline" in request.POST:
        let_in = "let-in" in request.POST
        keys = [key_in(key) for key in request.POST.getlist("waiting")]
        by = access.actor(request)
        if names := answer_waiting(night_id=night.pk, names=keys, let_in=let_in, by=by):
            says = _("Let in: %(names)s.") if let_in else _("Turned away: %(names)s.")
            messages.success(request, says % {"names": get_text_list(names, _("and"))})
        return redirect(there)
    everybody = people(night)
    form = CheckInForm(request.POST or None, people=everybody)
    if form.is_valid() and _arrive(request, night, form):
        return redirect(there)
    more = {"people": everybody, "form": form, "waiting": waiting_at_door(night)}
    context = access.context(request, night.club, night=night, **more)
    return render(request, "nights/people.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def night_rsvp(request: HttpRequest, night_uid: str) -> HttpResponse:
    """Let anyone with the link reply to the night, without signing in."""
    night = night_of_link(night_uid)
    if night is None:
        return render(request, "nights/gone.html", status=404)
    club = night.club
    own = signed_in_player(request, club)
    form = RsvpForm(
        request.POST if request.method == "POST" else None,
        players=players_to_choose(club),
        initial={"player": own.pk if own else None},
    )
    if form.is_valid():
        with refusals_on(form):
            rsvp = record_rsvp(
                night_id=night.pk,
                player_id=form.cleaned_data["player"],
                name=form.cleaned_data["name"],
                yes=form.cleaned_data["answer"] == "yes",
                by=access.visitor(request),
            )
            thanks = (
                _("See you there, %(name)s!")
                if rsvp.yes
                else _("A pity, %(name)s. You can change your mind at any time.")
            )
            messages.success(request, thanks % {"name": rsvp.called})
            if "back" in request.POST and access.may_read(request, club):
                return redirect(club)
            return redirect("night-rsvp", night_uid)
    # Whoever has the link need not be of a private club: its pages are not offered to them.
    shown: dict[str, object] = {
        "night": night,
        "form": form,
        "own": own,
        "rsvps": replies(night),
        "begun": night.starts_at <= timezone.now(),
    }
    if access.may_read(request, club):
        shown |= access.context(request, club)
    response = render(request, "nights/coming.html", shown)
    remember_link(request, response, str(night.reply_id))
    return response


@require_safe
@never_cache
def night_calendar(request: HttpRequest, night_uid: str) -> HttpResponse:
    """Return the night as a calendar file, for anyone with the link."""
    night = night_of_link(night_uid)
    if night is None:
        raise Http404
    calendar = calendar_of(
        uid=f"{night.uid}@kula",
        title=_("Cards at %(club)s") % {"club": night.club.name},
        starts_at=night.starts_at,
        place=night.place,
        games=night.games,
        address=full_address(request, reverse("night-rsvp", args=[night.reply_id])),
        now=timezone.now(),
    )
    name = f"{timezone.localtime(night.starts_at):%Y-%m-%d}.ics"
    return HttpResponse(
        calendar,
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def calendar_of(
    *,
    uid: str,
    title: str,
    starts_at: datetime,
    place: str,
    games: str,
    address: str,
    now: datetime,
) -> bytes:
    """Return an evening as a calendar file (RFC 5545); *uid* stays the same when anything else changes."""
    # Only here: few ask for it, and everything that starts would wait for it.
    from icalendar import Calendar, Event

    event = Event.new(
        uid=uid,
        stamp=now,
        start=starts_at,
        end=starts_at + KEPT_FREE,
        summary=title,
        location=place or None,
        description=games or None,
        url=address,
    )
    calendar = Calendar()  # the same file each time: a new one would have a uid of its own
    calendar.add("version", "2.0")
    calendar.add("prodid", "-//Kula//Club nights//EN")
    calendar.add_component(event)
    return bytes(calendar.to_ical())


def _arrive(request: HttpRequest, night: ClubNight, form: CheckInForm) -> bool:
    asked = form.cleaned_data
    # A visitor of that first name is somebody else.
    known = {} if asked["visitor_from"] else known_by_first_name(night, form.new_names)
    with refusals_on(form):
        arrived = arrive(
            night_id=night.pk,
            players=[*asked["people"], *known.values()],
            new_names=[name for name in form.new_names if name not in known],
            visitor_from=asked["visitor_from"],
            in_season=asked["in_season"],
            by=access.actor(request),
        )
    if not form.is_valid():
        return False
    if len(arrived.new) == 1:
        messages.success(request, _("%(name)s is here.") % {"name": arrived.new[0].name})
    elif arrived.new:
        messages.success(request, _("%(count)d more are here.") % {"count": len(arrived.new)})
    if already := [player.name for player in arrived.players if player not in arrived.new]:
        names = {"names": get_text_list(already, _("and")), "another": another(already[0])}
        sentence = _(
            "Here already: %(names)s. Is this somebody else? Add a letter, such as “%(another)s”."
        )
        messages.warning(request, sentence % names)
    return True


def _leave(request: HttpRequest, night: ClubNight) -> HttpResponse:
    """Check a player out, and name the table where they still have a seat."""
    player = Player.objects.filter(pk=key_in(request.POST["left"]), club=night.club_id).first()
    if player and leave(night_id=night.pk, players=[player.pk], by=access.actor(request)):
        seat = Seat.objects.active().filter(player=player).select_related("sitting").first()
        if seat is None:
            messages.success(request, _("%(name)s has gone home.") % {"name": player.name})
        else:
            messages.warning(
                request,
                format_html(
                    '{} <a href="{}">{}</a>',
                    _("%(name)s has gone home, but has a seat at table %(table)d.")
                    % {"name": player.name, "table": seat.sitting.number},
                    reverse("round-seats", args=[seat.round_id]) + FROM_NIGHT,
                    _("Change seats there"),
                ),
            )
    return redirect("night-people", night.pk)


urlpatterns = [
    path("nights/<int:night_id>/people/", night_people, name="night-people"),
    path("come/<str:night_uid>/", night_rsvp, name="night-rsvp"),
    path("come/<str:night_uid>/night.ics", night_calendar, name="night-calendar"),
]
