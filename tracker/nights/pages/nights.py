"""Pages of club nights: list, announcement, and the page or desk of a night with its buttons."""

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.errors import gettext_noop
from tracker.common.files import disk_warning
from tracker.common.web import access
from tracker.common.web.addresses import address_to_type, full_address
from tracker.common.web.feeds import feed_address, store_nowhere
from tracker.common.web.polling import ONE_MINUTE, conditional_page
from tracker.common.web.requests import key_in
from tracker.models import ClubNight, Role, RoundState, Sitting
from tracker.nights.pages.desk_actions import (
    SHARED_ACTIONS,
    Action,
    copy_database_before,
    number_of,
    row_named,
    run_action,
    service_action,
)
from tracker.nights.queries.desk import night_desk
from tracker.nights.queries.nights import replies, results_of_night, tournaments_of
from tracker.nights.services.nights import (
    announce_night,
    edit_night,
    end_night,
    renew_link,
    reopen_night,
)
from tracker.seating.services.clocks import (
    give_minutes,
    pause_clocks,
    resume_clocks,
    start_clock,
    take_break,
)
from tracker.seating.services.rounds import shorten_round
from tracker.tables import revisions

PAST_SHOWN = 30


class NightForm(forms.ModelForm):  # type: ignore[type-arg]  # not a generic at run time
    class Meta:
        model = ClubNight
        fields = ("starts_at", "place", "games")
        labels = {
            "starts_at": gettext_lazy("When?"),
            "place": gettext_lazy("Where?"),
            "games": gettext_lazy("What do you play?"),
        }
        help_texts = {
            "games": gettext_lazy(
                "In your own words: “Albastini first, then Dalmuti for whoever stays”."
            )
        }
        error_messages = {
            "starts_at": {
                "required": gettext_lazy("Please say when it begins."),
                "invalid": gettext_lazy("Please write a day and a time, such as 2026-11-27 19:30."),
            }
        }
        widgets = {
            "starts_at": forms.DateTimeInput(
                attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"
            )
        }


@require_safe
def nights(request: HttpRequest, club_id: int) -> HttpResponse:
    """List the nights of a club: the coming ones, then the past ones."""
    club = access.club(request, club_id)
    of_club, now = ClubNight.objects.filter(club=club).counted(), timezone.now()
    past = of_club.over(now).order_by("-starts_at", "-pk")[:PAST_SHOWN]
    coming = of_club.to_come(now)
    calendar = feed_address(request, club, "club-calendar", club.pk)
    context = {"coming": coming, "past": past, "calendar": calendar}
    return store_nowhere(access.render(request, "nights/nights.html", club, **context), club)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def night_new(request: HttpRequest, club_id: int) -> HttpResponse:
    """Announce a night; ``?after=KEY`` proposes one like that night, a week later."""
    club = access.club(request, club_id, Role.ORGANISER)
    earlier = ClubNight.objects.filter(club=club, pk=key_in(request.GET.get("after", ""))).first()
    if earlier:
        begins = earlier.starts_at.replace(second=0, microsecond=0) + timedelta(weeks=1)
        # A night that began with a tap may have begun at 19:07: propose 19:00.
        begins -= timedelta(minutes=begins.minute % 30)
        proposed = {"starts_at": begins, "place": earlier.place, "games": earlier.games}
    else:
        now = timezone.localtime().replace(second=0, microsecond=0)
        # The next full or half hour.
        proposed = {"starts_at": now + timedelta(minutes=-now.minute % 30)}
    form = NightForm(request.POST or None, initial=proposed)
    if form.is_valid():
        night = announce_night(**form.cleaned_data, club_id=club.pk, by=access.actor(request))
        messages.success(request, _("Announced."))
        return redirect(night)
    return access.render(request, "nights/new.html", club, form=form)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def night_edit(request: HttpRequest, night_id: int) -> HttpResponse:
    night = access.get(request, ClubNight.objects, night_id, Role.ORGANISER)
    form = NightForm(request.POST or None, instance=night)
    if form.is_valid():
        edit_night(**form.cleaned_data, night_id=night.pk, by=access.actor(request))
        messages.success(request, _("Saved."))
        return redirect(night)
    return access.render(request, "nights/edit.html", night.club, night=night, form=form)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@conditional_page(revisions.of_night, every=ONE_MINUTE)
def night_page(request: HttpRequest, night_id: int) -> HttpResponse:
    """Show the night's desk to scorers and organisers, to others when and where the night is."""
    acting = request.method == "POST"
    night = access.get(request, ClubNight.objects, night_id, Role.ORGANISER if acting else None)
    if acting:
        next_page = run_action(request, _ACTIONS, night, refusal_level=messages.WARNING)
        return redirect(next_page or night)
    context: dict[str, Any] = {"night": night}
    if access.may(request, night.club, Role.SCORER):
        template, desk = "nights/desk.html", night_desk(night, now=timezone.now())
        code_address = address_to_type(request, reverse("card-code"))
        context |= {"desk": desk, "disk": disk_warning(), "code_address": code_address}
        context["reply_link"] = full_address(request, reverse("night-rsvp", args=[night.reply_id]))
        has_official = bool(desk.official)
    else:
        template, tournaments = "nights/night.html", tournaments_of(night)
        # Their standings are not official yet; only these are listed.
        unfinished = [row for row in tournaments if row.official_at is None]
        context |= {"rsvps": replies(night), "tournaments": unfinished}
        has_official = len(unfinished) < len(tournaments)
    if has_official or night.ended_at:
        context["results"] = results = results_of_night(night)
        # The stages of tournaments in which a tie for a prize is open.
        context["ties"] = [stage for result in results for stage in result.tied]
    return access.render(request, template, night.club, **context)


def _start_clock(request: HttpRequest, night: ClubNight) -> None:
    round_ = row_named(request, "round", night.rounds.filter(state=RoundState.OPEN))
    minutes = number_of(request, "minutes")
    start_clock(round_id=round_.pk, minutes=minutes, by=access.actor(request))


def _give_minutes(request: HttpRequest, night: ClubNight) -> None:
    sitting = row_named(request, "sitting", Sitting.objects.filter(round__night=night))
    minutes = number_of(request, "minutes")
    give_minutes(sitting_id=sitting.pk, minutes=minutes, by=access.actor(request))
    sentence = _("Table %(table)d has %(minutes)d more minutes.")
    messages.success(request, sentence % {"table": sitting.number, "minutes": minutes})


def _shorten_round(request: HttpRequest, night: ClubNight) -> None:
    round_ = row_named(request, "round", night.rounds.all())
    length = number_of(request, "length")
    copy_database_before(
        request, round_, _("Before round %(number)d of %(tournament)s was made shorter")
    )
    shorten_round(round_id=round_.pk, length=length, by=access.actor(request))
    sentence = _("Round %(number)d ends after %(length)d.")
    messages.success(request, sentence % {"number": round_.number, "length": length})


# What the buttons of a night's desk do, by the name of the button. The texts after a service are
# the name under which it takes the night's key, and the form's fields that it takes as numbers.
_ACTIONS: dict[str, Action[ClubNight]] = {
    **SHARED_ACTIONS,
    "start": _start_clock,
    "pause": service_action(pause_clocks, "night_id"),
    "resume": service_action(resume_clocks, "night_id"),
    "give": _give_minutes,
    "shorten": _shorten_round,
    "break": service_action(take_break, "night_id", "minutes"),
    "end": service_action(end_night, "night_id"),
    "reopen": service_action(reopen_night, "night_id"),
    "new-link": service_action(
        renew_link,
        "night_id",
        message=gettext_noop(
            "This is the new link. Send it to your people: the old one no longer works."
        ),
    ),
}

urlpatterns = [
    path("clubs/<int:club_id>/nights/", nights, name="nights"),
    path("clubs/<int:club_id>/nights/new/", night_new, name="night-new"),
    path("nights/<int:night_id>/", night_page, name="night"),
    path("nights/<int:night_id>/edit/", night_edit, name="night-edit"),
]
