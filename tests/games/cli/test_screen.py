"""The screen: colours, narrow terminals, and what people are called."""

import io
import re
from pathlib import Path

import pytest

from games.cli.screen import Ink, Screen, names_of, shows_colours
from games.mode import teams
from games.wording import AtSeat, OnSide, Text, then
from tests.games.cli.keyboard import BRISCOLA, Type, in_ascii

SIX_IN_TWO_TEAMS = "play albastini --mode 6t3 --seed 1 --bots beginner"


def test_only_a_terminal_gets_colours() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    assert shows_colours(Terminal(), {"TERM": "xterm"})
    assert not shows_colours(Terminal(), {"TERM": "dumb"})
    assert not shows_colours(Terminal(), {"NO_COLOR": "1"})
    assert shows_colours(Terminal(), {"NO_COLOR": ""})
    assert not shows_colours(io.StringIO(), {})


def test_red_suits_are_red_and_lines_have_their_ink() -> None:
    out = io.StringIO()
    screen = Screen(out, colour=True, width=20)
    screen.say("A♠ 7♥, (J♦)")
    screen.say("no", Ink.WRONG)
    screen.say()
    screen.show_words(["1 AS", "2 7H", "3 KD"])
    assert out.getvalue() == (
        "A♠ \x1b[31m7♥\x1b[0m, (\x1b[31mJ♦\x1b[0m)\n\x1b[33mno\x1b[0m\n\n  1 AS   2 7H\n  3 KD\n"
    )


@pytest.mark.parametrize("columns", ["1", "4", "7"])
def test_a_terminal_may_be_narrower_than_a_move(
    typing: Type, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    code, shown = typing(BRISCOLA, ["quit"])
    assert code == 0
    assert re.findall(r"^  (\d)\) [\w ]+ \(\w+\)$", shown, re.MULTILINE) == ["1", "2", "3"]


def test_what_a_file_says_gives_no_orders_to_a_terminal(typing: Type, tmp_path: Path) -> None:
    log = tmp_path / "hands"
    typing(f"watch briscola --mode 2i --bots beginner --log {log}")
    text = log.read_text(encoding="utf-8").replace("0 beginner", "0 \x1b[31mAsha\x07")
    log.write_text(text, encoding="utf-8")
    _, shown = typing(f"replay {log}")
    log.write_text(text.replace("move      1", "\x1b]0;owned\x07"), encoding="utf-8")
    _, refused = typing(f"replay {log}")
    assert "Seat 0 (?[31mAsha?) " in shown
    assert "“?]0;owned?” means nothing here; see RECORDS.md." in refused


def test_sentences_are_wrapped_to_the_screen_between_words() -> None:
    out = io.StringIO()
    Screen(out, width=24).say("  In the monte: King of cups, 2 of batons", hang=2)
    Screen(out, width=5).say("As long as it has to be")
    assert out.getvalue() == (
        "  In the monte: King of\n    cups, 2 of batons\nAs long as it has to be\n"
    )


@pytest.mark.parametrize("columns", [40, 60, 80])
@pytest.mark.parametrize(
    "argv",
    [
        "watch mambassa --mode 5i --bots beginner --seed 3",
        "watch dalmuti --mode 5i --bots beginner --seed 3",
        "watch albastini --mode 6t3 --bots beginner --seed 3",
        "play briscola",
        "play albastini --mode 9i",
        "watch mambassa --mode 3i --option foo=1",
        "arena briscola --mode 2i --deals 2 --bots steady,beginner --iterations 1",
    ],
)
def test_no_line_is_longer_than_the_screen(
    typing: Type, monkeypatch: pytest.MonkeyPatch, columns: int, argv: str
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = typing(argv)[1].splitlines()
    assert len(lines) > 1
    assert max(map(len, lines)) <= columns


def test_a_question_is_wrapped_and_its_last_line_is_typed_behind() -> None:
    out, asked = io.StringIO(), []

    def read(prompt: str) -> str:
        asked.append(prompt)
        return "seat 2"

    answer = Screen(out, width=40).ask(read, "Who deals next, you or seat 2 (strong)? Enter does.")
    assert answer == "seat 2"
    assert (out.getvalue(), asked) == (
        "Who deals next, you or seat 2 (strong)?\n",
        ["Enter does. "],
    )


def test_whoever_may_choose_the_dealer_is_asked_within_the_screen(
    typing: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    lines = [line for _ in range(400) for line in ("moves", "1")]
    shown = typing(f"{SIX_IN_TWO_TEAMS} --hands 2", lines)[1]
    question = re.search(r"Who deals next.+? deal\. ", shown, re.DOTALL)
    assert question is not None
    assert question[0] == (
        "Who deals next, you or seat 2 (beginner) or seat 4\n"
        "(beginner)? Enter lets seat 2 (beginner) deal. "
    )


def test_a_refusal_on_a_terminal_without_curly_quotes_has_straight_ones() -> None:
    done = in_ascii("play whist --mode 2i")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b'There is no game "whist" here.' in done.stderr


def test_a_terminal_without_the_signs_of_suits_shows_their_letters() -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="replace")
    Screen(out).say("“J♠ Q♥ 4♦ 2♣”: 5 × 7 – you deal")
    Screen(out).show_words(["1) J♠", "2) Q♥"])
    out.seek(0)
    assert out.read() == '"JS QH 4D 2C": 5 x 7 - you deal\n  1) JS   2) QH\n'


def test_people_with_names_are_called_by_them_and_you_are_you() -> None:
    pairs = teams(4, 2, "")
    named = names_of(pairs, ("Asha", "Bo", "Cheng", "Dan"))
    yours = names_of(pairs, ("you", "steady", "strong", "steady"), 0)
    wins = Text("%(side)s win.", {"side": OnSide(0)})
    assert named.say(wins) == "Asha and Cheng win."
    assert yours.say(wins) == "You and seat 2 (strong) win."
    assert yours.say(then(wins, Text("%(who)s deals.", {"who": AtSeat(0)}))) == (
        "You and seat 2 (strong) win. You deal."
    )
