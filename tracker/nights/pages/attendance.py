"""Attendance of a night: check-in by the organiser, replies by link.

A ``Person`` is a choice of a form: the key of a player or of a new name's reply, and the name.
"""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import get_text_list
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tracker.common.forms import NameField, NewPeopleField, TapField, refusals_on
from tracker.common.names import suggest_other
from tracker.common.web import access
from tracker.common.web.access import signed_in_player
from tracker.common.web.devices import INVITED, remember_token, visitor
from tracker.common.web.requests import FROM_NIGHT, came_from_night, key_in
from tracker.models import ClubNight, Player, Role, Seat, name_key
from tracker.nights.queries.nights import (
    NightPeople,
    Person,
    night_of_link,
    people_of_night,
    replies,
    waiting_at_door,
)
from tracker.nights.services.attendance import answer_waiting, arrive, leave, record_rsvp
from tracker.seating.queries.players import players_to_choose


class NameForm(forms.Form):
    """A name, chosen among *players* or typed."""

    player = forms.TypedChoiceField(
        label=gettext_lazy("Your name"), coerce=int, required=False, empty_value=None
    )
    name = NameField(
        label=gettext_lazy("Not in the list? Type it"),
        max_length=Player.name.field.max_length,
        required=False,
    )

    def __init__(self, *args: Any, players: Sequence[Person], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["player"].choices = [("", "–"), *players]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        named = cleaned.get("player") is not None or cleaned.get("name")
        if not named and not {"player", "name"} & self.errors.keys():
            self.add_error("player", _("Choose your name, or type it."))
        return cleaned


class RsvpForm(NameForm):
    answer = forms.ChoiceField(
        label=gettext_lazy("Are you coming?"),
        choices=[("yes", gettext_lazy("I’m in")), ("no", gettext_lazy("Can’t make it"))],
        error_messages={"required": gettext_lazy("Tap one of the two.")},
    )


class CheckInForm(forms.Form):
    """Who has arrived: players, and names that are new to the club, with their home club."""

    people = TapField(label=gettext_lazy("Who’s here?"))  # players
    typed = TapField(label=gettext_lazy("New people"))  # replies that were typed under new names
    names = NewPeopleField(label=gettext_lazy("New names"))  # typed by the organiser
    visitor_from = forms.CharField(
        label=gettext_lazy("Visiting from"),
        help_text=gettext_lazy("The new ones’ home club. Leave empty for your own people."),
        max_length=Player.visitor_from.field.max_length,
        required=False,
    )
    in_season = forms.BooleanField(
        label=gettext_lazy("Count these visitors for the season too"),
        help_text=gettext_lazy("Otherwise they count tonight only."),
        required=False,
    )

    def __init__(self, *args: Any, choices: NightPeople, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.choices = choices
        people: Any = self.fields["people"]
        people.choices = [*choices.expected, *choices.others]
        self.fields["typed"].choices = choices.typed  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        tapped = cleaned.get("people") or cleaned.get("typed")
        if not tapped and not cleaned.get("names") and not self.errors:
            self.add_error("people", _("Tap or type who has arrived."))
        return cleaned

    @property
    def new_names(self) -> list[str]:
        """Return all names that are new to the club: of the tapped replies, and typed here."""
        name_of = dict(self.choices.typed)
        return [*(name_of[key] for key in self.cleaned_data["typed"]), *self.cleaned_data["names"]]

    @property
    def folded(self) -> bool:
        """Return whether the fields for new people may stay closed: none is filled or wrong.

        If there are no names to tap, they are open.
        """
        names_to_tap = self.choices.expected or self.choices.typed or self.choices.others
        filled = self["names"].value() or self["visitor_from"].value()
        return bool(names_to_tap) and not (filled or {"names", "visitor_from"} & self.errors.keys())


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def night_people(request: HttpRequest, night_id: int) -> HttpResponse:
    """Check people in and out by tapping names, and answer new names at the door."""
    night = access.get(request, ClubNight.objects, night_id, Role.ORGANISER)
    if "left" in request.POST:
        return _check_out(request, night)  # it shows this page again, where others leave too
    # A reader who came from the night's desk goes back there.
    next_page = night.get_absolute_url() if came_from_night(request) else request.path
    if "let-in" in request.POST or "decline" in request.POST:
        let_in, by = "let-in" in request.POST, access.actor(request)
        keys = [key_in(key) for key in request.POST.getlist("waiting")]
        if names := answer_waiting(night_id=night.pk, rsvps=keys, let_in=let_in, by=by):
            template = _("Let in: %(names)s.") if let_in else _("Turned away: %(names)s.")
            messages.success(request, template % {"names": get_text_list(names, _("and"))})
        return redirect(next_page)
    everybody = people_of_night(night)
    form = CheckInForm(request.POST or None, choices=everybody)
    if form.is_valid() and _check_in(request, night, form):
        return redirect(next_page)
    context = {"night": night, "people": everybody, "form": form, "waiting": waiting_at_door(night)}
    return access.render(request, "nights/people.html", night.club, **context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def night_rsvp(request: HttpRequest, reply_id: str) -> HttpResponse:
    """Let anybody with the link reply to the night, without signing in."""
    night = night_of_link(reply_id)
    if night is None:
        return render(request, "nights/gone.html", status=404)
    club = night.club
    reader = signed_in_player(request, club)
    initial = {"player": reader.pk if reader else None}
    posted = request.POST if request.method == "POST" else None
    form = RsvpForm(posted, players=players_to_choose(club), initial=initial)
    if form.is_valid():
        with refusals_on(form):
            rsvp = record_rsvp(
                night_id=night.pk,
                player_id=form.cleaned_data["player"],
                name=form.cleaned_data["name"],
                yes=form.cleaned_data["answer"] == "yes",
                by=visitor(request),  # who need not be signed in
            )
            thanks = _("A pity, %(name)s. You can change your mind at any time.")
            if rsvp.yes:
                thanks = _("See you there, %(name)s!")
            messages.success(request, thanks % {"name": rsvp.called})
            # The buttons on the club's page send "back".
            if "back" in request.POST and access.may_read(request, club):
                return redirect(club)
            return redirect("night-rsvp", reply_id)
    # A reader who has the link need not belong to a private club: no links to its pages then.
    context: dict[str, object] = {"night": night, "form": form, "own": reader}
    context |= {"rsvps": replies(night), "begun": night.starts_at <= timezone.now()}
    if access.may_read(request, club):
        context |= access.context(request, club)
    response = render(request, "nights/coming.html", context)
    # A cookie that lets this phone read the page "My table", even in a private club.
    remember_token(request, response, INVITED, str(night.reply_id))
    return response


def _check_in(request: HttpRequest, night: ClubNight, form: CheckInForm) -> bool:
    """Check in the people of a valid form; return false if that was refused."""
    answers = form.cleaned_data
    # Players who were typed by their first names; visitors from another club are not looked up.
    player_of = {} if answers["visitor_from"] else _players_by_first_name(night, form.new_names)
    with refusals_on(form):
        arrived, new = arrive(
            night_id=night.pk,
            players=[*answers["people"], *player_of.values()],
            new_names=[name for name in form.new_names if name not in player_of],
            visitor_from=answers["visitor_from"],
            in_season=answers["in_season"],
            by=access.actor(request),
        )
    if form.errors:  # ``refusals_on`` adds a refusal as an error
        return False
    if len(new) == 1:
        messages.success(request, _("%(name)s is here.") % {"name": new[0].name})
    elif new:
        messages.success(request, _("%(count)d more are here.") % {"count": len(new)})
    if already := [player.name for player in arrived if player not in new]:
        names = {"names": get_text_list(already, _("and")), "another": suggest_other(already[0])}
        sentence = _(
            "Here already: %(names)s. Is this somebody else? Add a letter, such as “%(another)s”."
        )
        messages.warning(request, sentence % names)
    return True


def _players_by_first_name(night: ClubNight, names: Sequence[str]) -> dict[str, int]:
    """Map each name that is the first name of exactly one player of the club to that player.

    Full names are left out: ``arrive`` finds their players.
    """
    player_of: dict[str, int] = {}
    for name in names:
        key = name_key(name)
        has_name = Q(name_key=key) | Q(name_key__startswith=f"{key} ")
        # Two are enough to know that there is not exactly one.
        players = list(Player.objects.present().filter(has_name, club=night.club_id)[:2])
        if len(players) == 1 and players[0].name_key != key:
            player_of[name] = players[0].pk
    return player_of


def _check_out(request: HttpRequest, night: ClubNight) -> HttpResponse:
    """Check a player out, and name the table where they still have a seat."""
    player = Player.objects.filter(pk=key_in(request.POST["left"]), club=night.club_id).first()
    if player and leave(night_id=night.pk, players=[player.pk], by=access.actor(request)):
        seat = Seat.objects.active().filter(player=player).select_related("sitting").first()
        if seat is None:
            messages.success(request, _("%(name)s has gone home.") % {"name": player.name})
        else:
            sentence = _("%(name)s has gone home, but has a seat at table %(table)d.")
            sentence %= {"name": player.name, "table": seat.sitting.number}
            url = reverse("round-seats", args=[seat.round_id]) + FROM_NIGHT
            link = format_html('{} <a href="{}">{}</a>', sentence, url, _("Change seats there"))
            messages.warning(request, link)
    return redirect("night-people", night.pk)


urlpatterns = [
    path("nights/<int:night_id>/people/", night_people, name="night-people"),
    path("come/<str:reply_id>/", night_rsvp, name="night-rsvp"),
]
