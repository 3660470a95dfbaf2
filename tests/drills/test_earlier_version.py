"""A club of an earlier version goes on with this one: its backup, addresses, cards and exported files.

``earlier`` holds what the version of 24 November 2026 (449233db) made. It is a demo club with nine
nights behind it and one that is still played: its backup on each database, the files of three of
its tournaments, and as JSON the words on 238 of its pages, by address, and its standings.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.drills import hall
from tests.drills.backup import elsewhere, manage, put_back
from tests.serving import furnish, printed

EARLIER = Path(__file__).with_name("earlier")
DATABASE = "postgresql" if os.environ.get("DATABASE_URL") else "sqlite"
SAID: dict[str, Any] = json.loads((EARLIER / f"{DATABASE}.json").read_text("utf-8"))
# The files, and the numbers that their tournaments had in that club.
FILES = {"mambassa": ("6",), "stages": ("8", "9", "10"), "running": ("15",)}
CLUB = "from tracker.models import Club; Club.objects.create(name='Elsewhere')"


def opened(data: Path, *addresses: str) -> dict[str, Any]:
    answers: dict[str, Any] = json.loads(printed(data, "-m", "tests.drills.opened", *addresses))
    return answers


def assert_alike(now: list[list[dict[str, object]]], before: list[dict[str, Any]]) -> None:
    """Compare standings in the columns that both versions write."""
    for rows, earlier in zip(now, before, strict=True):
        for row, values in zip(rows, earlier["rows"], strict=True):
            was = dict(zip(earlier["columns"], values, strict=True))
            both = row.keys() & was.keys()
            assert len(both) > 4
            assert {"place", "name", "hands"} <= both
            assert {key: row[key] for key in both} == {key: was[key] for key in both}


def test_a_backup_of_an_earlier_version_is_restored_and_its_pages_open(tmp_path: Path) -> None:
    with elsewhere(tmp_path / "data") as data:
        furnish(data, "static")
        put_back(data, EARLIER / f"{DATABASE}.backup")
        recounted = hall.recount(data)
        now = opened(data, *SAID["addresses"])

    assert "591 hands, 0 differences" in recounted
    pages = now["pages"]
    assert {address: status for address, (status, _) in pages.items() if status != 200} == {}
    for address, words in SAID["addresses"].items():
        assert [word for word in words if word not in pages[address][1]] == [], address
    assert_alike(now["standings"], [*SAID["standings"].values()])


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_an_earlier_version_is_imported(name: str, tmp_path: Path) -> None:
    with elsewhere(tmp_path / "data") as data:
        manage(data, "migrate", "-v0")
        manage(data, "shell", "-c", CLUB)
        manage(data, "import_tournament", str(EARLIER / f"{name}.zip"), "--club", "Elsewhere")
        recounted = hall.recount(data)
        now = opened(data)

    assert "0 differences" in recounted
    assert_alike(now["standings"], [SAID["standings"][number] for number in FILES[name]])
