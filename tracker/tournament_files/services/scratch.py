"""Empty in-memory database for one trial import, without locks or traces."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, TypeVar

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.sqlite3.base import DatabaseWrapper

T = TypeVar("T")


def in_scratch(work: Callable[[], T]) -> T:
    """Do *work* in a thread, whose database is an empty one, and return what it returns."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_try, work).result()


def _try(work: Callable[[], T]) -> T:
    held: Any = connections  # of this thread alone
    held[DEFAULT_DB_ALIAS] = scratch = _empty()
    try:
        with connection.cursor() as cursor:
            for statement in _tables():
                cursor.execute(statement)
        return work()
    finally:
        scratch.connection.close()  # Django's own close() leaves a database in memory open


def _empty() -> DatabaseWrapper:
    settings = connections.settings[DEFAULT_DB_ALIAS]
    chosen = {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:", "OPTIONS": {}}
    return DatabaseWrapper({**settings, **chosen}, DEFAULT_DB_ALIAS)


@cache
def _tables() -> tuple[str, ...]:
    """Return the statements that make the tables of the site, with what their rows must be."""
    scratch = _empty()
    with scratch.schema_editor() as editor:
        for model in apps.get_models():
            editor.create_model(model)
    with scratch.cursor() as cursor:
        cursor.execute(
            "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name <> 'sqlite_sequence'"
        )
        made = tuple(sql for (sql,) in cursor.fetchall())
    scratch.connection.close()
    return made
