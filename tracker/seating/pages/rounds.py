"""What pages about one round or table share, and buttons that decide a level match of a knock-out.

A match is *level* while both sides have equal points. A *sitting* is one table in one round. A
*table of the hall* (``Table``) lasts longer, and has a card with a QR code that leads to it.
"""

from random import SystemRandom

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.errors import RuleError
from tracker.common.forms import refusal_text
from tracker.common.web import access
from tracker.common.web.requests import number_in, return_page
from tracker.models import Role, Round, Sitting, Table
from tracker.seating.queries.table_cards import open_sitting_at
from tracker.seating.services.rounds import decide_match, reopen_match
from tracker.tables.sql import read_table


def round_of(request: HttpRequest, round_id: int) -> Round:
    """Return a round that the reader may organise."""
    to_club = "tournament__club"
    return access.get(request, Round.objects, round_id, Role.ORGANISER, club_path=to_club)


def round_context(request: HttpRequest, round_: Round, **more: object) -> dict[str, object]:
    """Return the context of a page about one round, with *more*; ``back`` is the URL to return to."""
    tournament, back = round_.tournament, return_page(request, round_)
    shared = {"tournament": tournament, "round": round_, "back": back}
    return access.context(request, tournament.club, **shared, **more)


def lead_to_table(request: HttpRequest, table: Table | None) -> HttpResponse:
    """Redirect to the open sitting at a table of the hall, or show a page that waits for one."""
    if table is None:
        raise Http404(_("This card belongs to no table here."))
    if table.withdrawn_at is not None:
        return render(request, "seating/replaced.html", status=410)
    if sitting := open_sitting_at(table):
        return redirect(sitting)
    home = table.tournament or table.night  # a table is of the one or of the other
    club = home.club if home else None
    return render(request, "seating/waiting.html", {"table": table, "club": club})


@access.page
@require_POST
def match_decide(request: HttpRequest, sitting_id: int) -> HttpResponse:
    """Decide which side of a level match goes on, or take such a decision back.

    ``goes_on`` is the number of a side, ``lot``, or ``nobody`` to take the decision back.
    """
    sittings = Sitting.objects.select_related("round__tournament")
    to_club = "round__tournament__club"
    sitting = access.get(request, sittings, sitting_id, Role.ORGANISER, club_path=to_club)
    goes_on, by = request.POST.get("goes_on", ""), access.actor(request)
    side = number_in(goes_on)
    try:
        if goes_on == "nobody":
            reopen_match(sitting_id=sitting.pk, by=by)
            messages.success(request, _("The match is level again."))
        elif goes_on == "lot" or side is not None:  # by lot the side is ``None``
            decide_match(sitting_id=sitting.pk, side=side, by=by, rng=SystemRandom())
            table = read_table(sitting_id=sitting.pk)
            messages.success(request, table.match_text if table else "")
    except RuleError as error:
        messages.warning(request, refusal_text(error))
    return redirect(return_page(request, sitting.round))


urlpatterns = [path("sittings/<int:sitting_id>/decide/", match_decide, name="match-decide")]
