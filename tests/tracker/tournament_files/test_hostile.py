"""Hostile files through the page that takes files: a sentence each, nothing stored, little time and memory."""

import json
import os

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests import make
from tests.drilled import FULL, as_usual
from tests.one_file import file_from_elsewhere
from tests.serving import run_python
from tests.tracker.tournament_files import hostile
from tests.tracker.tournament_files.elsewhere import everything
from tracker.models import Club, Role, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Tournament:
    tournament = make.tournament(club=make.club("Upanga"), hands=2)
    make.report(make.sitting("Asha", "Neema", "Juma", "Baraka", at=tournament), {"eaten": [70, 50]})
    return tournament


@pytest.fixture
def club(client: Client) -> Club:
    club = make.club("Ilala")
    client.force_login(make.user("organiser", role=Role.ORGANISER, club=club))
    return club


def refused(client: Client, club: Club, content: bytes) -> str:
    """Hand a file in, and return the sentence that refuses it; nothing is stored."""
    before = everything()
    file = SimpleUploadedFile("cup.kula.zip", content)
    answer = client.post(reverse("tournament-import", args=[club.pk]), {"file": file})
    assert answer.status_code == 200
    assert everything() == before
    [sentence] = answer.context["form"].errors["file"]
    return str(sentence)


@pytest.mark.parametrize("compression", hostile.COMPRESSIONS)
def test_a_damaged_file_is_said_to_be_so(
    client: Client, club: Club, tournament: Tournament, compression: str
) -> None:
    honest = file_from_elsewhere(tournament)

    for content in hostile.damaged(honest, compression, places=200 if FULL else 25):
        assert refused(client, club, content)


def run(module: str) -> list[str]:
    """Run a program of this folder with a database of its own, and return what it printed."""
    environment = as_usual(os.environ) | {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "KULA_TIME_ZONE": "Africa/Dar_es_Salaam",
    }
    for name in ("KULA_DATA", "DATABASE_URL"):
        environment.pop(name, None)
    done = run_python("-m", f"tests.tracker.tournament_files.{module}", env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


if FULL:

    def test_what_is_packed_tightly_takes_neither_long_nor_much_memory() -> None:
        """Each file of millions, and each that lies, within a gigabyte and some seconds of processor."""
        tried = [json.loads(line) for line in run("attacked")]

        assert {each["what"] for each in tried} == {*hostile.of_millions(), *hostile.lying()}
        for each in tried:
            assert each["status"] == 200, each
            assert each["sentence"], each
            assert not each["stored"], each
            assert each["seconds"] < 20, each
            assert each["megabytes"] < 900, each


def test_pages_show_what_an_older_version_took_in() -> None:
    """A database with moments of the year 9999, in reports and the log too, is brought up to date."""
    pages = run("older")

    assert len(pages) == 11
    assert [page for page in pages if not page.startswith("200 ")] == []
