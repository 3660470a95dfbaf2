"""Door of a night: its QR code for the organiser, and the page on which people check themselves in.

In a private club, somebody who has only the code sees the players' names and nothing else. Two
cookies keep whose phone it is: one for all doors, one for the club's pages, such as "My table".
"""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tracker.common.forms import refusals_as_messages, refusals_on
from tracker.common.web import access
from tracker.common.web.access import signed_in_player
from tracker.common.web.addresses import full_address, qr_response
from tracker.common.web.devices import (
    INVITED,
    ME_AT_DOOR,
    chosen_player,
    remember_device,
    remember_player,
    remember_token,
    visitor,
)
from tracker.models import ClubNight, Player, Role, Seat
from tracker.nights.pages.attendance import NameForm
from tracker.nights.queries.nights import checked_in_by, expected_and_others, night_of_door
from tracker.nights.services.attendance import come_in, go_home, open_door
from tracker.seating.queries.players import player_of

_DOORS_PATH = "/door/"  # of the cookie ``ME_AT_DOOR``, which all nights' doors read


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def night_door(request: HttpRequest, night_id: int) -> HttpResponse:
    """Show the QR code to hang at the door; its URL has a secret token. A POST makes a new one."""
    night = access.get(request, ClubNight.objects, night_id, Role.ORGANISER)
    renews, by = request.method == "POST", access.actor(request)
    token = open_door(night_id=night.pk, by=by, renew=renews).door_token or ""
    if renews:
        messages.success(request, _("This is the new code. The old one no longer works."))
        return redirect("night-door", night.pk)
    address = full_address(request, reverse("door", args=[token]))
    context = {"night": night, "token": token, "address": address}
    return access.render(request, "nights/door_code.html", night.club, **context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def door(request: HttpRequest, door_token: str) -> HttpResponse:
    """Let anybody with the door's code check in and out, without signing in."""
    night = night_of_door(door_token)
    if night is None:
        return render(request, "nights/gone.html", status=404)
    key = chosen_player(request, cookie=ME_AT_DOOR)
    # The player to whom this phone belongs, if known.
    me = signed_in_player(request, night.club) if key is None else player_of(night.club, key)
    expected, others = expected_and_others(night)
    posted = request.POST if request.POST.get("do") == "here" else None
    form = NameForm(posted, players=[*expected, *others])
    response = _act(request, night, me, form) if request.method == "POST" else None
    if response is None:
        context: dict[str, object] = {"night": night, "form": form, "me": me}
        context |= {"expected": expected, "others": others}
        # Whether this phone may check the player out; None: the player is not here.
        by_this_phone = checked_in_by(night, me.pk, visitor(request)) if me else None
        context |= {"here": by_this_phone is not None, "own": by_this_phone}
        now = timezone.now()
        context |= {"on": night.goes_on(now), "later": not night.ended_at and night.starts_at > now}
        if access.may_read(request, night.club):
            context |= access.context(request, night.club)
        response = render(request, "nights/door.html", context)
    # Its name lets the phone check out whom it checked in; the token lets it read "My table".
    remember_device(request, response)
    remember_token(request, response, INVITED, night.door_token or "")
    return response


@require_safe
@cache_control(private=True, max_age=3600)
def door_qr(request: HttpRequest, door_token: str) -> HttpResponse:
    """Draw the QR code of the door's URL."""
    if night_of_door(door_token) is None:
        raise Http404
    return qr_response(full_address(request, reverse("door", args=[door_token])))


def _act(
    request: HttpRequest, night: ClubNight, me: Player | None, form: NameForm
) -> HttpResponse | None:
    """Do what was tapped and return the response; ``None`` to show the page with its form."""
    back = redirect("door", night.door_token)
    response: HttpResponse | None = back
    match request.POST.get("do"):
        case "home" if me is not None:
            with refusals_as_messages(request):
                _check_out(request, night, me)
        case "not-me":  # the doors forget the player
            remember_player(request, back, None, path=_DOORS_PATH, cookie=ME_AT_DOOR)
        case "me" if me is not None:
            with refusals_as_messages(request):
                response = _check_in(request, night, player_id=me.pk)
        case "here" if form.is_valid():
            response, who = None, form.cleaned_data
            with refusals_on(form):
                response = _check_in(request, night, player_id=who["player"], name=who["name"])
        case _:
            response = None
    return response


def _check_in(
    request: HttpRequest, night: ClubNight, *, player_id: int | None, name: str = ""
) -> HttpResponse:
    """Check a person in and redirect to their table; a refusal is raised."""
    player = come_in(night_id=night.pk, player_id=player_id, name=name, by=visitor(request))
    if player is None:  # a new name, which the organiser has to let in first
        template = _("%(name)s: the organiser has your name and lets you in. Then tap it here.")
        messages.warning(request, template % {"name": name})
        return redirect("door", night.door_token)
    messages.success(request, _("You are here, %(name)s. Welcome!") % {"name": player.name})
    response = redirect("my-table", night.club_id)
    remember_player(request, response, player.pk, path=_DOORS_PATH, cookie=ME_AT_DOOR)
    remember_player(request, response, player.pk, path=reverse("club", args=[night.club_id]))
    return response


def _check_out(request: HttpRequest, night: ClubNight, me: Player) -> None:
    was_here = go_home(night_id=night.pk, player_id=me.pk, by=visitor(request))
    seat = Seat.objects.active().filter(player=me).select_related("sitting").first()
    if seat is not None:
        template = _("You still have a seat at table %(table)d: tell the organiser who takes it.")
        messages.warning(request, template % {"table": seat.sitting.number})
    elif was_here:
        messages.success(request, _("Good night, %(name)s!") % {"name": me.name})


urlpatterns = [
    path("nights/<int:night_id>/door/", night_door, name="night-door"),
    path("door/<str:door_token>/", door, name="door"),
    path("door/<str:door_token>/qr.svg", door_qr, name="door-qr"),
]
