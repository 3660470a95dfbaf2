"""What ``serve`` puts in order: a database of an older version, and where the site is reached."""

import os
import sqlite3
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest
from django.test import RequestFactory
from pytest_django import Settings

from tests.serving import beside, run_python
from tracker.backups.copies import CopyKind, parse_name, read_note
from tracker.common.web.addresses import full_address
from tracker.management.commands.serve import Command, allow_addresses, why_phones_cannot_reach


@pytest.mark.parametrize(
    ("given", "phones"),
    [(None, "http://192.0.2.7:8000"), ("http://cards.local", "http://cards.local")],
)
def test_its_lan_addresses_are_answered_and_passed_on(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, given: str | None, phones: str
) -> None:
    settings.ALLOWED_HOSTS, settings.PHONES_URL, settings.SITE_URL = ["localhost"], "", ""
    monkeypatch.setenv("KULA_HOSTS", "kula.test")
    monkeypatch.setenv("KULA_PHONES", given or "")
    if given is None:
        monkeypatch.delenv("KULA_PHONES")

    allow_addresses(["192.0.2.7"], "http://192.0.2.7:8000")

    assert settings.ALLOWED_HOSTS == ["localhost", "192.0.2.7"]
    assert full_address(RequestFactory().get("/", headers={"Host": "localhost"}), "/c/x/") == (
        f"{phones}/c/x/"
    )
    assert (os.environ["KULA_HOSTS"], os.environ["KULA_PHONES"]) == ("kula.test,192.0.2.7", phones)


@pytest.mark.parametrize(
    ("host", "says"),
    [
        ("127.0.0.1", "On phones         none can reach it: --host 127.0.0.1 is for this machine"),
        ("localhost", "On phones         none can reach it: --host localhost is for this machine"),
        ("0.0.0.0", "On phones         none can reach it yet: join the Wi-Fi"),
    ],
)
def test_no_phone_is_sent_to_this_machine_s_own_name(host: str, says: str) -> None:
    """Neither an address of it nor a QR code that leads to the phone itself."""
    printed = StringIO()

    Command(stdout=printed)._welcome(
        "http://localhost:8801", "", "", why_not=why_phones_cannot_reach(host)
    )

    assert says in printed.getvalue()
    assert "█" not in printed.getvalue()
    assert printed.getvalue().count("http://") == 1


def test_data_of_an_older_version_are_copied_before_they_change(tmp_path: Path) -> None:
    before = "0001_tables"
    in_its_way = tmp_path / "copies"
    in_its_way.write_text("")
    code = f"""
import django
django.setup()
from django.core.management import call_command
from tracker.management.server.startup import StartError, migrate_database
call_command("migrate", "tracker", {before!r}, verbosity=0)
try:
    migrate_database()
except StartError as obstacle:
    print(obstacle)
import os
os.unlink({str(in_its_way)!r})
for _ in range(2):
    migrate_database()
"""

    said = run_python("-c", code, env=beside(tmp_path, DATABASE_URL=""))

    assert (said.returncode, said.stderr) == (0, "")
    assert "copied before it changes. No copy could be made in" in said.stdout
    [copy] = (tmp_path / "copies").iterdir()
    made = parse_name(copy.name)
    assert made is not None
    assert made.kind is CopyKind.UPGRADE
    assert read_note(copy).migration == before
    assert newest_migration(tmp_path / "kula.sqlite3") > before


def test_tables_whose_making_was_cut_off_are_made_by_the_next_start(tmp_path: Path) -> None:
    """Django notes that a migration was applied after its transaction: the power may go between."""
    code = """
import os, sys
import django
django.setup()
from django.db.migrations.recorder import MigrationRecorder
from tracker.management.server.startup import migrate_database
note = MigrationRecorder.record_applied
def cut_off(self, app, name):
    if name == sys.argv[1]:
        os._exit(3)
    note(self, app, name)
MigrationRecorder.record_applied = cut_off
migrate_database()
"""

    environment = beside(tmp_path, DATABASE_URL="")

    for cut_at in ("0001_initial", "0006_tournament_files"):
        assert run_python("-c", code, cut_at, env=environment).returncode == 3
    opened = run_python("-c", code, "never", env=environment)

    assert (opened.returncode, opened.stderr) == (0, "")
    assert newest_migration(tmp_path / "kula.sqlite3") >= "0008"


def newest_migration(file: Path) -> str:
    with closing(sqlite3.connect(file)) as database:
        (name,) = database.execute(
            "SELECT max(name) FROM django_migrations WHERE app = 'tracker'"
        ).fetchone()
    return str(name)
