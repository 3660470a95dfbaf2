"""The keeper's pages of copies: who may see them, what they say, what they hand out."""

from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests import make
from tests.make import NOON
from tests.reading import costs
from tests.tour import report
from tracker.backups.archive import make_copy
from tracker.backups.copies import CopyKind, read_note, stored_copies
from tracker.models import LogEntry, Membership, Role, Sitting, User

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="see test_postgresql.py"),
]


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    (tmp_path / "secret").write_text("a secret")
    return tmp_path / "copies"


@pytest.fixture
def keeper(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("keeper"))
    return client


@pytest.fixture
def table(keeper: Client) -> Sitting:
    """Return a table with a hand, in a club of which the keeper is an owner, too."""
    table = make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament(hands=8))
    club = table.round.tournament.club
    Membership.objects.create(user=User.objects.get(), club=club, role=Role.OWNER)
    report(table, 1, {"eaten": [70, 50]})
    return table


@pytest.mark.usefixtures("table")
def test_a_copy_is_made_listed_and_taken_away(keeper: Client, folder: Path) -> None:
    assert reverse("copies") in keeper.get(reverse("account")).text
    assert "No copy yet" in keeper.get(reverse("copies")).text

    page = keeper.post(reverse("copies"), follow=True).text

    [copy] = stored_copies()
    assert copy.kind is CopyKind.ASKED
    assert "Made by hand" in page
    answer = keeper.get(reverse("copy-file", args=[copy.name]))
    body = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    assert body == (folder / copy.name).read_bytes()
    assert answer.headers["Cache-Control"] == "no-store, private"
    assert f'filename="{copy.name}"' in answer.headers["Content-Disposition"]
    assert read_note(folder / copy.name).tournaments == 1
    assert LogEntry.objects.filter(verb="copy-taken-away").count() == 1
    assert folder.stat().st_mode & 0o777 == 0o700


def test_it_is_said_what_a_restore_would_lose(keeper: Client, table: Sitting) -> None:
    name = make_copy(kind=CopyKind.ASKED, now=NOON).name
    look = reverse("copy", args=[name])
    assert "Nothing would be lost." in keeper.get(look).text

    report(table, 2, {"eaten": [70, 50]})
    make.player("Zuwena", club=table.round.tournament.club)
    page = keeper.get(look).text

    assert "1 hand reported since 20 Nov 2026, 12:00 at 1 table" in page
    assert "1 player" in page
    assert f"python manage.py restore {name}" in page


def test_what_is_no_copy_is_not_there_and_a_damaged_one_is_said_to_be_one(
    keeper: Client, folder: Path
) -> None:
    folder.mkdir()
    damaged = "kula-20261120-120000-000-night.zip"
    (folder / damaged).write_text("no zip")
    (folder / "notes.txt").write_text("")
    (folder.parent / "kula-20261120-120000-000-asked.zip").write_text("outside")

    for name in ("notes.txt", "..", "%2e%2e%2fsecret", "kula-20261120-120000-000-asked.zip"):
        assert keeper.get(f"/copies/{name}/").status_code == 404
        assert keeper.get(f"/copies/{name}/file/").status_code == 404
    assert "damaged" in keeper.get(reverse("copies")).text
    assert "is damaged and cannot" in keeper.get(reverse("copy", args=[damaged])).text


def test_a_hundred_copies_ask_no_more_of_the_database(keeper: Client, folder: Path) -> None:
    folder.mkdir()
    for n in range(100):
        (folder / f"kula-20261120-1200{n % 60:02d}-{n:03d}-night.zip").write_text("")
    with costs(2):  # the session and its user
        keeper.get(reverse("copies"))


def test_before_a_round_is_taken_back_there_is_a_copy(
    keeper: Client, folder: Path, table: Sitting
) -> None:
    keeper.post(reverse("round-undo", args=[table.round_id]))

    [copy] = stored_copies()
    assert copy.kind is CopyKind.ACT
    page = keeper.get(reverse("copies")).text
    assert f"Before round 1 of {table.round.tournament.name} was undone" in page
    assert read_note(folder / copy.name).hands == 1


def test_a_failure_is_a_sentence_and_the_act_goes_on(
    keeper: Client, folder: Path, table: Sitting
) -> None:
    folder.write_text("in its way")

    assert "No copy could be made in" in keeper.post(reverse("copies"), follow=True).text
    page = keeper.post(reverse("round-undo", args=[table.round_id]), follow=True).text

    assert "Kula could not keep a copy of everything before this." in page
    table.round.refresh_from_db()
    assert table.round.state == "undone"
