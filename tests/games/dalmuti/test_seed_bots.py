"""Two bots play as Dalmuti's seed does, by its readme and by its code (R9)."""

from random import Random

import pytest

from games.dalmuti.play.bots import original_code, readme
from games.dalmuti.play.state import State, move_code
from games.dalmuti.play.view import view
from games.play.playing import Budget
from tests.games.dalmuti.table import after, laid


def chosen(state: State) -> tuple[str, str]:
    """Return what the readme's bot does, and what the code's does."""
    seen = view(state, state.turn)
    moves = (bot(seen, Random(1), Budget()) for bot in (readme, original_code))
    by_readme, by_code = map(move_code, moves)
    return by_readme, by_code


@pytest.mark.parametrize(
    ("hand", "by_readme", "by_code"),
    [
        ("9 9 9 12 12", "3x9", "3x9"),
        ("9 9 12 12 4", "2x12", "2x12"),  # held equally often: the higher
        ("3 3 3 12 7", "3x3", "1x12"),  # the most cards, or the most when added up
        ("6 6 12 4 4 4", "3x4", "1x12"),  # 12 each: the higher value
    ],
)
def test_r9_the_seeds_bots_lead(hand: str, by_readme: str, by_code: str) -> None:
    assert chosen(laid(hand, "1 2", "2 3")) == (by_readme, by_code)  # R9


@pytest.mark.parametrize(
    ("hand", "by_readme", "by_code"),
    [
        ("8 8 8 6 6", "2x8", "2x6"),  # from a larger set too; only one held exactly so often
        ("7 7 6 6 5", "2x7", "2x7"),
        ("8 8 8 5", "2x8", "skip"),
        ("10 10 9 9 1", "skip", "skip"),
    ],
)
def test_r9_the_seeds_bots_follow(hand: str, by_readme: str, by_code: str) -> None:
    state = after(laid("9 9 12", hand, "2 3"), "2x9")
    assert chosen(state) == (by_readme, by_code)  # R9
