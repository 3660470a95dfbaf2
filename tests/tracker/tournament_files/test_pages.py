"""A tournament taken away and taken in through the pages and at a terminal."""

import zipfile
from copy import deepcopy
from datetime import timedelta
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from tests import act, make
from tests.one_file import edited, file_from_elsewhere, from_elsewhere
from tests.reading import Forms, costs
from tracker.models import (
    Club,
    LogEntry,
    Player,
    Role,
    Round,
    RoundState,
    Sitting,
    TokenState,
    Tournament,
    Upload,
    User,
)
from tracker.nights.services.closing import close_round
from tracker.results.services.recount import recount
from tracker.tournament_files.logic.packing import pack, unpack
from tracker.tournament_files.queries.export import tournament_file
from tracker.tournament_files.services.importing import import_tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Tournament:
    tournament = make.tournament(club=make.club("Upanga", public=False), hands=2)
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka", at=tournament)
    make.report(sitting, {"eaten": [70, 50]}, device="phone-of-asha")
    return tournament


@pytest.fixture
def club() -> Club:
    """Make one that knows an Asha, and a Juma of another second name."""
    club = make.club("Ilala")
    make.player("asha", club=club)
    make.player("Juma Kapera", club=club)
    return club


@pytest.fixture
def organiser(client: Client, club: Club) -> User:
    user = make.user("organiser", role=Role.ORGANISER, club=club)
    client.force_login(user)
    return user


def hand_in(client: Client, club: Club, content: bytes) -> str:
    """Hand a file in, and return the page that it leads to."""
    file = SimpleUploadedFile("cup.kula.zip", content)
    answer = client.post(reverse("tournament-import", args=[club.pk]), {"file": file}, follow=True)
    assert answer.status_code == 200
    return answer.text


@pytest.mark.usefixtures("organiser")
def test_the_whole_way(client: Client, tournament: Tournament, club: Club) -> None:
    """Handed in, looked at with nothing kept, asked about Juma, and in."""
    page = hand_in(client, club, file_from_elsewhere(tournament))

    assert "Played at Upanga" in page
    assert "2 new players" in page  # Neema and Baraka
    assert Tournament.objects.count() == 1
    assert list(club.players.order_by("name").values_list("name", flat=True)) == [
        "Juma Kapera",
        "asha",
    ]
    look = reverse("tournament-look", args=[club.pk])
    (form,) = [form for form in Forms(page, look).forms if "person_2" in form.fields]
    assert form.fields["person_2"] == [""]  # nobody says for them who Juma is
    juma = Player.objects.get(name="Juma Kapera")

    assert client.post(look, form.pressing()).status_code == 200
    assert Tournament.objects.count() == 1
    answer = client.post(look, form.pressing(person_2=juma.pk))

    made = Tournament.objects.latest("pk")
    assertRedirects(answer, reverse("tournament", args=[made.pk]))
    assert made.club == club
    assert sorted(str(each) for each in made.entrants.all()) == [
        "Baraka",
        "Juma Kapera",
        "Neema",
        "asha",
    ]
    assert made.origin.club == "Upanga"
    assert LogEntry.objects.get(verb="tournament-imported").on["tournament"] == made.pk
    assert not Upload.objects.exists()


@pytest.mark.usefixtures("organiser")
def test_a_person_may_be_somebody_new(client: Client, tournament: Tournament, club: Club) -> None:
    page = hand_in(client, club, file_from_elsewhere(tournament))
    look = reverse("tournament-look", args=[club.pk])
    (form,) = [form for form in Forms(page, look).forms if "person_2" in form.fields]

    client.post(look, form.pressing(person_0="new", person_2="new"))

    there = set(club.players.values_list("name", flat=True))
    assert there == {"asha", "Asha K.", "Juma", "Juma Kapera", "Neema", "Baraka"}


@pytest.mark.usefixtures("organiser")
def test_a_tournament_that_is_here_is_refused_with_a_way_to_it(
    client: Client, tournament: Tournament, club: Club
) -> None:
    content = file_from_elsewhere(tournament)
    made = import_tournament(club_id=club.pk, content=content, choices=None, by=make.actor())

    page = hand_in(client, club, content)

    assert "This tournament is here already" in page
    assert made.get_absolute_url() in page
    # The one it was written from is in a private club, of which nothing is said.
    page = hand_in(client, club, tournament_file(tournament))
    assert "This tournament is here already" in page
    assert tournament.get_absolute_url() not in page


@pytest.mark.usefixtures("organiser")
def test_a_refused_file_says_where(client: Client, tournament: Tournament, club: Club) -> None:
    content = file_from_elsewhere(tournament)

    page = hand_in(client, club, edited(content, '"eaten":[70,50]', '"eaten":[70,60]', times=2))

    assert "This file was changed after it was written." in page
    assert "stages[0].rounds[0].tables[0].hands[0].sheet.eaten" in page
    assert not Upload.objects.exists()


def test_a_look_is_forgotten(
    client: Client, organiser: User, tournament: Tournament, club: Club
) -> None:
    hand_in(client, club, file_from_elsewhere(tournament))
    look = reverse("tournament-look", args=[club.pk])
    other = make.user("other", role=Role.ORGANISER, club=club)
    elsewhere = Client()
    elsewhere.force_login(other)

    assertRedirects(elsewhere.get(look), reverse("tournament-import", args=[club.pk]))
    assert client.get(look).status_code == 200
    Upload.objects.update(uploaded_at=timezone.now() - timedelta(hours=1))
    assertRedirects(client.get(look), reverse("tournament-import", args=[club.pk]))
    assert organiser.upload is not None


def test_the_look_asks_the_database_little(
    client: Client, organiser: User, tournament: Tournament, club: Club
) -> None:
    hand_in(client, club, file_from_elsewhere(tournament))
    assert organiser.upload
    # Session, user, club with the role, file, players; teams are asked for where the file has any.
    with costs(5):
        client.get(reverse("tournament-look", args=[club.pk]))


def test_only_organisers_take_it_away(client: Client, tournament: Tournament) -> None:
    path = reverse("tournament-file", args=[tournament.pk])
    owner = make.user("owner", role=Role.OWNER, club=tournament.club)
    scorer = make.user("scorer", role=Role.SCORER, club=tournament.club)
    client.force_login(scorer)
    assert client.get(path).status_code == 403
    desk = reverse("desk", args=[tournament.pk])
    assertNotContains(client.get(desk), path)

    client.force_login(owner)
    assertContains(client.get(desk), path)
    answer = client.get(path)

    assert answer.content == tournament_file(tournament)
    assert answer.headers["Content-Type"] == "application/zip"
    assert 'filename="friday-cup.kula.zip"' in answer.headers["Content-Disposition"]


def test_what_no_file_can_hold_is_not_written(client: Client, tournament: Tournament) -> None:
    client.force_login(make.user("owner", role=Role.OWNER, club=tournament.club))
    LogEntry.objects.create(
        club=tournament.club,
        at=make.NOON,
        verb="hand-confirmed",
        on={"tournament": tournament.pk, "sitting": Sitting.objects.get().pk, "hand": -1},
    )

    page = client.get(reverse("tournament-file", args=[tournament.pk]), follow=True)

    assertContains(page, "acts[0].on.hand: -1 is less than 0.")


def test_nothing_private_is_in_it(tournament: Tournament) -> None:
    """Neither accounts nor full names, nor what opens a table, nor what a phone is called."""
    user = make.user("asha@example.com", role=Role.MEMBER, club=tournament.club)
    Player.objects.filter(name="Asha").update(
        user=user, full_name="Asha Mwinyi Hassan", visitor_from="Kinondoni"
    )
    sitting = Sitting.objects.get()
    assert sitting.table is not None
    with zipfile.ZipFile(BytesIO(tournament_file(tournament))) as packed:
        text = packed.read("tournament.json").decode()

    secrets = [
        *("asha@example.com", "Mwinyi", "Kinondoni", "phone-of-asha"),
        *(sitting.token, sitting.table.card_token, f'"{sitting.table.code}"'),
    ]
    assert [secret for secret in secrets if secret in text] == []
    assert "Asha" in text


def run(command: str, *words: str) -> str:
    out = StringIO()
    call_command(command, *words, stdout=out)
    return out.getvalue()


def test_at_a_terminal(tournament: Tournament, club: Club, tmp_path: Path) -> None:
    file = tmp_path / "cup.kula.zip"
    with transaction.atomic():
        assert "bytes" in run("export_tournament", "Friday Cup", str(file))
    with pytest.raises(CommandError, match="is there already"):
        run("export_tournament", str(tournament.pk), str(file))
    with pytest.raises(CommandError, match="This tournament is here already"):
        run("import_tournament", str(file), "--club", "Ilala")
    file.write_bytes(file_from_elsewhere(tournament))

    look = run("import_tournament", str(file), "--club", "Ilala", "--look")
    assert look.splitlines() == [
        "Friday Cup: Albastini, 4 entrants, 1 rounds, 1 hands",
        "  Asha: plays here",
        "  Neema: new",
        "  Juma: new, or Juma Kapera?",
        "  Baraka: new",
    ]
    with pytest.raises(CommandError, match="Is Juma somebody of this club"):
        run("import_tournament", str(file), "--club", "Ilala")
    with pytest.raises(CommandError, match="Juma may be new, or “Juma Kapera”"):
        run("import_tournament", str(file), "--club", "Ilala", "--same", "Juma=Asha")
    assert Tournament.objects.count() == 1
    taken = run(
        "import_tournament", str(file), "--club", str(club.pk), "--same", "Juma=Juma Kapera"
    )

    assert "“Friday Cup” is tournament" in taken
    assert club.players.count() == 4
    assert run("recount") == "2 hands, 0 differences.\n"


def test_a_file_that_cannot_be_read_is_said_to_be_so(club: Club, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read: No such file"):
        run("import_tournament", str(tmp_path / "none.zip"), "--club", club.name)
    with pytest.raises(CommandError, match="There is no club “Nowhere”"):
        run("import_tournament", str(tmp_path / "none.zip"), "--club", "Nowhere")


# What a file claims, and what becomes of what was still going on ------------------------------


@pytest.fixture
def closed(tournament: Tournament) -> Tournament:
    """Close its round, with a hand that was corrected before."""
    sitting = Sitting.objects.get(round__tournament=tournament)
    act.correct(sitting, {1: {"eaten": [80, 40]}})
    close_round(round_id=sitting.round_id, by=make.actor(), anyway=True)
    return tournament


def pressed(page: str, club: Club, **more: Any) -> tuple[str, Any]:
    """Return where the form of the look goes, and with what."""
    look = reverse("tournament-look", args=[club.pk])
    (form,) = [
        form for form in Forms(page, look).forms if form.path == look and form.method == "post"
    ]
    return look, form.pressing(**more)


def published(document: dict[str, Any]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = document["stages"][0]["rounds"][0]["published_standing"][
        "standing"
    ]
    return rows


@pytest.mark.usefixtures("organiser")
def test_a_standing_that_was_published_otherwise_is_shown_and_has_to_be_accepted(
    client: Client, closed: Tournament, club: Club
) -> None:
    document = from_elsewhere(closed, Juma="Zuwena")
    first, *_ = published(document)
    name = document["people"][document["stages"][0]["entrants"][first["entrant"]]["player"]]["name"]
    forged = {**first, "points": "31"}
    published(document)[0] = forged

    page = hand_in(client, club, pack(document))

    assert "The standings differ" in page
    row = page[page.index(f'<th scope="row">{name}</th>') :]
    assert row.index("place 1, with 31") < row.index("place 1, with 1")
    answer = client.post(*pressed(page, club))
    assert answer.status_code == 200
    assertContains(answer, "Please say that you have seen where the standings differ.")
    assert Tournament.objects.count() == 1
    assert client.post(*pressed(page, club, differences="on")).status_code == 302
    assert Tournament.objects.count() == 2


@pytest.mark.usefixtures("organiser")
def test_an_honest_standing_is_asked_nothing_about(
    client: Client, closed: Tournament, club: Club
) -> None:
    page = hand_in(client, club, file_from_elsewhere(closed, Juma="Zuwena"))

    assert "The standings differ" not in page
    assert client.post(*pressed(page, club)).status_code == 302
    assert Round.objects.latest("pk").published_standing is not None


def test_a_terminal_says_where_standings_differ(
    closed: Tournament, club: Club, tmp_path: Path
) -> None:
    document = from_elsewhere(closed, Juma="Zuwena")
    published(document)[0]["points"] = "31"
    file = tmp_path / "cup.kula.zip"
    file.write_bytes(pack(document))

    look = run("import_tournament", str(file), "--club", club.name, "--look")

    assert "round 1" in look.splitlines()[-1]
    assert "31" in look.splitlines()[-1]
    with pytest.raises(CommandError, match="where the standings differ"):
        run("import_tournament", str(file), "--club", club.name)
    assert "is tournament" in run(
        "import_tournament", str(file), "--club", club.name, "--accept-differences"
    )


def test_rounds_that_are_played_come_in_as_closed(tournament: Tournament, club: Club) -> None:
    """Also where its people play at this club just now, and where several rounds were open."""
    document = from_elsewhere(tournament)
    document["stages"][0]["provisional_until"] = "2026-11-20T12:30:00.000000Z"
    [round_] = document["stages"][0]["rounds"]
    other = {**deepcopy(round_), "uid": str(uuid4()), "number": 2, "tables": []}
    document["stages"][0]["rounds"].append(other)
    make.sitting("asha", "Neema", "Juma Kapera", at=make.tournament(club=club))

    made = import_tournament(club_id=club.pk, content=pack(document), choices=None, by=make.actor())

    states = {(each.state, each.closed_at) for each in made.rounds.all()}
    assert states == {(RoundState.CLOSED, make.NOON)}
    [sitting] = Sitting.objects.filter(round__tournament=made)
    assert (sitting.token_state, sitting.finished_at) == (TokenState.CLOSED, make.NOON)
    assert made.provisional_until == make.NOON
    assert recount(tournament_id=made.pk, by=make.actor()).findings == ()


@pytest.mark.usefixtures("organiser")
def test_the_log_says_what_came_from_a_file(client: Client, closed: Tournament, club: Club) -> None:
    content = file_from_elsewhere(closed)
    import_tournament(club_id=club.pk, content=content, choices=None, by=make.actor())

    page = client.get(reverse("log", args=[club.pk]))

    assertContains(page, "<p>Imported from a file: The organiser corrected hand 1", count=1)
    entry = LogEntry.objects.get(club=club, verb="sitting-corrected")
    assert entry.numbers["imported"]
    made = Tournament.objects.latest("pk")
    assert not unpack(tournament_file(made)).changed


def test_however_many_hands_there_are_little_is_asked_of_the_database(client: Client) -> None:
    """What takes long is done apart: no statement more, neither at the look nor at the import."""
    counted = []
    for tables, hands in ((1, 1), (3, 4)):
        league = make.tournament(hands=hands, club=make.club())
        for _ in range(tables):
            sitting = make.sitting(at=league)
            for number in range(hands):
                make.report(sitting, {"eaten": [61 + number, 59 - number]})
        content, ilala = file_from_elsewhere(league), make.club()
        client.force_login(make.user(role=Role.ORGANISER, club=ilala))
        with CaptureQueriesContext(connection) as look:
            page = hand_in(client, ilala, content)
        where, form = pressed(page, ilala)
        with CaptureQueriesContext(connection) as taken:
            answer = client.post(where, form)
        assert answer.status_code == 302
        counted.append((len(look), len(taken)))

    assert counted[0] == counted[1]
    assert counted[0] < (25, 60)
