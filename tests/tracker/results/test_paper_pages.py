"""The pages on which papers are written down: a table's grid, and a file of results."""

import re
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests import make
from tests.reading import Forms
from tracker.models import Hand, HandKind, Role, RoundState, Sitting, Tally, Tournament

pytestmark = pytest.mark.django_db
PEOPLE = ("Asha", "Neema", "Juma", "Baraka")


@pytest.fixture
def table() -> Sitting:
    return make.sitting(*PEOPLE, at=make.tournament(hands=3))


@pytest.fixture
def scorer(client: Client, table: Sitting) -> Client:
    return signed_in(client, table.round.tournament)


def signed_in(client: Client, tournament: Tournament) -> Client:
    client.force_login(make.user(role=Role.SCORER, club=tournament.club))
    return client


def path_of(table: Sitting) -> str:
    return reverse("paper", args=[table.pk])


def file_path(table: Sitting) -> str:
    return reverse("paper-file", args=[table.round.tournament_id])


def words(page: Any) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page.text)))


def write(client: Client, table: Sitting, press: str = "save", **typed: Any) -> Any:
    """Type this on the paper's grid as it now is, and press that."""
    page = client.get(path_of(table))
    form = next(form for form in Forms(page.text, path_of(table)).forms if "rows" in form.fields)
    given = {key.replace("_", "-", 1): value for key, value in typed.items()}
    return client.post(form.path, form.pressing(press, "", **given), follow=True)


def sheets(table: Sitting) -> list[dict[str, Any]]:
    return list(
        Hand.objects.filter(sitting=table).order_by("number").values_list("sheet", flat=True)
    )


def points() -> dict[str, int]:
    tallies = Tally.objects.filter(key="victory_points", amount__gt=0)
    return dict(tallies.values_list("entrant__player__name", "amount"))


# The grid -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "mode", "total"),
    [
        ("albastini", "4t2", 'data-total="120"'),
        ("albastini", "5i", ""),  # which card is left over decides
        ("dalmuti", "4i", ""),
    ],
)
def test_the_grid_knows_what_a_line_must_make_and_begins_at_the_first_empty_one(
    client: Client, game: str, mode: str, total: str
) -> None:
    people = ("Asha", "Neema", "Juma", "Baraka", "Ali")[: int(mode[0])]
    table = make.sitting(*people, at=make.tournament(game, mode, hands=3))
    page = signed_in(client, table.round.tournament).get(path_of(table)).text

    assert re.findall(r'data-total="\d+"', page) == ([total] if total else [])
    assert len(re.findall(r"<(?:input|select)[^>]*autofocus", page)) == 1
    assert re.search(r'<(?:input|select)[^>]*name="h1-[^>]*autofocus', page)


def test_a_paper_is_typed_and_written_down(scorer: Client, table: Sitting) -> None:
    page = write(
        scorer, table, h1_eaten_0=70, h1_eaten_1=50, h2_eaten_0=110, h2_eaten_1=10, h3_bare="none"
    )

    assert "Table 1 saved: 3 new results." in words(page)
    assert [sheet.get("eaten", sheet.get("bare")) for sheet in sheets(table)] == [
        [70, 50],
        [110, 10],
        None,
    ]
    assert Hand.objects.get(number=3).kind == HandKind.BARE
    assert points() == {"Asha": 3, "Juma": 3}


def test_what_stands_is_in_the_grid_and_sending_it_again_changes_nothing(
    scorer: Client, table: Sitting
) -> None:
    saved_as = '<th scope="col" rowspan="2"{}>Saved as</th>'
    assert saved_as.format(" hidden") in scorer.get(path_of(table)).text
    write(scorer, table, h1_eaten_0=70, h1_eaten_1=50)

    page = write(scorer, table)

    assert "Table 1: nothing has changed." in words(page)
    assert "70–50 , Asha & Juma win · 1 victory point" in words(page)
    assert saved_as.format("") in page.text
    assert 'value="70"' in page.text


def test_errors_stand_in_their_line_and_nothing_typed_is_lost(
    scorer: Client, table: Sitting
) -> None:
    page = write(
        scorer, table, h1_eaten_0=70, h1_eaten_1=50, h2_eaten_0=119, h2_eaten_1=1, h3_eaten_0="7o"
    )

    assert not Hand.objects.exists()
    assert "Nothing is saved yet." in words(page)
    assert 'value="119"' in page.text
    assert 'value="7o"' in page.text
    assert "This must be a whole number." in words(page)


def test_the_rules_speak_beside_the_line(scorer: Client, table: Sitting) -> None:
    page = write(scorer, table, h1_eaten_0=119, h1_eaten_1=1, h2_eaten_0=70, h2_eaten_1=46)

    shown = words(page)
    assert "No cards are worth exactly 1 point: it is 0, or 2 or more." in shown  # R16
    assert "The totals make 116, not 120: 4 too few. Is a King missing?" in shown
    assert not Hand.objects.exists()


def test_a_hand_is_put_right_on_paper(scorer: Client, table: Sitting) -> None:
    make.report(table, {"eaten": [70, 50], "trump": "H"})

    page = write(scorer, table, h1_eaten_0=50, h1_eaten_1=70, h1_dealer=3)

    assert "Table 1 saved: 1 result corrected." in words(page)
    assert sheets(table) == [{"eaten": [50, 70], "trump": "H", "dealer": 3}]


def test_what_a_phone_sends_meanwhile_is_shown_before_it_is_written_over(
    scorer: Client, table: Sitting
) -> None:
    form = next(
        f
        for f in Forms(scorer.get(path_of(table)).text, path_of(table)).forms
        if "rows" in f.fields
    )
    sent = form.pressing("save", "", **{"h1-eaten_0": 50, "h1-eaten_1": 70})
    make.report(table, {"eaten": [70, 50]})

    page = scorer.post(form.path, sent)
    assert "Another result stands here already." in words(page)
    assert "Asha & Juma win" in words(page)
    again = next(f for f in Forms(page.text, form.path).forms if "rows" in f.fields)
    scorer.post(form.path, again.pressing("save", ""))

    assert sheets(table)[0]["eaten"] == [50, 70]


def test_what_no_longer_follows_is_named(client: Client) -> None:
    """Whom a change puts out of the game cannot pay in a later deal, which is left as it is."""
    table = make.sitting("Asha", "Neema", "Juma", at=make.tournament("mambassa", "3i"))
    for payer in (0, 0, 1, 0):
        make.report(table, {"event": "normal", "payers": [payer], "dealer": 2})
    signed_in(client, table.round.tournament)

    page = write(client, table, h3_payers=[0])

    assert "Then Deal 4 could not be." in words(page)  # S31a
    assert sheets(table)[2]["payers"] == [1]


def test_a_round_taken_back_has_no_papers_to_print(scorer: Client, table: Sitting) -> None:
    table.round.state = RoundState.UNDONE
    table.round.save()

    assert scorer.get(reverse("print-sheets", args=[table.round_id])).status_code == 404


def test_on_to_the_next_table(scorer: Client, table: Sitting) -> None:
    other = make.sitting("Ali", "Omari", "Zuwena", "Rehema", at=table.round.tournament)

    page = write(scorer, table, press="next", h1_eaten_0=70, h1_eaten_1=50)

    assert page.request["PATH_INFO"] == path_of(other)


def test_a_struck_hand_keeps_its_line(scorer: Client, table: Sitting) -> None:
    make.report(table, {"eaten": [70, 50]})
    Hand.objects.update(struck_at=make.NOON)

    page = write(scorer, table, h2_eaten_0=60, h2_eaten_1=60)

    assert "Deleted" in words(page)
    assert len(sheets(table)) == 2


def test_five_players_say_which_card_was_left(client: Client) -> None:
    table = make.sitting(at=make.tournament(mode="5i", hands=1))
    signed_in(client, table.round.tournament)

    write(
        client,
        table,
        h1_eaten_0=30, h1_eaten_1=30, h1_eaten_2=30, h1_eaten_3=27, h1_eaten_4=0, h1_face_up="J",
    )  # fmt: skip

    assert sheets(table)[0]["face_up"] == "J"  # R9


def test_dalmuti_is_written_by_place(client: Client) -> None:
    table = make.sitting("Asha", "Neema", "Juma", at=make.tournament("dalmuti", "3i"))
    make.report(table, {"bare": [0, 1, 2]})
    signed_in(client, table.round.tournament)

    page = write(client, table, h2_order_0=3, h2_order_1=1, h2_order_2=2)

    assert "1 new result." in words(page)
    assert sheets(table)[0]["bare"] == [0, 1, 2]
    assert sheets(table)[1]["order"] == [1, 2, 0]


def test_mambassa_is_written_deal_by_deal_or_by_how_it_ended(client: Client) -> None:
    table = make.sitting("Asha", "Neema", "Juma", at=make.tournament("mambassa", "3i", games=2))
    signed_in(client, table.round.tournament)

    write(client, table, h1_payers=[1], h2_event="quarantuna", h2_declarer=0, h2_payers=[1])
    write(client, table, h3_bare_0=1, h3_bare_1=3, h3_bare_2=2)
    page = write(client, table, h4_bare_void="on")

    assert [sheet.get("bare") for sheet in sheets(table)] == [None, None, [0, 2, 1], "void"]
    assert "Nobody counted the cards?" in words(page)


def test_more_lines_are_laid_where_nobody_knows_how_many(client: Client) -> None:
    table = make.sitting(at=make.tournament("dalmuti", "3i"))
    signed_in(client, table.round.tournament)

    page = write(client, table, press="more", h1_order_0=1)

    assert len(page.context["grid"].rows) == 16
    assert not Hand.objects.exists()


@pytest.mark.parametrize("hands", [1, 3])
def test_grid_costs_the_same_however_many_hands(
    scorer: Client, table: Sitting, hands: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(hands):
        make.report(table, {"eaten": [70, 50]})

    # session, user, sitting, role; reports, the round's tables, people, hands
    with django_assert_num_queries(7):
        scorer.get(path_of(table))


@pytest.mark.parametrize(
    ("game", "mode", "asked", "named"),
    [
        (
            "albastini",
            "4t2",
            "How much did each side eat?",
            ["Asha & Juma", "Neema & Baraka", "Sum", "Nobody counted the cards?", "Dealt"],
        ),
        (
            "mambassa",
            "3i",
            None,
            [
                "How did the deal end?",
                "Who declared it?",
                "Who had the lowest hand and pays?",
                "Asha",
                "Neema",
                "Juma",
                "Void",
                "Dealt",
            ],
        ),
    ],
)
def test_every_box_of_a_line_knows_what_it_asks_where_a_screen_has_no_room_for_heads(
    client: Client, game: str, mode: str, asked: str | None, named: list[str]
) -> None:
    table = make.sitting(*PEOPLE[: int(mode[0])], at=make.tournament(game, mode, hands=1))

    page = signed_in(client, table.round.tournament).get(path_of(table)).text

    assert [unescape(each) for each in re.findall(r'data-label="([^"]*)"', page)] == named
    over = re.search(r'<div class="paper-asked".*?</div>', page, re.DOTALL)
    assert over
    heads = named[:2] if asked else named[:3]  # names, or questions; each stands once
    assert re.findall(r">([^<>]*[^\s<>])<", unescape(over[0])) == [
        *([asked] if asked else []),
        *heads,
    ]


# A file ---------------------------------------------------------------------------------------

FILE = (
    "Round;Table;Hand;Dealer;Eaten A;Eaten B;Bare\r\n"
    '1;1;1;"Asha";70;50;\r\n'
    "1;1;2;;110;10;\r\n"
    "1;1;3;;;;juma\r\n"
)


def test_a_file_is_shown_then_kept(scorer: Client, table: Sitting) -> None:
    looked = scorer.post(
        file_path(table),
        {"file": SimpleUploadedFile("night.csv", b"\xef\xbb\xbf" + FILE.encode()), "look": ""},
    )
    assert not Hand.objects.exists()
    assert "3 results are new" in words(looked)
    assert "Round 1, table 1, no. 3" in words(looked)

    form = next(f for f in Forms(looked.text, file_path(table)).forms if ("keep", "") in f.buttons)
    page = scorer.post(form.path, form.pressing("keep", ""), follow=True)

    assert "3 results saved." in words(page)
    assert points() == {"Asha": 4, "Juma": 4}
    again = scorer.post(file_path(table), {"written": FILE})
    assert "All of it is saved already" in words(again)


def test_every_line_that_is_wrong_is_told(scorer: Client, table: Sitting) -> None:
    text = "round,table,hand,eaten A,eaten B\n1,1,1,70,5o\n1,1,2,70,46\n1,9,1,60,60\n1,1,3,60,60\n"

    page = scorer.post(file_path(table), {"written": text, "keep": ""})

    shown = words(page)
    assert "3 lines to correct first" in shown
    assert "Line 2 Round 1, table 1, no. 1 “5o” is not a whole number." in shown
    assert "Line 3 Round 1, table 1, no. 2 The totals make 116, not 120" in shown
    assert "Line 4 Round 1, table 9, no. 1 There is no such table in that round." in shown
    assert not Hand.objects.exists()


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({}, "Choose a file, or paste its lines."),
        ({"file": b"PK\3\4\0"}, "This is no CSV or XLSX file."),
        ({"file": FILE.replace("\r\n", "\r").encode()}, "3 results are new"),
        ({"file": ("round,table,hand\n1,1," + "x" * 140_000).encode()}, "by their numbers"),
        ({"file": b"x" * 1_000_001}, "This file is too large: 1 megabyte is the most."),
    ],
)
def test_what_is_no_file_is_refused_beside_the_field(
    scorer: Client, table: Sitting, sent: dict[str, bytes], message: str
) -> None:
    files = {name: SimpleUploadedFile("night", content) for name, content in sent.items()}

    assert message in words(scorer.post(file_path(table), files))


@pytest.mark.parametrize("tables", [1, 3])
def test_list_of_papers_costs_the_same_however_many_tables(
    scorer: Client, table: Sitting, tables: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(1, tables):
        people = [f"{name} {number}" for name in PEOPLE]
        make.sitting(*people, at=table.round.tournament)

    # session, user, tournament with role; rounds, people, tables
    with django_assert_num_queries(5):
        page = scorer.get(file_path(table))

    assert len(page.context["rounds"][table.round]) == tables
    assert "round, table, hand, dealer, eaten A, eaten B, bare" in words(page)
