"""Club nights: announced, looked forward to, and who is there."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from games.errors import RuleError
from tracker.common.names import another
from tracker.common.refusals import refuse
from tracker.common.web import access
from tracker.common.web.addresses import reachable
from tracker.common.web.devices import remember_invited
from tracker.common.web.htmx import HtmxHttpRequest
from tracker.common.web.parameters import key_in
from tracker.models import Club, ClubNight, Player, Role
from tracker.nights.forms.nights import CheckInForm, NightForm, RsvpForm
from tracker.nights.logic.calendars import Event, calendar_of
from tracker.nights.queries.night_desk import night_desk, tournaments_of
from tracker.nights.queries.nights import night_of_link, people, rsvp_summary, tables_of
from tracker.nights.queries.nights import nights as nights_of
from tracker.nights.services.attendance import arrive, leave, record_rsvp
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
        night = announce_night(
            **form.cleaned_data,
            club_id=club.pk,
            by=access.actor(request),
        )
        messages.success(request, _("It is announced. Send the link below to your people."))
        return redirect(night)
    return render(request, "nights/new.html", access.context(request, club, form=form))


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def night_edit(request: HttpRequest, night_id: int) -> HttpResponse:
    """Change when and where a night is."""
    night = night_for(request, night_id, Role.ORGANISER)
    known = {
        "starts_at": timezone.localtime(night.starts_at),
        "place": night.place,
        "games": night.games,
    }
    form = NightForm(request.POST or None, initial=known)
    if form.is_valid():
        edit_night(
            **form.cleaned_data,
            night_id=night.pk,
            by=access.actor(request),
        )
        messages.success(request, _("That is how it is now."))
        return redirect(night)
    context = access.context(request, night.club, night=night, form=form)
    return render(request, "nights/edit.html", context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@vary_on_headers("HX-Request")
def night(request: HtmxHttpRequest, night_id: int) -> HttpResponse:
    """Show the evening to whoever runs it, and to everybody else when and where it is."""
    acting = request.method == "POST"
    found = night_for(request, night_id, Role.ORGANISER if acting else None)
    if acting:
        return redirect(act(request, found))
    if not access.may(request, found.club, Role.SCORER):
        context = access.context(
            request,
            found.club,
            night=found,
            rsvps=rsvp_summary(found),
            tournaments=tournaments_of(found),
        )
        return render(request, "nights/night.html", context)
    now = timezone.now()
    desk = night_desk(found, now=now)
    context = access.context(request, found.club, night=found, desk=desk)
    part = "#live" if request.htmx else ""
    return render(request, f"nights/desk.html{part}", context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def night_people(request: HttpRequest, night_id: int) -> HttpResponse:
    """Check people in by tapping names, and let them go home."""
    found = night_for(request, night_id, Role.ORGANISER)
    if "left" in request.POST:
        return _leave(request, found)
    everybody = people(found)
    form = CheckInForm(request.POST or None, people=everybody)
    if form.is_valid() and _arrive(request, found, form):
        return redirect("night-people", found.pk)
    context = access.context(request, found.club, night=found, people=everybody, form=form)
    return render(request, "nights/people.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def night_rsvp(request: HttpRequest, night_uid: str) -> HttpResponse:
    """Let whoever has the link say whether they come; nobody signs in for that."""
    found = night_of_link(night_uid)
    if found is None:
        raise Http404
    club = found.club
    players = Player.objects.present().filter(club=club).order_by("name_key")
    form = RsvpForm(
        request.POST if request.method == "POST" else None,
        players=list(players.values_list("pk", "name")),
    )
    if form.is_valid():
        try:
            rsvp = record_rsvp(
                night_id=found.pk,
                player_id=form.cleaned_data["player"],
                name=form.cleaned_data["name"],
                yes=form.cleaned_data["answer"] == "yes",
                now=timezone.now(),
            )
        except RuleError as error:
            refuse(form, error)
        else:
            name = str(rsvp.player or rsvp.name)
            thanks = (
                _("See you there, %(name)s!")
                if rsvp.yes
                else _("A pity, %(name)s. You can still change your mind here.")
            )
            messages.success(request, thanks % {"name": name})
            return redirect("night-rsvp", night_uid)
    # Whoever has the link need not be of a private club: its pages are not offered to them.
    shown: dict[str, object] = {
        "night": found,
        "form": form,
        "rsvps": rsvp_summary(found),
        "begun": found.starts_at <= timezone.now(),
    }
    if access.may_read(request, club):
        shown |= access.context(request, club)
    response = render(request, "nights/coming.html", shown)
    remember_invited(request, response, club.pk)
    return response


@require_safe
@never_cache
def night_calendar(request: HttpRequest, night_uid: str) -> HttpResponse:
    """Give whoever has the link the night for their own calendar."""
    found = night_of_link(night_uid)
    if found is None:
        raise Http404
    event = Event(
        uid=f"{found.uid}@kula",
        title=_("Cards at %(club)s") % {"club": found.club.name},
        starts_at=found.starts_at,
        place=found.place,
        told=found.games,
        address=reachable(request, reverse("night-rsvp", args=[found.uid])),
    )
    name = f"{timezone.localtime(found.starts_at):%Y-%m-%d}.ics"
    return HttpResponse(
        calendar_of(event, now=timezone.now()),
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def night_for(request: HttpRequest, night_id: int, role: Role | None = None) -> ClubNight:
    """Return the night with its club, on the terms of ``access.get``."""
    return access.get(request, ClubNight.objects, night_id, role)


def _arrive(request: HttpRequest, night: ClubNight, form: CheckInForm) -> bool:
    asked = form.cleaned_data
    try:
        arrived = arrive(
            night_id=night.pk,
            players=asked["people"],
            new_names=form.new_names,
            visitor_from=asked["visitor_from"],
            in_season=asked["in_season"],
            by=access.actor(request),
        )
    except RuleError as error:
        refuse(form, error)
        return False
    if len(arrived.new) == 1:
        messages.success(request, _("%(name)s is here.") % {"name": arrived.new[0].name})
    elif arrived.new:
        messages.success(request, _("%(count)d more are here.") % {"count": len(arrived.new)})
    if already := [player.name for player in arrived.players if player not in arrived.new]:
        told = {"names": get_text_list(already, _("and")), "another": another(already[0])}
        words = _(
            "Here already: %(names)s. If this is somebody else, write one letter more, such as"
            " “%(another)s”."
        )
        messages.warning(request, words % told)
    return True


def _leave(request: HttpRequest, night: ClubNight) -> HttpResponse:
    player = Player.objects.filter(pk=key_in(request.POST["left"]), club=night.club_id).first()
    if player and leave(
        night_id=night.pk,
        players=[player.pk],
        by=access.actor(request),
    ):
        _say_left(request, player, night.club)
    return redirect("night-people", night.pk)


def _say_left(request: HttpRequest, player: Player, club: Club) -> None:
    """Say that somebody has left, and who now waits for them at a table."""
    table = tables_of(club.pk).get(player.pk)
    if table is None:
        messages.success(request, _("%(name)s has left.") % {"name": player.name})
    else:
        messages.warning(
            request,
            _("%(name)s has left, but sits at table %(table)d: let somebody take over there.")
            % {"name": player.name, "table": table},
        )
