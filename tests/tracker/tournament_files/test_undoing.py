"""An import undone: everything that came is gone, unless something was played or changed since."""

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertRedirects

from tests import act, make
from tests.one_file import file_from_elsewhere
from tests.tracker.tournament_files.elsewhere import everything
from tracker.models import Club, LogEntry, Report, Role, Round, Sitting, Tournament
from tracker.nights.services.closing import close_round, reopen_round
from tracker.people.services.merging import merge_players
from tracker.results.services.corrections import correct_sitting
from tracker.tournament_files.services.importing import import_tournament, undo_import

pytestmark = pytest.mark.django_db
KEPT = {"LogEntry", "Snapshot", "Session"}  # the log forgets nothing


@pytest.fixture
def content() -> bytes:
    """Write down a cup of two teams with a correction, a second count and an open issue."""
    cup = make.tournament(club=make.club("Upanga"), hands=2, teams=True)
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka", at=cup)
    make.report(sitting, {"eaten": [70, 50]}, device="a", side=0)
    make.report(sitting, {"eaten": [60, 60]}, number=1, device="b", side=1, is_next=False)
    make.report(sitting, {"eaten": [61, 59]}, device="b", side=1)
    changes: Any = {2: {"eaten": [80, 40]}}
    correct_sitting(sitting_id=sitting.pk, changes=changes, reason="Counted", by=make.actor())
    close_round(round_id=sitting.round_id, by=make.actor(), anyway=True)
    return file_from_elsewhere(cup)


@pytest.fixture
def club(client: Client) -> Club:
    club = make.club("Ilala")
    make.player("asha", club=club)
    client.force_login(make.user("organiser", role=Role.ORGANISER, club=club))
    return club


def taken_in(club: Club, content: bytes) -> Tournament:
    return import_tournament(club_id=club.pk, content=content, choices=None, by=make.actor())


def test_all_that_came_is_gone_and_may_come_again(
    client: Client, club: Club, content: bytes
) -> None:
    before = everything(but=KEPT)
    made = taken_in(club, content)
    undo = reverse("import-undo", args=[made.pk])
    log = reverse("log", args=[club.pk])
    assertContains(client.get(log), f'action="{undo}"')

    assertRedirects(client.post(undo), reverse("tournaments", args=[club.pk]))

    assert everything(but=KEPT) == before
    page = client.get(log)
    assertContains(page, "undid the import of a tournament from a file")
    assert undo not in page.text
    undone = LogEntry.objects.get(verb="import-undone").undoes
    assert undone is not None
    assert undone.verb == "tournament-imported"
    assert taken_in(club, content).name == made.name


def test_who_came_with_it_and_plays_elsewhere_stays(
    client: Client, club: Club, content: bytes
) -> None:
    made = taken_in(club, content)
    make.sitting("Neema", at=make.tournament(club=club))

    client.post(reverse("import-undo", args=[made.pk]))

    assert not Tournament.objects.filter(pk=made.pk).exists()
    names = set(club.players.values_list("name", flat=True))
    assert {"asha", "Neema"} <= names
    assert not {"Juma", "Baraka"} & names


@pytest.mark.parametrize("what", ["a correction", "a late hand", "a round reopened", "a stage"])
def test_it_stays_once_something_was_done_in_it(
    client: Client, club: Club, content: bytes, what: str
) -> None:
    made = taken_in(club, content)
    sitting = Sitting.objects.get(round__tournament=made)
    match what:
        case "a correction":
            act.correct(sitting, {1: {"eaten": [75, 45]}})
        case "a late hand":
            make.report(sitting, {"eaten": [66, 54]}, number=3)
        case "a round reopened":
            reopen_round(round_id=Round.objects.get(tournament=made).pk, by=make.actor())
        case _:
            make.tournament(club=club, follows=made, stage="Final")
            LogEntry.objects.create(
                club=club, at=make.NOON, verb="stage-begun", on={"tournament": made.pk}
            )
    before = everything(but=KEPT)

    answer = client.post(reverse("import-undo", args=[made.pk]), follow=True)

    assertContains(answer, "so the import cannot be undone")
    assert everything(but=KEPT) == before


def test_a_merger_in_an_import_that_was_undone_is_not_taken_back(
    client: Client, club: Club
) -> None:
    cup = make.tournament(club=make.club("Upanga"), hands=2)
    make.sitting("Asha", "Neema", "Juma", "Baraka", at=cup, in_round=make.round_of(cup))
    make.entrant(make.player("Neema K.", club=cup.club), at=cup)  # who never sat
    made = taken_in(club, file_from_elsewhere(cup))
    twice, once = (club.players.get(name=name).pk for name in ("Neema K.", "Neema"))
    merged = merge_players(player_id=twice, into_id=once, by=make.actor())
    undo_import(tournament_id=made.pk, by=make.actor())

    page = client.post(reverse("merge-undo", args=[merged.pk]), follow=True)

    assertContains(page, "Too much has happened since")


def test_what_was_never_imported_is_not_undone(client: Client, club: Club) -> None:
    cup = make.tournament(club=club)
    make.report(make.sitting(at=cup), {"eaten": [70, 50]})

    answer = client.post(reverse("import-undo", args=[cup.pk]), follow=True)

    assertContains(answer, "This import cannot be undone.")
    assert Tournament.objects.filter(pk=cup.pk).exists()


def test_the_database_keeps_what_was_sent_here(club: Club, content: bytes) -> None:
    """Of a table that came in a file the reports that came with it may go, and no later one."""
    made = taken_in(club, content)
    sitting = Sitting.objects.get(round__tournament=made)
    make.report(sitting, {"eaten": [66, 54]}, number=3)
    last = Report.objects.latest("pk")

    with (
        pytest.raises(IntegrityError, match="report_is_never_deleted"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("DELETE FROM tracker_report WHERE id = %s", [last.pk])
