"""Proxies: whose word is taken for who asks, and over what."""

import logging
from ipaddress import IPv4Address, IPv6Address, ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect

from tracker.config.environment import Network
from tracker.config.middleware import Answering

Address = IPv4Address | IPv6Address
logger = logging.getLogger("kula")
_WORD = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO")
_MOST_NOTED = 5
_HOSTS_HERE = {"localhost", "127.0.0.1", "[::1]"}


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
            # Who speaks as the proxy would that was never named: its people are led in a circle.
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
        if request.is_secure() or _is_here(request):
            return get_response(request)
        return HttpResponsePermanentRedirect(settings.SITE_URL + request.get_full_path())

    return answer


def _is_here(request: HttpRequest) -> bool:
    """Return whether a request comes from this machine to its own name, and through no proxy."""
    sender = _address(request.META.get("REMOTE_ADDR", ""))
    host = request.META.get("HTTP_HOST", "").rpartition(":")[0] or request.META.get("HTTP_HOST", "")
    at_home = sender is not None and sender.is_loopback and host in _HOSTS_HERE
    return at_home and not any(header in request.META for header in _WORD)


def _address(written: str) -> Address | None:
    """Return an address, in its shorter form if it has one; none if it cannot be read."""
    try:
        address = ip_address(written)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
