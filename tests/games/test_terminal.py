"""A person at a terminal: what they type, what they see, and that nothing they do breaks it."""

import io
import os
import pty
import re
import select
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games import catalogue
from games.__main__ import main, run
from games.game import AnyGame
from games.mode import individuals, teams
from games.record import read, read_all, replay
from games.terminal.names import names
from games.terminal.rules import contents, look_up, rules_of
from games.terminal.screen import Ink, Screen, shows_colours
from games.wording import AtSeat, OnSide, Text, then
from tests.games.hands import PLAYED, PLAYED_GAMES, TABLES, play_of

ROOT = Path(__file__).parent.parent.parent
COMMAND = [sys.executable, "-S", "-W", "error", "-m", "games"]
Type = Callable[..., tuple[int, str]]
PATIENCE = 60  # seconds, after which nothing more is typed at a terminal


class Keys:
    """What somebody types, line by line; after the last there is no more, or Ctrl-C."""

    def __init__(self, lines: Sequence[str], *, interrupt: bool = False) -> None:
        self._lines = iter(lines)
        self._last = KeyboardInterrupt if interrupt else EOFError

    def __call__(self, prompt: str) -> str:
        sys.stdout.write(prompt)
        try:
            return next(self._lines)
        except StopIteration:
            raise self._last from None


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Type:
    """Return a function that plays with these lines typed: the exit code, and what was shown."""

    def type_it(
        argv: str, lines: Sequence[str] = (), *, interrupt: bool = False
    ) -> tuple[int, str]:
        monkeypatch.setattr("builtins.input", Keys(lines, interrupt=interrupt))
        code = main(argv.split())
        shown = capsys.readouterr()
        return code, shown.out + shown.err

    return type_it


def quick(game: AnyGame, mode: str | None = None) -> str:
    """Return the table of a game with bots that answer at once."""
    usual = mode or game.modes(game.default_options())[0].code
    return f"play {game.slug} --mode {usual} --seed 5 --bots beginner"


BRISCOLA = "play briscola --mode 2i --seed 5 --bots beginner"


# A whole hand, as somebody plays it who is not sure of anything --------------------------------


@pytest.mark.every_game
@pytest.mark.parametrize("game", PLAYED_GAMES)
def test_a_hand_from_the_deal_to_the_score_with_mistakes(game: AnyGame, tmp_path: Path) -> None:
    log = tmp_path / "hands"
    lines = ["help", "", "nonsense", "999", "rules", "rules play", "moves", "undo", "score"]
    lines += ["hint", "2", "undo", "2", "moves", "undo", *(["1"] * 500)]

    done = subprocess.run(
        [*COMMAND, *quick(game).split(), "--hands", "1", "--iterations", "2", "--log", log],
        input="\n".join(lines),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    for said in (
        "Type the number of a move, or its code",
        "is no move.",
        "The moves are numbered from 1 to ",
        "The rules have these sections",
        "You have made no move in this hand yet.",
        "After 0 ",
        " bot would say: ",
        "Taken back.",
        "After 1 ",
    ):
        assert said in done.stdout
    assert "\x1b" not in done.stdout
    assert replay(read(log.read_text(encoding="utf-8"))).sheet is not None


@pytest.mark.every_game
@pytest.mark.parametrize(("game", "mode"), TABLES)
def test_every_table_can_be_played_at(game: AnyGame, mode: str, typing: Type) -> None:
    code, shown = typing(f"{quick(game, mode)} --hands 1", ["1"] * 500)

    assert code == 0
    assert "After 1 " in shown


@pytest.mark.every_game
@pytest.mark.parametrize("game", PLAYED_GAMES)
def test_an_evening_goes_on_as_long_as_somebody_types(
    game: AnyGame, typing: Type, tmp_path: Path
) -> None:
    log = tmp_path / "hands"
    rng = Random(1)
    lines = [rng.choice(["1", "2", "1"]) for _ in range(400)]

    code, shown = typing(f"{quick(game)} --log {log} --hands 2", [*lines, ""] * 2)

    assert code == 0
    assert f"After 2 {game.unit.many}" in shown
    hands = read_all(log.read_text(encoding="utf-8"))
    assert [len(hand.before) for hand in hands] == [0, 1]
    assert all(replay(hand).sheet == hand.sheet is not None for hand in hands)


# Who sits where --------------------------------------------------------------------------------


def test_a3_a_cut_for_partners_is_told_and_obeyed(typing: Type, tmp_path: Path) -> None:
    log = tmp_path / "hands"
    table = "albastini --mode 4t2 --option partners=cut --seed 5 --bots steady,beginner,strong"
    cut = """Seat 0 (you) draws 4♠.
Seat 1 (steady) draws 3♠.
Seat 2 (beginner) draws 7♥.
Seat 3 (strong) draws 6♠.
So they sit: seats 0 and 2 (beginner and strong) against seats 1 and 3 (you and steady).
"""

    played = typing(f"play {table} --iterations 1 --log {log}", ["1"])
    watched = typing(f"watch {table} --iterations 1")

    assert (played[0], watched[0]) == (0, 0)
    assert cut in played[1]
    assert "Seat 1 (you)" in played[1].split("So they sit")[1]
    assert read(log.read_text(encoding="utf-8")).players == ("beginner", "you", "strong", "steady")
    assert watched[1].count(" draws ") == 4
    assert "(strong and steady) against seats 1 and 3 (steady and beginner).\n" in watched[1]


def test_nobody_draws_for_seats_where_the_house_does_not_say_so(typing: Type) -> None:
    for table in ("albastini --mode 4t2", "albastini --mode 2i --option partners=cut"):
        shown = typing(f"watch {table} --seed 5 --bots beginner")[1]

        assert "Seat 0 (beginner) draws" not in shown
        assert "So they sit" not in shown


# What is typed ---------------------------------------------------------------------------------


def test_a_move_is_typed_by_code_number_or_what_is_behind_its_colon(typing: Type) -> None:
    table = "play albastini --mode 2i --seed 7 --bots beginner --dealer 1"
    _, shown = typing(table, ["quit"])
    hand = re.findall(r"\d+ bid:(\S+)", shown)

    for typed in (f"bid:{hand[0]}", f"BID:{hand[0]}".lower(), hand[0], hand[0].lower(), "2"):
        code, shown = typing(table, [typed, "quit"])
        assert code == 0
        assert "Seat 0 (you) bids " in shown
        assert "help" not in shown.split("\n", 2)[2]


def test_what_is_not_allowed_is_answered_with_the_reason(typing: Type) -> None:
    _, shown = typing(BRISCOLA, ["swap7", "8d", "0", "1" * 30, "quit"])

    assert "(“help” says what to type.)" in shown
    assert "“8d” is no move." in shown
    assert shown.count("The moves are numbered from 1 to 3.") == 2
    assert "Traceback" not in shown


def test_a_card_one_does_not_hold_is_named(typing: Type) -> None:
    _, shown = typing(BRISCOLA, ["quit"])
    held = set(re.findall(r"\d (\d+[DSKB])", shown))
    other = next(code for code in ("1D", "2D", "3D", "4D") if code not in held)

    _, shown = typing(BRISCOLA, [other.lower(), "quit"])

    assert "Seat 0 (you) does not hold the " in shown or "does not hold " in shown


def test_other_spellings_of_a_move_are_understood(typing: Type) -> None:
    table = "play mambassa --mode 3i --seed 5 --bots beginner --seat 1"
    _, shown = typing(table, ["moves", "quit"])
    give, take = re.findall(r"swap:(\S+,\S+)/(\S+,\S+)", shown)[0]
    turned = ",".join(reversed(give.split(",")))

    _, shown = typing(table, [f"swap:{turned.lower()}/{take}", "quit"])

    assert "Seat 1 (you) takes from the monte: " in shown


def test_undo_takes_back_what_the_bots_answered_and_they_answer_alike(typing: Type) -> None:
    once = typing(BRISCOLA, ["1", "1", "1", "quit"])[1]
    again = typing(BRISCOLA, ["1", "1", "undo", "1", "undo", "undo", "1", "1", "1", "quit"])[1]

    assert again.count("Taken back.") == 3
    assert once.split("\n\n")[-3:] == again.split("\n\n")[-3:]


def test_a_hint_changes_nothing(typing: Type) -> None:
    plain = typing(BRISCOLA, ["1", "1", "quit"])[1]
    hinted = typing(f"{BRISCOLA} --iterations 2", ["hint", "1", "hint", "1", "quit"])[1]

    said = re.sub(r"> The strong bot would say: \S+\n", "", hinted)
    assert said == plain
    assert hinted != plain


def test_without_a_strong_bot_the_last_gives_hints(
    typing: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = play_of(catalogue.GAMES["briscola"]).bots
    for name in [name for name in bots if name not in {"beginner", "steady"}]:
        monkeypatch.delitem(bots, name)

    assert "The steady bot would say: " in typing(BRISCOLA, ["hint", "quit"])[1]


def test_there_is_nothing_to_take_back_before_the_first_move(typing: Type) -> None:
    _, shown = typing(BRISCOLA, ["undo", "quit"])

    assert "You have made no move in this hand yet." in shown


def test_rules_are_looked_up_by_number_and_by_section(typing: Type) -> None:
    _, shown = typing(BRISCOLA, ["rules", "rules r10", "RULES B-8", "rules nothing", "quit"])

    assert "  Cards and people\n" in shown

    assert "- R10 Whoever holds the 7 of trumps" in shown
    assert "- B-6 The trick must be the player's own." in shown
    assert "The rules have nothing under “nothing”." in shown


def test_between_hands_there_is_time_to_read(typing: Type) -> None:
    code, shown = typing(BRISCOLA, ["1"] * 20 + ["1D", "score", "help", "rules R1", "", "q"])

    assert code == 0
    assert "There is nothing to play now: Enter deals the next one." in shown
    assert "Deal 2" in shown
    assert shown.count("After 1 deal ") == 3
    assert "Thank you for playing." in shown


# Leaving ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("interrupt", "code"), [(False, 0), (True, 130)])
@pytest.mark.parametrize("typed", [[], ["1"] * 3, ["1"] * 20])
def test_leaving_is_always_possible(
    typing: Type, tmp_path: Path, interrupt: bool, code: int, typed: list[str]
) -> None:
    log = tmp_path / "hands"

    left, shown = typing(f"{BRISCOLA} --log {log}", typed, interrupt=interrupt)

    assert left == code
    assert "You leave the table. Thank you for playing." in shown
    hands = read_all(log.read_text(encoding="utf-8"))
    assert [len(hand.moves) > 4 for hand in hands] == {0: [False], 3: [True], 20: [True]}[
        len(typed)
    ]
    assert all(replay(hand).sheet == hand.sheet for hand in hands)


def test_ctrl_c_while_a_bot_thinks_is_no_crash(
    typing: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    def thinks(*_args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setitem(play_of(catalogue.GAMES["briscola"]).bots, "beginner", thinks)

    code, shown = typing(BRISCOLA)

    assert code == 130
    assert "You leave the table." in shown


def test_ctrl_c_at_a_real_terminal_is_answered_in_colour() -> None:
    """And NO_COLOR keeps everything plain."""
    shown, code = at_a_terminal(BRISCOLA.split(), "\x03", {})
    plain, _ = at_a_terminal(BRISCOLA.split(), "quit\n", {"NO_COLOR": "1"})

    assert code == 130
    assert "\x1b[1;36mBriscola" in shown
    assert "Thank you for playing." in shown
    assert "Traceback" not in shown
    assert "\x1b[" not in plain


def at_a_terminal(argv: list[str], typed: str, extra: dict[str, str]) -> tuple[str, int]:
    """Run a command at a terminal of its own, type when it asks, and return what it showed."""
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    keyboard, terminal = pty.openpty()
    # Whoever leads a session and opens a terminal gets Ctrl-C from it.
    opened = ["sh", "-c", 'exec "$@" <"$0" >"$0" 2>&1', os.ttyname(terminal)]
    shown = b""
    with subprocess.Popen(
        [*opened, *COMMAND, *argv],
        cwd=ROOT,
        env={**environment, "TERM": "xterm", **extra},
        stdin=terminal,
        start_new_session=True,
    ) as command:
        os.close(terminal)
        try:
            while not shown.endswith(b"> "):
                shown += os.read(keyboard, 4096)
            # Python only notes a Ctrl-C between its prompt and its reading: a person presses again.
            for _ in range(PATIENCE):
                os.write(keyboard, typed.encode())
                while select.select([keyboard], [], [], 1)[0] and (
                    piece := os.read(keyboard, 4096)
                ):
                    shown += piece
        except OSError:
            pass  # so Linux says that the other end has closed
        finally:
            os.close(keyboard)  # which ends whatever has not ended by now
    return shown.decode(), command.returncode


def test_what_is_typed_may_be_no_text() -> None:
    done = subprocess.run(
        [*COMMAND, *BRISCOLA.split()],
        input=b"\xff\xfe\n\n",
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, b"")
    assert b"is no move." in done.stdout


# Commands that cannot be done ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ("play", "the following arguments are required"),
        ("play whist --mode 2i", "There is no game “whist” here."),
        ("play briscola --mode 9i", "Briscola is not played as “9i” under these house rules."),
        ("play briscola --mode 2i --seat 2", "That seat cannot be meant here."),
        ("play briscola --mode 2i --dealer 5", "That seat cannot be meant here."),
        ("play briscola --mode 2i --hands 0", "“0” is no whole number from 1 on"),
        ("play briscola --mode 2i --hands x", "“x” is no whole number from 1 on"),
        ("play briscola --mode 2i --time 0", "“0” is no number of seconds"),
        ("play briscola --mode 2i --time nan", "“nan” is no number of seconds"),
        ("play briscola --mode 2i --time soon", "“soon” is no number of seconds"),
        ("play briscola --mode 2i --time 1 --iterations 5", "not allowed with"),
        ("watch briscola --mode 2i --bots steady,fox", "There is no bot “fox” for this game."),
        ("watch briscola --mode 2i --option seven_swap=maybe", "cannot be “maybe”."),
        ("watch briscola --mode 2i --log /no/such/file", "“/no/such/file” cannot be written: No"),
        ("replay /no/such/file", "“/no/such/file” cannot be read: No such file"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(typing: Type, argv: str, said: str) -> None:
    code, shown = typing(argv)

    assert code == 2
    assert said in shown
    assert "Traceback" not in shown


def test_a_game_that_is_only_scored_is_not_played(
    typing: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    scored: Any = replace(catalogue.GAMES["briscola"], play=None)
    monkeypatch.setattr(catalogue, "GAMES", {"briscola": scored})

    code, shown = typing("watch briscola --mode 2i")

    assert (code, shown) == (2, "Briscola is only scored here, and not played.\n")


# Looking on ------------------------------------------------------------------------------------


@pytest.mark.every_game
@pytest.mark.parametrize("game", PLAYED_GAMES)
def test_hands_of_bots_are_told_logged_and_told_again(
    game: AnyGame, typing: Type, tmp_path: Path
) -> None:
    log = tmp_path / "hands"
    mode = game.modes(game.default_options())[0].code
    table = f"watch {game.slug} --mode {mode} --bots beginner,steady --hands 2 --seed 3"

    code, told = typing(f"{table} --log {log}")
    again, retold = typing(f"replay {log}")

    assert (code, again) == (0, 0)
    assert "seat 1 (steady)" in told
    moves = re.findall(r"^ +\d+  \S+ +(.+)", retold, re.MULTILINE)
    assert moves
    assert all(move in told for move in moves)
    assert told == typing(table)[1]


def test_a_hand_left_early_is_retold_as_far_as_it_went(
    typing: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "hands"
    typing(f"{BRISCOLA} --log {log}", ["1", "quit"])
    text = log.read_text(encoding="utf-8")
    monkeypatch.setattr(
        sys, "stdin", io.StringIO(re.sub(r"^player .*\n", "", text, flags=re.MULTILINE))
    )

    _, retold = typing("replay -")

    assert "seat 0 (?) plays the " in retold.lower()
    assert "The hand is unfinished." in retold


def test_an_impossible_hand_is_told_up_to_the_reason(typing: Type, tmp_path: Path) -> None:
    log = tmp_path / "hands"
    typing("watch briscola --mode 2i --bots beginner --seed 3 --log " + str(log))
    text = log.read_text(encoding="utf-8")
    log.write_text(re.sub(r"(move +3 seat \d) \w+", r"\1 8D", text), encoding="utf-8")

    code, shown = typing(f"replay {log}")

    assert code == 2
    assert "Move 3, 8D: “8D” is no move." in shown


# The streams -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "argv", ["list", "watch albastini --mode 2i --bots beginner --hands 200 --seed 1"]
)
def test_a_reader_that_has_seen_enough_is_no_error(argv: str) -> None:
    with subprocess.Popen(
        [*COMMAND, *argv.split()], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        command.stdout.close()
        said = command.stderr.read()

    assert (command.returncode, said) == (141, b"")


def test_nobody_reading_ends_it_in_this_process_too(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as nobody:
        monkeypatch.setattr(sys, "stdout", nobody)

        assert run(["list"]) == 141


def test_a_program_may_be_started_without_its_streams() -> None:
    closed = ["sh", "-c", 'exec "$@" <&- 2>&-', "sh", *COMMAND, *BRISCOLA.split()]

    done = subprocess.run(closed, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)

    assert done.returncode == 0
    assert "Thank you for playing." in done.stdout


def test_what_nobody_has_opened_is_written_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, stream, None)

    assert run(BRISCOLA.split()) == 0
    assert run(["play"]) == 2


def test_ctrl_c_anywhere_else_ends_it_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("games.terminal.watch.show_outcome", interrupted)

    assert run(["watch", "briscola", "--mode", "2i", "--bots", "beginner"]) == 130
    assert run(["list"]) == 0
    assert run([]) == 2


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
    assert re.findall(r"^  (\d) \S+$", shown, re.MULTILINE) == ["1", "2", "3"]


def test_what_a_file_says_gives_no_orders_to_a_terminal(typing: Type, tmp_path: Path) -> None:
    log = tmp_path / "hands"
    typing(f"watch briscola --mode 2i --bots beginner --log {log}")
    text = log.read_text(encoding="utf-8").replace("0 beginner", "0 \x1b[31mAsha\x07")
    log.write_text(text, encoding="utf-8")

    _, told = typing(f"replay {log}")
    log.write_text(text.replace("move      1", "\x1b]0;owned\x07"), encoding="utf-8")
    _, refused = typing(f"replay {log}")

    assert "Seat 0 (?[31mAsha?) " in told
    assert "“?]0;owned?” says nothing here." in refused


# Words -----------------------------------------------------------------------------------------


def test_people_are_called_by_their_seats() -> None:
    alone = names(individuals(3, ""), ("you", "steady", "strong"))
    pairs = names(teams(4, 2, ""), ("you", "a", "b", "c"))
    who = Text("%(who)s deals.", {"who": AtSeat(1)})

    assert alone.tell(then(who, Text("%(side)s wins %(n)d.", {"side": OnSide(2), "n": 1}))) == (
        "Seat 1 (steady) deals. Seat 2 (strong) wins 1."
    )
    assert (
        pairs.tell(Text("%(side)s win.", {"side": OnSide(0)})) == "Seats 0 and 2 (you and b) win."
    )


@pytest.mark.every_game
@pytest.mark.parametrize("slug", PLAYED)
def test_every_rule_can_be_looked_up(slug: str) -> None:
    text = rules_of(slug)

    for number in re.findall(r"- \*\*([A-Z]-?\d+)\*\*", text):
        first, *others = look_up(text, number.lower())
        assert first.startswith(f"- {number} ")
        assert all(line.startswith(" ") or not line for line in others)
    for section in contents(text):
        title, *lines = look_up(text, section)
        assert title == section
        assert lines[-1]
    assert look_up(text, "all")[0].endswith("the rules these engines go by")
    assert look_up(text, "zz") == []
