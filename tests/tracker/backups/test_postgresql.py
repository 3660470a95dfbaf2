"""On PostgreSQL no copies are made or restored, and pages and commands name the tools that do it."""

import shutil
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.serving import ROOT
from tracker.models import User

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor == "sqlite", reason="of PostgreSQL"),
]
TOOLS = "For PostgreSQL use pg_dump and pg_restore"
NAME = "kula-20261120-120000-000-asked.zip"


@pytest.fixture(autouse=True)
def earlier_copy(settings: Settings, tmp_path: Path) -> Path:
    """Keep a copy of PostgreSQL that an earlier version made."""
    settings.DATA_DIR = tmp_path
    (tmp_path / "copies").mkdir()
    return Path(
        shutil.copy(ROOT / "tests/drills/earlier/postgresql.backup", tmp_path / "copies" / NAME)
    )


def test_the_keeper_is_shown_the_command(client: Client) -> None:
    client.force_login(User.objects.create_superuser("keeper"))

    page = client.get(reverse("copies")).text
    posted = client.post(reverse("copies"), follow=True).text
    copy = client.get(reverse("copy", args=[NAME])).text

    assert "pg_dump --format=custom" in page
    assert "Make a copy now" not in page
    assert TOOLS in posted
    assert TOOLS in copy
    assert "manage.py restore" not in copy


def test_the_commands_name_the_tools(earlier_copy: Path) -> None:
    for command in (["backup"], ["restore", earlier_copy, "--yes"]):
        with pytest.raises(CommandError, match=TOOLS):
            call_command(*command, stdout=StringIO())
