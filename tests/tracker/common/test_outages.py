"""What people are told while the database is away, busy, or has no room."""

import errno
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from django.db import InterfaceError, InternalError, OperationalError, ProgrammingError
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from pytest_django.asserts import assertContains, assertNotContains

from tests.postgresql import free_port
from tracker.common.web.error_pages import AWAY, CLASH, FULL, SEALED, Outage, outage_of
from tracker.config.urls import handler500, urlpatterns as the_site

__all__ = ["handler500"]


def wrapped(cause: Exception, outer: type[Exception] = OperationalError) -> Exception:
    """Return an error as Django raises it."""
    error = outer(*cause.args)
    error.__cause__ = cause
    return error


def caught(act: Callable[[], object]) -> Exception:
    with pytest.raises((sqlite3.Error, psycopg.Error, OSError)) as raised:
        act()
    return raised.value


def locked(folder: Path) -> Exception:
    with (
        closing(sqlite3.connect(folder / "kula")) as writer,
        closing(sqlite3.connect(folder / "kula", timeout=0)) as other,
    ):
        writer.execute("BEGIN IMMEDIATE")
        return caught(lambda: other.execute("BEGIN IMMEDIATE"))


def full(folder: Path) -> Exception:
    with closing(sqlite3.connect(folder / "kula")) as link:
        link.execute("PRAGMA max_page_count = 2")
        link.execute("CREATE TABLE one (text)")
        return caught(lambda: link.execute("INSERT INTO one VALUES (?)", ["a" * 100_000]))


def sealed(folder: Path) -> Exception:
    with closing(sqlite3.connect(folder / "kula")) as link:
        link.execute("CREATE TABLE one (text)")
        link.execute("PRAGMA query_only = 1")
        return caught(lambda: link.execute("INSERT INTO one VALUES ('a')"))


@pytest.mark.parametrize(("make", "expected"), [(locked, AWAY), (full, FULL), (sealed, SEALED)])
def test_what_sqlite_says(
    tmp_path: Path, make: Callable[[Path], Exception], expected: Outage
) -> None:
    assert outage_of(wrapped(make(tmp_path))) is expected


def test_what_is_said_of_a_postgresql_that_is_not_there() -> None:
    error = caught(lambda: psycopg.connect(f"postgres://kula@127.0.0.1:{free_port()}/kula"))

    assert outage_of(wrapped(error)) is AWAY


@pytest.mark.parametrize(
    ("cause", "outer", "expected"),
    [
        (psycopg.OperationalError("the connection is lost"), OperationalError, AWAY),
        (psycopg.OperationalError("the connection is closed"), InterfaceError, AWAY),
        (psycopg.errors.AdminShutdown(), OperationalError, AWAY),
        (psycopg.errors.CannotConnectNow(), OperationalError, AWAY),
        (psycopg.errors.TooManyConnections(), OperationalError, AWAY),
        (psycopg.errors.ReadOnlySqlTransaction(), InternalError, AWAY),
        (psycopg.errors.DeadlockDetected(), OperationalError, CLASH),
        (psycopg.errors.SerializationFailure(), OperationalError, CLASH),
        (psycopg.errors.DiskFull(), OperationalError, FULL),
        (psycopg.errors.IoError(), OperationalError, SEALED),
        (psycopg.errors.UndefinedTable(), ProgrammingError, None),
        (psycopg.errors.QueryCanceled(), OperationalError, None),
    ],
)
def test_what_postgresql_says(
    cause: Exception, outer: type[Exception], expected: Outage | None
) -> None:
    assert outage_of(wrapped(cause, outer)) is expected


def test_what_a_disk_says() -> None:
    assert outage_of(OSError(errno.ENOSPC, "full")) is FULL
    assert outage_of(OSError(errno.EROFS, "read-only")) is SEALED
    assert outage_of(OSError(errno.EPIPE, "gone")) is None


def test_a_bug_is_none() -> None:
    assert outage_of(None) is None
    assert outage_of(LookupError("a bug")) is None
    assert outage_of(wrapped(sqlite3.OperationalError("no such table"))) is None


# On a page ------------------------------------------------------------------------------------


@csrf_exempt
def away(request: HttpRequest) -> HttpResponse:
    raise wrapped(psycopg.OperationalError("the connection is lost"))


@csrf_exempt
def no_room(request: HttpRequest) -> HttpResponse:
    raise wrapped(psycopg.errors.DiskFull())


urlpatterns = [*the_site, path("away/", away), path("no-room/", no_room)]
pytestmark = pytest.mark.urls(__name__)


@pytest.fixture
def phone(client: Client) -> Client:
    client.raise_request_exception = False
    return client


def test_what_was_typed_is_on_the_page_to_be_sent_again(phone: Client) -> None:
    # This test has no database: a query would fail it.
    page = phone.post("/away/?side=1", {"entry": "e", "how": "save", "won": ["<1>", "2"]})

    assertContains(page, "The site is catching its breath", status_code=503)
    assert page["Retry-After"] == "5"
    assertContains(page, '<form method="post" action="/away/?side=1">', status_code=503)
    for field in (
        '<input type="hidden" name="entry" value="e">',
        '<input type="hidden" name="how" value="save">',
        '<input type="hidden" name="won" value="&lt;1&gt;">',
        '<input type="hidden" name="won" value="2">',
    ):
        assertContains(page, field, status_code=503, html=True)


def test_no_password_is_shown_again(phone: Client) -> None:
    page = phone.post("/away/", {"username": "asha", "password": "a secret"})

    assertNotContains(page, "a secret", status_code=503)
    assertContains(page, "Go back and send it again a little later", status_code=503)


def test_who_only_looks_is_led_to_the_same_page(phone: Client) -> None:
    page = phone.get("/away/?page=2")

    assertContains(page, '<a class="button primary" href="/away/?page=2">', status_code=503)
    assertNotContains(page, "<form", status_code=503)


def test_a_full_disk_is_named(phone: Client) -> None:
    page = phone.post("/no-room/", {"entry": "e"})

    assertContains(page, "The disk of this site is full: tell the organiser.", status_code=507)
    assert "Retry-After" not in page


def test_a_form_that_did_not_arrive_whole_is_not_shown(phone: Client) -> None:
    page = phone.post("/away/", b"broken", content_type="multipart/form-data; boundary=b")

    assert page.status_code == 503
    assertNotContains(page, "<form", status_code=503)
