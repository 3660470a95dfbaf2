"""Hostile files through the page that takes files: a sentence each, nothing stored, little time and memory."""

import json
import os
import subprocess
import sys
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import make
from tests.drilled import FULL, as_usual
from tests.one_file import file_from_elsewhere, from_elsewhere
from tests.serving import ROOT
from tests.tracker.tournament_files import hostile
from tracker.models import Club, Role, Tournament
from tracker.tournament_files.logic.packing import pack

pytestmark = pytest.mark.django_db
A_DAY = timedelta(days=1)


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


def everything() -> dict[str, int]:
    return {model.__name__: model._default_manager.count() for model in apps.get_models()}


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


def test_a_person_is_in_a_team_once(client: Client, club: Club) -> None:
    cup = make.tournament(club=make.club("Upanga"), teams=True)
    make.sitting("Asha", "Neema", "Juma", "Baraka", at=cup)
    document = from_elsewhere(cup)
    document["teams"][0]["roster"] = [0, 0]

    sentence = refused(client, club, pack(document))

    assert sentence == "teams[0].roster: somebody is in this team twice."


def moments(document: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Return where moments stand in a document, by what happened then."""
    [stage] = document["stages"]
    [round_] = stage["rounds"]
    [table] = round_["tables"]
    [report], [hand] = table["reports"], table["hands"]
    table["acts"] = [{"verb": "hand-confirmed", "on": {"hand": 1}, "numbers": {}, "reason": ""}]
    return {
        "stages[0].created_at": (stage, "created_at"),
        "stages[0].official_at": (stage, "official_at"),
        "stages[0].provisional_until": (stage, "provisional_until"),
        "stages[0].entrants[0].withdrawn_at": (stage["entrants"][0], "withdrawn_at"),
        "stages[0].rounds[0].opened_at": (round_, "opened_at"),
        "stages[0].rounds[0].closed_at": (round_, "closed_at"),
        "stages[0].rounds[0].tables[0].started_at": (table, "started_at"),
        "stages[0].rounds[0].tables[0].reports[0].received_at": (report, "received_at"),
        "stages[0].rounds[0].tables[0].hands[0].recorded_at": (hand, "recorded_at"),
        "stages[0].rounds[0].tables[0].acts[0].at": (table["acts"][0], "at"),
        "people[0].erased_at": (document["people"][0], "erased_at"),
        "origin.nights[0]": (document["origin"]["nights"], 0),
    }


def test_no_moment_lies_in_the_future_or_before_the_club(
    client: Client, club: Club, tournament: Tournament
) -> None:
    soon = timezone.now() + 2 * A_DAY
    for moment in ("9999-12-31T23:59:59.999999Z", f"{soon:%Y-%m-%dT%H:%M:%S.%fZ}", TOO_EARLY):
        places = moments(from_elsewhere(tournament))
        for where in places:
            document = from_elsewhere(tournament)
            document["origin"]["nights"] = [LONG_AGO]
            held, name = moments(document)[where]
            for act in document["stages"][0]["rounds"][0]["tables"][0]["acts"]:
                act["at"] = LONG_AGO
            held[name] = moment

            sentence = refused(client, club, pack(document))

            assert sentence.startswith(f"{where}: "), (where, sentence)
            assert "before 1900 or in the future" in sentence


LONG_AGO, TOO_EARLY = "2020-01-01T12:00:00.000000Z", "1899-12-31T00:00:00.000000Z"


def run(module: str) -> list[str]:
    """Run a program of this folder with a database of its own, and return what it printed."""
    environment = as_usual(os.environ) | {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "KULA_TIME_ZONE": "Africa/Dar_es_Salaam",
    }
    for name in ("KULA_DATA", "DATABASE_URL"):
        environment.pop(name, None)
    command = [sys.executable, "-m", f"tests.tracker.tournament_files.{module}"]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
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
