"""Every tournament of the demo, written down, taken in by another club, written down again."""

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from tests import make
from tests.drilled import FULL
from tests.tracker.tournament_files.elsewhere import careers, read
from tracker.management.demo import NIGHTS, make_demo
from tracker.models import Player, Tournament
from tracker.reports.services.recount import recount
from tracker.tournament_files.queries.writing import tournament_file
from tracker.tournament_files.services.importing import import_tournament

pytestmark = pytest.mark.django_db


def test_the_demo_is_the_same_elsewhere(client: Client) -> None:
    """The same bytes, the same pages; all keys differ, as another tournament is here before."""
    now = timezone.now()
    files: dict[str, bytes] = {}
    pages: dict[str, dict[str, str]] = {}
    with transaction.atomic():
        club = make_demo(seed=7, today=now, step=lambda: None, nights=NIGHTS if FULL else 4)
        for tournament in Tournament.objects.filter(follows=None).order_by("pk"):
            files[tournament.name] = tournament_file(tournament)
            pages[tournament.name] = read(client, tournament)
        lives = careers(client, club.pk, 100 if FULL else 5)
        transaction.set_rollback(True)
    elsewhere = make.club(club.name)
    make.sitting(at=make.tournament(club=elsewhere))

    for name, file in files.items():
        made = import_tournament(club_id=elsewhere.pk, content=file, choices=None, by=make.actor())

        assert tournament_file(made) == file, name
        for page, words in read(client, made).items():
            assert words == pages[name][page], (name, page)
        assert recount(tournament_id=made.pk, by=make.actor()).findings == ()

    there = careers(client, elsewhere.pk, Player.objects.count())
    for name, words in lives.items():
        if name in there:
            assert there[name] == words
