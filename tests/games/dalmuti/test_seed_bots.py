"""Two bots play as Dalmuti's seed does, by its readme and by its code (R9)."""

import pytest

from games.dalmuti.play.state import State
from tests.games.dalmuti.table import laid
from tests.games.hands import after, chosen


def both(state: State) -> tuple[str, str]:
    """Return what the readme's bot does, and what the code's does."""
    return chosen("readme", state, 1), chosen("original_code", state, 1)


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
    assert both(laid(hand, "1 2", "2 3")) == (by_readme, by_code)  # R9


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
    assert both(state) == (by_readme, by_code)  # R9
