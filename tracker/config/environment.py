"""What the environment says, and a sentence where it cannot be meant."""

from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import NoReturn
from urllib.parse import SplitResult, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

Network = IPv4Network | IPv6Network


def names(said: str) -> list[str]:
    """Return the names in a comma-separated value.

    >>> names(" a, b ,")
    ['a', 'b']
    """
    return [name for part in said.split(",") if (name := part.strip())]


def site_url(said: str) -> str:
    """Return the address of the site without a slash at its end; empty where none is named."""
    said = said.strip()
    if said and not _is_whole(urlsplit(said)):
        _refuse(f"KULA_URL is “{said}”: write it whole and without a path, as https://kula.example")
    return said.rstrip("/")


def networks(said: str) -> list[Network]:
    """Return the addresses and networks of proxies.

    >>> networks("192.0.2.7, 10.0.0.0/8")
    [IPv4Network('192.0.2.7/32'), IPv4Network('10.0.0.0/8')]
    """
    named = []
    for name in names(said):
        try:
            named.append(ip_network(name, strict=False))
        except ValueError:
            _refuse(
                f"KULA_PROXIES has “{name}”: write addresses and networks, as 127.0.0.1,10.0.0.0/8"
            )
    return named


def time_zone(said: str) -> str:
    """Return the club's time zone; UTC where none is named."""
    zone = said.strip() or "UTC"
    try:
        ZoneInfo(zone)
    # Trap: the name of a folder of zones, as “Africa”, is an OSError.
    except (ZoneInfoNotFoundError, ValueError, OSError):
        _refuse(f"KULA_TIME_ZONE is “{said}”: name a zone as Africa/Dar_es_Salaam, or none for UTC")
    return zone


def hsts(said: str) -> set[str]:
    """Return what else is promised of https: ``subdomains``, ``preload``."""
    promised = set(names(said.lower()))
    if odd := sorted(promised - {"subdomains", "preload"}):
        _refuse(f"KULA_HSTS has “{odd[0]}”: it may say subdomains, or subdomains,preload")
    return promised


def _is_whole(address: SplitResult) -> bool:
    try:
        port = address.port
    except ValueError:
        return False
    named = address.scheme in {"http", "https"} and bool(address.hostname) and port != 0
    return named and address.path in {"", "/"} and not address.query and not address.fragment


def _refuse(sentence: str) -> NoReturn:
    """End the process with a sentence: settings are read before anybody could catch an error."""
    raise SystemExit(f"{sentence}.")
