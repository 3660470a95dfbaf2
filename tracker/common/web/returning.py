"""The way back to where the organiser came from: the whole evening, or a tournament's desk."""

from django.http import HttpRequest
from django.urls import reverse

from tracker.models import Round

FROM_NIGHT = "?back=night"


def way_back(request: HttpRequest, round_: Round) -> str:
    """Return the address of the page from which somebody came to act on this round."""
    if came_from_night(request) and round_.night_id is not None:
        return reverse("night", args=[round_.night_id])
    return reverse("desk", args=[round_.tournament_id])


def came_from_night(request: HttpRequest) -> bool:
    """Say whether the address tells that somebody came from the page of a whole evening."""
    return request.GET.get("back") == "night"
