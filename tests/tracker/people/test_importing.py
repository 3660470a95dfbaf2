"""Players from a list: CSV, XLSX or pasted, looked at first, all or nothing, safe to repeat."""

import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from openpyxl import Workbook
from pytest_django.asserts import assertContains, assertRedirects

from tests import act, make
from tests.reading import costs
from tracker.common.uploads import text_in
from tracker.models import Club, LogEntry, Player, Role
from tracker.people.pages.importing import MOST_BYTES
from tracker.people.services.importing import MOST_LINES, import_players, plan_import, read_lines

pytestmark = pytest.mark.django_db

LIST = (
    "Name,Nickname,Home club,Season\nAsha,,,\nJuma Kapera,Chui,,\nNeema,,Ilala,\nZuri,,Ilala,yes\n"
)


@pytest.fixture
def page(client: Client, club: Club) -> str:
    client.force_login(make.user(role=Role.ORGANISER, club=club))
    return reverse("players-import", args=[club.pk])


def names(club: Club) -> list[str]:
    return list(club.players.order_by("name_key").values_list("name", flat=True))


def workbook(*rows: list[object]) -> bytes:
    book, file = Workbook(), io.BytesIO()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(row)
    book.save(file)
    return bytes(file.getvalue())


def text_of(content: bytes) -> str:
    return text_in(content, most_bytes=MOST_BYTES, most_lines=MOST_LINES)


def problems(club: Club, text: str) -> dict[int, str]:
    """Return what is wrong with each line, by its number."""
    plan = plan_import(club_id=club.pk, text=text)
    return {line.number: line.refused.code for line in plan.refused if line.refused}


# Looking, then keeping ------------------------------------------------------------------------


def test_a_list_is_looked_at_and_then_kept(client: Client, club: Club, page: str) -> None:
    look = client.post(page, {"text": LIST, "look": "1"})
    assertContains(look, "4 new players")
    assert names(club) == []

    answer = client.post(page, {"text": LIST, "import": "1"}, follow=True)

    assertRedirects(answer, reverse("players", args=[club.pk]))
    assertContains(answer, "4 players are in.")
    players = set(Player.objects.values_list("name", "full_name", "visitor_from", "in_season"))
    assert players == {
        ("Asha", "", "", True),
        ("Chui", "Juma Kapera", "", True),
        ("Neema", "", "Ilala", False),
        ("Zuri", "", "Ilala", True),
    }
    assert LogEntry.objects.get().verb == "players-imported"


def test_the_same_list_twice_adds_nobody(client: Client, club: Club, page: str) -> None:
    for _twice in range(2):
        answer = client.post(page, {"text": LIST, "import": "1"}, follow=True)

    assertContains(answer, "Everybody on the list was here already.")
    assert len(names(club)) == 4
    assert LogEntry.objects.count() == 1


def test_a_file_becomes_text_that_can_be_put_right(client: Client, club: Club, page: str) -> None:
    book = workbook(["Player", "Visits us from"], ["Asha", None], [None, None], ["ASHA", "Ilala"])
    file = SimpleUploadedFile("players.xlsx", book)

    look = client.post(page, {"file": file, "text": "", "import": "1"})

    assert names(club) == []  # nothing is kept before it was seen
    text = look.context["form"]["text"].value()
    assert text == "Player\tVisits us from\nAsha\t\n\t\nASHA\tIlala\n"
    assertContains(look, "ASHA stands on line 2 already.")
    assertContains(look, "1 line is not right yet")
    client.post(page, {"text": text.replace("ASHA", "Asha M."), "import": "1"})
    assert names(club) == ["Asha", "Asha M."]


def test_all_or_nothing(client: Client, club: Club, page: str) -> None:
    answer = client.post(page, {"text": "Name\nAsha\n...\nNeema", "import": "1"})

    assertContains(answer, "Line 3 cannot be saved, so nobody was added yet.")
    assert names(club) == []


def test_every_line_says_what_is_wrong_with_it(club: Club) -> None:
    make.player("Baraka", club=club)
    text = (
        "Name;Nickname;Home club;Season\n"
        f"{'A' * 61};;;\n"
        f"{'A' * 121};Chui;;\n"
        "Neema;;...;\n"
        "Juma;;;perhaps\n"
        "Asha;;;no\n"
        "asha;;;\n"
        ";;Ilala;\n"
        "Baraka;;;\n"
    )

    assert problems(club, text) == {
        2: "name-long",
        3: "name-long",
        4: "name-empty",
        5: "line-season",
        7: "line-twice",
        8: "name-empty",
    }
    plan = plan_import(club_id=club.pk, text=text)
    assert [line.name for line in plan.lines if line.in_club] == ["Baraka"]
    assert [(line.name, line.in_season) for line in plan.new] == [("Asha", False)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Home club\nIlala", "list-nameless"),
        ("", "list-nameless"),
        ("Name\n\n", "list-empty"),
        ("Name\n" + "\n".join(f"P{n}" for n in range(MOST_LINES + 1)), "list-long"),
    ],
)
def test_what_is_no_list_is_refused(club: Club, text: str, code: str) -> None:
    with act.refused(code):
        plan_import(club_id=club.pk, text=text)


def test_columns_nobody_knows_are_named(client: Client, page: str) -> None:
    look = client.post(page, {"text": "Name\tShoe size\nAsha\t38", "look": "1"})

    assertContains(look, "These columns are left out: shoe size.")


def test_somebody_added_meanwhile_is_known(club: Club) -> None:
    user = make.user(role=Role.ORGANISER, club=club)
    make.player("ASHA", club=club)

    new = import_players(club_id=club.pk, text="Name\nAsha\nJuma", by=make.actor(user))

    assert [player.name for player in new] == ["Juma"]


# Files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_file_of_any_old_spreadsheet_is_read(encoding: str) -> None:
    assert text_of("Name\nZoé".encode(encoding)) == "Name\nZoé"


def packed(**parts: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"x" * (MOST_BYTES + 1),
        b"PK\x03\x04 not really",
        packed(other=b"x"),
        packed(bomb=b"\x00" * 41_000_000),
        packed(**{"[Content_Types].xml": b"<"}),
        b"Name\n\x81\x8d",  # no text in any of the encodings
    ],
    ids=["large", "broken", "no book", "bomb", "torn", "no text"],
)
def test_what_cannot_be_read_is_refused(client: Client, page: str, content: bytes) -> None:
    with pytest.raises(ValueError, match=r"too large|no workbook|no text"):
        text_of(content)

    if len(content) < MOST_BYTES:
        file = SimpleUploadedFile("players.xlsx", content)
        assertContains(client.post(page, {"file": file, "text": ""}), "This file cannot be read.")


def test_a_quoted_name_keeps_its_comma() -> None:
    listing = read_lines('name,home\n"Kapera, Juma",Ilala\n')

    assert [(line.name, line.home) for line in listing.lines] == [("Kapera, Juma", "Ilala")]


@pytest.mark.parametrize("people", [1, 3])
def test_a_look_costs_the_same_however_long_the_list(
    client: Client, page: str, people: int
) -> None:
    text = "Name\n" + "\n".join(f"Player {n}" for n in range(people))

    with costs(4):  # session, user, club with role; players
        client.post(page, {"text": text, "look": "1"})
