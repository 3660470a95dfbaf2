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


def last_of(run: Any, file: Path, game: str, sheets: list[Any]) -> Any:
    """Return the answer to the last of these sheets, at a table of three."""
    file.write_text("\n".join(map(json.dumps, sheets)), encoding="utf-8")
    code, answers = run("score", game, "--mode", "3i", "--sheets", str(file))
    assert (code, len(answers)) == (0, len(sheets))
    return answers[-1]


def test_s32_tokens_pool_and_who_is_out_are_answered_and_the_places_of_a_game_that_ended(
    run: Any, tmp_path: Path
) -> None:
    def pays(*seats: int) -> dict[str, Any]:
        return {"event": "normal", "payers": seats}

    file = tmp_path / "game.jsonl"
    after_three = [pays(1), pays(1, 2), pays(1)]
    going_on = last_of(run, file, "mambassa", after_three)
    ended = last_of(run, file, "mambassa", [*after_three, {"bare": [2, 0]}])
    assert (going_on["over"], going_on["leaves"]) == (
        False,
        {"tokens": [3, 0, 2], "pool": 7, "out": [[1]], "deals": 3, "places": []},
    )
    assert (ended["over"], ended["leaves"]) == (
        True,
        {"tokens": [3, 3, 3], "pool": 3, "out": [], "deals": 0, "places": [[2], [0], [1]]},
    )


def test_s22_the_next_playing_order_is_answered_and_who_leads(run: Any, tmp_path: Path) -> None:
    answer = last_of(run, tmp_path / "games.jsonl", "dalmuti", [{"order": [2, 0, 1]}])
    assert answer["leaves"] == {"order": [2, 0, 1]}
    assert (answer["leader"], answer["next_dealer"]) == (2, 1)


def test_s2_the_dealer_of_a_first_game_is_answered_by_null_unless_the_sheet_tells(
    run: Any, tmp_path: Path
) -> None:
    games = [{"order": [2, 0, 1]}, {"order": [2, 0, 1]}]
    told = [{"order": [2, 0, 1], "opening": [0, 1, 2]}]
    dealers = [
        last_of(run, tmp_path / f"{nth}.jsonl", "dalmuti", sheets)["dealer"]
        for nth, sheets in enumerate((games[:1], games, told))
    ]
    assert dealers == [None, 1, 2]


def test_s42_how_the_match_stands_is_answered(run: Any, tmp_path: Path) -> None:
    sheets = [{"points": [70, 30, 20]}, {"points": [20, 70, 30]}, {"points": [70, 30, 20]}]
    answer = last_of(run, tmp_path / "match.jsonl", "briscola", sheets)
    assert (answer["leaves"], answer["over"]) == ({"wins": [2, 1, 0]}, False)


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


def test_a_void_hand_has_no_marks(run: Any) -> None:
    code, (answer,) = run(*SCORE, "--sheet", '{"bare": "void"}')
    assert (code, answer["marks"], answer["next_dealer"]) == (0, None, 0)


@pytest.mark.parametrize("option", ["--sheet", "--sheets"])
def test_a_dash_reads_what_comes_in(option: str, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(WON))
    code, (answer,) = run(*SCORE, option, "-")
    assert (code, answer["next_dealer"]) == (0, 2)


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (["briscola", "--mode", "2i", "--option", "match_wins=1"], True),
        (["briscola", "--mode", "2i", "--option", "match_wins=3"], False),
        (["albastini", "--mode", "2i", "--option", "fill_last_side=yes"], False),
    ],
)
def test_house_rules_are_set_by_name(run: Any, argv: list[str], expected: bool) -> None:
    question = "points" if argv[0] == "briscola" else "eaten"
    code, (answer,) = run("score", *argv, "--sheet", json.dumps({question: [70, 50]}))
    assert (code, answer["over"]) == (0, expected)


def test_a_house_rule_can_open_a_mode(run: Any) -> None:
    argv = ["score", "albastini", "--mode", "6i", "--sheet", '{"bare": 5}']
    assert run(*argv)[0] == 2
    assert run(*argv, "--option", "allow_6i=true")[0] == 0
    assert run(*argv, "--option", "allow_6i=off")[0] == 2


def test_a_house_rule_can_be_a_number(run: Any) -> None:
    argv = ["score", "dalmuti", "--mode", "11i", "--sheet", '{"bare": "void"}']
    assert run(*argv, "--option", "max_players=11")[0] == 0
    assert run(*argv, "--option", "max_players=many")[1][0]["error"]["code"] == "option-value"


@pytest.mark.parametrize(
    ("argv", "code", "message"),
    [
        ([], "usage", "Say what to do: list, score, play, watch, replay or arena."),
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


@pytest.mark.parametrize(
    ("sheet", "message"),
    [
        ({"bare": 0, "point": 1}, "“point” is not asked here. These are: bare, dealer."),
        ({"event": "x"}, "Choose one of these answers: normal, mambassa, quarantuna."),
        ({"event": "normal", "payers": [7]}, "That player cannot be named here, but these can: seat 0, seat 1, seat 2."),
        ({"event": "normal", "payers": [0, 0]}, "Seat 0 is named twice: name everybody once."),
    ],
)  # fmt: skip
def test_a_refused_sheet_is_told_what_fits(run: Any, sheet: Any, message: str) -> None:
    _, (answer,) = run("score", "mambassa", "--mode", "3i", "--sheet", json.dumps(sheet))
    assert answer["error"]["message"] == message


def test_what_the_rules_fill_in_is_not_said_to_be_asked(run: Any) -> None:
    argv = [*SCORE, "--option", "fill_last_side=yes", "--sheet", '{"point": 1}']
    (answer,) = run(*argv)[1]
    assert answer["error"]["message"] == (
        "“point” is not asked here. These are: bids, dealer, eaten, face_up, indicator, trump."
    )


def test_a_key_written_twice_is_refused_in_one_sheet_and_in_a_line_of_many(
    run: Any, tmp_path: Path
) -> None:
    twice = '{"eaten": [70, 50], "eaten": [60, 60]}'
    file = tmp_path / "sitting.jsonl"
    file.write_text(f"{WON}\n{twice}\n{WON}\n", encoding="utf-8")
    refused = {
        "error": {
            "code": "key-twice",
            "message": "“eaten” is written twice in this sheet: answer it once.",
        }
    }
    assert run(*SCORE, "--sheet", twice) == (2, [refused])
    code, (first, second, third) = run(*SCORE, "--sheets", str(file))
    assert (code, second) == (2, refused)
    assert (first["leaves"]["hand"], third["leaves"]["hand"]) == (1, 2)


def test_bytes_that_are_no_text_refuse_their_line_alone(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = WON.encode() + b'\n{"eaten": [70, \xff50]}\n\xff\xfe\x00\xd0\n' + WON.encode()
    file = tmp_path / "sitting.jsonl"
    file.write_bytes(lines)
    refused = {"error": {"code": "not-text", "message": "This sheet is no text: save it in UTF-8."}}
    from_a_file = run(*SCORE, "--sheets", str(file))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines), encoding="ascii"))
    from_stdin = run(*SCORE, "--sheets", "-")
    code, (first, second, third, last) = from_a_file
    assert (code, second, third) == (2, refused, refused)
    assert (first["leaves"]["hand"], last["leaves"]["hand"]) == (1, 2)
    assert from_stdin == from_a_file


def test_one_sheet_that_is_no_text_is_refused(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff"), encoding="utf-8"))
    code, (answer,) = run(*SCORE, "--sheet", "-")
    assert (code, answer["error"]["code"]) == (2, "not-text")


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
