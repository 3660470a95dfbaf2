"""What could we play? Formats for so many people and minutes, and their simulation in pieces."""

from datetime import time
from time import perf_counter
from typing import Any

from django import forms
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games import catalogue
from tracker.common.fields import CountField
from tracker.common.refusals import sentence
from tracker.common.web import access
from tracker.common.web.htmx import HtmxHttpRequest
from tracker.models import Club, Role
from tracker.planning.cards import cards
from tracker.planning.logic.proposals import Occasion
from tracker.planning.state import PlanningState, UnreadableState, advance, read
from tracker.tournaments.games import game_cards

MOST_PLAYERS, LONGEST = 120, 720


class PlanForm(forms.Form):
    players = CountField(label=_("How many players?"), most=MOST_PLAYERS)
    minutes = CountField(label=_("How many minutes?"), most=LONGEST, initial=150)
    starts = forms.TimeField(
        label=_("Starting when?"),
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        initial=time(19, 30),
        error_messages={"invalid": _("Please type a time, such as 19:30.")},
    )
    game = forms.ChoiceField(label=_("Which game?"))
    minutes_each = CountField(
        label=_("Minutes a hand"),
        help_text=_("Or a game, where rounds count games. Leave empty for the usual."),
        required=False,
        most=LONGEST,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cards = [(card.slug, card.name) for card in game_cards()]
        self.fields["game"].choices = cards  # type: ignore[attr-defined]

    def progress(self) -> PlanningState:
        """Return what was asked, with nothing simulated yet."""
        game = catalogue.GAMES[self.cleaned_data["game"]]
        return PlanningState(
            occasion=Occasion(
                players=self.cleaned_data["players"],
                minutes=self.cleaned_data["minutes"],
                game=game,
                minutes_each=self.cleaned_data["minutes_each"] or game.typical.minutes,
            ),
            starts=self.cleaned_data["starts"],
        )


def answers_of(progress: PlanningState) -> dict[str, object]:
    """Return what was asked as the form is filled in."""
    asked = progress.occasion
    usual = asked.minutes_each == asked.game.typical.minutes
    return {
        "players": asked.players,
        "minutes": asked.minutes,
        "starts": progress.starts,
        "game": asked.game.slug,
        "minutes_each": None if usual else asked.minutes_each,
    }


def usual_evening(club: Club) -> dict[str, object]:
    """Return ``game`` and number of ``players`` of the club's last tournament, in one query."""
    playing = Q(entrants__withdrawn_at=None)
    last = (
        club.tournaments.order_by("-created_at", "-pk")
        .annotate(
            alone=Count("entrants__player", filter=playing, distinct=True),
            in_teams=Count("entrants__team__roster", filter=playing, distinct=True),
        )
        .values("game", "alone", "in_teams")
        .first()
    )
    if last is None:
        return {}
    people = last["alone"] + last["in_teams"]
    return {"game": last["game"], **({"players": people} if people else {})}


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def plan(request: HtmxHttpRequest, club_id: int) -> HttpResponse:
    """Ask what the evening is like, propose formats, and simulate them as the page asks on."""
    club = access.club(request, club_id, Role.ORGANISER)
    if request.method == "POST":
        try:
            progress = read(request.POST.get("state", ""))
        except UnreadableState as error:
            form = PlanForm(initial=usual_evening(club))
            return _page(request, club, form, None, refusal=sentence(error))
        # A page without a script asks for six pieces at once.
        for _piece in range(1 if request.htmx else 6):
            progress = advance(progress, clock=perf_counter)
        return _page(request, club, PlanForm(initial=answers_of(progress)), progress)
    if "players" in request.GET:
        form = PlanForm(request.GET)
        return _page(request, club, form, form.progress() if form.is_valid() else None)
    return _page(request, club, PlanForm(initial=usual_evening(club)), None)


def _page(
    request: HtmxHttpRequest,
    club: Club,
    form: PlanForm,
    progress: PlanningState | None,
    *,
    refusal: str = "",
) -> HttpResponse:
    context = access.context(
        request,
        club,
        form=form,
        progress=progress,
        cards=cards(progress, club.pk) if progress else [],
        running=progress is not None and progress.current is not None,
        state=progress.written() if progress else "",
        refusal=refusal,
    )
    template = "planning/proposals.html" if request.htmx and progress else "planning/plan.html"
    return render(request, template, context)
