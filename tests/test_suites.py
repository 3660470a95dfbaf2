"""The suites that need a process of their own, each run as one test.

Browser tests leave an event loop behind that keeps the ORM from working, and a
second database needs second settings: so each is a pytest in its own process.
Any of them can be run by hand: ``pytest tests/browser``.
"""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.postgresql import cluster
from tests.serving import ROOT


@pytest.fixture(scope="module")
def postgresql() -> Iterator[str]:
    with cluster() as url:
        yield url


def run_suite(*paths: str, database: str = "") -> None:
    environment = {key: value for key, value in os.environ.items() if key[:6] != "PYTEST"}
    environment |= {"DATABASE_URL": database}
    environment.pop("KULA_DATA", None)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n0", *paths]

    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-4_000:]


def test_in_a_browser_on_sqlite() -> None:
    run_suite("tests/browser")


def test_in_a_browser_on_postgresql(postgresql: str) -> None:
    stories = ("test_evening.py", "test_night.py", "test_season.py", "test_tables.py")
    run_suite(*(f"tests/browser/{story}" for story in stories), database=postgresql)


def test_drills_on_sqlite() -> None:
    run_suite("tests/drills")


def test_drills_on_postgresql(postgresql: str) -> None:
    run_suite("tests/drills", database=postgresql)


def test_the_site_on_postgresql(postgresql: str) -> None:
    run_suite("tests/tracker", database=postgresql)
