"""The pages for a projector or a screen on the wall; they follow what is played by themselves."""

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from tracker.common.web import access
from tracker.common.web.parameters import number_in
from tracker.common.web.watched import A_MINUTE, watched
from tracker.ledger import revisions
from tracker.models import Club, Tournament
from tracker.nights.queries.display import Display, display, night_display
from tracker.nights.views.nights import night_for


@access.page
@require_safe
@watched(revisions.of_tournament, every=A_MINUTE)
def tournament_display(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show the hall what it wants to know now; ``?hide=1`` keeps the standing for the end."""
    tournament = access.tournament(request, tournament_id)
    shown = display(
        tournament, sheet=_number(request, "sheet"), hide=_hidden(request), now=timezone.now()
    )
    return _show(
        request,
        tournament.club,
        tournament.name,
        tournament=tournament,
        display=shown,
        following={"sheet": shown.next_sheet},
    )


@access.page
@require_safe
@watched(revisions.of_night, every=A_MINUTE)
def night_display_page(request: HttpRequest, night_id: int) -> HttpResponse:
    """Show the walls of all that is played at a night, one after the other."""
    night = night_for(request, night_id)
    shown = night_display(
        night,
        turn=_number(request, "turn"),
        sheet=_number(request, "sheet"),
        hide=_hidden(request),
        now=timezone.now(),
    )
    return _show(
        request,
        night.club,
        date_format(timezone.localtime(night.starts_at), "MONTH_DAY_FORMAT"),
        tournament=shown.tournament,
        display=shown.display,
        following={"turn": shown.next_turn, "sheet": shown.next_sheet},
    )


def _show(
    request: HttpRequest,
    club: Club,
    called: str,
    *,
    tournament: Tournament | None,
    display: Display,
    following: Mapping[str, int],
) -> HttpResponse:
    asked = urlencode({**following, **({"hide": 1} if _hidden(request) else {})})
    context = {
        "club": club,
        "called": called,
        "tournament": tournament,
        "display": display,
        "next_address": f"{request.path}?{asked}",
    }
    return render(request, "nights/display.html", context)


def _hidden(request: HttpRequest) -> bool:
    return bool(request.GET.get("hide"))


def _number(request: HttpRequest, name: str) -> int:
    """Return which one is asked for, the first unless the address says otherwise."""
    return number_in(request.GET.get(name, "")) or 1
