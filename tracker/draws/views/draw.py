"""The draw of the coming round: looked at, changed, published, opened."""

from collections.abc import Callable, Sequence
from random import SystemRandom

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from games.errors import RuleError
from tracker.common.names import split_names
from tracker.common.refusals import refuse, sentence
from tracker.common.web import access
from tracker.common.web.htmx import HtmxHttpRequest
from tracker.common.web.parameters import key_in, number_in
from tracker.common.web.returning import FROM_NIGHT, came_from_night, way_back
from tracker.draws.forms import DrawForm
from tracker.draws.logic.settings import settings_from_json
from tracker.draws.queries.page import draw_page, swap_effect
from tracker.draws.queries.question import (
    arrivals,
    changes_since,
    coming_number,
    draws_of,
    last_round,
    modes_of,
    usual_rounds,
    usual_settings,
    who_plays,
)
from tracker.draws.queries.who import entrants_by_name
from tracker.draws.services.drawing import (
    discard_draws,
    draw_rounds,
    lock_table,
    mend_draw,
    publish_draws,
    redraw,
    swap,
    swapped_plan,
)
from tracker.draws.services.opening import open_draw
from tracker.models import ClubNight, Draw, Role, Round, Tournament
from tracker.seating.queries.seats import waiting_players
from tracker.tournaments.queries import newcomers

LONGEST_LINE = 500  # of names that are added at once


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@vary_on_headers("HX-Request")
def draw(request: HtmxHttpRequest, tournament_id: int) -> HttpResponse:
    """Show the coming round as it would open, and take changes to it."""
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    last = last_round(tournament)
    number = last.number + 1 if last else 1
    night = ClubNight.objects.going_on(tournament.club_id, timezone.now())
    drawn = draws_of(tournament)
    if drawn and drawn[0].number != number:
        drawn = []
    for each in drawn:
        each.tournament = tournament
    do, _colon, table = request.POST.get("do", "").partition(":")
    form = _form(tournament, night, last, drawn, request.POST if do == "set" else None)
    said: dict[str, object] = {}
    if do == "set" and form.is_valid():
        if _set(request, tournament, form):
            return redirect(_here(request, tournament))
    elif do == "look" and drawn:
        said = _effect(request, drawn[0])
        if request.htmx:
            return render(request, "draws/draw.html#effect", said)
    elif do in {"lock", "free"}:
        _keep(request, tournament, number_in(table) or 0, locked=do == "lock")
        return redirect(_here(request, tournament))
    elif do in _ACTS:
        return redirect(_act(request, tournament, do))
    page = draw_page(drawn, changes_since(drawn[0], night=night)) if drawn else None
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        round=last,
        form=form,
        page=page,
        **said,
        number=number,
        back=FROM_NIGHT if came_from_night(request) else "",
    )
    return render(request, "draws/draw.html", context)


def _form(
    tournament: Tournament,
    night: ClubNight | None,
    last: Round | None,
    drawn: Sequence[Draw],
    typed: QueryDict | None,
) -> DrawForm:
    """Return the form of the settings, as they were drawn, typed, or are usual."""
    number = last.number + 1 if last else 1
    settings = usual_settings(tournament, last)
    present = who_plays(tournament, night, last)
    if drawn:
        settings = settings_from_json(drawn[0].question["settings"])
        present = drawn[0].question["present"]
    return DrawForm(
        typed,
        tournament=tournament,
        modes=modes_of(tournament),
        settings=settings,
        entrants=entrants_by_name(tournament),
        present=present,
        others=newcomers(tournament),
        here=waiting_players(night),
        rounds=len(drawn) or usual_rounds(tournament, settings.movement, number),
    )


def _set(request: HttpRequest, tournament: Tournament, form: DrawForm) -> bool:
    """Draw as the form says, or put beside the form why not."""
    try:
        draw_rounds(
            tournament_id=tournament.pk,
            by=access.actor(request),
            rng=SystemRandom(),
            settings=form.settings,
            entrants=form.order,
            newcomers=form.cleaned_data["more"],
            new_names=form.cleaned_data.get("names", []),
            rounds=form.cleaned_data["rounds"],
        )
    except RuleError as error:
        refuse(form, error)
        return False
    return True


def _effect(request: HttpRequest, drawn: Draw) -> dict[str, object]:
    """Say what the swap of the two who are tapped would do, or why it cannot be."""
    units = _two(request)
    try:
        effect = swap_effect(drawn, units, swapped_plan(drawn, units))
    except RuleError as error:
        return {"refusal": sentence(error), "tapped": units}
    return {"effect": effect, "tapped": units}


def _two(request: HttpRequest) -> tuple[int, int]:
    """Return the two who are tapped; anything else is 0 and 0, who are nobody."""
    tapped = [key_in(unit) for unit in request.POST.getlist("unit")]
    return (tapped[0], tapped[1]) if len(tapped) == 2 else (0, 0)


def _act(request: HttpRequest, tournament: Tournament, do: str) -> str:
    """Do what the button says, and return the address where that leads."""
    try:
        return _ACTS[do](request, tournament) or _here(request, tournament)
    except RuleError as error:
        messages.warning(request, sentence(error))
        return _here(request, tournament)


def _here(request: HttpRequest, tournament: Tournament) -> str:
    back = FROM_NIGHT if came_from_night(request) else ""
    return reverse("draw", args=[tournament.pk]) + back


def _draw(request: HttpRequest, tournament: Tournament) -> None:
    """Draw the coming round unless it is drawn already."""
    drawn = draws_of(tournament)
    if drawn and drawn[0].number == coming_number(tournament):
        return
    by = access.actor(request)
    night = ClubNight.objects.going_on(tournament.club_id, by.at)
    draw_rounds(
        tournament_id=tournament.pk,
        newcomers=arrivals(tournament, night),
        by=by,
        rng=SystemRandom(),
    )


def _redraw(request: HttpRequest, tournament: Tournament) -> None:
    redraw(tournament_id=tournament.pk, by=access.actor(request), rng=SystemRandom())


def _mend(request: HttpRequest, tournament: Tournament) -> None:
    by = access.actor(request)
    night = ClubNight.objects.going_on(tournament.club_id, by.at)
    mend_draw(
        tournament_id=tournament.pk,
        newcomers=arrivals(tournament, night),
        by=by,
        rng=SystemRandom(),
    )
    messages.success(request, _("The draw is mended. Look at it once more."))


def _add(request: HttpRequest, tournament: Tournament) -> None:
    """Enter whoever is written, by name alone, and seat them in the coming round."""
    names = split_names(request.POST.get("names", "")[:LONGEST_LINE])
    if not names:
        messages.warning(request, _("Write the name of whoever has come."))
        return
    mend_draw(
        tournament_id=tournament.pk,
        new_names=names,
        by=access.actor(request),
        rng=SystemRandom(),
    )
    messages.success(request, _("They have a seat in the coming round. Look at it once more."))


def _swap(request: HttpRequest, tournament: Tournament) -> None:
    swap(tournament_id=tournament.pk, units=_two(request), by=access.actor(request))


def _keep(request: HttpRequest, tournament: Tournament, table: int, *, locked: bool) -> None:
    try:
        lock_table(
            tournament_id=tournament.pk, number=table, locked=locked, by=access.actor(request)
        )
    except RuleError as error:
        messages.warning(request, sentence(error))


def _publish(request: HttpRequest, tournament: Tournament) -> None:
    publish_draws(tournament_id=tournament.pk, by=access.actor(request))
    messages.success(request, _("Everybody can see it now: on phones, on the wall, on paper."))


def _discard(request: HttpRequest, tournament: Tournament) -> str:
    discard_draws(tournament_id=tournament.pk, by=access.actor(request))
    return reverse("desk", args=[tournament.pk])


def _open(request: HttpRequest, tournament: Tournament) -> str | None:
    """Open the round as drawn; where somebody came or went, mend it first and show that."""
    by = access.actor(request)
    drawn = draws_of(tournament)
    if drawn:
        drawn[0].tournament = tournament
        night = ClubNight.objects.going_on(tournament.club_id, by.at)
        if changes_since(drawn[0], night=night):
            _mend(request, tournament)
            return None
    return way_back(request, open_draw(tournament_id=tournament.pk, by=by, rng=SystemRandom()))


_ACTS: dict[str, Callable[[HttpRequest, Tournament], str | None]] = {
    "draw": _draw,
    "redraw": _redraw,
    "mend": _mend,
    "add": _add,
    "swap": _swap,
    "publish": _publish,
    "discard": _discard,
    "open": _open,
}
