"""Django's PostgreSQL backend, for servers that fail over and for statements planned once."""

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any, TypeVar

import psycopg
from django.db.backends.postgresql import base, operations
from psycopg.abc import PQGen

_RV = TypeVar("_RV")
_ServerBindingCursor: Any = base.ServerBindingCursor  # what django-stubs say of it is wrong
_CHECK_TIMEOUT = 3.0  # seconds; short, as every worker checks its connection
_PREPARE_AFTER = 5  # uses of a statement on one connection


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


class DatabaseOperations(operations.DatabaseOperations):
    def last_executed_query(self, cursor: Any, sql: Any, params: Any) -> str:
        # Trap: Django's method has ``None`` for prepared statements.
        return super().last_executed_query(cursor, sql, params) or self.compose_sql(sql, params)


class DatabaseWrapper(base.DatabaseWrapper):
    """Backend for servers that fail over: a standby takes the place of a broken one."""

    ops_class = DatabaseOperations

    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection:
        # Django's method, without the options for isolation level and pool.
        self.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
        conn_params["prepare_threshold"] = _PREPARE_AFTER
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

    def execute_prepared(
        self, statements: Sequence[tuple[str, Sequence[Any]]]
    ) -> list[list[tuple[Any, ...]]]:
        """Execute statements in one round trip, and return the rows of each.

        After a few uses the server keeps the plan of a statement for the connection. To plan those
        of a report took it twice as long as to execute them. The ORM's statements, of which there
        are many more, are sent by Django's cursors, which never prepare.
        """
        self.close_if_health_check_failed()
        self.ensure_connection()
        cursors: list[Any] = [
            self._prepare_cursor(_ServerBindingCursor(self.connection))  # type: ignore[attr-defined]
            for _ in statements
        ]
        together = self.connection.pipeline() if len(statements) > 1 else nullcontext()
        with self.wrap_database_errors, together:
            for cursor, (sql, values) in zip(cursors, statements, strict=True):
                cursor.execute(sql, values)
        # A statement without rows has no row number.
        return [cursor.fetchall() if cursor.rownumber is not None else [] for cursor in cursors]
