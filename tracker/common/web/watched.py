"""Pages that follow what is played: who asks again when nothing has moved hears just that.

A page like that is asked for every second and a quarter by ``live.js``, by its own address. Its
tag comes from the revision of what it shows and from who reads it, not from what it looks like:
that has another CSRF token every time. So the answer 304 needs two statements, the session's and
the revision's, and no view::

    @access.page
    @require_safe
    @watched(revisions.of_tournament)
    def tournament(request: HttpRequest, tournament_id: int) -> HttpResponse:
"""

from collections.abc import Callable
from functools import cache, wraps
from hashlib import sha256
from pathlib import Path
from threading import Lock
from time import time
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.session import SessionStorage
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_vary_headers
from django.utils.crypto import salted_hmac
from django.utils.http import parse_etags
from django.utils.translation import get_language

from tracker.common.revision import Revision
from tracker.common.web.access import P, R, View

LOOK = "X-Look"  # by which the script says that it, and nobody, is looking
TEN_MINUTES, A_MINUTE = 600, 60
_ENOUGH_BYTES = 20
# By tag: pages that are the same for everybody, a few of them, and those that are being drawn.
_drawn: dict[str, bytes] = {}
_drawing: dict[str, Lock] = {}
_CODE = (("tracker", "*.py"), ("games", "*.py"), ("templates", "*.*"), ("tracker/static", "*.*"))


class Live:
    """What the template of a watched page needs to know: its tag, and how often to ask again."""

    def __init__(self, tag: str = "", *, playing: bool = True, looking: bool = False) -> None:
        self.tag, self.playing, self.looking = tag, playing, looking


def watched(
    revision_of: Callable[[Any, int | None], Revision | None],
    *,
    every: int = TEN_MINUTES,
    shared: bool = False,
) -> Callable[[View[R, P]], View[R, P]]:
    """Answer 304 where nothing has moved since the reader asked; else let the view answer.

    *revision_of* gets what the address names, and who is signed in. Some of a page may change
    by the clock alone: it is drawn anew *every* so many seconds, whatever has moved. A *shared*
    page is the same for all who are not signed in, and is drawn once for all of them: nothing
    on it may count by the second, as a clock does.
    """

    def watching(view: View[R, P]) -> View[R, P]:
        @wraps(view)
        def answer(request: R, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            looking = LOOK in request.headers
            live = Live(looking=looking)
            everybodys = False
            if request.method in {"GET", "HEAD"} and (looking or not _has_messages(request)):
                [key] = kwargs.values()
                # Whose session it is; the user is not asked for, as the revision does so.
                session_of = request.session.get(SESSION_KEY)
                user_id = int(session_of) if session_of else None
                everybodys = shared and user_id is None
                if revision := revision_of(key, user_id):
                    tag = _tag(request, revision, every, everybodys=everybodys)
                    live = Live(tag, playing=revision.playing, looking=looking)
                    if tag in parse_etags(request.headers.get("If-None-Match", "")):
                        return _tagged(HttpResponseNotModified(), tag)
            request.__dict__["live"] = live

            def draw() -> HttpResponse:
                return view(request, *args, **kwargs)

            response = _drawn_once(live.tag, draw) if everybodys and live.tag else draw()
            return _tagged(response, live.tag) if response.status_code == 200 else response

        return answer

    return watching


def _tagged(response: HttpResponse, tag: str) -> HttpResponse:
    if tag:
        response.headers["ETag"] = tag
        patch_vary_headers(response, ["Cookie"])
    return response


def _has_messages(request: HttpRequest) -> bool:
    """Return whether a message waits for the reader, which no cached page shows."""
    return (
        CookieStorage.cookie_name in request.COOKIES
        or SessionStorage.session_key in request.session
    )


def _drawn_once(tag: str, draw: Callable[[], HttpResponse]) -> HttpResponse:
    """Return a page that all readers share; requests made while it is rendered wait for it."""
    with _drawing.setdefault(tag, Lock()):
        try:
            if tag in _drawn:
                return HttpResponse(_drawn[tag])
            response = draw()
            if response.status_code == 200 and not response.has_header("Content-Disposition"):
                _drawn[tag] = response.content
            while len(_drawn) > settings.SHARED_PAGES:  # the oldest make room
                _drawn.pop(next(iter(list(_drawn)), ""), None)
            return response
        finally:
            _drawing.pop(tag, None)


def _tag(request: HttpRequest, revision: Revision, every: int, *, everybodys: bool) -> str:
    """Return the tag of a page: weak, as two pages of one tag differ in their CSRF tokens."""
    cookies = {} if everybodys else request.COOKIES
    session = {} if everybodys else dict(request.session.items())
    reader = sorted(item for item in cookies.items() if item[0] != CookieStorage.cookie_name)
    address = request.scheme, request.get_host(), request.get_full_path()
    # Not everybody's page is drawn anew in the same second.
    offset = int.from_bytes(sha256(repr((address, reader)).encode()).digest()[:4], "big")
    asked = (
        revision.state,
        address,
        reader,
        sorted(session.items()),
        get_language(),
        _version(),
        int(time() + offset % every) // every,
    )
    hashed = salted_hmac("tracker.watched", repr(asked), algorithm="sha256").digest()
    return f'W/"{hashed[:_ENOUGH_BYTES].hex()}"'


@cache
def _version() -> str:
    """Return what differs as soon as this code, or one of its templates, does."""
    digest = sha256()
    base = Path(settings.BASE_DIR)
    for folder, kind in _CODE:
        for file in sorted((base / folder).rglob(kind)):
            digest.update(f"{file.relative_to(base)} ".encode() + file.read_bytes())
    return digest.hexdigest()
