"""``arena``: two bots over many deals, what is counted, and how it is told."""

import io
import re
from fractions import Fraction
from typing import Any

import pytest

from games.__main__ import main
from games.cli.arena import ContestScore, DealResult, Merit, ProgressBar, play_deals
from tests.games.contests import contest, tally

# What is counted -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "mode"),
    [("albastini", "4t2"), ("briscola", "2i"), ("dalmuti", "4i"), ("mambassa", "3i")],
)
def test_a_bot_is_exactly_as_good_as_itself(game: str, mode: str) -> None:
    """From every side the luck of a deal cancels out, to the last hand."""
    alike = contest(game, mode, "beginner beginner")
    after_three = tally(alike, 3)
    assert after_three.share == 0.5
    assert sum(after_three.hands.values()) == 3 * len(alike.table().mode.sides)


def test_which_of_the_two_is_named_first_makes_no_difference() -> None:
    there = tally(contest("briscola", "2i", "steady beginner"), 10)
    back = tally(contest("briscola", "2i", "beginner steady"), 10)
    assert there.share == pytest.approx(1 - back.share)
    assert (there.hands["won"], there.hands["lost"]) == (back.hands["lost"], back.hands["won"])


def test_a_table_of_several_counts_whom_one_beats_and_ties_by_half() -> None:
    result = DealResult()
    merits: list[Merit] = [(Fraction(value),) for value in (3, 1, 3, 4)]
    result.note(merits, own=0)  # beats one, is level with one, is beaten by one
    result.note(merits, own=3)
    result.note(merits, own=1)
    assert (result.won, result.out_of) == (1.5 + 3 + 0, 9)
    assert result.hands == {"undecided": 1, "won": 1, "lost": 1}


def test_of_two_sides_a_draw_is_nobodys() -> None:
    result = DealResult()
    result.note([(Fraction(1),), (Fraction(1),)], own=0)
    assert (result.won, result.out_of, result.hands) == (0, 0, {"undecided": 1})


def test_several_processes_find_the_same() -> None:
    both = contest("briscola", "2i", "steady beginner", seed=7)
    alone, together = (
        [(result.won, result.out_of, result.hands, result.moves) for result in deals]
        for deals in (play_deals(both, 4), play_deals(both, 4, jobs=2))
    )
    assert alone == together


@pytest.fixture
def arena(capsys: pytest.CaptureFixture[str]) -> Any:
    """Return a function that runs ``arena``: the exit code, and what was said."""

    def run_it(argv: str) -> tuple[int, str]:
        code = main(["arena", *argv.split()])
        shown = capsys.readouterr()
        return code, shown.out + shown.err

    return run_it


@pytest.mark.parametrize(
    ("argv", "sentences"),
    [
        ("albastini --mode 4t2 --iterations 2", ["4t2, 2 deals, each from 2 sides, seed 1"]),
        ("briscola --mode 2i --time 0.5", ["0.5 s a move", "of decided hands (fair is 50 %)"]),
        ("dalmuti --mode 4i", ["as long as they like", "of the table beaten (fair is 50 %)"]),
        ("briscola --mode 2i --iterations 1", ["1 worlds a move", "; a move took steady "]),
    ],
)
def test_the_finding_says_what_was_played(arena: Any, argv: str, sentences: list[str]) -> None:
    code, shown = arena(f"{argv} --deals 2 --bots steady,beginner")
    assert code == 0
    assert "steady against beginner: " in shown
    assert all(words in shown for words in sentences)
    assert "\r" not in shown


def test_two_bots_are_compared_and_no_other_number(arena: Any) -> None:
    assert arena("briscola --mode 2i --bots steady") == (
        2,
        "Two bots can be compared, not 1: write --bots ONE,OTHER.\n",
    )
    assert arena("briscola --mode 2i --bots steady,fox") == (
        2,
        "There is no bot “fox” for this game. There are: beginner, steady, strong.\n",
    )


def test_ctrl_c_says_what_was_found_so_far(arena: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def two_deals(*_args: object) -> Any:
        yield DealResult(won=1, out_of=2)
        yield DealResult(won=2, out_of=2)
        raise KeyboardInterrupt

    monkeypatch.setattr("games.cli.arena.play_deals", two_deals)
    code, shown = arena("briscola --mode 2i --bots steady,beginner --deals 50")
    assert code == 0
    assert shown.startswith("Stopped after 2 of 50 deals.\nBriscola 2i, 2 deals")
    assert "75.0% of decided hands" in shown


def test_a_bar_is_written_over_on_a_terminal() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out = Terminal()
    bar = ProgressBar(out, 4, lambda tally: f"of {len(tally.results)}")
    bar.show(ContestScore([DealResult(won=1, out_of=2)] * 2))
    shown = out.getvalue()
    bar.clear()
    assert re.fullmatch(r"\r\[#{12}\.{12}\] 2 of 4  50\.0% \(of 2\)  0:00 left", shown)
    assert out.getvalue().removeprefix(shown) == f"\r{' ' * (len(shown) - 1)}\r"
