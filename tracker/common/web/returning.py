"""The way back to where the organiser came from: the whole evening, or a tournament's desk."""

from django.http import HttpRequest
from django.urls import reverse

from tracker.models import Round

FROM_NIGHT = "?back=night"


def way_back(request: HttpRequest, round_: Round) -> str:
    """Return the page to redirect back to after an act on this round."""
    if came_from_night(request) and round_.night_id is not None:
        return reverse("night", args=[round_.night_id])
    return reverse("desk", args=[round_.tournament_id])


def came_from_night(request: HttpRequest) -> bool:
    """Return whether the request came from the page of a club night."""
    return request.GET.get("back") == "night"
