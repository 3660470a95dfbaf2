"""``python -m games``: for people, for scripts and for other languages."""

import io
import json
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games import catalogue
from games.__main__ import main
from tests.games.cli.keyboard import ROOT

SCORE = ["score", "albastini", "--mode", "4t2"]
WON = '{"eaten": [70, 50]}'


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    """Return a function that runs one command: its exit code, and its answers line by line."""

    def run_it(*argv: str) -> tuple[int, list[Any]]:
        code = main(argv)
        return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run_it


@pytest.mark.every_game
def test_list_tells_each_game(run: Any) -> None:
    code, (games,) = run("list")
    assert code == 0
    assert [game["slug"] for game in games] == list(catalogue.GAMES)
    albastini = next(game for game in games if game["slug"] == "albastini")
    assert set(albastini) == {"slug", "name", "unit", "modes", "options", "marks"}
    assert (albastini["name"], albastini["unit"]) == ("Albastini", "hand")
    assert albastini["modes"][2] == {
        "code": "4t2",
        "name": "four in two pairs",
        "seats": 4,
        "sides": [[0, 2], [1, 3]],
    }
    assert albastini["options"][0] == {
        "name": "allow_6i",
        "label": "May six players each play alone?",
        "kind": "flag",
        "default": False,
        "choices": [],
    }
    assert albastini["marks"][0] == {
        "key": "victory_points",
        "label": "Victory points",
        "scope": "side",
        "parts": 1,
    }


def test_score_answers_as_printed_in_the_book(run: Any) -> None:
    code, (answer,) = run(*SCORE, "--dealer", "0", "--sheet", WON)
    winner = {"victory_points": 1, "eaten": 70, "won": 1, "tied": 0, "twos": 0, "there": 120}
    loser = {"victory_points": 0, "eaten": 50, "won": 0, "tied": 0, "twos": 0, "there": 120}
    assert code == 0
    assert answer == {
        "marks": [winner, loser, winner, loser],
        "sides": [[0, 2], [1, 3]],
        "dealer": 0,
        "next_dealer": 2,
        "may_deal": [0, 2],
        "leader": 3,
        "warnings": [],
        "over": False,
        "leaves": {"dealt": [0, None, None, None], "hand": 1, "winner_dealt": 0},
    }


PAID = [{"event": "normal", "payers": seats} for seats in ([1], [1, 2], [1])]
OUT = {"order": [2, 0, 1]}
LEFT: list[tuple[str, list[Any], dict[str, Any]]] = [
    ("mambassa", PAID, {"over": False, "leaves": {"tokens": [3, 0, 2], "pool": 7, "out": [[1]], "deals": 3, "places": []}}),
    ("mambassa", [*PAID, {"bare": [2, 0]}], {"over": True, "leaves": {"tokens": [3, 3, 3], "pool": 3, "out": [], "deals": 0, "places": [[2], [0], [1]]}}),
    ("dalmuti", [OUT], {"leaves": {"order": [2, 0, 1]}, "leader": 2, "dealer": None, "next_dealer": 1}),
    ("dalmuti", [OUT, OUT], {"dealer": 1}),
    ("dalmuti", [{**OUT, "opening": [0, 1, 2]}], {"dealer": 2}),
    ("briscola", [{"points": each} for each in ([70, 30, 20], [20, 70, 30], [70, 30, 20])], {"leaves": {"wins": [2, 1, 0]}, "over": False}),
    ("albastini", [{"bare": "void"}], {"marks": None, "next_dealer": 0}),
]  # fmt: skip


@pytest.mark.parametrize(("game", "sheets", "told"), LEFT)
def test_what_a_sitting_leaves_is_answered(
    run: Any, tmp_path: Path, game: str, sheets: list[Any], told: dict[str, Any]
) -> None:
    file = tmp_path / "sitting.jsonl"
    file.write_text("\n".join(map(json.dumps, sheets)), encoding="utf-8")
    code, answers = run("score", game, "--mode", "3i", "--sheets", str(file))
    assert (code, len(answers)) == (0, len(sheets))
    assert {key: answers[-1][key] for key in told} == told


def test_a_file_is_a_sitting_and_a_refused_line_is_left_out(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "sitting.jsonl"
    file.write_text(
        '\ufeff{"eaten": [70, 50]}\n{"eaten": [70, 51]}\n\n{"eaten": [70, 50], "dealer": 1}\n',
        encoding="utf-8",
    )
    code, (first, refused, blank, last) = run(*SCORE, "--sheets", str(file))
    assert code == 2
    assert first["next_dealer"] == 2
    assert refused == {
        "error": {
            "code": "total",
            "message": "The totals make 121, not 120: 1 too many.",
            "question": "eaten",
        }
    }
    assert blank is None
    assert last["warnings"] == [
        {
            "code": "dealer-not-by-rule",
            "message": "Seat 1 dealt, but it was seat 2’s turn to deal.",
        }
    ]


@pytest.mark.parametrize("option", ["--sheet", "--sheets"])
def test_a_dash_reads_what_comes_in(option: str, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(WON))
    code, (answer,) = run(*SCORE, option, "-")
    assert (code, answer["next_dealer"]) == (0, 2)


def test_house_rules_are_set_by_name(run: Any) -> None:
    def code(game: str, mode: str, sheet: Any, *rules: str) -> int:
        options = [word for rule in rules for word in ("--option", rule)]
        status, (answer,) = run(
            "score", game, "--mode", mode, "--sheet", json.dumps(sheet), *options
        )
        return int(answer["over"]) if status == 0 else int(status)

    for wins, over in ((1, 1), (3, 0)):
        assert code("briscola", "2i", {"points": [70, 50]}, f"match_wins={wins}") == over
    assert code("albastini", "2i", {"eaten": [70, None]}, "fill_last_side=yes") == 0
    for rules, status in (((), 2), (("allow_6i=true",), 0), (("allow_6i=off",), 2)):
        assert code("albastini", "6i", {"bare": 5}, *rules) == status
    for most, status in (("11", 0), ("many", 2)):
        assert code("dalmuti", "11i", {"bare": "void"}, f"max_players={most}") == status


@pytest.mark.parametrize(
    ("argv", "code", "message"),
    [
        ([], "usage", "Say what to do: list, rules, score, play, watch, replay or arena."),
        (["count"], "usage", "invalid choice"),
        (["score"], "usage", "Name a game, as in python -m games score albastini. There are: "),
        (SCORE, "usage", "One of the arguments --sheet --sheets is required"),
        ([*SCORE, "--dealer", "x", "--sheet", WON], "usage", "invalid int value"),
        ([*SCORE, "--dealer", "4", "--sheet", WON], "seat-unknown", "There is no seat 4 here: the seats are 0 to 3."),
        (["score", "whist", "--mode", "4t2", "--sheet", WON], "game-unknown", "There is no game “whist” here. There are: albastini, "),
        (["score", "albastini", "--mode", "7i", "--sheet", WON], "mode-unknown", "Albastini has no “7i” under these house rules."),
        ([*SCORE, "--option", "allow_6i", "--sheet", WON], "option-shape", "Write a house rule as NAME=VALUE, not “allow_6i”."),
        ([*SCORE, "--option", "jokers=2", "--sheet", WON], "option-unknown", "Albastini has no house rule “jokers”."),
        ([*SCORE, "--option", "allow_6i=maybe", "--sheet", WON], "option-value", "House rule “allow_6i” is not “maybe”."),
        ([*SCORE, "--sheet", "{"], "not-json", 'Write a sheet as JSON, such as {"bare": "void"}: '),
        ([*SCORE, "--sheet", "9" * 5000], "not-json", 'Write a sheet as JSON, such as {"bare": "void"}: '),
        ([*SCORE, "--sheet", "[" * 100_000], "not-json", 'Write a sheet as JSON, such as {"bare": "void"}: '),
        ([*SCORE, "--sheet", "[70, 50]"], "sheet-shape", 'Write answers, such as {"bare": "void"}.'),
        ([*SCORE, "--sheets", "/no/such/file"], "file", "“/no/such/file” cannot be read: No such"),
        ([*SCORE, "--sheets", ""], "file", "cannot be read"),
        ([*SCORE, "--sheet", '{"bare": 0, "point": 1}'], "answer-unknown", "“point” is not asked here. These are: bare, dealer."),
        ([*SCORE, "--sheet", '{"point": 1}', "--option", "fill_last_side=yes"], "answer-unknown", "These are: bids, dealer, eaten, face_up, indicator, trump."),
        (["score", "mambassa", "--mode", "3i", "--sheet", '{"event": "normal", "payers": [0, 0]}'], "seat-twice", "Seat 0 is named twice: name everybody once."),
        (["score", "dalmuti", "--mode", "3i", "--option", "dalmuti_points=chips", "--sheet", "{}"], "chips-three", "Chips need at least 4 players at the table."),
        (["score", "dalmuti", "--mode", "3i", "--option", "max_players=many", "--sheet", "{}"], "option-value", "“max_players” is not “many”."),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_in_a_sentence(
    run: Any, argv: list[str], code: str, message: str
) -> None:
    exit_code, (answer,) = run(*argv)
    assert exit_code == 2
    assert list(answer) == ["error"]
    assert answer["error"]["code"] == code
    assert message in answer["error"]["message"]


def test_a_refusal_says_beside_which_answer_it_belongs(run: Any) -> None:
    beside_a_side = run(*SCORE, "--sheet", '{"eaten": [70, 121]}')[1][0]["error"]
    beside_nothing = run(*SCORE, "--sheet", '{"cards": 36}')[1][0]["error"]
    assert (beside_a_side["question"], beside_a_side["place"]) == ("eaten", 1)
    assert set(beside_nothing) == {"code", "message"}


TWICE = '{"eaten": [70, 50], "eaten": [60, 60]}'


@pytest.mark.parametrize("source", ["file", "stdin"])
def test_a_line_that_cannot_be_read_is_refused_alone(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    lines = [WON.encode(), b'{"eaten": [70, \xff50]}', b"\xff\xfe\x00\xd0", TWICE.encode()]
    text = b"\n".join([*lines, WON.encode()])
    file = tmp_path / "sitting.jsonl"
    file.write_bytes(text)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text), encoding="ascii"))
    code, (first, *refused, last) = run(*SCORE, "--sheets", str(file) if source == "file" else "-")
    no_text = {"code": "not-text", "message": "This sheet is no text: save it in UTF-8."}
    twice = {
        "code": "key-twice",
        "message": "“eaten” is written twice in this sheet: answer it once.",
    }
    assert (code, [each["error"] for each in refused]) == (2, [no_text, no_text, twice])
    assert (first["leaves"]["hand"], last["leaves"]["hand"]) == (1, 2)


def test_one_sheet_that_cannot_be_read_is_refused(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for sheet, refused in ((b"\xff", "not-text"), (TWICE.encode(), "key-twice")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(sheet), encoding="utf-8"))
        code, (answer,) = run(*SCORE, "--sheet", "-")
        assert (code, answer["error"]["code"]) == (2, refused)


def test_it_runs_as_a_module(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["games", *SCORE, "--sheet", WON])
    monkeypatch.delitem(sys.modules, "games.__main__")
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("games", run_name="__main__")
    assert ended.value.code == 0
    assert json.loads(capsys.readouterr().out)["next_dealer"] == 2


def test_the_standard_library_is_enough() -> None:
    # -S leaves out whatever is installed beside it.
    command = [sys.executable, "-S", "-W", "error", "-m", "games", "score", "briscola"]
    done = subprocess.run(
        [*command, "--mode", "2i", "--sheet", '{"points": [61, 58]}'],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, "")
    assert json.loads(done.stdout)["error"]["code"] == "total"
