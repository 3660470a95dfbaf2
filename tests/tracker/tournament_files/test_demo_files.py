"""Every tournament of the demo, written down, taken in by another club, written down again."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from tests import make
from tests.drilled import FULL
from tracker.management.demo import NIGHTS, make_demo
from tracker.models import Tournament
from tracker.reports.services.recount import recount
from tracker.tournament_files.queries.writing import tournament_file
from tracker.tournament_files.services.importing import import_tournament


@pytest.mark.django_db
def test_try():
    import time
    with transaction.atomic():
        make_demo(seed=7, today=timezone.now(), step=lambda: None, nights=NIGHTS if FULL else 9)
        t=time.time()
        files = [tournament_file(t) for t in Tournament.objects.filter(follows=None).order_by("pk")]
        print(len(files), [len(f) for f in files], time.time()-t)
        import os; open("/tmp/onefile.zip","wb").write(files[-1])
        transaction.set_rollback(True)
    club = make.club()
    for x in range(3): make.player(club=club)
    make.sitting(at=make.tournament(club=club))
    for file in reversed(files):
        t=time.time()
        made = import_tournament(club_id=club.pk, content=file, choices=None, by=make.actor())
        print(made.name, len(file), time.time()-t)
        assert tournament_file(made) == file
        assert recount(tournament_id=made.pk, by=make.actor()).findings == ()
