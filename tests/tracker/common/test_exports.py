"""Tables taken away in a file, on the page and on the command line."""

import csv
import io
import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from fractions import Fraction
from html import unescape
from typing import Any
from urllib.parse import urljoin

import openpyxl
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils.timezone import localtime

from games.sheet import VOID
from tests import act, make, tour
from tests.make import NOON
from tracker.common.columns import in_file
from tracker.models import Player, Role, RoundState, Tournament
from tracker.results.services.corrections import STRIKE
from tracker.standings.queries.standings import standing_to_publish

pytestmark = pytest.mark.django_db

FOUR = ("Asha", "Neema", "Juma", "Baraka")


def evening(name: str = "Friday Cup", **more: Any) -> Tournament:
    tournament = make.tournament(name=name, hands=8, **more)
    table = make.sitting(*FOUR, at=tournament)
    sheets: list[dict[str, Any]] = [{"eaten": [95, 25]}, {"eaten": [15, 105]}, {"bare": 0}]
    for minute, sheet in enumerate(sheets):
        make.report(table, sheet, now=NOON + timedelta(minutes=minute))
    return tournament


def rows_of(client: Client, path: str, form: str, **query: str) -> list[list[Any]]:
    """Return the rows of the file behind this path, its header first."""
    answer = client.get(path, {"_export": form, **query})
    assert answer.status_code == 200
    if form == "csv":
        return csv_of(answer)
    book = openpyxl.load_workbook(io.BytesIO(answer.content))
    return [[cell.value for cell in row] for row in book.worksheets[0].iter_rows()]


def csv_of(answer: Any) -> list[list[str]]:
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))


def json_of(client: Client, path: str) -> list[dict[str, Any]]:
    answer = client.get(path)
    assert answer.headers["Content-Type"] == "application/json"
    assert ".json" in answer.headers["Content-Disposition"]
    rows: list[dict[str, Any]] = json.loads(answer.content)
    return rows


# Cells --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_no_text_can_be_a_formula(sign: str) -> None:
    assert in_file(f"{sign}1+1") == f"'{sign}1+1"
    assert in_file(f"\x00{sign}1+1") == f"'{sign}1+1"


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (-3, -3),
        (Fraction(-3), -3),
        (Fraction(7, 2), 3.5),
        (Fraction(1, 3), 0.3333),
        (None, ""),
        (True, True),
        ("Asha", "Asha"),
        ("1 = 1", "1 = 1"),
        ("a\x07b", "ab"),
        (NOON, datetime(2026, 11, 20, 12, 0)),  # noqa: DTZ001 - a spreadsheet has no time zones
    ],
)
def test_numbers_and_moments_stay_what_they_are(value: object, cell: object) -> None:
    assert in_file(value) == cell
    assert type(in_file(value)) is type(cell)


# Tables -------------------------------------------------------------------------------------------


def test_a_standing_is_taken_as_a_spreadsheet_with_real_numbers(client: Client) -> None:
    tournament = evening()

    header, first, *others = rows_of(client, tournament.get_absolute_url(), "xlsx")

    assert header == [
        "Place",
        "Player",
        "Victory points",
        "Hands",
        "Won",
        "Two-point wins",
        "Eaten, %",
        "Dealt first",
        "Dealt",
    ]
    assert first == [1, "Asha", 2, 3, 2, 0, 45.8, 1, 1]
    assert len(others) == 3


def test_a_past_standing_is_taken_with_what_was_on_the_wall(client: Client) -> None:
    tournament = evening()
    round_ = tournament.rounds.get()
    round_.state, round_.published_standing = (
        RoundState.CLOSED,
        standing_to_publish(round_),
    )
    round_.save()

    answer = client.get(tournament.get_absolute_url() + "?round=1&_export=csv")
    header, first, *_ = rows_of(client, tournament.get_absolute_url(), "xlsx", round="1")

    assert header[-2:] == ["Place as announced", "Victory points as announced"]
    assert first[-2:] == [1, 2]
    assert (
        answer.headers["Content-Disposition"]
        == 'attachment; filename="friday-cup-standings-after-round-1.csv"'
    )


def test_a_standing_that_has_not_begun_has_no_places(client: Client) -> None:
    tournament = make.tournament()
    make.sitting(*FOUR, at=tournament)

    assert {row[0] for row in rows_of(client, tournament.get_absolute_url(), "csv")[1:]} == {""}


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_hands_are_taken_with_all_pages_and_as_they_were_narrowed(
    client: Client, form: str
) -> None:
    tournament = make.tournament(name="Friday Cup")
    table = make.sitting(*FOUR, at=tournament)
    for number in range(30):
        sheet: dict[str, Any] = {"eaten": [70, 50]} if number % 3 else {"bare": 0}
        make.report(table, sheet, now=NOON + timedelta(minutes=number))
    path = reverse("hands", args=[tournament.pk])

    whole = rows_of(client, path, form)
    bare = rows_of(client, path, form, kind="bare", sort="recorded_at")

    heads = (
        "Round,Table,Hand,Side,Player 1,Player 2,Victory points,Won,Two-point wins,Eaten,Count,Dealer,State,"
        "Open question,Result,Written down,Confirmed,When"
    ).replace("Eaten", "Eaten, %")
    assert ",".join(whole[0]) == heads
    assert (len(whole), len(bare)) == (61, 21)
    assert [int(row[2]) for row in bare[1::2]] == [*range(1, 31, 3)]
    said = [[str(cell) for cell in row[2:8]] + [str(row[10]), row[12]] for row in whole[1:3]]
    assert said == [
        ["30", "1", "Asha", "Juma", "1", "1", "70", "counts"],
        ["30", "2", "Neema", "Baraka", "0", "0", "50", "counts"],
    ]
    when = datetime(2026, 11, 20, 12, 29)  # noqa: DTZ001 - a spreadsheet has no time zones
    assert whole[1][-1] == (str(when) if form == "csv" else when)


# What is played at the tour's table of a game after its usual hands: one that counts for nobody, a
# finishing order with a tie where games take several hands, and one that is deleted at once.
LAST = {"mambassa": [{"bare": VOID}, {"bare": [2, [0, 3], 1]}, {"event": "normal", "payers": [1]}]}
UNPLACED: list[int | None] = [None] * 4
PLACES: dict[str, list[list[int | None]]] = {
    "dalmuti": [[2, 3, 1, 4], [1, 2, 3, 4], UNPLACED, UNPLACED],
    "mambassa": [UNPLACED, UNPLACED, UNPLACED, [2, 4, 1, 2], UNPLACED],
}


def test_a_program_adds_up_the_hands_of_every_game_to_its_standing(client: Client) -> None:
    club = make.club()
    for game, (_mode, sheets) in tour.SHEETS.items():
        table = tour.played(game, club=club)
        for sheet in LAST.get(game, [{"bare": VOID}, sheets[0]]):
            table.refresh_from_db()
            make.report(table, sheet)
        table.refresh_from_db()
        act.correct(table, {table.last_number: STRIKE})
        tournament = table.round.tournament
        hands, standing = (
            json_of(client, f"{path}?_export=json")
            for path in (reverse("hands", args=[tournament.pk]), tournament.get_absolute_url())
        )
        unit = tournament.rules.unit.one.capitalize()
        summed = {head for head in standing[0].keys() & hands[0].keys() if head[-1] != "%"}
        summed -= {"Place"}
        assert len(summed) >= 3, summed

        counting = [row for row in hands if row["State"] == "counts"]
        for line in standing:
            own = [
                row for row in counting if line["Player"] in (row["Player 1"], row.get("Player 2"))
            ]
            assert {head: sum(row[head] for row in own) for head in summed} == {
                head: line[head] for head in summed
            }, (game, line)
        states = {row[unit]: row["State"] for row in reversed(hands)}
        assert [*states.values()][-2:] == ["counts" if game == "mambassa" else "void", "deleted"]
        assert all(row[head] is None for row in hands for head in summed if row not in counting)
        in_order = sorted(hands, key=lambda row: (row[unit], row["Side"]))
        places = [row["Place"] for row in in_order if "Place" in row]
        assert places == [place for hand in PLACES.get(game, []) for place in hand], game


def test_every_file_for_programs_has_what_the_one_for_spreadsheets_has(client: Client) -> None:
    laid = tour.lay()
    taken = set()
    for name, page in laid.pages().items():
        for link in re.findall(r'href="([^"]*_export=json[^"]*)"', client.get(page).text):
            path = urljoin(page, unescape(link))
            heads, *rows = csv_of(client.get(path.replace("=json", "=csv")))
            records = json_of(client, path)
            assert [[*record] for record in records] == len(rows) * [heads]
            for record, row in zip(records, rows, strict=True):
                assert [in_csv(value) for value in record.values()] == row, path
            for head, column in zip(heads, zip(*rows, strict=True), strict=True):
                numeric = all(cell.replace(".", "", 1).isdigit() for cell in column if cell)
                kind = int | float if numeric else str
                values = [record[head] for record in records if record[head] is not None]
                assert all(isinstance(value, kind) for value in values), (path, head)
            taken.add(name.partition(",")[0])
    assert taken >= {"tournament", "hands", "final-ranking", "player", "pair", "players", "teams"}
    assert taken >= {"season", "tournaments"}


def in_csv(value: object) -> str:
    """Return what a CSV file has for a value of a JSON file."""
    if value is None:
        return ""
    if isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\dT", value):
        return str(localtime(datetime.fromisoformat(value)).replace(tzinfo=None))
    return str(value)


def test_two_columns_with_one_heading_are_both_in_a_file_for_programs(client: Client) -> None:
    tournament = make.tournament()
    make.report(
        make.sitting("Asha", "Neema", "Hands", "Baraka", at=tournament), {"eaten": [70, 50]}
    )
    asha, other = (Player.objects.get(name=name).pk for name in ("Asha", "Hands"))

    [row] = json_of(client, reverse("pair", args=[asha, other]) + "?of=meetings&_export=json")

    assert (row["Hands"], row["Hands (6)"]) == (1, 1)


def test_players_are_taken_as_they_were_searched_and_without_what_is_for_organisers(
    client: Client,
) -> None:
    tournament = evening()
    client.force_login(make.user(role=Role.ORGANISER, club=tournament.club))

    rows = rows_of(
        client, reverse("players", args=[tournament.club_id]), "csv", q="a", sort="-name"
    )

    assert rows == [["Player", "Tournaments"], *[[name, "1"] for name in sorted(FOUR)[::-1]]]


@pytest.mark.parametrize(
    ("of", "header", "first"),
    [
        (
            "tournaments",
            ["Tournament", "Place", "Of", "Victory points", "Hands", "When"],
            ["Friday Cup", 1, 4, 2, 3, datetime(2026, 11, 20, 12, 0)],  # noqa: DTZ001
        ),
        (
            "partners",
            ["With", "Victory points a hand", "Victory points", "Hands"],
            ["Juma", 0.6667, 2, 3],
        ),
        (
            "opponents",
            ["Against", "Victory points a hand", "Victory points", "Hands"],
            ["Baraka", 0.6667, 2, 3],
        ),
    ],
)
def test_each_table_of_a_player_is_taken_by_its_name(
    client: Client, of: str, header: list[str], first: list[object]
) -> None:
    evening()
    path = reverse("player", args=[Player.objects.get(name="Asha").pk])

    rows = rows_of(client, path, "xlsx", of=of)

    assert rows[:2] == [header, first]


def test_a_pair_a_team_and_a_race_are_taken_as_well(client: Client) -> None:
    tournament = evening(teams=True)
    asha, juma = (Player.objects.get(name=name) for name in ("Asha", "Juma"))
    team = tournament.entrants.get(team__name="Asha & Juma").team_id

    pair = rows_of(client, reverse("pair", args=[asha.pk, juma.pk]), "csv", of="meetings")
    people = rows_of(client, reverse("team", args=[team]), "csv", of="members")
    tournaments = rows_of(client, reverse("team", args=[team]), "csv", of="tournaments")
    race = rows_of(client, reverse("story", args=[tournament.pk]), "csv")

    assert pair == [
        ["Tournament", "Where", "As", "Asha", "Juma", "Hands", "When"],
        ["Friday Cup", "Round 1, Table 1", "partners", "2", "2", "3", "2026-11-20 12:00:00"],
    ]
    assert people == [["Player", "Hands", "Dealt"], ["Asha", "3", "1"], ["Juma", "3", "1"]]
    assert tournaments[1][:4] == ["Friday Cup", "1", "2", "2"]
    assert race == [["Player", "Round 1"], ["Asha & Juma", "2"], ["Neema & Baraka", "2"]]


def test_names_that_would_be_formulas_are_harmless_everywhere(client: Client) -> None:
    tournament = make.tournament(name="=1+1")
    make.report(
        make.sitting("=cmd|' /C calc'!A0", "+Neema", "-Juma", "@Baraka", at=tournament), {"bare": 0}
    )
    player = Player.objects.get(name="-Juma")
    paths: list[tuple[str, dict[str, str]]] = [
        (tournament.get_absolute_url(), {}),
        (reverse("hands", args=[tournament.pk]), {}),
        (reverse("players", args=[tournament.club_id]), {}),
        (reverse("story", args=[tournament.pk]), {}),
        *((reverse("player", args=[player.pk]), {"of": of}) for of in ("tournaments", "partners")),
    ]

    cells = [
        str(cell)
        for path, query in paths
        for form in ("csv", "xlsx")
        for row in rows_of(client, path, form, **query)
        for cell in row
    ]

    assert [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))] == []
    assert "'=cmd|' /C calc'!A0" in cells


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("Friday Cup", 'attachment; filename="friday-cup-standings.xlsx"'),
        ("../../etc", 'attachment; filename="etc-standings.xlsx"'),
        ("Coupe d’été", "attachment; filename*=utf-8''coupe-d%C3%A9t%C3%A9-standings.xlsx"),
        ("🃏", 'attachment; filename="standings.xlsx"'),
    ],
)
def test_a_file_is_called_after_its_tournament(client: Client, name: str, file: str) -> None:
    tournament = evening(name)

    answer = client.get(tournament.get_absolute_url(), {"_export": "xlsx"})

    assert answer.headers["Content-Disposition"] == file


@pytest.mark.parametrize("form", ["", "pdf", "yaml", "%00", "CSV"])
def test_another_form_is_the_page(client: Client, form: str) -> None:
    tournament = evening()

    answer = client.get(tournament.get_absolute_url(), {"_export": form})

    assert answer.headers["Content-Type"].startswith("text/html")


@pytest.mark.parametrize("form", ["csv", "xlsx", "json"])
def test_the_page_leads_to_its_files_and_keeps_what_it_was_narrowed_to(
    client: Client, form: str
) -> None:
    tournament = evening()

    text = client.get(reverse("hands", args=[tournament.pk]), {"kind": "bare", "page": "1"}).text

    assert f'href="?kind=bare&amp;_export={form}"' in text


# The command --------------------------------------------------------------------------------------


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def run(*words: str) -> str:
        call_command("standings", *words)
        return capsys.readouterr().out

    return run


def test_the_command_prints_for_people(said: Callable[..., str]) -> None:
    evening()

    assert said("friday cup").splitlines()[:2] == [
        "Place  Player  Victory points  Hands  Won  Two-point wins  Eaten, %  Dealt first  Dealt",
        "    1  Asha                 2      3    2               0      45.8            1      1",
    ]


def test_the_command_prints_for_spreadsheets(said: Callable[..., str]) -> None:
    tournament = evening()

    rows = list(csv.reader(io.StringIO(said(str(tournament.pk), "--format", "csv"))))

    assert rows[1] == ["1", "Asha", "2", "3", "2", "0", "45.8", "1", "1"]


def test_the_command_prints_for_programs(said: Callable[..., str]) -> None:
    tournament = evening()

    rows = json.loads(said(str(tournament.pk), "--format", "json"))

    assert rows[0] == {
        "place": 1,
        "name": "Asha",
        "hands": 3,
        "victory_points": 2,
        "won": 2,
        "twos": 0,
        "share": 0.4583,
        "opened": 1,
        "dealt": 1,
    }
    assert len(rows) == 4


def test_the_command_prints_a_round(said: Callable[..., str]) -> None:
    tournament = evening()
    tournament.rounds.update(state=RoundState.CLOSED)
    make.report(make.sitting(*FOUR, in_round=make.round_of(tournament)), {"eaten": [70, 50]})

    first = json.loads(said(str(tournament.pk), "--format", "json", "--round", "1"))
    now = json.loads(said(str(tournament.pk), "--format", "json"))

    assert [row["hands"] for row in first] == [3] * 4
    assert [row["hands"] for row in now] == [4] * 4


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["nonsense"], "There is no tournament “nonsense”."),
        (["9" * 30], f"There is no tournament “{'9' * 30}”."),
        (["Friday Cup", "--round", "7"], "“Friday Cup” has no round 7."),
    ],
)
def test_the_command_says_what_it_cannot_find(words: list[str], answer: str) -> None:
    evening()

    with pytest.raises(CommandError) as refusal:
        call_command("standings", *words)

    assert str(refusal.value) == answer


def test_the_command_asks_which_of_two_is_meant() -> None:
    first = evening()
    second = make.tournament(club=first.club)

    with pytest.raises(CommandError) as refusal:
        call_command("standings", "Friday Cup")

    assert f"say which of {first.pk}, {second.pk}" in str(refusal.value)
