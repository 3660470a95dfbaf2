"""The health address: open, or not open and why, to whoever watches."""

import shutil
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

pytestmark = pytest.mark.django_db
TOO_LATE = b"The database does not answer, or cannot be written.\n"


def test_it_answers_in_one_statement_whoever_asks(client: Client) -> None:
    with CaptureQueriesContext(connection) as asked:
        answer = client.get("/health/", headers={"host": "10.1.2.3:8000"}, REMOTE_ADDR="10.9.9.9")

    assert (answer.status_code, answer.content) == (200, b"Kula is open.\n")
    assert len(asked) == 1
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"
    assert not answer.cookies
    assert client.head("/health/").status_code == 200
    assert client.post("/health/").status_code == 405


def test_a_database_that_cannot_be_written_is_said_and_not_logged(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    lite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = ON" if lite else "SET transaction_read_only = on")

    answer = client.get("/health/")

    if lite:  # the other ends with the test's transaction
        connection.connection.execute("PRAGMA query_only = OFF")
    assert (answer.status_code, answer.content) == (503, TOO_LATE)
    assert caplog.records == []


def test_a_full_disk_is_said_where_the_database_lies_on_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=9_000_000))

    answer = client.get("/health/")

    full = (503, b"The disk is full.\n")
    assert (answer.status_code, answer.content) == (
        full if connection.vendor == "sqlite" else (200, b"Kula is open.\n")
    )
