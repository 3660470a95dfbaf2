"""A command that cannot be done says what there is instead."""

import io
import json
import sys
from pathlib import Path

import pytest

from games import catalogue
from games.cli.score import show_games
from games.cli.screen import Screen
from tests import toy
from tests.games.cli.keyboard import Type


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        ("play briscola", "as in --mode 2i. Briscola has: 2i (two, each alone), 3i (three,"),
        ("play briscola --mode 5i", "under these house rules. It has: 2i (two, each alone)"),
        ("watch briscola --mode 2i --option foo=1", "“foo”. It has: match_wins, remove_two,"),
        ("watch briscola --mode 2i --option seven_swap=maybe", "is not “maybe”. It can be: on, drawn_only, off."),
        ("watch briscola --mode 2i --option deuce_swap=x", "It can be: true, false."),
        ("watch dalmuti --mode 3i --option max_players=99", "It can be: 10–20."),
        ("play albastini --mode 4t2 --seat 7", "There is no seat 7 here: the seats are 0 to 3."),
        ("watch dalmuti --mode 11i", "3 to 10 players can sit at one table, not 11."),
        ("play", "python -m games play albastini. There are: albastini, briscola, dalmuti, mam"),
        ("replay", "Say which file the hands are in, as in python -m games replay evening.txt:"),
        ("play briscola GAME --mode 2i", "Unrecognized arguments: GAME"),
        ("play whist --mode 2i", "There is no game “whist” here."),
        ("play briscola --mode 9i", "Briscola has no “9i” under these house rules."),
        ("play briscola --mode 2i --seat 2", "There is no seat 2 here: the seats are 0 to 1."),
        ("play briscola --mode 2i --dealer 5", "There is no seat 5 here: the seats are 0 to 1."),
        ("play briscola --mode 2i --hands 0", "“0” is no whole number from 1 on"),
        ("play briscola --mode 2i --hands x", "“x” is no whole number from 1 on"),
        ("play briscola --mode 2i --time 0", "“0” is no number of seconds"),
        ("play briscola --mode 2i --time nan", "“nan” is no number of seconds"),
        ("play briscola --mode 2i --time soon", "“soon” is no number of seconds"),
        ("play briscola --mode 2i --time 1 --iterations 5", "not allowed with"),
        ("watch briscola --mode 2i --bots steady,fox", "There is no bot “fox” for this game."),
        ("watch briscola --mode 2i --log /no/such/file", "“/no/such/file” cannot be written: No"),
        ("replay /no/such/file", "“/no/such/file” cannot be read: No such file"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_refused_in_a_sentence_that_names_what_there_is(
    typing: Type, monkeypatch: pytest.MonkeyPatch, argv: str, sentence: str
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    code, shown = typing(argv)
    assert (code, sentence in shown, "Traceback" in shown) == (2, True, False)


def test_a_file_without_a_hand_is_refused(typing: Type, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.write_text("\n\n", encoding="utf-8")
    code, shown = typing(f"replay {empty}")
    assert code == 2
    assert "” holds no hand" in " ".join(shown.split())


def test_people_read_a_list_of_games_and_programs_get_json(
    typing: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    games = list(catalogue.GAMES)
    assert [game["slug"] for game in json.loads(typing("list")[1])] == games
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("NO_COLOR", "1")
    typing("list")
    as_people = terminal.getvalue()
    terminal.truncate(0)
    terminal.seek(0)
    typing("list --json")
    assert "Briscola (briscola)\n" in as_people
    assert "2i (two, each alone)" in as_people
    assert json.loads(terminal.getvalue())[0]["slug"] == games[0]


def test_the_list_fits_the_screen() -> None:
    out = io.StringIO()
    show_games(Screen(out, width=60))
    assert max(map(len, out.getvalue().splitlines())) <= 60


def test_a_game_that_is_only_scored_is_not_played(
    typing: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "GAMES", {"dash": toy.GAME})
    code, shown = typing("watch dash --mode 3i")
    assert (code, shown) == (2, "Pwani Dash is not played here: use score for its sheets.\n")
