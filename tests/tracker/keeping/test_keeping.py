"""The page for whoever keeps the site."""

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from axes.models import AccessAttempt
from django.conf import settings as site
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from tests import make
from tracker.common.log import entries
from tracker.copies.logic.stored import Kind, Stored
from tracker.keeping.logic import last_days
from tracker.models import Role, User

KEEPING = "/keeping/"
LINES = """
2026-11-12T08:00:00+00:00 ERROR 127.0.0.1 GET 500 Internal Server Error: /too-old/
2026-11-18T22:30:00+00:00 WARNING 127.0.0.1 POST Sign-in refused
2026-11-19T08:00:00+00:00 ERROR 127.0.0.1 GET 500 Internal Server Error: /clubs/1/
Traceback (most recent call last):
ValueError: 2026-11-19T08:00:00+00:00 ERROR forged
2026-11-19T09:00:00+00:00 WARNING 127.0.0.1 GET 404 Not Found: /Slow/
2026-11-19T10:00:00+00:00 WARNING 127.0.0.1 GET Slow: /clubs/1/ took 2.3 s (200)
2026-11-19T11:00:00+00:00 ERROR 127.0.0.1 GET 500 Internal Server Error: /clubs/2/
"""


@pytest.fixture
def keeper(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("keeper", password="cards"))
    return client


def test_what_is_logged_is_counted_by_the_days_of_the_club() -> None:
    """In Dar es Salaam it is three hours later: half past ten at night is the next day."""
    now = datetime(2026, 11, 19, 12, tzinfo=UTC)

    summary = last_days(entries(LINES.splitlines()), now=now, zone=ZoneInfo("Africa/Dar_es_Salaam"))

    counts = [(day.date.day, day.errors, day.slow, day.refused_sign_ins) for day in summary.days]
    assert counts == [(19, 2, 1, 1), *((day, 0, 0, 0) for day in range(18, 12, -1))]
    assert [entry.text.rpartition(" ")[2] for entry in summary.errors] == ["/clubs/2/", "/clubs/1/"]
    assert [entry.text.partition("GET ")[2] for entry in summary.slow] == [
        "Slow: /clubs/1/ took 2.3 s (200)"
    ]


@pytest.mark.django_db
def test_it_says_how_the_site_fares(
    keeper: Client,
    tmp_path: Path,
    settings: Settings,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    settings.LOG_FILE = tmp_path / "kula.log"
    now = timezone.now().isoformat(timespec="seconds")
    (tmp_path / "kula.log").write_text(f"{now} ERROR GET 500 Internal Server Error: /<b>/\n")
    (tmp_path / "kula.log.1").write_text(f"{now} WARNING GET Slow: /old/ took 3.0 s (200)\n")
    AccessAttempt.objects.create(username="asha", ip_address="203.0.113.5", failures_since_start=8)
    AccessAttempt.objects.create(username="juma", ip_address="203.0.113.6", failures_since_start=7)

    # session, user, who is locked out; and PostgreSQL's own size
    with django_assert_num_queries(3 if connection.vendor == "sqlite" else 4):
        page = keeper.get(KEEPING)

    seen = page.context["page"]
    assert (seen.last.days[0].errors, seen.last.days[0].slow) == (1, 1)
    assert seen.locked_out == (("asha", "203.0.113.5"),)
    assert seen.size > 100_000
    assert seen.room > 0
    assert seen.database.startswith(("SQLite 3", "PostgreSQL 1"))
    assert "/&lt;b&gt;/" in page.text


@pytest.mark.django_db
def test_it_opens_without_a_log(keeper: Client, tmp_path: Path, settings: Settings) -> None:
    settings.LOG_FILE = tmp_path / "none" / "kula.log"

    assert keeper.get(KEEPING).context["page"].last.errors == ()


@pytest.mark.django_db
def test_it_names_the_last_copy(keeper: Client, tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path
    assert "There is none yet" in keeper.get(KEEPING).text

    (tmp_path / "copies").mkdir()
    for day in (18, 17):
        made = Stored(datetime(2026, 11, day, tzinfo=UTC), Kind.NIGHT)
        (tmp_path / "copies" / made.name).write_bytes(b"12345")

    seen = keeper.get(KEEPING).context["page"].copy
    assert (seen.at.day, seen.size) == (18, 5)


@pytest.mark.django_db
def test_only_the_keeper_is_led_there(client: Client) -> None:
    owner = make.user(role=Role.OWNER)
    client.force_login(owner)
    pages = [reverse("account"), owner.memberships.get().club.get_absolute_url()]
    assert client.get(KEEPING).status_code == 403
    assert not any(KEEPING in client.get(page).text for page in pages)

    User.objects.filter(pk=owner.pk).update(is_superuser=True)

    assert client.get(KEEPING).status_code == 200
    assert all(KEEPING in client.get(page).text for page in pages)
    assert site.AXES_COOLOFF_TIME == 0.25  # the quarter of an hour of which the page speaks
