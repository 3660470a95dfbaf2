"""Settings for PostgreSQL on one host, or on several with one primary.

A server may fail in the middle of a club night, and another become the primary. Broken connections
are noticed within seconds, and answered so that the phone sends its request again.
"""

from typing import Any
from urllib.parse import urlsplit

import dj_database_url

_TIMEOUTS = {
    "connect_timeout": 2,  # seconds, for each host
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,  # milliseconds
}


def database(url: str) -> dict[str, Any]:
    """Return Django's setting for a ``DATABASE_URL``, which may name several hosts.

    Options in its query override the timeouts.
    """
    login, at, hosts = urlsplit(url).netloc.rpartition("@")
    parts = [urlsplit(f"//{host}") for host in hosts.split(",")]
    first = f"{login}{at}{hosts.split(',')[0]}"
    # Each thread of a worker keeps one connection, and checks it before a request. A pool is no
    # faster, and retries ever more rarely while the server is away.
    parsed: dict[str, Any] = dict(
        dj_database_url.parse(
            url.replace(f"{login}{at}{hosts}", first, 1),
            engine="tracker.config.postgresql",
            conn_max_age=None,
            conn_health_checks=True,
        )
    )
    parsed["OPTIONS"] = {**_TIMEOUTS, **parsed.get("OPTIONS", {})}
    if len(parts) > 1:
        parsed["HOST"] = ",".join(part.hostname or "" for part in parts)
        parsed["PORT"] = ",".join(str(part.port or 5432) for part in parts)
        parsed["OPTIONS"].setdefault("target_session_attrs", "read-write")
    return parsed
