"""A PostgreSQL and its connections: one host, or several of which one takes writes.

A server may be lost in the middle of an evening, and another take its place. Whatever is
broken by that is noticed within seconds, and answered so that the phone sends it again.
"""

from typing import Any, ClassVar, TypeVar
from urllib.parse import urlsplit

import dj_database_url
import psycopg
from psycopg.abc import PQGen

_NOTICED_WITHIN = {
    "connect_timeout": 3,  # seconds, for each host
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,  # milliseconds
}
_RV = TypeVar("_RV")


class Connection(psycopg.Connection[Any]):
    """A connection that is closed when nothing more is to be expected of its server."""

    patience: ClassVar[float | None] = None  # seconds for one answer; a command has all the time

    def wait(self, gen: PQGen[_RV], interval: float = 0.1, timeout: float | None = None) -> _RV:
        """Wait for an answer, and close where the server hangs or takes no writes any more.

        Of a program that hangs TCP notices nothing: its machine still says that it listens.
        """
        try:
            return super().wait(gen, interval, timeout=timeout or self.patience)
        except psycopg.errors._WaitTimeout:  # noqa: SLF001 - the only name it has
            self.pgconn.finish()
            message = f"the server has not answered for {timeout or self.patience} s"
            raise psycopg.OperationalError(message) from None
        except psycopg.errors.ReadOnlySqlTransaction:
            self.pgconn.finish()
            raise


def database(url: str) -> dict[str, Any]:
    """Return Django's setting for a ``DATABASE_URL``, which may name several hosts.

    What its query says goes before what is usual here.
    """
    login, at, hosts = urlsplit(url).netloc.rpartition("@")
    places = [urlsplit(f"//{host}") for host in hosts.split(",")]
    first = f"{login}{at}{hosts.split(',')[0]}"
    # psycopg's pool keeps the connections, so Django must not; a dead one is not given to a page.
    parsed: dict[str, Any] = dict(
        dj_database_url.parse(
            url.replace(f"{login}{at}{hosts}", first, 1), conn_max_age=0, conn_health_checks=True
        )
    )
    options = {**_NOTICED_WITHIN, **parsed.get("OPTIONS", {})}
    if len(places) > 1:
        parsed["HOST"] = ",".join(place.hostname or "" for place in places)
        parsed["PORT"] = ",".join(str(place.port or 5432) for place in places)
        options.setdefault("target_session_attrs", "read-write")
    # A page waits a few seconds for a connection and says so, rather than hold up those behind it.
    pool = {"min_size": 1, "max_size": 8, "timeout": 3, "reconnect_timeout": 3}
    parsed["OPTIONS"] = {**options, "pool": {**pool, "connection_class": Connection}}
    return parsed
