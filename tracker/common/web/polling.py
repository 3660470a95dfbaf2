"""Pages that poll: a request for a page on which nothing has changed is answered 304.

``live.js`` asks for such a page every 1.25 seconds, by its own address. The page's ETag comes from
the revision of what it shows and from its reader, not from its content, which has another CSRF token
every time. So the answer 304 needs two statements, the session's and the revision's, and no view::

    @access.page
    @require_safe
    @conditional_page(revisions.of_tournament)
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

from tracker.common.web.access import P, R, View

# A header that only the script sends, and not a browser that opens the page.
POLL_HEADER = "X-Look"
TEN_MINUTES, ONE_MINUTE = 600, 60  # seconds
_BYTES_OF_TAG = 20
# Keyed by tag: the content of shared pages, and the locks of those that are being rendered.
_rendered: dict[str, bytes] = {}
_rendering: dict[str, Lock] = {}
_CODE = (("tracker", "*.py"), ("games", "*.py"), ("templates", "*.*"), ("tracker/static", "*.*"))


class Polling:
    """For ``live.js``: a page's tag, whether cards are on a table, and whether it was polled."""

    def __init__(self, tag: str = "", *, playing: bool = True, polled: bool = False) -> None:
        self.tag, self.playing, self.polled = tag, playing, polled


def conditional_page(
    revision_of: Callable[[Any, int | None], tuple[str, bool] | None],
    *,
    every: int = TEN_MINUTES,
    shared: bool = False,
) -> Callable[[View[R, P]], View[R, P]]:
    """Answer 304 if nothing has changed since the reader's last request; else call the view.

    *revision_of* gets the key in the URL and the reader's user id; it returns the state of all that
    the page shows, as a text, and whether cards are on a table now; ``None`` calls the view. As
    parts of a page may change by the clock alone, it is rendered again after *every* seconds. A
    *shared* page is the same for all who are not signed in, and is rendered once for all of them:
    nothing on it may count by the second, as a clock does.
    """

    def decorate(view: View[R, P]) -> View[R, P]:
        @wraps(view)
        def conditional(request: R, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            polled = POLL_HEADER in request.headers
            polling = Polling(polled=polled)
            is_shared = False
            # If one waits for the reader, opening a page renders it, so as to show the message.
            has_messages = (
                CookieStorage.cookie_name in request.COOKIES
                or SessionStorage.session_key in request.session
            )
            if request.method in {"GET", "HEAD"} and (polled or not has_messages):
                [key] = kwargs.values()  # of the one row that the URL names
                # From the session; the user is not loaded, as the revision's statement does so.
                session_user = request.session.get(SESSION_KEY)
                user_id = int(session_user) if session_user else None
                is_shared = shared and user_id is None
                if revision := revision_of(key, user_id):
                    state, playing = revision
                    tag = _tag(request, state, every, is_shared=is_shared)
                    polling = Polling(tag, playing=playing, polled=polled)
                    if tag in parse_etags(request.headers.get("If-None-Match", "")):
                        return _tagged(HttpResponseNotModified(), tag)
            request.__dict__["polling"] = polling

            def render() -> HttpResponse:
                return view(request, *args, **kwargs)

            tag = polling.tag
            response = _rendered_once(tag, render) if is_shared and tag else render()
            return _tagged(response, tag) if response.status_code == 200 else response

        return conditional

    return decorate


def _tagged(response: HttpResponse, tag: str) -> HttpResponse:
    if tag:
        response.headers["ETag"] = tag
        patch_vary_headers(response, ["Cookie"])
    return response


def _rendered_once(tag: str, render: Callable[[], HttpResponse]) -> HttpResponse:
    """Return a page that all readers share; requests during its rendering wait for it."""
    with _rendering.setdefault(tag, Lock()):
        try:
            if tag in _rendered:
                return HttpResponse(_rendered[tag])
            response = render()
            if response.status_code == 200 and not response.has_header("Content-Disposition"):
                _rendered[tag] = response.content
            # The oldest first. Other threads may take pages out meanwhile.
            while len(_rendered) > settings.SHARED_PAGES:
                _rendered.pop(next(iter(list(_rendered)), ""), None)
            return response
        finally:
            _rendering.pop(tag, None)


def _tag(request: HttpRequest, state: str, every: int, *, is_shared: bool) -> str:
    """Return the tag of a page: weak, as two pages of one tag differ in their CSRF tokens."""
    cookies = {} if is_shared else request.COOKIES
    session = [] if is_shared else sorted(request.session.items())
    reader = sorted(item for item in cookies.items() if item[0] != CookieStorage.cookie_name)
    url = request.scheme, request.get_host(), request.get_full_path()
    # The period of a page ends at another moment for each reader, lest all are rendered at once.
    offset = int.from_bytes(sha256(repr((url, reader)).encode()).digest()[:4], "big")
    period = int(time() + offset % every) // every
    parts = (state, url, reader, session, get_language(), _version(), period)
    hashed = salted_hmac("tracker.watched", repr(parts), algorithm="sha256").digest()
    return f'W/"{hashed[:_BYTES_OF_TAG].hex()}"'


@cache
def _version() -> str:
    """Return a hash of the site's code, templates and static files."""
    digest = sha256()
    base = Path(settings.BASE_DIR)
    for folder, pattern in _CODE:
        for file in sorted((base / folder).rglob(pattern)):
            digest.update(f"{file.relative_to(base)} ".encode() + file.read_bytes())
    return digest.hexdigest()
