"""Bots get better by degrees, and by more than chance and the luck of few deals explain.

The deals and dice are fixed, and so is the share: bots as good as each other have exactly one half.
"""

import pytest

from tests.games.contests import contest, tally


@pytest.mark.parametrize(
    ("game", "mode", "bots", "work", "least"),
    [
        ("albastini", "2i", "steady beginner", (30, 6), 0.7),
        ("albastini", "2i", "strong steady", (20, 40), 0.55),
        ("albastini", "5i", "strong steady", (8, 48), 0.55),
        ("briscola", "2i", "steady beginner", (30, 6), 0.7),
        ("briscola", "2i", "strong steady", (30, 40), 0.5),
        ("briscola", "3i", "strong steady", (24, 48), 0.55),
        ("dalmuti", "4i", "steady beginner", (10, 24), 0.7),
        ("dalmuti", "4i", "strong steady", (20, 48), 0.55),
        ("mambassa", "3i", "steady beginner", (10, 16), 0.6),
    ],
)
def test_better_bots_win_more(
    game: str, mode: str, bots: str, work: tuple[int, int], least: float
) -> None:
    deals, iterations = work
    assert tally(contest(game, mode, bots, seed=3, iterations=iterations), deals).share > least
