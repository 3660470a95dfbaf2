"""HTTP POST to addresses of the public internet only; private networks are refused (SSRF).

A name is resolved once, and the connection goes to an address that was checked: resolved again, the
name may lead elsewhere (DNS rebinding).
"""

import http.client
import socket
import ssl
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from threading import Timer
from time import monotonic
from typing import TypeAlias
from urllib.parse import SplitResult, urlsplit

from games.errors import gettext_noop as _

LONGEST = 10.0  # seconds for one attempt, name lookup included
_CONNECTING = 4.0  # seconds for each address of a name
_MOST_ADDRESSES = 3  # of a name, that are tried one after another
PORTS = {"http": 80, "https": 443}
_NAT64 = IPv6Network("64:ff9b::/96")  # RFC 6052: the last 32 bits are an IPv4 address
_UNICAST = IPv6Network("2000::/3")  # all of IPv6 that is assigned for the internet
# Not of the internet, though not every Python knows: protocols, 6to4, and a host of Azure's.
_SPECIAL = (*map(IPv4Network, ("192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32")),)
_LATE = _("No answer within ten seconds.")
_REASONS: Sequence[tuple[type[Exception], str]] = (
    (socket.gaierror, _("The name of the address is unknown.")),
    (ssl.SSLError, _("The certificate is not valid, or there is no TLS.")),
    (TimeoutError, _LATE),
    (OSError, _("It cannot be reached.")),
)
# Returns the IP addresses of a host name for a connection to a port.
Resolve: TypeAlias = Callable[[str, int], Sequence[str]]


class NotDelivered(Exception):
    """No success was answered; the message says what was, or what went wrong."""


def post(
    url: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    loopback: str = "",
    resolve: Resolve | None = None,
    longest: float = LONGEST,
) -> str:
    """Post *body*, and return the status of a success (2xx): "204 No Content".

    *loopback* is an address and port that is allowed although it is private: "127.0.0.1:8001".

    :raises NotDelivered: if anything else is answered, a redirect too, or nothing at all.
    """
    deadline = monotonic() + longest
    try:
        parts = urlsplit(url)
        line = _connect(parts, deadline, loopback, resolve or _resolve)
        with _cut_at(deadline, line):
            status = _send(line, parts, headers, body)
        if monotonic() >= deadline:  # cut in the middle of the headers it still is an answer
            raise TimeoutError
    except (OSError, ValueError, http.client.HTTPException) as error:
        reasons = (reason for kind, reason in _REASONS if isinstance(error, kind))
        reason = next(reasons, _("What was answered is not HTTP."))
        raise NotDelivered(_LATE if monotonic() >= deadline else reason) from error
    answer = f"{status} {http.client.responses.get(status, '')}".strip()
    if not 200 <= status < 300:
        raise NotDelivered(answer)
    return answer


def is_allowed(address: str, port: int, loopback: str) -> bool:
    """Return whether messages may be sent to an IP address."""
    return is_public(address) or f"{address}:{port}" == loopback


def is_public(address: str) -> bool:
    """Return whether an IP address is of the public internet, and no tunnel to a private one.

    >>> is_public("1.1.1.1"), is_public("10.1.1.1"), is_public("64:ff9b::10.1.1.1")
    (True, False, False)
    """
    ip = ip_address(address)
    if isinstance(ip, IPv6Address):
        if ip.ipv4_mapped or ip in _NAT64:
            return is_public(str(IPv4Address(int(ip) & 0xFFFF_FFFF)))
        if ip not in _UNICAST or ip.sixtofour or ip.teredo:  # both are tunnels, and obsolete
            return False
    return ip.is_global and not ip.is_multicast and not any(ip in each for each in _SPECIAL)


def _connect(url: SplitResult, deadline: float, loopback: str, resolve: Resolve) -> socket.socket:
    """Connect to the first address that answers, if all are allowed; TLS begins later."""
    host, port = url.hostname or "", url.port or PORTS[url.scheme]
    addresses = resolve(host, port)
    if not all(is_allowed(address, port, loopback) for address in addresses):
        raise NotDelivered(_("The address leads into a private network."))
    failure = OSError()
    for address in addresses[:_MOST_ADDRESSES]:
        seconds = min(_CONNECTING, max(deadline - monotonic(), 0.001))
        try:
            line = socket.create_connection((address, port), timeout=seconds)
        except OSError as error:
            failure = error
            continue
        line.settimeout(LONGEST)
        if url.scheme == "http":
            return line
        context = ssl.create_default_context()
        return context.wrap_socket(line, server_hostname=host, do_handshake_on_connect=False)
    raise failure


def _send(line: socket.socket, url: SplitResult, headers: Mapping[str, str], body: bytes) -> int:
    """Send the request, and return the status of the answer; its body is not read."""
    if isinstance(line, ssl.SSLSocket):
        line.do_handshake()
    connection = http.client.HTTPConnection(url.netloc)
    connection.sock = line  # so that it connects to nothing itself
    target = (url.path or "/") + (f"?{url.query}" if url.query else "")
    given = {"Host": url.netloc, "Connection": "close", **headers}
    connection.request("POST", target, body, given)
    with connection.getresponse() as answer:
        return answer.status


def _resolve(host: str, port: int) -> Sequence[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_about, address in found))


@contextmanager
def _cut_at(deadline: float, line: socket.socket) -> Iterator[None]:
    """Close a connection at the end of the block, or cut it at the *deadline*, even while it is read."""

    def cut() -> None:
        with suppress(OSError):  # it is closed
            # Trap: the method of a TLS socket would first make it a plain one, while it is read.
            socket.socket.shutdown(line, socket.SHUT_RDWR)

    timer = Timer(max(deadline - monotonic(), 0), cut)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        line.close()
