"""``record_sheets`` reads what spreadsheets write: all of it is written down, or none."""

from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from openpyxl import Workbook

from games.errors import SheetError
from tests import make
from tracker.models import Hand, RoundState, Sitting
from tracker.results.forms.results_file import read_file
from tracker.results.services.paper import PaperRefused

pytestmark = pytest.mark.django_db
PEOPLE = ("Asha", "Neema", "Juma", "Baraka")


@pytest.fixture
def table() -> Sitting:
    return make.sitting(*PEOPLE, at=make.tournament(hands=4))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "night.csv"


def run(
    file: Path, content: str | bytes, *options: str, tournament: str = "Friday Cup"
) -> list[str]:
    """Write the file, run the command, and return what it says, its complaints before its end."""
    out, err = StringIO(), StringIO()
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    try:
        call_command("record_sheets", tournament, str(file), *options, stdout=out, stderr=err)
    except CommandError as failure:
        return [*err.getvalue().splitlines(), str(failure)]
    return out.getvalue().splitlines()


def sheets() -> list[dict[str, Any]]:
    return list(Hand.objects.order_by("sitting", "number").values_list("sheet", flat=True))


def test_a_file_is_written_down_once_however_often_it_is_run(table: Sitting, file: Path) -> None:
    text = "round,table,hand,dealer,eaten A,eaten B\n1,1,1,Juma,70,50\n1,1,2,,60,60\n"

    assert run(file, text) == ["2 written down, 0 there already."]
    assert run(file, text) == ["0 written down, 2 there already."]
    assert sheets() == [{"eaten": [70, 50], "dealer": 2}, {"eaten": [60, 60], "dealer": 0}]


def test_a_workbook_is_read_like_a_list(table: Sitting, file: Path) -> None:
    book, saved = Workbook(), BytesIO()
    sheet = book.active
    assert sheet is not None
    for row in (["Round", "Table", "Hand", "Eaten A", "Eaten B"], [1, 1, 1, 70.0, 50], [1, 1, 2]):
        sheet.append(row)
    book.save(saved)

    lines = run(file, saved.getvalue())

    assert (
        lines[0]
        == "line 3 (Round 1, table 1, no. 2): Write on this line how it went, or leave the line out."
    )
    sheet.delete_rows(3)
    book.save(saved := BytesIO())
    assert run(file, saved.getvalue()) == ["1 written down, 0 there already."]
    assert sheets() == [{"eaten": [70, 50], "dealer": 0}]


def test_lines_may_stand_in_any_order_and_a_file_may_grow(table: Sitting, file: Path) -> None:
    head = "hand,table,round,eaten B,eaten A\n"

    run(file, head + "2,1,1,60,60\n1,1,1,50,70\n")

    assert run(file, head + "3,1,1,10,110\n1,1,1,50,70\n") == ["1 written down, 1 there already."]
    assert [sheet["eaten"] for sheet in sheets()] == [[70, 50], [60, 60], [110, 10]]


def test_looking_keeps_nothing(table: Sitting, file: Path) -> None:
    text = "round,table,hand,eaten A,eaten B\n1,1,1,70,50\n"

    assert run(file, text, "--check") == ["1 would be written down, 0 there already."]
    assert sheets() == []


@pytest.mark.parametrize(
    "content",
    [
        b'\xef\xbb\xbfRound;Table;Hand;Dealer;Eaten_A;EATEN B\r\n1;1;1;"Zo\xc3\xab";70;50\r\n',
        b"sep=;\r\nround;table;hand;dealer;eaten A;eaten B\r\n1;1;1;Zo\xc3\xab;70;50",
        b"round\ttable\thand\tdealer\teaten A\teaten B\n1\t1\t1\tzo\xc3\xab\t70\t50\n",
        b"round;table;hand;dealer;eaten A;eaten B\r\n1;1;1;Zo\xeb;70;50\r\n\r\n;;;;;\r\n",
    ],
    ids=["excel", "sep", "tabs", "windows"],
)
def test_files_are_read_as_spreadsheets_write_them(content: bytes, file: Path) -> None:
    make.sitting("Asha", "Neema", "Zoë", "Baraka", at=make.tournament())

    assert run(file, content) == ["1 written down, 0 there already."]
    assert sheets() == [{"eaten": [70, 50], "dealer": 2}]


@pytest.mark.parametrize("said", ["Juma Kapera Hassan", "Juma", "juma  kapera HASSAN"])
def test_people_are_known_by_their_whole_name_and_as_at_the_table(file: Path, said: str) -> None:
    make.sitting("Asha Ali", "Neema", "Juma Kapera Hassan", "Baraka", at=make.tournament())

    run(file, f"round,table,hand,dealer,bare\n1,1,1,{said},{said}\n")

    assert sheets() == [{"bare": 0, "dealer": 2}]


def test_everything_wrong_is_told_by_line_and_nothing_is_stored(table: Sitting, file: Path) -> None:
    make.report(table, {"eaten": [70, 50]})
    text = (
        "round,table,hand,dealer,eaten A,eaten B\n"
        "1,1,1,,50,70\n"
        "\n"
        "1,1,2,Ali,60,60\n"
        "1,1,3,,119,1\n"
        "1,1,3,,60,60\n"
        "1,7,1,,60,60\n"
        "one,1,1,,60,60\n"
        "1,1,4,,,\n"
        "1,1,5,,60,60,9\n"
    )

    assert run(file, text) == [
        (
            "line 2 (Round 1, table 1, no. 1): Another result stands here already."
            " Look at it before you write over it."
        ),
        (
            "line 4 (Round 1, table 1, no. 2): Nobody at this table is called “Ali”: these are "
            "Asha, Neema, Juma & Baraka."
        ),
        "line 5 (Round 1, table 1, no. 3): No cards are worth exactly 1 point: it is 0, or 2 or more.",
        "line 6 (Round 1, table 1, no. 3): Line 5 speaks of the same one.",
        "line 7 (Round 1, table 7, no. 1): There is no such table in that round.",
        "line 8 (one · 1 · 1): Say round, table and hand by their numbers.",
        "line 9 (Round 1, table 1, no. 4): Write on this line how it went, or leave the line out.",
        "line 10 (1 · 1 · 5): There are more cells here than columns.",
        "Nothing was written down.",
    ]
    assert len(sheets()) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "There is nothing in it."),
        ("round,table\n1,1\n", "A column “hand” is missing."),
        (
            "round,table,hand,Eaten A,eaten_a\n",
            "The column “eaten a” stands there twice.",
        ),
        (
            "round,table,hand,colour\n",
            (
                "Nobody knows a column “colour”. There are: bids 1, bids 2, bids 3, bids 4,"
                " eaten a, eaten b, face up, indicator, trump."
            ),
        ),
        ("round,table,hand\n" + "1,1,1\n" * 5000, "These are too many lines: 5000 at most."),
    ],
)
def test_a_file_that_cannot_be_read_is_told_as_a_whole(
    table: Sitting, file: Path, text: str, message: str
) -> None:
    assert run(file, text) == [f"line 1: {message}", "Nothing was written down."]


def test_no_file_and_no_tournament_are_one_sentence_each(table: Sitting, file: Path) -> None:
    assert run(file, b"PK\3\4") == [f"{file} is no CSV or XLSX file, or too large."]
    assert run(file, "", tournament="Nowhere") == ["There is no tournament “Nowhere”."]
    with pytest.raises(CommandError, match="No such file"):
        call_command("record_sheets", "Friday Cup", str(file) + "s")


def test_a_missing_hand_is_told_where_it_is_missed(table: Sitting, file: Path) -> None:
    lines = run(file, "round,table,hand,eaten A,eaten B\n1,1,2,60,60\n")

    assert lines[0] == (
        "line 2 (Round 1, table 1, no. 2): The one before it is missing:"
        " write it down too, or delete it."
    )


def test_what_no_longer_follows_is_told_too() -> None:
    """A hand that is not in the file stands in its way; it is named all the same."""
    table = make.sitting("Asha", "Neema", "Juma", at=make.tournament("mambassa", "3i"))
    for _ in range(3):
        make.report(table, {"event": "normal", "payers": [1]})
    lines = "round,table,hand,payers,event\n1,1,2,Asha,normal\n"
    file = read_file(table.round.tournament, lines)
    cause = SheetError("payer-out", "%(who)s is out.", who="Neema")

    refused = file.refused(PaperRefused({table.pk: {3: cause}}))

    [error] = refused.errors
    assert (error.line, error.error) == (1, "Round 1, table 1, no. 3: Neema is out.")


def test_closed_rounds_are_written_down_and_undone_ones_are_not_there(file: Path) -> None:
    tournament = make.tournament()
    gone = make.round_of(tournament, state=RoundState.UNDONE)
    make.sitting(in_round=gone)
    closed = make.round_of(tournament, state=RoundState.CLOSED, number=1)
    make.sitting(*PEOPLE, in_round=closed)

    assert run(file, "round,table,hand,eaten A,eaten B\n1,1,1,70,50\n") == [
        "1 written down, 0 there already."
    ]


# Every game in its own words ------------------------------------------------------------------

BIDS = "eaten A,eaten B,trump,indicator,bids 1,bids 2,bids 3,bids 4"
TOKENS = "event,declarer,payers,tokens 1,tokens 2,tokens 3"


@pytest.mark.parametrize(
    ("game", "mode", "said", "sheet"),
    [
        ("albastini", "4t2", f"{BIDS}\n70,50,Hearts,KH,,7D,,", {
            "eaten": [70, 50], "trump": "H", "indicator": "KH", "bids": [None, "7D", None, None],
        }),
        ("albastini", "4t2", "bare\nB", {"bare": 1}),
        ("albastini", "4t2", "bare\nbaraka", {"bare": 1}),
        ("albastini", "4t2", "bare\ntie", {"bare": None}),
        ("albastini", "4t2", "bare\nvoid", {"bare": "void"}),
        # Five players write the card left over (R9).
        ("albastini", "5i", "face_up,eaten A,eaten B,eaten C,eaten D,eaten E\nJ,30,30,30,27,0", {
            "face_up": "J", "eaten": [30, 30, 30, 27, 0],
        }),
        ("dalmuti", "3i", 'order\n"Juma, Asha"', {"order": [2, 0, 1], "dealer": None}),
        ("dalmuti", "3i", "order\nJuma > Asha > Neema", {"order": [2, 0, 1], "dealer": None}),
        ("dalmuti", "3i", "bare\nNeema / Asha / Juma", {"bare": [1, 0, 2], "dealer": None}),
        ("mambassa", "3i", "event,payers\nNormal,Asha & Juma", {
            "event": "normal", "payers": [0, 2],
        }),
        ("mambassa", "3i", f"{TOKENS}\nQuarantuna!,Neema,Juma,3,4,2", {
            "event": "quarantuna", "declarer": 1, "payers": [2], "tokens": [3, 4, 2],
        }),
        ("mambassa", "3i", "event,payers,monte\nnormal,Asha,1K 2K 3K 4K", {
            "event": "normal", "payers": [0], "monte": ["1K", "2K", "3K", "4K"],
        }),
        ("mambassa", "3i", "bare\nNeema / Asha = Juma", {"bare": [1, [0, 2]]}),
    ],
)  # fmt: skip
def test_every_game_is_written_in_its_own_words(
    file: Path, game: str, mode: str, said: str, sheet: dict[str, Any]
) -> None:
    tournament = make.tournament(game, mode)
    make.sitting(*PEOPLE[: int(mode[0])], at=tournament)
    head, line = said.split("\n")

    run(file, f"round,table,hand,{head}\n1,1,1,{line}\n")

    assert sheets() == [{"dealer": 0, **sheet}]


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("trump,eaten A,eaten B\nGreen,70,50", "“Green” is none of the answers: "),
        (
            "indicator,eaten A,eaten B\n2H,70,50",
            "“2H” is no card of this game: they are written like",
        ),
        ("bare\nAli", "“Ali” is none of the answers: "),
    ],
)
def test_what_is_no_answer_is_told(table: Sitting, file: Path, said: str, message: str) -> None:
    head, line = said.split("\n")

    assert message in run(file, f"round,table,hand,{head}\n1,1,1,{line}\n")[0]
