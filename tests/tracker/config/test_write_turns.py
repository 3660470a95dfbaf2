"""Threads of one process that write to SQLite take turns, however a turn ends."""

import threading
from collections.abc import Callable
from contextlib import suppress

import pytest
from django.db import Error, OperationalError, connection, transaction

from tests import make
from tests.serving import PATIENCE
from tracker.common.web import outages
from tracker.models import Club, Tournament


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
        Tournament.objects.bulk_create([Tournament(club_id=999, name="Of nobody's club")])


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


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL lets several write at once")
@pytest.mark.django_db(transaction=True)
def test_who_waits_asks_only_when_the_turn_is_its() -> None:
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


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL lets several write at once")
@pytest.mark.django_db(transaction=True)
def test_who_waited_in_vain_is_told_that_others_write(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.1)
    told: list[object] = []

    def wait_and_write() -> None:
        try:
            write()
        except OperationalError as error:
            told.append(outages.outage_of(error))

    with transaction.atomic():
        make.club()
        in_another_thread(wait_and_write).join(PATIENCE)
    write()

    assert told == [outages.AWAY]
    assert Club.objects.filter(name="Ilala").count() == 1
