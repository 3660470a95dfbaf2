"""Which phone this is, and for which side of a table it speaks."""

import secrets
from typing import Any

from django.http import HttpRequest, HttpResponse

from tracker.common.web.parameters import number_in

DEVICE = "kula_device"
SIDE = "kula_side"
TABLES = "kula_tables"
INVITED = "kula_invited"
ME = "kula_i_am"
ME_AT_DOOR = "kula_me_at_door"
_YEAR = 60 * 60 * 24 * 365
_DAY = 60 * 60 * 24
_LONGEST = 40  # what a report keeps
_MOST_SEEN = 20
# A table is known for an evening; the link of a night as long as somebody may have had it before.
_LASTS = {TABLES: _DAY, INVITED: 90 * _DAY}


def _terms(request: HttpRequest) -> Any:
    """Return on what terms a phone keeps a cookie of ours."""
    return {"secure": request.is_secure(), "httponly": True, "samesite": "Lax"}


def device_of(request: HttpRequest) -> str:
    """Return the name the site gave this phone; empty if it keeps no cookies."""
    # Trap: a quoted cookie can bring a NUL, which PostgreSQL does not keep.
    return request.COOKIES.get(DEVICE, "").replace("\x00", "")[:_LONGEST]


def remember_device(request: HttpRequest, response: HttpResponse) -> None:
    """Give a phone that has none a name of its own."""
    if not device_of(request):
        response.set_cookie(DEVICE, secrets.token_urlsafe(12), max_age=_YEAR, **_terms(request))


def side_of(request: HttpRequest) -> int | None:
    """Return the side for which this phone speaks at this table, if it chose one."""
    return number_in(request.COOKIES.get(SIDE, ""))


def knows_side(request: HttpRequest) -> bool:
    """Say whether this phone was asked at this table; it may speak for the whole table."""
    return SIDE in request.COOKIES


def remember_side(
    request: HttpRequest, response: HttpResponse, side: int | None, *, path: str = ""
) -> None:
    """Remember at this table alone, the pages below *path*, for which side a phone speaks.

    ``None`` is the whole table, if the phone was asked.
    """
    if side != side_of(request) or path:
        said, path = "" if side is None else str(side), path or request.path
        response.set_cookie(SIDE, said, max_age=_DAY, path=path, **_terms(request))


def tables_seen(request: HttpRequest) -> list[str]:
    """Return the tokens of the tables this phone has opened today, the last one last.

    Trap: an address may have been withdrawn since.
    """
    return _seen(request, TABLES)


def remember_table(request: HttpRequest, response: HttpResponse, token: str) -> None:
    """Remember that this phone has opened a table, and so had its card in hand."""
    _remember_seen(request, response, TABLES, token)


def links_seen(request: HttpRequest) -> list[str]:
    """Return which links and doors of nights this phone has opened, the last one last.

    Trap: the night may be over, or its link renewed.
    """
    return _seen(request, INVITED)


def remember_link(request: HttpRequest, response: HttpResponse, link: str) -> None:
    """Remember that this phone has opened the link or the door of a night."""
    _remember_seen(request, response, INVITED, link)


def i_am(request: HttpRequest, *, cookie: str = ME) -> int | None:
    """Return the player whose phone this is, if one was chosen on it."""
    stored = request.COOKIES.get(cookie, "")
    return int(stored) if stored.isascii() and stored.isdigit() and len(stored) < 18 else None


def remember_me(
    request: HttpRequest,
    response: HttpResponse,
    player_id: int | None,
    *,
    path: str = "",
    cookie: str = ME,
) -> None:
    """Remember which player holds a phone, for the pages below *path*, by default for this one.

    Each club has paths of its own, and so its own answer. Trap: a response holds one cookie
    of a name, whatever their paths are.
    """
    said, path = "" if player_id is None else str(player_id), path or request.path
    lasts = _YEAR if player_id else 0
    response.set_cookie(cookie, said, max_age=lasts, path=path, **_terms(request))


def _remember_seen(request: HttpRequest, response: HttpResponse, cookie: str, key: str) -> None:
    known = _seen(request, cookie)
    if known[-1:] != [key]:
        seen = ".".join([*(other for other in known if other != key), key][-_MOST_SEEN:])
        response.set_signed_cookie(cookie, seen, max_age=_LASTS[cookie], **_terms(request))


def _seen(request: HttpRequest, cookie: str) -> list[str]:
    seen = request.get_signed_cookie(cookie, default="", max_age=_LASTS[cookie])
    return seen.split(".") if seen else []
