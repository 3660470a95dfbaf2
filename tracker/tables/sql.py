"""Execution of the SQL that is written by hand.

It sets the pace at which tables can report: through the ORM a lock takes twelve times as long,
and a hand ten times. All of it works on SQLite and PostgreSQL.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

from django.db import connection

Statement: TypeAlias = tuple[str, Sequence[Any]]
Rows: TypeAlias = list[tuple[Any, ...]]

# No row has a larger key, and a database may not even read one.
LARGEST_KEY = 2**63 - 1


def execute(*statements: Statement) -> list[Rows]:
    """Execute these statements in order, and return the rows of each.

    PostgreSQL gets them all at once: each still sees what was committed before it began,
    so that a statement after a lock sees what was done while the lock was waited for.
    """
    answers: list[Rows] = []
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            all_values = [value for _, values in statements for value in values]
            cursor.execute("; ".join(sql for sql, _ in statements), all_values)
            answers.append(_rows(cursor))
            while cursor.nextset():
                answers.append(_rows(cursor))
        else:
            for sql, values in statements:
                cursor.execute(sql, values)
                answers.append(_rows(cursor))
    return answers


def _rows(cursor: Any) -> Rows:
    return cursor.fetchall() if cursor.description else []
