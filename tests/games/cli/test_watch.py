"""``watch`` and ``replay``: hands told as they happen, and what cannot be told."""

import io
import re
import sys
from pathlib import Path

import pytest

from games.game import AnyGame
from tests.games.cli.keyboard import BRISCOLA, Type
from tests.games.hands import PLAYED_GAMES


@pytest.mark.every_game
@pytest.mark.parametrize("game", PLAYED_GAMES)
def test_hands_of_bots_are_told_logged_and_told_again(
    game: AnyGame, typing: Type, tmp_path: Path
) -> None:
    log = tmp_path / "hands"
    mode = game.modes(game.default_options())[0].code
    table = f"watch {game.slug} --mode {mode} --bots beginner,steady --hands 2 --seed 3"
    code, shown = typing(f"{table} --log {log}")
    again, replayed = typing(f"replay {log}")
    assert (code, again) == (0, 0)
    assert "seat 1 (steady)" in shown
    moves = re.findall(r"^ +\d+  \S+ +(.+)", replayed, re.MULTILINE)
    assert moves
    assert all(move in shown for move in moves)
    assert shown == typing(table)[1]


def test_a_hand_left_early_is_retold_as_far_as_it_went(
    typing: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "hands"
    typing(f"{BRISCOLA} --log {log}", ["1", "quit"])
    text = log.read_text(encoding="utf-8")
    monkeypatch.setattr(
        sys, "stdin", io.StringIO(re.sub(r"^player .*\n", "", text, flags=re.MULTILINE))
    )
    _, replayed = typing("replay -")
    assert "seat 0 (?) plays the " in replayed.lower()
    assert "The hand was left unfinished." in replayed


def test_an_impossible_hand_is_told_up_to_the_reason(typing: Type, tmp_path: Path) -> None:
    log = tmp_path / "hands"
    typing("watch briscola --mode 2i --bots beginner --seed 3 --log " + str(log))
    text = log.read_text(encoding="utf-8")
    log.write_text(re.sub(r"(move +3 seat \d) \w+", r"\1 8D", text), encoding="utf-8")
    code, shown = typing(f"replay {log}")
    assert code == 2
    assert "Move 3, 8D: “8D” is no move." in shown
