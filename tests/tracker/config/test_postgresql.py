"""A ``DATABASE_URL`` of one host or several, and connections that give up in time."""

import socket
from collections.abc import Iterator

import psycopg
import pytest
from django.conf import settings
from django.db.utils import ConnectionHandler

from tests.postgresql import cluster
from tracker.config.environment import postgresql as database
from tracker.config.postgresql.base import Connection

PLACES = "10.0.0.1:5432,cards.example:6000,[::1]"


def test_one_host_is_read_as_ever() -> None:
    setting = database("postgres://asha:p%40ss@10.0.0.1:6000/kula")

    assert (setting["HOST"], setting["PORT"]) == ("10.0.0.1", 6000)
    assert (setting["USER"], setting["PASSWORD"], setting["NAME"]) == ("asha", "p@ss", "kula")
    assert "target_session_attrs" not in setting["OPTIONS"]


def test_several_hosts_are_all_tried_and_one_that_takes_writes_is_meant() -> None:
    setting = database(f"postgres://asha:a,b%40c@{PLACES}/kula")

    assert setting["HOST"] == "10.0.0.1,cards.example,::1"
    assert setting["PORT"] == "5432,6000,5432"
    assert (setting["USER"], setting["PASSWORD"], setting["NAME"]) == ("asha", "a,b@c", "kula")
    assert setting["OPTIONS"]["target_session_attrs"] == "read-write"


def test_what_the_address_says_goes_before_what_is_usual() -> None:
    asked = "target_session_attrs=any&connect_timeout=9&sslmode=require"

    options = database(f"postgres://kula@{PLACES}/kula?{asked}")["OPTIONS"]

    assert options["target_session_attrs"] == "any"
    assert (options["connect_timeout"], options["sslmode"]) == (9, "require")
    assert options["tcp_user_timeout"] == 10_000


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Return a server to hang and to demote: that of this run, or one of its own."""
    if settings.DATABASE_URL:
        yield settings.DATABASE_URL
    else:
        with cluster() as made:
            yield made


@pytest.fixture
def deaf() -> Iterator[int]:
    """Return the port of a server that is connected to and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def test_a_host_that_says_nothing_is_passed_over(url: str, deaf: int) -> None:
    setting = database(url.replace("@", f"@127.0.0.1:{deaf},", 1))

    with psycopg.connect(
        host=setting["HOST"],
        port=setting["PORT"],
        user="kula",
        dbname="kula",
        connect_timeout=2,
        target_session_attrs="read-write",
    ) as connection:
        assert connection.info.port != deaf


def test_a_server_that_hangs_is_given_up(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Connection, "answer_timeout", 0.3)
    with Connection.connect(url) as connection:
        with pytest.raises(psycopg.OperationalError, match="not answered for"):
            connection.execute("SELECT pg_sleep(30)")

        assert connection.closed


def test_a_command_has_all_the_time(url: str) -> None:
    assert Connection.answer_timeout is None
    with Connection.connect(url) as connection:
        connection.execute("SELECT pg_sleep(0.3)")


def test_a_server_that_takes_no_writes_any_more_is_left(url: str) -> None:
    with Connection.connect(url, autocommit=True) as connection:
        connection.execute("SET default_transaction_read_only = on")

        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            connection.execute("CREATE TABLE one_more ()")

        assert connection.closed


@pytest.mark.django_db
def test_a_request_after_the_server_was_gone_finds_it_again(url: str) -> None:
    site = ConnectionHandler({"default": database(url)})["default"]
    backends = []
    try:
        for _ in range(2):
            site.close_if_unusable_or_obsolete()  # as Django does before every request
            with site.cursor() as cursor:
                cursor.execute("SELECT pg_backend_pid()")
                backends.append(cursor.fetchone()[0])
            with psycopg.connect(url) as other:
                other.execute("SELECT pg_terminate_backend(%s)", [backends[0]])
    finally:
        site.close()

    assert backends[0] != backends[1]
