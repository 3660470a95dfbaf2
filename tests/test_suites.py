"""The suites that need a process of their own, in parts, each run as one test.

Browser tests leave an event loop behind that keeps the ORM from working, and a
second database needs second settings: so each is a pytest in its own process.
They are cut into parts of a minute or so, that both cores are busy to the end; the
longest come first. Any of them can be run by hand: ``pytest tests/browser``.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.drilled import FULL, as_usual
from tests.postgresql import SAFE, cluster
from tests.serving import ROOT

BROWSER, DRILLS, SITE = ROOT / "tests/browser", ROOT / "tests/drills", ROOT / "tests/tracker"
# What people do from one end to the other, and so, before a change lands, also on PostgreSQL.
STORIES = (("test_evening.py",), ("test_night.py", "test_season.py"), ("test_tables.py",))
ALONE = (
    ("test_pages.py",),
    ("test_formats.py",),
    ("test_draws.py", "test_hall.py"),
    ("test_installed.py",),
    ("test_taps.py",),
    ("test_offline.py", "test_offline_whole.py"),
    ("test_large_text.py", "test_weight.py"),
    ("test_sheet.py", "test_walk_in.py"),
    ("test_standings.py", "test_display.py"),
    ("test_practice.py", "test_rules.py"),
)
# What every run tries of browsers and drills; before a change lands all of them are tried.
IN_BROWSER = ("evening",)
IN_DRILLS = ("reports", "failover", "api_schema")
USUAL = {
    *(BROWSER / f"test_{name}.py" for name in IN_BROWSER),
    *(DRILLS / f"test_{name}.py" for name in IN_DRILLS),
}
PARTS = 4 if FULL else 2  # of the site's own tests
# In a file without it no database is asked, or one that the file makes, so that another changes nothing.
ASKS_A_DATABASE = re.compile(r"\b(django_db|db)\b")
# What pages say and weigh and files hold, whatever database there is.
OF_WORDS = ("test_translatable.py", "test_weights.py", "test_headers.py", "test_hostile.py")
# Where statements are written by hand, or the database itself refuses: on both in every run. The
# rest of the site goes through the ORM, and is tried on PostgreSQL before a change lands.
OWN_STATEMENTS = ("ledger", "models", "reports")
OF_PAGES = ("page", "form", "export", "list", "counter")  # in the names of files
# What runs long and is on both before a change lands.
LONG = (
    *("test_two_rounds.py", "test_spine_properties.py"),
    *("test_active_seats.py", "test_unknown_dealers.py"),
)

# Drills that have a database of their own kind, whatever they are given.
OWN_SQLITE = (
    "test_power_cut.py",
    "test_disks.py",
    "test_continuous_copy.py",
    "test_serve.py",
    "test_proxy.py",
    "test_imports.py",
)
OWN_POSTGRESQL = ("test_killed_database.py",)
OWN_CLUSTER = ("test_failover.py",)
# They try who may ask how much and how often, which is the same on each database: one of them in full.
OF_LINES = ("test_guessing.py", "test_staying_open.py")


def files_of(folder: Path) -> list[Path]:
    return sorted(folder.rglob("test_*.py"))


def in_parts(files: list[Path], many: int) -> list[list[Path]]:
    """Deal files out by their length, so that all parts are about as long.

    The longest are dealt like cards, and those after them the other way round. Each part is by folder:
    pytest 9.1 finds no fixtures of a folder that it has left for a file above it and comes back to.
    """
    rows = sorted(files, key=lambda file: (-file.stat().st_size, file))
    parts: list[list[Path]] = [[] for _ in range(many)]
    for number, file in enumerate(rows):
        turn, place = divmod(number, many)
        parts[place if turn % 2 == 0 else many - 1 - place].append(file)
    return [sorted(part) for part in parts]


def browser_parts() -> list[list[Path]]:
    """Return the parts of the browser suite; what none of them names comes together."""
    named = [[BROWSER / name for name in names] for names in (*ALONE, *STORIES)]
    rest = [file for file in files_of(BROWSER) if not any(file in part for part in named)]
    return [*named, rest]


def of_this_run(parts: list[list[Path]]) -> list[list[Path]]:
    if FULL:
        return parts
    usual = [[file for file in part if file in USUAL] for part in parts]
    return [part for part in usual if part]


def names(part: list[Path]) -> str:
    return "+".join(file.stem.removeprefix("test_") for file in part)


@pytest.fixture(scope="module")
def postgresql() -> Iterator[str]:
    with cluster() as url:
        yield url


def run_suite(paths: list[Path], database: str = "", *, again: bool = False) -> None:
    """Run these files, as often as usual if they are tried *again*, on another database."""
    environment = {key: value for key, value in os.environ.items() if key[:6] != "PYTEST"}
    if again:
        environment = as_usual(environment)
    environment |= {"DATABASE_URL": database}
    environment.pop("KULA_DATA", None)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-n0",
        *map(str, paths),
    ]

    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-4_000:]


def on_a_database() -> list[Path]:
    asking = [file for file in files_of(SITE) if ASKS_A_DATABASE.search(file.read_text("utf-8"))]
    files = [file for file in asking if file.name not in OF_WORDS]
    if FULL:
        return files
    own = [file for file in files if file.relative_to(SITE).parts[0] in OWN_STATEMENTS]
    short = [file for file in own if file.name not in LONG]
    return [file for file in short if not any(word in file.name for word in OF_PAGES)]


@pytest.mark.parametrize("part", in_parts(on_a_database(), PARTS), ids=range(1, PARTS + 1))
def test_the_site_on_postgresql(postgresql: str, part: list[Path]) -> None:
    run_suite(part, database=postgresql, again=True)


@pytest.mark.parametrize("part", of_this_run(browser_parts()), ids=names)
def test_in_a_browser_on_sqlite(part: list[Path]) -> None:
    run_suite(part)


if FULL:

    @pytest.mark.parametrize(
        "part", [[BROWSER / name for name in part] for part in STORIES], ids=names
    )
    def test_in_a_browser_on_postgresql(postgresql: str, part: list[Path]) -> None:
        run_suite(part, database=postgresql)


def drills(*, but: tuple[str, ...]) -> list[list[Path]]:
    return [[file] for file in files_of(DRILLS) if file.name not in but]


@pytest.mark.parametrize("part", of_this_run(drills(but=OWN_POSTGRESQL)), ids=names)
def test_drills_on_sqlite(part: list[Path]) -> None:
    run_suite(part)


@pytest.fixture(scope="module")
def safe_postgresql() -> Iterator[str]:
    with cluster(*SAFE) as url:
        yield url


if FULL:

    @pytest.mark.parametrize("part", drills(but=OWN_SQLITE + OWN_CLUSTER), ids=names)
    def test_drills_on_postgresql(safe_postgresql: str, part: list[Path]) -> None:
        run_suite(part, database=safe_postgresql, again=part[0].name in OF_LINES)
