"""The table that a command asks for: what is refused in a sentence."""

import pytest

from games import catalogue
from tests import toy
from tests.games.cli.keyboard import Type


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
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
        ("watch briscola --mode 2i --option seven_swap=maybe", "is not “maybe”."),
        ("watch briscola --mode 2i --log /no/such/file", "“/no/such/file” cannot be written: No"),
        ("replay /no/such/file", "“/no/such/file” cannot be read: No such file"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    typing: Type, monkeypatch: pytest.MonkeyPatch, argv: str, sentence: str
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    code, shown = typing(argv)
    assert code == 2
    assert sentence in shown
    assert "Traceback" not in shown


def test_a_game_that_is_only_scored_is_not_played(
    typing: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "GAMES", {"dash": toy.GAME})
    code, shown = typing("watch dash --mode 3i")
    assert (code, shown) == (2, "Pwani Dash is not played here: use score for its sheets.\n")
