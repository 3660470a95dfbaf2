"""Cookies on a phone: its name, player and side, and the tables and links it has opened."""

import secrets
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from tracker.common.actor import Actor
from tracker.common.web.requests import key_in, number_in

# The names of the cookies. A *side* is the seats at a table that score together.
DEVICE = "kula_device"
SIDE = "kula_side"
# Tokens of the tables, and of the nights, that were opened on this phone.
TABLES = "kula_tables"
INVITED = "kula_invited"
# The player whose phone this is, as chosen on a club's pages and at the door of a night.
ME = "kula_i_am"
ME_AT_DOOR = "kula_me_at_door"
_YEAR = 60 * 60 * 24 * 365
_DAY = 60 * 60 * 24
_LONGEST = 40  # characters of a name, as in the column ``device`` of a report
_MOST_REMEMBERED = 20  # tokens in one cookie
# In seconds: a table for an evening; the link of a night for as long as it may be sent ahead.
_MAX_AGE = {TABLES: _DAY, INVITED: 90 * _DAY}


def _attributes(request: HttpRequest) -> Any:
    """Return the security attributes of the site's cookies."""
    return {"secure": request.is_secure(), "httponly": True, "samesite": "Lax"}


def device_of(request: HttpRequest) -> str:
    """Return the random name the site gave this phone; empty if it has no cookie."""
    # Trap: a quoted cookie can bring a NUL, which PostgreSQL does not keep.
    return request.COOKIES.get(DEVICE, "").replace("\x00", "")[:_LONGEST]


def visitor(request: HttpRequest) -> Actor:
    """Return the actor of a request, with their device; they need not be signed in."""
    return Actor(at=timezone.now(), user_id=request.user.pk, device=device_of(request))


def remember_device(request: HttpRequest, response: HttpResponse) -> None:
    """Give a phone that has none a random name."""
    if not device_of(request):
        name = secrets.token_urlsafe(12)
        response.set_cookie(DEVICE, name, max_age=_YEAR, **_attributes(request))


def side_of(request: HttpRequest) -> int | None:
    """Return the side for which this phone reports at this table, if it chose one."""
    return number_in(request.COOKIES.get(SIDE, ""))


def knows_side(request: HttpRequest) -> bool:
    """Return whether a side, or the whole table, was chosen on this phone at this table."""
    return SIDE in request.COOKIES


def remember_side(
    request: HttpRequest, response: HttpResponse, side: int | None, *, path: str = ""
) -> None:
    """Remember for which side (``None``: the whole table) a phone reports at this table.

    The cookie holds on pages below *path*, by default this one. Given a *path*, it is always set:
    the request may come from another table, and have the cookie of that one.
    """
    if side != side_of(request) or path:
        value, path = "" if side is None else str(side), path or request.path
        response.set_cookie(SIDE, value, max_age=_DAY, path=path, **_attributes(request))


def seen_tokens(request: HttpRequest, cookie: str) -> list[str]:
    """Return the tokens of tables (``TABLES``) or nights (``INVITED``) opened here, oldest first.

    Trap: the address with a token may be withdrawn by now, and a night may be over.
    """
    tokens = request.get_signed_cookie(cookie, default="", max_age=_MAX_AGE[cookie])
    return tokens.split(".") if tokens else []


def remember_token(request: HttpRequest, response: HttpResponse, cookie: str, token: str) -> None:
    """Remember that this phone has opened a table, or the link or door of a night."""
    known = seen_tokens(request, cookie)
    if known[-1:] != [token]:
        tokens = [*(other for other in known if other != token), token][-_MOST_REMEMBERED:]
        value, max_age = ".".join(tokens), _MAX_AGE[cookie]
        response.set_signed_cookie(cookie, value, max_age=max_age, **_attributes(request))


def chosen_player(request: HttpRequest, *, cookie: str = ME) -> int | None:
    """Return the key of the player whose phone this is, if one was chosen on it."""
    return key_in(request.COOKIES.get(cookie, "")) or None


def remember_player(
    request: HttpRequest,
    response: HttpResponse,
    player_id: int | None,
    *,
    path: str = "",
    cookie: str = ME,
) -> None:
    """Remember (``None``: forget) whose phone this is, for pages below *path*, by default this one.

    As each club has its own path, a phone has another player in each club. Trap: a response cannot
    set two cookies of one name, even if their paths differ.
    """
    value, path = "" if player_id is None else str(player_id), path or request.path
    lasts = _YEAR if player_id else 0
    response.set_cookie(cookie, value, max_age=lasts, path=path, **_attributes(request))
