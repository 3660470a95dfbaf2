"""Parsing of environment variables; an invalid value ends the process with a sentence."""

from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any, NoReturn
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import dj_database_url

Network = IPv4Network | IPv6Network
_POSTGRESQL_PORT = 5432
_POSTGRESQL_TIMEOUTS = {
    "connect_timeout": 2,  # seconds, for each host
    "keepalives_idle": 5,  # seconds
    "keepalives_interval": 2,  # seconds
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,  # milliseconds
}


def names(value: str) -> list[str]:
    """Return the names in a comma-separated value.

    >>> names(" a, b ,")
    ['a', 'b']
    """
    return [name for part in value.split(",") if (name := part.strip())]


def site_url(value: str) -> str:
    """Return the address of the site without a slash at its end; "" if none is set."""
    value = value.strip()
    try:
        address = urlsplit(value)
        is_http = address.scheme in {"http", "https"} and address.hostname and address.port != 0
    except ValueError:
        is_http = False
    if value and not (
        is_http and address.path in {"", "/"} and not address.query and not address.fragment
    ):
        _refuse(
            f"KULA_URL is “{value}”: write it whole and without a path, as https://kula.example"
        )
    return value.rstrip("/")


def networks(value: str) -> list[Network]:
    """Return the networks in a comma-separated value of addresses and networks.

    >>> networks("192.0.2.7, 10.0.0.0/8")
    [IPv4Network('192.0.2.7/32'), IPv4Network('10.0.0.0/8')]
    """
    parsed = []
    for name in names(value):
        try:
            parsed.append(ip_network(name, strict=False))
        except ValueError:
            _refuse(
                f"KULA_PROXIES has “{name}”: write addresses and networks, as 127.0.0.1,10.0.0.0/8"
            )
    return parsed


def time_zone(value: str) -> str:
    """Return the name of the club's time zone; UTC if none is set."""
    zone = value.strip() or "UTC"
    try:
        ZoneInfo(zone)
    # Trap: the name of a folder of zones, as “Africa”, is an OSError.
    except (ZoneInfoNotFoundError, ValueError, OSError):
        _refuse(
            f"KULA_TIME_ZONE is “{value}”: name a zone as Africa/Dar_es_Salaam, or none for UTC"
        )
    return zone


def hsts(value: str) -> set[str]:
    """Return the additional HSTS directives: ``subdomains``, ``preload``."""
    directives = set(names(value.lower()))
    if odd := sorted(directives - {"subdomains", "preload"}):
        _refuse(f"KULA_HSTS has “{odd[0]}”: it may say subdomains, or subdomains,preload")
    return directives


def postgresql(url: str) -> dict[str, Any]:
    """Return Django's setting for a ``DATABASE_URL``; it may name several hosts with one primary.

    Options in its query override the timeouts. A server may fail in the middle of a club night, and
    another become the primary: with these timeouts a broken connection is noticed within seconds.
    """
    login, at_sign, hosts = urlsplit(url).netloc.rpartition("@")
    parts = [urlsplit(f"//{host}") for host in hosts.split(",")]  # each with hostname and port
    # The library knows only URLs of one host: it gets the first, and all are set below.
    prefix = f"{login}{at_sign}"
    url_of_first = url.replace(f"{prefix}{hosts}", f"{prefix}{parts[0].netloc}", 1)
    # Each thread of a worker keeps one connection, and checks it before a request. A pool of
    # connections is no faster, and its pauses between retries grow while the server is away.
    config = dj_database_url.parse(
        url_of_first,
        engine="tracker.config.postgresql",
        conn_max_age=None,
        conn_health_checks=True,
    )
    parsed: dict[str, Any] = dict(config)
    parsed["OPTIONS"] = {**_POSTGRESQL_TIMEOUTS, **parsed.get("OPTIONS", {})}
    if len(parts) > 1:
        parsed["HOST"] = ",".join(part.hostname or "" for part in parts)
        parsed["PORT"] = ",".join(str(part.port or _POSTGRESQL_PORT) for part in parts)
        parsed["OPTIONS"].setdefault("target_session_attrs", "read-write")
    return parsed


def _refuse(sentence: str) -> NoReturn:
    """End the process with a sentence; an error would be shown with a traceback of the settings."""
    raise SystemExit(f"{sentence}.")
