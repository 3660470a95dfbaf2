"""The page for whoever keeps the site."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from axes.models import AccessAttempt
from django.conf import settings as site
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from tests import make
from tracker import VERSION
from tracker.backups.copies import CopyFile, CopyKind
from tracker.models import Role, User

KEEPING = "/keeping/"


@pytest.fixture
def keeper(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("keeper", password="cards"))
    return client


@pytest.mark.django_db
def test_it_says_how_the_site_fares(
    keeper: Client,
    tmp_path: Path,
    settings: Settings,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    settings.LOG_FILE = tmp_path / "kula.log"
    now = timezone.now().isoformat(timespec="seconds")
    old = (timezone.now() - timedelta(days=8)).isoformat(timespec="seconds")
    (tmp_path / "kula.log").write_text(
        f"{now} ERROR GET 500 Internal Server Error: /<b>/\n{now} WARNING GET 404 Not Found: /x/\n"
    )
    (tmp_path / "kula.log.1").write_text(f"{old} ERROR GET 500 Internal Server Error: /old/\n")
    AccessAttempt.objects.create(username="asha", ip_address="203.0.113.5", failures_since_start=8)
    AccessAttempt.objects.create(username="juma", ip_address="203.0.113.6", failures_since_start=7)

    # session, user, who is locked out; and PostgreSQL's own size
    with django_assert_num_queries(3 if connection.vendor == "sqlite" else 4):
        page = keeper.get(KEEPING)

    seen = page.context["page"]
    assert len(seen["errors"]) == 1
    assert seen["locked_out"] == (("asha", "203.0.113.5"),)
    assert seen["size"] > 100_000
    assert seen["room"] > 0
    assert seen["database"].startswith(("SQLite 3", "PostgreSQL 1"))
    assert "/&lt;b&gt;/" in page.text
    assert f"<dd>{VERSION}</dd>" in page.text


@pytest.mark.django_db
def test_it_opens_without_a_log(keeper: Client, tmp_path: Path, settings: Settings) -> None:
    settings.LOG_FILE = tmp_path / "none" / "kula.log"

    assert keeper.get(KEEPING).context["page"]["errors"] == []


@pytest.mark.django_db
def test_it_names_the_last_copy_and_says_first_that_all_is_well(
    keeper: Client, tmp_path: Path, settings: Settings
) -> None:
    settings.DATA_DIR = tmp_path
    settings.LOG_FILE = tmp_path / "kula.log"
    if connection.vendor == "sqlite":
        assert "There is no copy yet." in keeper.get(KEEPING).text

    (tmp_path / "copies").mkdir()
    for day in (18, 17):
        made = CopyFile(datetime(2026, 11, day, tzinfo=UTC), CopyKind.NIGHT)
        (tmp_path / "copies" / made.name).write_bytes(b"12345")

    page = keeper.get(KEEPING)
    seen = page.context["page"]["copy"]
    assert (seen.at.day, seen.size) == (18, 5)
    said = page.text[page.text.index("</header>", page.text.index("Site health</h1>")) :]
    assert (
        said.index("All is well")
        < said.index("For a programmer")
        < said.index("SQLite" if connection.vendor == "sqlite" else "PostgreSQL")
    )


@pytest.mark.django_db
def test_only_the_keeper_is_led_there(client: Client) -> None:
    owner = make.user(role=Role.OWNER)
    client.force_login(owner)
    account, club = reverse("account"), owner.memberships.get().club.get_absolute_url()
    assert client.get(KEEPING).status_code == 403
    assert not any(KEEPING in client.get(page).text for page in (account, club))

    User.objects.filter(pk=owner.pk).update(is_superuser=True)

    assert client.get(KEEPING).status_code == 200
    assert KEEPING in client.get(account).text
    assert KEEPING not in client.get(club).text
    assert site.AXES_COOLOFF_TIME == 0.25  # the quarter of an hour of which the page speaks
