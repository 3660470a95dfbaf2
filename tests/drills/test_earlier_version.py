"""What a club had with an earlier version goes on with this one: its database, backups, addresses, cards and files.

``earlier`` was made by the version of 24 November 2026 (449233db): its demo club with nine nights
behind it and one that is played, as a backup on each database, the files of three of its
tournaments, and what it said at 238 of its addresses and of its standings. A file's numbers in
``NAMES`` are those of its tournaments in that club.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.postgresql import cluster
from tests.serving import ROOT, beside, furnish

EARLIER = Path(__file__).with_name("earlier")
NAMES = {"mambassa": ("6",), "stages": ("8", "9", "10"), "running": ("15",)}
CLUB = "from tracker.models import Club; Club.objects.create(name='Elsewhere')"


@contextmanager
def empty(data: Path, database: str) -> Iterator[str]:
    """Make a site without a row in *data*, and yield what leads to its database of this kind."""
    if database == "sqlite":
        furnish(data, "static", "kula.sqlite3")
        yield ""
    else:
        furnish(data, "static")
        with cluster() as url:
            run(data, url, "manage.py", "migrate", "-v0")
            yield url


def run(data: Path, url: str, *arguments: str, given: str = "") -> str:
    """Run a program on this site and return what it prints."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=beside(data, DATABASE_URL=url, PYTHONPATH=str(ROOT)),
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def assert_alike(now: list[list[dict[str, object]]], before: list[dict[str, Any]]) -> None:
    """See that the standings are those of before, in the columns that both versions write."""
    for rows, earlier in zip(now, before, strict=True):
        for row, values in zip(rows, earlier["rows"], strict=True):
            was = dict(zip(earlier["columns"], values, strict=True))
            both = row.keys() & was.keys()
            assert len(both) > 4
            assert {"place", "name", "hands"} <= both
            assert {key: row[key] for key in both} == {key: was[key] for key in both}


def said(database: str) -> dict[str, Any]:
    """Return what the earlier version said of its club on this database."""
    found: dict[str, Any] = json.loads((EARLIER / f"{database}.json").read_text("utf-8"))
    return found


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_a_club_of_an_earlier_version_goes_on(database: str, tmp_path: Path) -> None:
    before, data = said(database), tmp_path / "data"

    with empty(data, database) as url:
        run(data, url, "manage.py", "restore", str(EARLIER / f"{database}.backup"), "--yes")
        recounted = run(data, url, "manage.py", "recount", "--check")
        addresses = json.dumps([*before["addresses"]])
        now = json.loads(run(data, url, "-m", "tests.drills.looks", given=addresses))

    assert "591 hands, 0 differences" in recounted
    lost = {address: answer[0] for address, answer in now["pages"].items() if answer[0] != 200}
    assert not lost
    for address, words in before["addresses"].items():
        assert not [word for word in words if word not in now["pages"][address][1]], address
    assert_alike(now["standings"], [*before["standings"].values()])


@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_an_earlier_version_is_taken_in(name: str, tmp_path: Path) -> None:
    before, data = said("sqlite")["standings"], tmp_path / "data"

    with empty(data, "sqlite") as url:
        run(data, url, "manage.py", "shell", "-c", CLUB)
        file = str(EARLIER / f"{name}.zip")
        run(data, url, "manage.py", "import_tournament", file, "--club", "Elsewhere")
        recounted = run(data, url, "manage.py", "recount", "--check")
        now = json.loads(run(data, url, "-m", "tests.drills.looks", given="[]"))

    assert "0 differences" in recounted
    assert_alike(now["standings"], [before[number] for number in NAMES[name]])
