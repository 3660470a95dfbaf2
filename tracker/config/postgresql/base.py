"""Django's PostgreSQL backend, which closes connections to a hanging or read-only server."""

from typing import Any, TypeVar

import psycopg
from django.db.backends.postgresql import base
from psycopg.abc import PQGen

_RV = TypeVar("_RV")
_CHECK_TIMEOUT = 3.0  # seconds; short, as every worker checks its connection


class Connection(psycopg.Connection[Any]):
    """A connection that is closed when its server hangs or has become read-only."""

    # Seconds; ``wsgi`` sets it for pages, while commands in a terminal have no limit.
    answer_timeout: float | None = None

    def wait(self, gen: PQGen[_RV], interval: float = 0.1, timeout: float | None = None) -> _RV:
        """Wait for an answer, and close the connection if the server hangs or is read-only.

        TCP does not notice a hanging program, whose machine still acknowledges packets.
        """
        try:
            return super().wait(gen, interval, timeout=timeout or self.answer_timeout)
        except psycopg.errors._WaitTimeout:  # noqa: SLF001 - the only name it has
            self.pgconn.finish()
            message = f"the server has not answered for {timeout or self.answer_timeout} s"
            raise psycopg.OperationalError(message) from None
        except psycopg.errors.ReadOnlySqlTransaction:
            self.pgconn.finish()
            raise


class DatabaseWrapper(base.DatabaseWrapper):
    """Backend for servers that fail over: a standby takes the place of a broken one."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection:
        # Django's method, without the options for isolation level and pool.
        self.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
        return Connection.connect(**conn_params)

    def is_usable(self) -> bool:
        """Return whether the server answers, within a short timeout."""
        connection: Connection | None = self.connection
        if connection is None:
            return False
        connection.answer_timeout = _CHECK_TIMEOUT
        try:
            return super().is_usable()
        finally:
            del connection.answer_timeout  # then that of the class holds again
