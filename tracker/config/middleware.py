"""Middleware: health, phones, proxies, https, cache headers, slow responses, NUL in addresses."""

import hashlib
import logging
import shutil
from collections.abc import Callable
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
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

GetResponse = Callable[[HttpRequest], HttpResponse]
Address = IPv4Address | IPv6Address
logger = logging.getLogger("kula")
HEALTH_PATH = "/health/"
_LEAST_SPACE = 10_000_000  # bytes
SLOW_AFTER = 1.0  # seconds
# Addresses of clients on the site's own machine; "" is a Unix socket's.
THIS_MACHINE = {"127.0.0.1", "::1", ""}
_HOSTS_HERE = {"localhost", "127.0.0.1", "[::1]"}  # the same machine as browsers name it
_FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO")  # the headers of proxies
_MOST_WARNINGS = 5  # about senders that are not trusted proxies, one for each
# URL names of pages with something that gives access: cards, codes, links, passwords.
_SECRET = {
    "account", "api-tokens", "card", "card-code", "card-qr", "door", "door-qr", "enter-wins",
    "first-owner", "invitation-qr", "join", "keeping", "member", "members", "night-calendar",
    "night-door", "night-rsvp", "password", "password-new", "player-edit", "player-login", "print-cards",
    "sign-in", "table", "table-check", "webhooks",
}  # fmt: skip
# URL names of pages that the service worker of an installed site stores for use without a network.
# The page of a table is one, though it is secret: without it a phone could not write down a hand.
_FOR_PHONES = {
    "bracket", "club", "crosstable", "dealers", "final-ranking", "hands", "home", "my-table",
    "night", "nights", "pair", "player", "schedule", "season", "seasons", "story", "table", "team",
    "tournament", "tournaments", "why",
}  # fmt: skip
_A_DAY = 86_400  # seconds for which the service worker keeps them


class CountPhones:
    """Counts, for the command ``serve``, the other devices that have reached the site.

    Wi-Fi that isolates devices is the most common problem in a hall, and cannot be seen from the
    laptop. Processes share the count through a folder; an address is stored only as a short hash.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self.known = set(THIS_MACHINE)  # addresses that need not be counted, or not again

    def __call__(self, request: HttpRequest) -> HttpResponse:
        address = request.META.get("REMOTE_ADDR", "")
        if address not in self.known:
            self.known.add(address)
            name = hashlib.sha256(f"{settings.SECRET_KEY}{address}".encode()).hexdigest()[:16]
            with suppress(OSError):  # a full disk must not prevent a report
                settings.PHONES_FOLDER.mkdir(parents=True, exist_ok=True)
                (settings.PHONES_FOLDER / name).touch()
        return self.get_response(request)


def refuse_nul(get_response: GetResponse) -> GetResponse:
    """Answer 404 to an address with a NUL, which PostgreSQL refuses in a query."""

    def answer(request: HttpRequest) -> HttpResponse:
        if "\x00" in request.path_info:
            raise Http404
        return get_response(request)

    return answer


def health(get_response: GetResponse) -> GetResponse:
    """Answer health checks: 200 if the database can be written, else 503 with a sentence.

    It is the first middleware: a monitor may use any host name, and must not be redirected, get
    cookies or be counted.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        if request.path_info != HEALTH_PATH:
            return get_response(request)
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        status, sentence = 200, "Kula is open."
        try:
            # Changes no row, but fails if the database cannot be written.
            Session.objects.filter(pk="").update(session_data="")
        except DatabaseError:
            status, sentence = 503, "The database does not answer, or cannot be written."
        else:
            on_sqlite = connection.vendor == "sqlite"
            if on_sqlite and shutil.disk_usage(settings.DATA_DIR).free < _LEAST_SPACE:
                status, sentence = 503, "The disk is full."
        plain_text = "text/plain; charset=utf-8"
        response = HttpResponse(f"{sentence}\n", content_type=plain_text, status=status)
        response.headers["Cache-Control"] = "no-store"
        # A monitor asks every few seconds: with this mark Django does not log each 503.
        response._has_been_logged = True  # type: ignore[attr-defined]  # noqa: SLF001
        return response

    return answer


class Proxies:
    """Takes the client's address and protocol from the headers of trusted proxies only.

    Trap: a client can write into ``X-Forwarded-For`` left of what the proxies add, so the header is
    read from the right, up to the first address that is no proxy.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self.trusted: list[Network] = settings.TRUSTED_PROXIES
        self.warned: set[str] = set()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        sender = _address(request.META.get("REMOTE_ADDR", ""))
        if sender is not None and self._is_proxy(sender):
            # Each proxy has added the address from which it got the request.
            for hop in reversed(request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")):
                previous = _address(hop.strip())
                if previous is None or not self._is_proxy(sender):
                    break
                sender = previous
            request.META["REMOTE_ADDR"] = str(sender)
        else:
            # Perhaps a proxy that KULA_PROXIES should name: unless its header is believed, visitors
            # with https are redirected to https for ever.
            proxy = request.META.get("REMOTE_ADDR", "")
            may_warn = proxy not in self.warned and len(self.warned) < _MOST_WARNINGS
            if may_warn and settings.HTTPS and "HTTP_X_FORWARDED_PROTO" in request.META:
                self.warned.add(proxy)
                logger.warning("Not believed about https: KULA_PROXIES does not name %s", proxy)
            for header in _FORWARDED:
                request.META.pop(header, None)
        return self.get_response(request)

    def _is_proxy(self, address: Address) -> bool:
        return any(address in network for network in self.trusted)


def to_https(get_response: GetResponse) -> GetResponse:
    """Redirect plain http to the site's https address.

    Requests from the site's own machine, where nothing listens for https, are not redirected; nor
    are health checks, which ``health`` has answered before.
    """
    if not settings.HTTPS:
        return get_response

    def answer(request: HttpRequest) -> HttpResponse:
        if request.is_secure():
            return get_response(request)
        sender = _address(request.META.get("REMOTE_ADDR", ""))
        host_and_port = request.META.get("HTTP_HOST", "")
        host = host_and_port.rpartition(":")[0] or host_and_port
        is_local = sender is not None and sender.is_loopback and host in _HOSTS_HERE
        # With such a header, a proxy on this machine has forwarded the request of somebody else.
        if is_local and not any(header in request.META for header in _FORWARDED):
            return get_response(request)
        return HttpResponsePermanentRedirect(settings.SITE_URL + request.get_full_path())

    return answer


def _address(written: str) -> Address | None:
    """Return an IP address, or ``None`` if it is invalid; ``::ffff:192.0.2.7`` becomes IPv4."""
    try:
        address = ip_address(written)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def keep_private(get_response: GetResponse) -> GetResponse:
    """Set ``Cache-Control``: no shared caches, and no cache at all for pages with secrets.

    A browser may store any other page, but must revalidate it, so that polling can be answered 304.
    A header set by the view stays as it is; static files do not reach this middleware.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        header = response.headers.get("Cache-Control", "")
        match = request.resolver_match
        if match is not None and match.view_name in _SECRET and "no-store" not in header:
            add_never_cache_headers(response)
        elif not header:
            response.headers["Cache-Control"] = "private, no-cache"
        if match is not None and match.view_name in _FOR_PHONES and request.is_secure():
            response.headers.setdefault("Kula-Keep", str(_A_DAY))
        return response

    return answer


def note_slow(get_response: GetResponse) -> GetResponse:
    """Log each response that took longer than ``SLOW_AFTER``."""

    def answer(request: HttpRequest) -> HttpResponse:
        began = perf_counter()
        response = get_response(request)
        if (took := perf_counter() - began) > SLOW_AFTER:
            path = request.path.encode("unicode_escape").decode("ascii")
            values = (SLOW, path, took, response.status_code)
            logger.warning("%s: %s took %.1f s (%d)", *values, extra={"request": request})
        return response

    return answer
