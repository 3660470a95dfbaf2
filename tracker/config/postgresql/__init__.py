"""Settings for PostgreSQL on one host, or on several with one primary.

A server may be lost in the middle of an evening, and another take its place. Whatever is
broken by that is noticed within seconds, and answered so that the phone sends it again.
"""

from typing import Any
from urllib.parse import urlsplit

import dj_database_url

_NOTICED_WITHIN = {
    "connect_timeout": 2,  # seconds, for each host
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,  # milliseconds
}


def database(url: str) -> dict[str, Any]:
    """Return Django's setting for a ``DATABASE_URL``, which may name several hosts.

    What its query says goes before what is usual here.
    """
    login, at, hosts = urlsplit(url).netloc.rpartition("@")
    places = [urlsplit(f"//{host}") for host in hosts.split(",")]
    first = f"{login}{at}{hosts.split(',')[0]}"
    # Each thread of a worker keeps one connection, and asks before a request whether it lives.
    # A pool tries again ever more seldom while the server is away, and is no faster.
    parsed: dict[str, Any] = dict(
        dj_database_url.parse(
            url.replace(f"{login}{at}{hosts}", first, 1),
            engine="tracker.config.postgresql",
            conn_max_age=None,
            conn_health_checks=True,
        )
    )
    parsed["OPTIONS"] = {**_NOTICED_WITHIN, **parsed.get("OPTIONS", {})}
    if len(places) > 1:
        parsed["HOST"] = ",".join(place.hostname or "" for place in places)
        parsed["PORT"] = ",".join(str(place.port or 5432) for place in places)
        parsed["OPTIONS"].setdefault("target_session_attrs", "read-write")
    return parsed
