"""Which phone this is, and for which side of a table it speaks."""

import secrets

from django.http import HttpRequest, HttpResponse

from tracker.views.reading import number_in

DEVICE = "kula_device"
SIDE = "kula_side"
_YEAR = 60 * 60 * 24 * 365
_DAY = 60 * 60 * 24
_LONGEST = 40  # what a report keeps


def device_of(request: HttpRequest) -> str:
    """Return the name the site gave this phone; empty if it keeps no cookies."""
    # Trap: a quoted cookie can bring a NUL, which PostgreSQL does not keep.
    return request.COOKIES.get(DEVICE, "").replace("\x00", "")[:_LONGEST]


def remember_device(request: HttpRequest, response: HttpResponse) -> None:
    """Give a phone that has none a name of its own."""
    if not device_of(request):
        response.set_cookie(
            DEVICE,
            secrets.token_urlsafe(12),
            max_age=_YEAR,
            secure=request.is_secure(),
            httponly=True,
            samesite="Lax",
        )


def side_of(request: HttpRequest) -> int | None:
    """Return the side for which this phone speaks at this table, if it said so."""
    return number_in(request.COOKIES.get(SIDE, ""))


def remember_side(request: HttpRequest, response: HttpResponse, side: int | None) -> None:
    """Remember at this table alone for which side a phone speaks."""
    if side != side_of(request):
        response.set_cookie(
            SIDE,
            "" if side is None else str(side),
            max_age=_DAY,
            path=request.path,
            secure=request.is_secure(),
            httponly=True,
            samesite="Lax",
        )
