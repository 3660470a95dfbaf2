"""Reading a request: numbers and keys in untrusted text, the page to return to, and htmx."""

from django.http import HttpRequest
from django.urls import reverse
from django_htmx.middleware import HtmxDetails

from tracker.models import Round

_MOST_DIGITS = 4
_MOST_DIGITS_OF_KEY = 18  # the largest key of a database has 19
FROM_NIGHT = "?back=night"  # appended to the addresses of actions on a night's page


class HtmxHttpRequest(HttpRequest):
    htmx: HtmxDetails


def number_in(text: str) -> int | None:
    """Return a whole number from 0 to 9999, or ``None`` for any other text.

    >>> number_in("12"), number_in("-1"), number_in("9" * 5000), number_in("")
    (12, None, None, None)
    """
    fits = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return int(text) if fits else None


def key_in(text: str) -> int:
    """Return the key of a row, or 0, which no row has, for any other text.

    >>> key_in("12"), key_in("x"), key_in("9" * 30)
    (12, 0, 0)
    """
    fits = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS_OF_KEY
    return int(text) if fits else 0


def return_page(request: HttpRequest, round_: Round) -> str:
    """Return the page to show after an action on a round: its night, or the organiser's desk."""
    if came_from_night(request) and round_.night_id is not None:
        return reverse("night", args=[round_.night_id])
    return reverse("desk", args=[round_.tournament_id])


def came_from_night(request: HttpRequest) -> bool:
    """Return whether the request came from the page of a club night."""
    return request.GET.get("back") == "night"
