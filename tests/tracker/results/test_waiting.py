"""SQLite has one writer at a time; whoever waits gets a turn, or is told that there was none."""

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import ConnectionHandler
from pytest_django import DjangoDbBlocker

from tracker.config.settings import _SQLITE


@pytest.fixture
def database(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[BaseDatabaseWrapper]:
    """Connect to a file of its own as the site connects to the club's, whatever the suite uses."""
    settings = {**_SQLITE, "NAME": tmp_path / "club.sqlite3"}
    with django_db_blocker.unblock():
        connection = ConnectionHandler({"default": settings})["default"]
        connection.ensure_connection()
        yield connection
        connection.close()


def somebody_writing(database: BaseDatabaseWrapper) -> sqlite3.Connection:
    other = sqlite3.connect(
        database.settings_dict["NAME"], isolation_level=None, check_same_thread=False
    )
    other.execute("BEGIN IMMEDIATE")
    return other


def patience(database: BaseDatabaseWrapper) -> int:
    with database.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        return int(cursor.fetchone()[0])


def test_a_writer_waits_for_its_turn(database: BaseDatabaseWrapper) -> None:
    other, gives_up = somebody_writing(database), threading.Event()

    def give_up() -> None:
        gives_up.set()
        other.rollback()

    done = threading.Timer(0.05, give_up)
    done.start()
    database.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    assert gives_up.is_set()
    assert database.connection.in_transaction
    done.join()  # the lock is free a moment before its connection says so
    assert not other.in_transaction
    assert patience(database) == 30_000
    database.rollback()
    other.close()


def test_a_writer_is_told_when_its_patience_ends(database: BaseDatabaseWrapper) -> None:
    database.settings_dict["OPTIONS"] = {**_SQLITE["OPTIONS"], "timeout": 0.02}
    other = somebody_writing(database)
    with pytest.raises(OperationalError, match="locked"):
        database.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    assert patience(database) == 20
    other.close()
