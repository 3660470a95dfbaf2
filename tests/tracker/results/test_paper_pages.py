"""The pages on which papers are written down: a table's grid, and a file of results."""

import re
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests import act, make
from tests.reading import Form, form_with, shows
from tracker.models import Hand, HandKind, Role, Round, RoundState, Sitting, Tally

pytestmark = pytest.mark.django_db
PEOPLE = ("Asha", "Neema", "Juma", "Baraka", "Ali")


@pytest.fixture
def table() -> Sitting:
    return table_of("albastini", "4t2")


def table_of(game: str, mode: str, **more: Any) -> Sitting:
    at = make.tournament(game, mode, **more or {"hands": 3})
    return make.sitting(*PEOPLE[: int(mode[0])], at=at)


def path_of(table: Sitting) -> str:
    return reverse("paper", args=[table.pk])


def file_path(table: Sitting) -> str:
    return reverse("paper-file", args=[table.round.tournament_id])


def grid(client: Client, table: Sitting) -> Form:
    return form_with(client.get(path_of(table)), path_of(table), "rows")


def write(client: Client, table: Sitting, *counts: Any, press: str = "save", **typed: Any) -> Any:
    """Type what the sides ate in each hand, and other answers, on the grid as it is; press that."""
    given = {key.replace("_", "-", 1): value for key, value in typed.items()}
    for hand, eaten in enumerate(counts, start=1):
        given |= {f"h{hand}-eaten_{side}": total for side, total in enumerate(eaten)}
    return client.post(
        path_of(table), grid(client, table).pressing(press, "", **given), follow=True
    )


def sheets(table: Sitting) -> list[dict[str, Any]]:
    return [*Hand.objects.filter(sitting=table).order_by("number").values_list("sheet", flat=True)]


def points() -> dict[str, int]:
    tallies = Tally.objects.filter(key="victory_points", amount__gt=0)
    return dict(tallies.values_list("entrant__player__name", "amount"))


# The grid -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "mode", "total"),
    [
        ("albastini", "4t2", ['data-total="120"']),
        ("albastini", "5i", []),  # which card is left over decides
        ("dalmuti", "4i", []),
    ],
)
def test_the_grid_knows_what_a_line_must_make_and_begins_at_the_first_empty_one(
    game: str, mode: str, total: list[str]
) -> None:
    table = table_of(game, mode)
    page = act.sign_in(Role.SCORER, table).get(path_of(table)).text
    assert re.findall(r'data-total="\d+"', page) == total
    [begins] = re.findall(r"<(?:input|select)[^>]*autofocus", page)
    assert 'name="h1-' in begins


def test_a_paper_is_typed_and_written_down(scorer: Client, table: Sitting) -> None:
    page = write(scorer, table, (70, 50), (110, 10), h3_bare="none")
    shows(page, "Table 1 saved: 3 new results.")
    counts = [sheet.get("eaten", sheet.get("bare")) for sheet in sheets(table)]
    assert counts == [[70, 50], [110, 10], None]
    assert Hand.objects.get(number=3).kind == HandKind.BARE
    assert points() == {"Asha": 3, "Juma": 3}


def test_what_stands_is_in_the_grid_and_sent_again_stays(scorer: Client, table: Sitting) -> None:
    saved_as = '<th scope="col" rowspan="2"{}>Saved as</th>'
    shows(scorer.get(path_of(table)), saved_as.format(" hidden"))
    write(scorer, table, (70, 50))
    page = write(scorer, table)
    shows(page, "Table 1: nothing has changed.", saved_as.format(""), 'value="70"')
    shows(page, "70–50, Asha & Juma win · 1 victory point")


def test_errors_stand_in_their_line_and_all_typed_stays(scorer: Client, table: Sitting) -> None:
    page = write(scorer, table, (70, 50), (119, 1), h3_eaten_0="7o")
    assert not Hand.objects.exists()
    shows(page, "Nothing is saved yet.", 'value="119"', 'value="7o"')
    shows(page, "This must be a whole number.")


def test_the_rules_speak_beside_the_line(scorer: Client, table: Sitting) -> None:
    page = write(scorer, table, (119, 1), (70, 46))
    shows(page, "No cards are worth exactly 1 point: it is 0, or 2 or more.")  # R16
    shows(page, "The totals make 116, not 120: 4 too few. Is a King missing?")
    assert not Hand.objects.exists()


def test_a_hand_is_put_right_on_paper(scorer: Client, table: Sitting) -> None:
    make.report(table, {"eaten": [70, 50], "trump": "H"})
    shows(write(scorer, table, (50, 70), h1_dealer=3), "Table 1 saved: 1 result corrected.")
    assert sheets(table) == [{"eaten": [50, 70], "trump": "H", "dealer": 3}]


def test_what_a_phone_sends_meanwhile_is_shown_first(scorer: Client, table: Sitting) -> None:
    form = grid(scorer, table)
    make.report(table, {"eaten": [70, 50]})
    sent = form.pressing("save", "", **{"h1-eaten_0": 50, "h1-eaten_1": 70})
    page = scorer.post(path_of(table), sent)
    shows(page, "Another result stands here already.", "Asha & Juma win")
    scorer.post(path_of(table), form_with(page, form.path, "rows").pressing("save", ""))
    assert sheets(table)[0]["eaten"] == [50, 70]


def test_what_no_longer_follows_is_named() -> None:
    """Whom a change puts out of the game cannot pay in a later deal, which is left as it is."""
    table = table_of("mambassa", "3i", hands=None)
    for payer in (0, 0, 1, 0):
        make.report(table, {"event": "normal", "payers": [payer], "dealer": 2})
    page = write(act.sign_in(Role.SCORER, table), table, h3_payers=[0])
    shows(page, "Then Deal 4 could not be.")  # S31a
    assert sheets(table)[2]["payers"] == [1]


def test_a_round_taken_back_has_no_papers_to_print(scorer: Client, table: Sitting) -> None:
    Round.objects.update(state=RoundState.UNDONE)
    assert scorer.get(reverse("print-sheets", args=[table.round_id])).status_code == 404


def test_on_to_the_next_table(scorer: Client, table: Sitting) -> None:
    other = make.sitting(at=table.round.tournament)
    assert write(scorer, table, (70, 50), press="next").request["PATH_INFO"] == path_of(other)


def test_a_struck_hand_keeps_its_line(scorer: Client, table: Sitting) -> None:
    make.report(table, {"eaten": [70, 50]})
    Hand.objects.update(struck_at=make.NOON)
    shows(write(scorer, table, (), (60, 60)), "Deleted")
    assert len(sheets(table)) == 2


def test_every_game_is_written_as_it_asks() -> None:
    five = table_of("albastini", "5i", hands=1)
    write(act.sign_in(Role.SCORER, five), five, (30, 30, 30, 27, 0), h1_face_up="J")
    assert sheets(five)[0]["face_up"] == "J"  # R9

    by_place = table_of("dalmuti", "3i")
    make.report(by_place, {"bare": [0, 1, 2]})
    scorer = act.sign_in(Role.SCORER, by_place)
    page = write(scorer, by_place, h2_order_0=3, h2_order_1=1, h2_order_2=2)
    shows(page, "1 new result.")
    assert (sheets(by_place)[0]["bare"], sheets(by_place)[1]["order"]) == ([0, 1, 2], [1, 2, 0])

    deals = table_of("mambassa", "3i", games=2)
    scorer = act.sign_in(Role.SCORER, deals)
    write(scorer, deals, h1_payers=[1], h2_event="quarantuna", h2_declarer=0, h2_payers=[1])
    write(scorer, deals, h3_bare_0=1, h3_bare_1=3, h3_bare_2=2)
    page = write(scorer, deals, h4_bare_void="on")
    assert [sheet.get("bare") for sheet in sheets(deals)] == [None, None, [0, 2, 1], "void"]
    shows(page, "Nobody counted the cards?")


def test_more_lines_are_laid_where_nobody_knows_how_many() -> None:
    table = table_of("dalmuti", "3i", hands=None)
    page = write(act.sign_in(Role.SCORER, table), table, press="more", h1_order_0=1)
    assert len(page.context["grid"].rows) == 16
    assert not Hand.objects.exists()


SIDES = ["Asha & Juma", "Neema & Baraka"]
EATEN = "How much did each side eat?"
DEAL = ["How did the deal end?", "Who declared it?", "Who had the lowest hand and pays?"]


@pytest.mark.parametrize(
    ("game", "mode", "heads", "named"),
    [
        # Names stand once under what is asked of everybody, or there are only questions.
        (
            "albastini",
            "4t2",
            [EATEN, *SIDES],
            [*SIDES, "Sum", "Nobody counted the cards?", "Dealt"],
        ),
        ("mambassa", "3i", DEAL, [*DEAL, "Asha", "Neema", "Juma", "Void", "Dealt"]),
    ],
)
def test_every_box_of_a_line_knows_what_it_asks_where_a_screen_has_no_room_for_heads(
    game: str, mode: str, heads: list[str], named: list[str]
) -> None:
    table = table_of(game, mode, hands=1)
    page = unescape(act.sign_in(Role.SCORER, table).get(path_of(table)).text)
    assert re.findall(r'data-label="([^"]*)"', page) == named
    [over] = re.findall(r'<div class="paper-asked".*?</div>', page, re.DOTALL)
    assert re.findall(r">([^<>]*[^\s<>])<", over) == heads


# A file ---------------------------------------------------------------------------------------

FILE = (
    "Round;Table;Hand;Dealer;Eaten A;Eaten B;Bare\r\n"
    '1;1;1;"Asha";70;50;\r\n'
    "1;1;2;;110;10;\r\n"
    "1;1;3;;;;juma\r\n"
)


def test_a_file_is_shown_then_kept(scorer: Client, table: Sitting) -> None:
    file = SimpleUploadedFile("night.csv", b"\xef\xbb\xbf" + FILE.encode())
    looked = scorer.post(file_path(table), {"file": file, "look": ""})
    assert not Hand.objects.exists()
    shows(looked, "3 results are new", "Round 1, table 1, no. 3")
    form = form_with(looked, file_path(table), "keep")
    shows(scorer.post(form.path, form.pressing("keep", ""), follow=True), "3 results saved.")
    assert points() == {"Asha": 4, "Juma": 4}
    shows(scorer.post(file_path(table), {"written": FILE}), "All of it is saved already")


def test_every_line_that_is_wrong_is_told(scorer: Client, table: Sitting) -> None:
    text = "round,table,hand,eaten A,eaten B\n1,1,1,70,5o\n1,1,2,70,46\n1,9,1,60,60\n1,1,3,60,60\n"
    page = scorer.post(file_path(table), {"written": text, "keep": ""})
    shows(page, "3 lines to correct first")
    shows(page, "Line 2 Round 1, table 1, no. 1 “5o” is not a whole number.")
    shows(page, "Line 3 Round 1, table 1, no. 2 The totals make 116, not 120")
    shows(page, "Line 4 Round 1, table 9, no. 1 There is no such table in that round.")
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
    shows(scorer.post(file_path(table), files), message)
