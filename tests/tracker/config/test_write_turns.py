"""Threads of one process write to SQLite in turn, however a transaction ends."""

import threading
from collections.abc import Callable
from contextlib import suppress

import pytest
from django.db import Error, OperationalError, connection, transaction

from tests import make
from tests.reading import costs
from tests.serving import PATIENCE
from tracker.common.web import error_pages
from tracker.config.sqlite.base import DatabaseFeatures
from tracker.models import Club, Tournament

sqlite_alone = pytest.mark.skipif(
    "connection.vendor != 'sqlite'", reason="PostgreSQL lets several write at once"
)


def in_another_thread(work: Callable[[], object]) -> threading.Thread:
    def with_own_connection() -> None:
        try:
            work()
        finally:
            connection.close()

    thread = threading.Thread(target=with_own_connection)
    thread.start()
    return thread


def write() -> None:
    with transaction.atomic():
        make.club("Ilala")


def fail_in_python() -> None:
    with transaction.atomic():
        make.club()
        raise KeyError


def fail_as_it_commits() -> None:
    with transaction.atomic():
        Tournament.objects.bulk_create([Tournament(club_id=999, name="Of nobody’s club")])


def lose_the_connection() -> None:
    with transaction.atomic():
        make.club()
        connection.close()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("end", [write, fail_in_python, fail_as_it_commits, lose_the_connection])
def test_the_next_thread_writes_however_a_transaction_ends(end: Callable[[], None]) -> None:
    with suppress(KeyError, Error):
        end()

    in_another_thread(write).join(PATIENCE)

    assert Club.objects.filter(name="Ilala").exists()


@sqlite_alone
@pytest.mark.django_db(transaction=True)
def test_a_waiting_thread_does_not_ask_sqlite_before_its_turn() -> None:
    asked: list[str] = []

    def wait_and_write() -> None:
        connection.ensure_connection()
        connection.connection.set_trace_callback(asked.append)
        write()

    with transaction.atomic():
        make.club()
        thread = in_another_thread(wait_and_write)
        thread.join(0.3)
        assert thread.is_alive()
        assert "BEGIN IMMEDIATE" not in asked

    thread.join(PATIENCE)
    assert asked.count("BEGIN IMMEDIATE") == 1
    assert Club.objects.filter(name="Ilala").exists()


@sqlite_alone
@pytest.mark.django_db(transaction=True)
def test_a_thread_that_waited_too_long_is_told_to_send_it_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.1)
    told: list[object] = []

    def wait_and_write() -> None:
        try:
            write()
        except OperationalError as error:
            told.append(error_pages.outage_of(error))

    with transaction.atomic():
        make.club()
        in_another_thread(wait_and_write).join(PATIENCE)
    write()

    assert told == [error_pages.AWAY]
    assert Club.objects.filter(name="Ilala").count() == 1


@pytest.mark.django_db
def test_a_page_that_reads_json_begins_no_transaction() -> None:
    with costs(0):
        assert DatabaseFeatures(connection).supports_json_field
