"""Django's PostgreSQL, but a connection that is good for nothing any more is closed."""

from typing import Any, TypeVar

import psycopg
from django.db.backends.postgresql import base
from psycopg.abc import PQGen

_RV = TypeVar("_RV")
_A_GREETING = 3.0  # seconds; less than a statement may take, as every worker's connection is tried


class Connection(psycopg.Connection[Any]):
    """A connection that is closed when nothing more is to be expected of its server."""

    patience: float | None = None  # seconds for one answer; a command has all the time

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


class DatabaseWrapper(base.DatabaseWrapper):
    """A PostgreSQL whose server may be lost, and another take its place."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection:
        # Django's own way, for the usual level of isolation and without a pool.
        self.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
        return Connection.connect(**conn_params)

    def is_usable(self) -> bool:
        """See before a request whether the server is there, and do not wait long for a word."""
        connection: Connection | None = self.connection
        if connection is None:
            return False
        connection.patience = _A_GREETING
        try:
            return super().is_usable()
        finally:
            del connection.patience  # the class's own again
