"""Pages that poll: a request for a page on which nothing has changed is answered 304.

``live.js`` asks for such a page every 1.25 seconds, by its own address. The page's ETag comes from
the revision of what it shows and from its reader, not from its content, whose CSRF token differs
every time. So the answer 304 needs two statements, the session's and the revision's, and no view::

    @access.page
    @require_safe
    @conditional_page(revisions.of_tournament)
    def tournament(request: HttpRequest, tournament_id: int) -> HttpResponse:
"""

import os
import re
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, wraps
from hashlib import sha256
from pathlib import Path
from struct import Struct
from threading import Lock
from time import time
from typing import IO, Any, NamedTuple, TypeAlias

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.session import SessionStorage
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.middleware.csrf import get_token
from django.utils.cache import patch_vary_headers
from django.utils.crypto import salted_hmac
from django.utils.http import parse_etags
from django.utils.translation import get_language

from tracker.common.web.access import P, R, View

try:
    import fcntl
except ImportError:  # Windows, where one process renders pages
    fcntl = None  # type: ignore[assignment]

POLL_HEADER = "X-Look"  # sent by the script only, not by a browser that opens the page
PROOF = "kula.proof"  # the variable of a WSGI request in which its server finds the ``Proof``
TEN_MINUTES, ONE_MINUTE = 600, 60  # seconds
_BYTES_OF_TAG = 20
_TOKEN = re.compile(rb'(?<=name="csrfmiddlewaretoken" value=")[^"]+')
# Keyed by tag: the content of shared pages, and the locks of those that are being rendered.
_rendered: dict[str, bytes] = {}
_rendering: dict[str, Lock] = {}
# The file in which processes that were forked from one another keep their pages for each other, in
# slots chosen by tag. A page that is being rendered locks a byte behind them.
_shared_file: list[IO[bytes]] = []
_SLOT, _SLOTS = 1 << 21, 32  # bytes, and how many; the file has gaps where nothing was written
_HEAD = Struct("!I32s")  # of a slot: the length of its page, the digest of its tag and page
Statement: TypeAlias = tuple[str, Sequence[Any]]  # SQL with the values for its %s
Revision: TypeAlias = tuple[str, bool, Statement]
_CODE = (("tracker", "*.py"), ("games", "*.py"), ("templates", "*.*"), ("tracker/static", "*.*"))


@dataclass(slots=True)
class Polling:
    """What the templates tell ``live.js`` of a page, as ``request.polling``."""

    tag: str = ""  # its ETag; "" if it has none, so that it is always rendered
    revision: "Revision | None" = None  # of all that it shows; ``None`` if it has no tag
    playing: bool = True  # whether cards are on a table now
    polled: bool = False  # whether ``live.js`` asks, and not a browser that opens the page


class Proof(NamedTuple):
    """What proves to a server that a page has not changed, for a reader who is not signed in."""

    tag: str
    state: str  # as it was before the page was rendered: the ``repr`` of the row
    statement: Statement  # that reads this row
    since: float  # the tag's period, in seconds since 1970
    until: float
    shared: bool  # the same to the last byte for all who are not signed in


def conditional_page(
    revision_of: Callable[[Any, int | None], Revision | None],
    *,
    every: int = TEN_MINUTES,
    shared: bool = False,
    personal: Collection[str] = (),
) -> Callable[[View[R, P]], View[R, P]]:
    """Answer 304 if nothing has changed since the reader's last request; else call the view.

    *revision_of* gets the key in the URL and the reader's user id; it returns the state of all that
    the page shows, as a text, whether cards are on a table now, and the statement that has read the
    row of this state; or ``None``, to call the view.
    As parts of a page may change by the clock alone, it is rendered again after *every* seconds. A
    *shared* page is the same for all who are not signed in, and is rendered once for all of them:
    nothing on it may count by the second, as a clock does. Readers with one of the *personal*
    cookies are excepted; a page that has such cookies may have forms, with each reader's own token.
    """

    def decorate(view: View[R, P]) -> View[R, P]:
        @wraps(view)
        def conditional(request: R, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            polling = Polling(polled=POLL_HEADER in request.headers)
            request.__dict__["polling"] = polling
            is_shared = False
            # A page opened while a message waits for the reader is rendered, to show the message.
            if request.method in {"GET", "HEAD"} and (polling.polled or not _has_messages(request)):
                key, *_others = kwargs.values()  # of the row that the URL names first
                # From the session: ``request.user`` would cost one more query.
                session_user = request.session.get(SESSION_KEY)
                user_id = int(session_user) if session_user else None
                is_shared = shared and user_id is None and not request.COOKIES.keys() & personal
                if revision := revision_of(key, user_id):
                    polling.revision, polling.playing = revision, revision[1]
                    proof = _proof(request, revision, every, is_shared=is_shared)
                    polling.tag = proof.tag
                    if not request.session.session_key:
                        request.META[PROOF] = proof._replace(shared=is_shared and not personal)
            tag = polling.tag
            if tag and tag in parse_etags(request.headers.get("If-None-Match", "")):
                return _tagged(HttpResponseNotModified(), tag)

            def render() -> HttpResponse:
                return view(request, *args, **kwargs)

            response = _rendered_once(request, tag, render) if tag and is_shared else render()
            return _tagged(response, tag) if response.status_code == 200 else response

        return conditional

    return decorate


def _has_messages(request: HttpRequest) -> bool:
    in_cookie = CookieStorage.cookie_name in request.COOKIES
    return in_cookie or SessionStorage.session_key in request.session


def _tagged(response: HttpResponse, tag: str) -> HttpResponse:
    """Return the response with its tag, if it has one, which depends on the reader's cookies."""
    if tag:
        response.headers["ETag"] = tag
        patch_vary_headers(response, ["Cookie"])
    return response


def _rendered_once(
    request: HttpRequest, tag: str, render: Callable[[], HttpResponse]
) -> HttpResponse:
    """Return a page that all readers share; requests during its rendering wait for it."""
    with _rendering.setdefault(tag, Lock()):
        try:
            if tag in _rendered:
                return _with_own_token(request, _rendered[tag])
            with _turn_among_processes(tag):
                if page := _read_shared(tag):
                    keep(_rendered, tag, page)
                    return _with_own_token(request, page)
                response = render()
                # Only the content is kept: a download would lose its headers.
                if response.status_code == 200 and not response.has_header("Content-Disposition"):
                    keep(_rendered, tag, response.content)
                    _write_shared(tag, response.content)
                return response
        finally:
            _rendering.pop(tag, None)


def _with_own_token(request: HttpRequest, page: bytes) -> HttpResponse:
    return HttpResponse(_TOKEN.sub(lambda _: get_token(request).encode(), page))


def share_between_processes() -> None:
    """Let the processes that are forked from now on render each shared page once for all."""
    if fcntl is not None and settings.SHARED_PAGES:
        _shared_file.append(tempfile.TemporaryFile())  # noqa: SIM115 - open as long as the site is


@contextmanager
def _turn_among_processes(tag: str) -> Iterator[None]:
    """Wait while another process renders this page."""
    if not _shared_file:
        yield
        return
    byte = _SLOT * _SLOTS + _number(tag)
    fcntl.lockf(_shared_file[0], fcntl.LOCK_EX, 1, byte)
    try:
        yield
    finally:
        fcntl.lockf(_shared_file[0], fcntl.LOCK_UN, 1, byte)


def _number(tag: str) -> int:
    return int.from_bytes(sha256(tag.encode()).digest()[:6], "big")


def _read_shared(tag: str) -> bytes:
    """Return a page as another process has rendered it, or b"" if it is not there."""
    if not _shared_file:
        return b""
    place = _number(tag) % _SLOTS * _SLOT
    head = os.pread(_shared_file[0].fileno(), _HEAD.size, place)
    if len(head) < _HEAD.size:
        return b""
    length, digest = _HEAD.unpack(head)
    page = os.pread(_shared_file[0].fileno(), length, place + _HEAD.size)
    # Of another page, or one that is being written there, the digest is another.
    return page if sha256(tag.encode() + page).digest() == digest else b""


def _write_shared(tag: str, page: bytes) -> None:
    if _shared_file and len(page) <= _SLOT - _HEAD.size:
        head = _HEAD.pack(len(page), sha256(tag.encode() + page).digest())
        with suppress(OSError):  # a full disk: then each process renders it
            os.pwrite(_shared_file[0].fileno(), head + page, _number(tag) % _SLOTS * _SLOT)


def keep(pages: dict[Any, Any], key: object, page: object) -> None:
    """Keep a page in the *pages* of this process; beyond their number the oldest is dropped."""
    pages[key] = page
    # Other threads remove pages too: hence a copy, and defaults.
    while len(pages) > settings.SHARED_PAGES:
        pages.pop(next(iter(list(pages)), None), None)


def shared_tag(request: HttpRequest) -> str:
    """Return a tag of the page that all have who are not signed in; empty if it has none."""
    revision = request.__dict__["polling"].revision
    if revision is None or SESSION_KEY in request.session:
        return ""
    return _proof(request, revision, TEN_MINUTES, is_shared=True).tag


def _proof(request: HttpRequest, revision: Revision, every: int, *, is_shared: bool) -> Proof:
    """Return the tag of a page, weak as two of one tag differ in CSRF tokens, and its proof."""
    state, _playing, statement = revision
    cookies = {} if is_shared else request.COOKIES
    session = [] if is_shared else sorted(request.session.items())
    # Without the messages: once they are shown, the page is the same.
    reader = sorted(pair for pair in cookies.items() if pair[0] != CookieStorage.cookie_name)
    url = request.scheme, request.get_host(), request.get_full_path()
    # Periods of *every* seconds begin at another moment for each reader, lest all render at once.
    offset = int.from_bytes(sha256(repr((url, reader)).encode()).digest()[:4], "big") % every
    period = int(time() + offset) // every
    parts = (state, url, reader, session, get_language(), code_version(), period)
    hashed = salted_hmac("tracker.watched", repr(parts), algorithm="sha256").digest()
    since = period * every - offset
    tag = f'W/"{hashed[:_BYTES_OF_TAG].hex()}"'
    return Proof(tag, state, statement, since, since + every, is_shared)


@cache
def code_version() -> str:
    """Return a hash of the site's code, templates and static files."""
    digest = sha256()
    base = Path(settings.BASE_DIR)
    for folder, pattern in _CODE:
        for file in sorted((base / folder).rglob(pattern)):
            digest.update(f"{file.relative_to(base)} ".encode() + file.read_bytes())
    return digest.hexdigest()
