"""Tonight: from nothing to the first hand on one page."""

from random import SystemRandom
from typing import Any

from django.contrib import messages
from django.db.models import Exists, F, OuterRef, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from games.errors import RuleError
from games.game import AnyGame
from games.mode import Mode
from tracker.common.forms import refusal_text, refusals_on
from tracker.common.web import access
from tracker.common.web.requests import key_in, return_page
from tracker.models import (
    Attendance,
    Club,
    ClubNight,
    Format,
    Movement,
    Player,
    Role,
    Seat,
    Tournament,
    name_key,
)
from tracker.movements.table_sizes import full_tables
from tracker.nights.forms import TonightForm
from tracker.nights.queries.nights import people_of, previous_tournament
from tracker.nights.services.tonight import begin_tonight, mode_for
from tracker.seating.queries.players import waiting_players
from tracker.tournaments.queries import title_of


def known_players(club: Club) -> list[Player]:
    """Return the players of the club: the latest seen at a night first, those seated now last."""
    sit = Exists(Seat.objects.active().filter(player=OuterRef("pk")))
    stays = Attendance.objects.filter(player=OuterRef("pk")).order_by("-night__starts_at")
    people = (
        Player.objects.present()
        .filter(club=club)
        .annotate(sits=sit, seen=Subquery(stays.values("night__starts_at")[:1]))
    )
    return list(people.order_by("sits", F("seen").desc(nulls_last=True), "name_key"))


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def tonight(request: HttpRequest, club_id: int) -> HttpResponse:
    """Ask which game and who is here; seat everybody and open round 1."""
    club = access.club(request, club_id, Role.ORGANISER)
    # Whoever was checked in and does not play yet is tapped already.
    night = ClubNight.objects.going_on(club.pk, timezone.now())
    here = waiting_players(night)
    initial: dict[str, object] = {"people": here}
    if again := request.POST.get("again") or request.GET.get("again"):
        last = get_object_or_404(Tournament, pk=key_in(again), club=club)
        if "again" in request.POST:
            return redirect(_begin_like(request, last))
        initial = {"people": people_of(last), "game": last.game}
    form = TonightForm(request.POST or None, players=known_players(club), initial=initial)
    if "look" in request.POST:
        return render(request, "nights/tonight/fit.html", {"fit": _fit(form, club)})
    if form.is_valid():
        with refusals_on(form):
            people = _people(form, club)
            return redirect(_begin(request, club.pk, form.rules, people, **form.answers()))
    begun = here or any(getattr(player, "sits", False) for player in form.players)
    before = None if again or begun or form.is_bound else previous_tournament(club, night)
    again_with = people_of(before) if before else []
    context = access.context(request, club, form=form, night=night, last=before, people=again_with)
    return render(request, "nights/tonight/tonight.html", context)


def _begin(request: HttpRequest, club_id: int, rules: AnyGame, people: int, **how: Any) -> str:
    """Seat so many people and open round 1; return the address where that leads.

    :raises RuleError: as ``begin_tonight`` does, which takes *how*.
    """
    round_ = begin_tonight(
        club_id=club_id,
        game=rules.slug,
        title=title_of(_(rules.name), timezone.localdate()),
        by=access.actor(request),
        rng=SystemRandom(),
        **how,
    )
    messages.success(request, fit_sentence(people, round_.tournament.table_mode))
    return return_page(request, round_)


def _begin_like(request: HttpRequest, last: Tournament) -> str:
    """Seat the people of *last* by lot in another of its kind, and return where that leads.

    If it cannot, the reason is shown above the page.
    """
    people = people_of(last)
    how = {
        "players": people,
        "new_names": (),
        "mode": last.mode,
        "format_": Format(last.format),
        "length": last.hands or last.games,
        "options": last.house_rules,
        "movement": Movement.BY_LOT,
    }
    try:
        return _begin(request, last.club_id, last.rules, len(people), **how)
    except RuleError as error:
        messages.warning(request, refusal_text(error))
        return request.get_full_path()


def _people(form: TonightForm, club: Club) -> int:
    """Return how many are here, known players who were also written counted once."""
    asked = form.cleaned_data
    keys = {name_key(name) for name in asked["names"]}
    tapped = Player.objects.filter(club=club, pk__in=asked["people"])
    return len(keys | set(tapped.values_list("name_key", flat=True)))


def _fit(form: TonightForm, club: Club) -> str:
    """Say how so many people would sit, while they are still being tapped."""
    if not form.is_valid():
        return ""
    people = _people(form, club)
    try:
        mode = mode_for(form.rules, people, Format(form.cleaned_data["format"]), form.mode_code)
    except RuleError as error:
        return refusal_text(error)
    return fit_sentence(people, mode)


def fit_sentence(people: int, mode: Mode) -> str:
    """Say how many tables so many people make, and how many rest.

    >>> from games.mode import Mode
    >>> fit_sentence(13, Mode("4t2", 4, ((0, 2), (1, 3)), "four in two pairs"))
    '13 people make 3 tables of four in two pairs; 1 sits out, in turn.'
    """
    tables, resting = full_tables(people, mode, fixed=False)
    made = ngettext(
        "%(people)d people make %(tables)d table of %(mode)s",
        "%(people)d people make %(tables)d tables of %(mode)s",
        tables,
    ) % {"people": people, "tables": tables, "mode": _(mode.name)}
    if not resting:
        return _("%(made)s.") % {"made": made}
    rest = ngettext(
        "%(made)s; %(resting)d sits out, in turn.",
        "%(made)s; %(resting)d sit out, in turn.",
        resting,
    )
    return rest % {"made": made, "resting": resting}


urlpatterns = [
    path("clubs/<int:club_id>/tonight/", tonight, name="tonight"),
]
