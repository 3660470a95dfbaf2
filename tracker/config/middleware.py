"""The site's own middleware: health, proxies, https, slow answers, phones, caches, NUL."""

import hashlib
import logging
import shutil
from collections.abc import Callable
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from time import perf_counter

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import DatabaseError, connection
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    HttpResponsePermanentRedirect,
)
from django.utils.cache import add_never_cache_headers

from tracker.common.server_log import SLOW
from tracker.config.environment import Network

Answering = Callable[[HttpRequest], HttpResponse]
Address = IPv4Address | IPv6Address
logger = logging.getLogger("kula")
ADDRESS = "/health/"
_LEAST_ROOM = 10_000_000  # bytes
SLOW_AFTER = 1.0  # seconds
THIS_MACHINE = {"127.0.0.1", "::1", ""}
_HOSTS_HERE = {"localhost", "127.0.0.1", "[::1]"}
_WORD = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO")
_MOST_NOTED = 5
# Pages with what opens something to whoever has it: cards, codes, links, passwords.
_SECRET = {
    "account",
    "card",
    "card-code",
    "card-qr",
    "door",
    "door-qr",
    "first-owner",
    "invitation-qr",
    "join",
    "keeping",
    "member",
    "members",
    "night-calendar",
    "night-door",
    "night-rsvp",
    "password",
    "password-new",
    "player-edit",
    "player-login",
    "print-cards",
    "sign-in",
    "table",
    "table-check",
    "table-result",
}
# Pages that say how things stand. Where a site can be installed, its worker keeps what a phone has
# seen of them, for when there is no network: the table's page too, which no cache should have, as
# without it a phone could not write down a hand.
_FOR_PHONES = {
    "bracket",
    "club",
    "crosstable",
    "dealers",
    "final-ranking",
    "hands",
    "home",
    "my-table",
    "night",
    "nights",
    "pair",
    "player",
    "schedule",
    "season",
    "seasons",
    "story",
    "table",
    "team",
    "tournament",
    "tournaments",
    "why",
}
_A_DAY = 86_400  # seconds


def phones_folder() -> Path:
    """Return the folder with one empty file for each phone that has reached the site."""
    return Path(settings.DATA_DIR) / "phones"


class CountPhones:
    """Remember, for ``serve``, which other devices have reached the site.

    Wi-Fi that keeps devices apart is a hall's commonest trouble, and looks from
    the laptop like nothing at all. Processes share the count through a folder;
    an address is kept only as a short hash.
    """

    def __init__(self, get_response: Answering) -> None:
        self.get_response = get_response
        self.known = set(THIS_MACHINE)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        address = request.META.get("REMOTE_ADDR", "")
        if address not in self.known:
            self.known.add(address)
            name = hashlib.sha256(f"{settings.SECRET_KEY}{address}".encode()).hexdigest()[:16]
            with suppress(OSError):  # a full disk must not keep anybody from reporting
                phones_folder().mkdir(parents=True, exist_ok=True)
                (phones_folder() / name).touch()
        return self.get_response(request)


def refuse_nul(get_response: Answering) -> Answering:
    """Find nothing at an address with a NUL in it, by which PostgreSQL cannot even look."""

    def answer(request: HttpRequest) -> HttpResponse:
        if "\x00" in request.path_info:
            raise Http404
        return get_response(request)

    return answer


def health(get_response: Answering) -> Answering:
    """Answer 200 while the database answers and can be written, and 503 with a sentence otherwise.

    It comes before everything else: a monitor asks by any host name, and must not be redirected,
    given cookies or counted.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        if request.path_info != ADDRESS:
            return get_response(request)
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        trouble = _trouble()
        response = HttpResponse(
            f"{trouble or 'Kula is open.'}\n",
            status=503 if trouble else 200,
            content_type="text/plain; charset=utf-8",
            headers={"Cache-Control": "no-store"},
        )
        # It is asked every few seconds, so Django must not log each of its refusals.
        response._has_been_logged = True  # type: ignore[attr-defined]  # noqa: SLF001
        return response

    return answer


def _trouble() -> str:
    """Return what keeps anything from being written; nothing if all is well."""
    try:
        # Finds nothing, so that nothing is written; but it is refused where nothing can be.
        Session.objects.filter(pk="").update(session_data="")
    except DatabaseError:
        return "The database does not answer, or cannot be written."
    if connection.vendor != "sqlite":
        return ""
    room = shutil.disk_usage(settings.DATA_DIR).free
    return "The disk is full." if room < _LEAST_ROOM else ""


class Proxies:
    """Middleware that takes the client's address from the headers of trusted proxies only.

    Trap: what a stranger writes into ``X-Forwarded-For`` stands further left than what the
    proxies add, so that it is read from the right, up to the first who is no proxy.
    """

    def __init__(self, get_response: Answering) -> None:
        self.get_response = get_response
        self.trusted: list[Network] = settings.TRUSTED_PROXIES
        self.noted: set[str] = set()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        sender = _address(request.META.get("REMOTE_ADDR", ""))
        if sender is not None and self._is_proxy(sender):
            hops = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
            request.META["REMOTE_ADDR"] = str(self._person(sender, hops))
        else:
            # A proxy that the settings do not name: its visitors are redirected for ever.
            address = request.META.get("REMOTE_ADDR", "")
            new = address not in self.noted and len(self.noted) < _MOST_NOTED
            if new and settings.HTTPS and "HTTP_X_FORWARDED_PROTO" in request.META:
                self.noted.add(address)
                logger.warning("Not believed about https: KULA_PROXIES does not name %s", address)
            for header in _WORD:
                request.META.pop(header, None)
        return self.get_response(request)

    def _person(self, sender: Address, hops: list[str]) -> Address:
        """Return the right-most address that is no proxy's, or else the last that can be read."""
        for hop in reversed(hops):
            address = _address(hop.strip())
            if address is None:
                return sender
            sender = address
            if not self._is_proxy(address):
                return address
        return sender

    def _is_proxy(self, address: Address) -> bool:
        return any(address in network for network in self.trusted)


def to_https(get_response: Answering) -> Answering:
    """Lead plain http to the site's own address, where that is https.

    Whoever works on the site's own machine is let be: nothing listens for https there. So is a
    health check, which is answered before.
    """
    if not settings.HTTPS:
        return get_response

    def answer(request: HttpRequest) -> HttpResponse:
        if request.is_secure():
            return get_response(request)
        sender = _address(request.META.get("REMOTE_ADDR", ""))
        named = request.META.get("HTTP_HOST", "")
        host = named.rpartition(":")[0] or named
        at_home = sender is not None and sender.is_loopback and host in _HOSTS_HERE
        # A proxy on this machine speaks for others.
        if at_home and not any(header in request.META for header in _WORD):
            return get_response(request)
        return HttpResponsePermanentRedirect(settings.SITE_URL + request.get_full_path())

    return answer


def _address(written: str) -> Address | None:
    """Return an address, in its shorter form if it has one; none if it cannot be read."""
    try:
        address = ip_address(written)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def keep_private(get_response: Answering) -> Answering:
    """Keep pages from shared caches, and those with secrets from every cache.

    Any other page a browser may keep and has to ask about, so that a page that is polled can be
    answered 304. What says something itself is left as it is, and files never come here.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        said = response.headers.get("Cache-Control", "")
        match = request.resolver_match
        if match is not None and match.url_name in _SECRET and "no-store" not in said:
            add_never_cache_headers(response)
        elif not said:
            response.headers["Cache-Control"] = "private, no-cache"
        if match is not None and match.url_name in _FOR_PHONES and request.is_secure():
            response.headers["Kula-Keep"] = str(_A_DAY)
        return response

    return answer


def note_slow(get_response: Answering) -> Answering:
    """Log an answer that took long; any other costs two looks at the clock."""

    def answer(request: HttpRequest) -> HttpResponse:
        began = perf_counter()
        response = get_response(request)
        if (took := perf_counter() - began) > SLOW_AFTER:
            path = request.path.encode("unicode_escape").decode("ascii")
            said = (SLOW, path, took, response.status_code)
            logger.warning("%s: %s took %.1f s (%d)", *said, extra={"request": request})
        return response

    return answer
