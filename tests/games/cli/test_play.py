"""``play``: what a person types, what they see, and that nothing they do breaks it."""

import os
import pty
import re
import select
import subprocess
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from games import catalogue
from games.cli.rulebook import contents, look_up
from games.game import AnyGame
from games.records.parser import read, read_all
from games.records.replayer import replay
from games.rule_book import read_rule_book
from tests.games.cli.keyboard import BRISCOLA, COMMAND, ROOT, Type, in_ascii, quick
from tests.games.hands import PLAYED_GAMES, TABLES, play_of

LEFT = "\x1b[D"  # what the arrow key sends
PATIENCE = 60  # seconds, after which nothing more is typed at a terminal


@pytest.mark.every_game
@pytest.mark.parametrize("game", PLAYED_GAMES)
def test_a_hand_from_the_deal_to_the_score_with_mistakes(game: AnyGame, tmp_path: Path) -> None:
    log = tmp_path / "hands"
    lines = [
        "help",
        "",
        "nonsense",
        "moves all",
        "999",
        "rules",
        "rules play",
        "moves all",
        "undo",
        "score",
    ]
    lines += ["hint", "moves all", "2", "undo", "moves all", "2", "undo"]
    lines += ["moves all", "1"] * 500

    done = subprocess.run(
        [*COMMAND, *quick(game).split(), "--hands", "1", "--iterations", "2", "--log", log],
        input="\n".join(lines),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    for sentence in (
        "Type a move’s number, its code, or its cards by name",
        "is no move.",
        "The moves are numbered from 1 to ",
        "The rules have these sections",
        "You have made no move in this hand yet.",
        "After 0 ",
        " bot would say: ",
        "Taken back.",
        "After 1 ",
    ):
        assert sentence in done.stdout
    assert "\x1b" not in done.stdout
    assert replay(read(log.read_text(encoding="utf-8"))).sheet is not None


@pytest.mark.every_game
@pytest.mark.parametrize(("game", "mode"), TABLES)
def test_an_evening_goes_on_as_long_as_somebody_types(
    game: AnyGame, mode: str, typing: Type, tmp_path: Path
) -> None:
    log = tmp_path / "hands"
    rng = Random(1)
    lines = [line for _ in range(400) for line in ("moves all", rng.choice(["1", "2", "1"]))]
    code, shown = typing(f"{quick(game, mode)} --log {log} --hands 2", [*lines, ""] * 2)
    assert code == 0
    assert f"After 2 {game.unit.many}" in shown
    hands = read_all(log.read_text(encoding="utf-8"))
    assert [len(hand.before) for hand in hands] == [0, 1]
    assert all(replay(hand).sheet == hand.sheet is not None for hand in hands)


def test_a3_a_cut_for_partners_is_told_and_obeyed(
    typing: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    log = tmp_path / "hands"
    table = "albastini --mode 4t2 --option partners=cut --seed 5 --bots steady,beginner,strong"
    cut = """You draw 4♠.
Seat 3 (steady) draws 3♠.
Seat 0 (beginner) draws 7♥.
Seat 2 (strong) draws 6♠.
So it is seats 0 and 2 (beginner and strong) against you and seat 3 (steady).
"""
    played = typing(f"play {table} --iterations 1 --log {log}", ["1"])
    watched = typing(f"watch {table} --iterations 1")
    assert (played[0], watched[0]) == (0, 0)
    assert cut in played[1]
    assert read(log.read_text(encoding="utf-8")).players == ("beginner", "you", "strong", "steady")
    assert watched[1].count(" draws ") == 4
    assert "(strong and steady) against seats 1 and 3 (steady and beginner).\n" in watched[1]


def test_nobody_draws_for_seats_where_the_house_does_not_say_so(typing: Type) -> None:
    for table in ("albastini --mode 4t2", "albastini --mode 2i --option partners=cut"):
        shown = typing(f"watch {table} --seed 5 --bots beginner")[1]
        assert "Seat 0 (beginner) draws" not in shown
        assert "So it is" not in shown


def test_what_is_not_allowed_is_answered_with_the_reason(typing: Type) -> None:
    _, shown = typing(BRISCOLA, ["swap7", "8d", "0", "1" * 30, "quit"])
    assert "(“help” says what to type.)" in shown
    assert "“8d” is no move." in shown
    assert shown.count("The moves are numbered from 1 to 3.") == 2
    assert "Traceback" not in shown


def test_undo_takes_back_what_the_bots_answered_and_they_answer_alike(typing: Type) -> None:
    once = typing(BRISCOLA, ["1", "1", "1", "quit"])[1]
    again = typing(BRISCOLA, ["1", "1", "undo", "1", "undo", "undo", "1", "1", "1", "quit"])[1]
    assert again.count("Taken back.") == 3
    assert once.split("\n\n")[-3:] == again.split("\n\n")[-3:]


def test_a_hint_changes_nothing(typing: Type) -> None:
    plain = typing(BRISCOLA, ["1", "1", "quit"])[1]
    hinted = typing(f"{BRISCOLA} --iterations 2", ["hint", "1", "hint", "1", "quit"])[1]
    without = re.sub(r"> The strong bot would say: .+\n", "", hinted)
    assert without == plain
    assert hinted != plain


def test_the_seeds_own_players_sit_at_the_table(typing: Type) -> None:
    table = "play dalmuti --mode 3i --seed 5 --hands 1 --bots original_code,readme"
    _, shown = typing(table, ["rules r9", *["1"] * 90])
    assert "Two opponents play it." in shown
    assert re.search(r"seat 1 \(original_code\) .*\n.*seat 2 \(readme\)", shown, re.IGNORECASE)


def test_rules_are_looked_up_by_number_and_by_section(typing: Type) -> None:
    _, shown = typing(BRISCOLA, ["rules", "rules r10", "RULES B-8", "rules nothing", "quit"])
    assert "  Cards and people\n" in shown
    assert "- R10 Whoever holds the 7 of trumps" in shown
    assert "- B-6 The trick must be the player’s own." in shown
    assert "The rules have nothing under “nothing”." in shown


@pytest.mark.every_game
@pytest.mark.parametrize("game", PLAYED_GAMES)
def test_the_section_that_is_named_is_one_that_the_rules_have(game: AnyGame, typing: Type) -> None:
    _, shown = typing(quick(game), ["help", "rules", "rules of poker", "quit"])
    named = re.findall(r"rules ([\w ]+) shows a section", shown)
    named += re.findall(r"“rules ([\w ]+)” shows the one of play", shown)
    assert named == [named[0]] * 2
    _, found = typing(quick(game), [f"rules {named[0]}", "quit"])
    assert f"> {named[0].capitalize()}\n" in found
    refusal = " ".join(shown.split("nothing under “of poker”.")[1].split())
    assert all(title in refusal for title in contents(read_rule_book(game.slug)))


def test_between_hands_there_is_time_to_read(typing: Type) -> None:
    code, shown = typing(BRISCOLA, ["1"] * 20 + ["1D", "score", "help", "rules R1", "", "q"])
    assert code == 0
    assert "There is nothing to play now: Enter deals the next one." in shown
    assert "Deal 2" in shown
    assert shown.count("After 1 deal ") == 3
    assert "Thank you for playing." in shown


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


def test_a_line_is_edited_before_it_is_sent() -> None:
    """Three arrows go back to its beginning, where the letter that was left out is typed."""
    shown, code = at_a_terminal(BRISCOLA.split(), f"uit{3 * LEFT}q\n", {"INPUTRC": os.devnull})
    assert code == 0
    assert "Thank you for playing." in shown
    assert "is no move" not in shown


def test_all_rules_are_shown_a_screen_at_a_time() -> None:
    rules = look_up(read_rule_book("briscola"), "all", 80)
    plain = {"TERM": "dumb", "LINES": "24", "COLUMNS": "80"}
    shown, code = at_a_terminal(BRISCOLA.split(), ("rules all\n", "\n", "q\n", "quit\n"), plain)
    asked, *answers = re.split(r"> |enough\. ", shown)
    pages = [[*answer.splitlines()[1:-1]] for answer in answers[:2]]
    assert code == 0
    assert "Your turn" in asked
    assert pages == [rules[:23], rules[23:46]]
    assert [answer.splitlines()[-1] for answer in answers[:2]] == ["Enter shows more, q is "] * 2
    assert answers[2].split() == ["q"]


def at_a_terminal(
    argv: list[str], typed: str | Sequence[str], extra: dict[str, str]
) -> tuple[str, int]:
    """Run a command at a terminal of its own, type when it asks, and return what it showed.

    The last of several lines is typed until the command ends.
    """
    *lines, last = [typed] if isinstance(typed, str) else typed
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
            waits = (*((line, PATIENCE) for line in lines), *[(last, 1)] * PATIENCE)
            for line, seconds in waits:
                os.write(keyboard, line.encode())
                while select.select([keyboard], [], [], seconds)[0] and (
                    piece := os.read(keyboard, 4096)
                ):
                    shown += piece
                    if shown.endswith((b"> ", b"enough. ")):
                        break
        except OSError:
            pass  # so Linux says that the other end has closed
        finally:
            os.close(keyboard)  # which ends whatever has not ended by now
    return shown.decode(), command.returncode


def test_what_is_typed_may_be_no_text() -> None:
    done = in_ascii(BRISCOLA, b"\xff\xfe\n\n")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"is no move." in done.stdout
