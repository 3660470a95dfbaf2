"""A disk that is full, or takes nothing in: said in a sentence, and what can be read is read."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.db import OperationalError
from django.test import Client
from django.urls import reverse

from tests import make
from tracker.common.web import error_pages
from tracker.config.sqlite.base import read_only_uri
from tracker.models import Report

full_disk = sqlite3.OperationalError("database or disk is full")
full_disk.sqlite_errorcode = sqlite3.SQLITE_FULL
read_only = sqlite3.OperationalError("attempt to write a readonly database")
read_only.sqlite_errorcode = sqlite3.SQLITE_READONLY_DBMOVED
no_shared_index = sqlite3.OperationalError("disk I/O error")
no_shared_index.sqlite_errorcode = 0x130A  # SQLITE_IOERR_SHMSIZE


def through_django(cause: Exception) -> OperationalError:
    error = OperationalError(str(cause))
    error.__cause__ = cause
    return error


def test_what_sqlite_calls_an_io_error_on_a_full_disk_is_called_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert error_pages.outage_of(through_django(no_shared_index)) is error_pages.SEALED

    monkeypatch.setattr(error_pages, "_disk_is_full", lambda: True)

    assert error_pages.outage_of(through_django(no_shared_index)) is error_pages.FULL


@pytest.mark.django_db
def test_a_table_is_told_and_keeps_what_it_typed(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = make.sitting()
    client.raise_request_exception = False

    def refuse(**_: object) -> None:
        raise through_django(full_disk)

    monkeypatch.setattr("tracker.results.pages.table.report_hand", refuse)
    sent = {"entry": "8e1f2c52-4f0c-4b8e-9a52-0d9e4e5d0a11", "number": "1", "eaten_0": "70"}
    answer = client.post(
        reverse("table", args=[sitting.token]), {**sent, "eaten_1": "50", "how": "save"}
    )

    assert answer.status_code == 507
    assert "The disk of this site is full: tell the organiser." in answer.text
    for name, value in sent.items():
        assert f'<input type="hidden" name="{name}" value="{value}">' in answer.text
    assert Report.objects.count() == 0


@pytest.mark.django_db
def test_whoever_signs_in_is_told_and_the_password_is_not_sent_back(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    make.user("asha")
    client.raise_request_exception = False

    def refuse(*_: object, **__: object) -> None:
        raise through_django(read_only)

    monkeypatch.setattr("django.contrib.sessions.backends.db.SessionStore.save", refuse)
    answer = client.post(reverse("sign-in"), {"username": "asha", "password": "cards"})

    assert answer.status_code == 507
    assert "takes nothing in" in answer.text
    assert 'type="hidden"' not in answer.text
    assert 'value="cards"' not in answer.text


# Reading --------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a database of three rows, closed as it should be."""
    with closing(sqlite3.connect(tmp_path / "kula.sqlite3", isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE hand (number)")
        database.executemany("INSERT INTO hand VALUES (?)", [(1,), (2,), (3,)])
    return tmp_path / "kula.sqlite3"


def hands(name: str) -> int:
    with closing(sqlite3.connect(name, uri=True)) as database:
        return int(database.execute("SELECT count(*) FROM hand").fetchone()[0])


def test_a_closed_file_is_read_where_it_lies(file: Path) -> None:
    name = read_only_uri(file)

    assert str(file) in name
    assert hands(name) == 3
    assert [place.name for place in file.parent.iterdir()] == [file.name]


def test_hands_that_a_cut_left_beside_the_file_are_read_too(file: Path, tmp_path: Path) -> None:
    code = (
        "import os, sqlite3, sys;"
        "file = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "file.execute('INSERT INTO hand VALUES (4)');"
        "os._exit(0)"  # without a word, as in a cut
    )
    subprocess.run([sys.executable, "-c", code, str(file)], check=True)
    (tmp_path / "kula.sqlite3-shm").unlink()
    before = sorted((place.name, place.stat().st_mtime_ns) for place in tmp_path.iterdir())
    assert hands(f"file:{file}?mode=ro&immutable=1") == 3  # why it is not read so

    name = read_only_uri(file)

    assert hands(name) == 4
    assert sorted((p.name, p.stat().st_mtime_ns) for p in tmp_path.iterdir()) == before


def test_no_file_is_no_name(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        read_only_uri(tmp_path / "kula.sqlite3")
