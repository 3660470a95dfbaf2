"""Statements by hand, several of which make one trip to the database where it lets them."""

from collections.abc import Sequence
from typing import Any, TypeAlias

from django.db import connection

Statement: TypeAlias = tuple[str, Sequence[Any]]
Rows: TypeAlias = list[tuple[Any, ...]]


def execute(*statements: Statement) -> list[Rows]:
    """Execute these one after another and return what each of them found, if it asked.

    PostgreSQL gets them all at once: each still sees what was committed before it began,
    so that one behind a lock sees what was done while the lock was waited for.
    """
    found: list[Rows] = []
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            all_values = [value for _, values in statements for value in values]
            cursor.execute("; ".join(sql for sql, _ in statements), all_values)
            found.append(_rows(cursor))
            while cursor.nextset():
                found.append(_rows(cursor))
        else:
            for sql, values in statements:
                cursor.execute(sql, values)
                found.append(_rows(cursor))
    return found


def _rows(cursor: Any) -> Rows:
    return cursor.fetchall() if cursor.description else []
