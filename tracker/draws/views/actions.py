"""The actions of the organiser's buttons on the page of a draw."""

from collections.abc import Callable
from random import SystemRandom

from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.errors import RuleError
from tracker.common.names import split_names
from tracker.common.refusals import sentence
from tracker.common.web import access
from tracker.common.web.parameters import key_in, number_in
from tracker.common.web.returning import FROM_NIGHT, came_from_night, way_back
from tracker.common.wording import together
from tracker.draws.logic.saved import round_from_json
from tracker.draws.queries.coming import ComingRound
from tracker.draws.services.changing import lock_table, swap
from tracker.draws.services.drawing import (
    discard_draws,
    draw_rounds,
    mend_draw,
    publish_draws,
    redraw,
)
from tracker.draws.services.opening import open_draw
from tracker.models import Tournament

DICE = SystemRandom()
_LONGEST_LINE = 500  # of names that are added at once


def act(request: HttpRequest, coming: ComingRound, pressed: str) -> str:
    """Do what the pressed button says, and return the address to go to.

    Why not, if it cannot be, is said above the page. A button may name a table, as ``lock:3``.
    """
    do, _colon, _table = pressed.partition(":")
    try:
        address = _ACTS[do](request, coming) if do in _ACTS else None
    except RuleError as error:
        messages.warning(request, sentence(error))
        address = None
    return address or draw_address(request, coming.tournament)


def draw_address(request: HttpRequest, tournament: Tournament) -> str:
    """Return the address of the page, with the way back from it."""
    back = FROM_NIGHT if came_from_night(request) else ""
    return reverse("draw", args=[tournament.pk]) + back


def two_tapped(request: HttpRequest) -> tuple[int, int]:
    """Return the keys of the two who are tapped; 0 and 0 if they are not two."""
    tapped = [key_in(unit) for unit in request.POST.getlist("unit")]
    return (tapped[0], tapped[1]) if len(tapped) == 2 else (0, 0)


def _draw(request: HttpRequest, coming: ComingRound) -> None:
    """Draw the coming round with the new arrivals, unless it is drawn already."""
    if not coming.drawn:
        draw_rounds(
            tournament_id=coming.tournament.pk,
            newcomers=coming.arrivals(),
            by=access.actor(request),
            rng=DICE,
        )


def _redraw(request: HttpRequest, coming: ComingRound) -> None:
    redraw(tournament_id=coming.tournament.pk, by=access.actor(request), rng=DICE)


def _mend(request: HttpRequest, coming: ComingRound) -> None:
    mend_draw(
        tournament_id=coming.tournament.pk,
        newcomers=coming.arrivals(),
        by=access.actor(request),
        rng=DICE,
    )
    messages.success(request, _("The draw is updated. Have another look."))


def _add(request: HttpRequest, coming: ComingRound) -> None:
    """Enter people by name alone, and seat them in the coming round."""
    names = split_names(request.POST.get("names", "")[:_LONGEST_LINE])
    if not names:
        messages.warning(request, _("Type the name of whoever has arrived."))
        return
    before = {unit for draw in coming.drawn[:1] for unit in draw.question["present"]}
    drawn = mend_draw(
        tournament_id=coming.tournament.pk,
        new_names=names,
        by=access.actor(request),
        rng=DICE,
    )
    plan = round_from_json(drawn[0].plan)
    people = {each.pk: str(each) for each in coming.tournament.entrants.select_related("player")}
    says = [
        _("%(name)s plays at table %(number)d.") % {"name": people[unit], "number": table.number}
        for table in plan.tables
        for unit in table.units
        if unit not in before
    ]
    resting = ngettext(
        "%(names)s sits out this round.", "%(names)s sit out this round.", len(plan.resting)
    )
    if plan.resting:
        says.append(resting % {"names": together([people[unit] for unit in plan.resting])})
    messages.success(request, " ".join(says))


def _swap(request: HttpRequest, coming: ComingRound) -> None:
    swap(tournament_id=coming.tournament.pk, units=two_tapped(request), by=access.actor(request))


def _lock(request: HttpRequest, coming: ComingRound) -> None:
    """Keep the table that the button names, or free it."""
    do, _colon, table = request.POST["do"].partition(":")
    lock_table(
        tournament_id=coming.tournament.pk,
        number=number_in(table) or 0,
        locked=do == "lock",
        by=access.actor(request),
    )


def _publish(request: HttpRequest, coming: ComingRound) -> None:
    publish_draws(tournament_id=coming.tournament.pk, by=access.actor(request))
    messages.success(request, _("Everybody can see it now, on phones and on the display."))


def _discard(request: HttpRequest, coming: ComingRound) -> str:
    discard_draws(tournament_id=coming.tournament.pk, by=access.actor(request))
    return reverse("desk", args=[coming.tournament.pk])


def _open(request: HttpRequest, coming: ComingRound) -> str | None:
    """Open the round as drawn; if people came or went, update the draw and show it first."""
    if coming.changes():
        _mend(request, coming)
        return None
    by = access.actor(request)
    return way_back(request, open_draw(tournament_id=coming.tournament.pk, by=by, rng=DICE))


_ACTS: dict[str, Callable[[HttpRequest, ComingRound], str | None]] = {
    "draw": _draw,
    "redraw": _redraw,
    "mend": _mend,
    "add": _add,
    "swap": _swap,
    "lock": _lock,
    "free": _lock,
    "publish": _publish,
    "discard": _discard,
    "open": _open,
}
