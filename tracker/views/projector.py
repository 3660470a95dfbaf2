"""The page for a projector or a screen on the wall; it follows the tournament by itself."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from tracker.queries.projector import wall
from tracker.views import access


@access.page
@require_safe
@never_cache
@vary_on_headers("HX-Request")
def tournament_wall(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show the hall what it wants to know now; ``?hide=1`` keeps the standing for the end."""
    cup = access.tournament(request, tournament_id)
    hide = bool(request.GET.get("hide"))
    asked = request.GET.get("sheet", "")
    # Three digits at most: a longer number is no sheet of any wall.
    sheet = int(asked) if asked.isdecimal() and len(asked) <= 3 else 1
    shown = wall(cup, sheet=sheet, hide=hide, now=timezone.now())
    following = urlencode({"sheet": shown.next_sheet, **({"hide": 1} if hide else {})})
    context = {"club": cup.club, "tournament": cup, "wall": shown}
    context["next_address"] = f"{request.path}?{following}"
    part = "#live" if "HX-Request" in request.headers else ""
    return render(request, f"projector/wall.html{part}", context)
