"""Bots get better by degrees, and by more than chance and the luck of few deals explain.

The deals and dice are fixed, and so is the share: bots as good as each other have exactly one half.
"""

import pytest

from games.catalogue import GAMES
from games.cli.arena import Contest, ContestScore, play_deals
from games.play.playing import Budget


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
    (challenger, opponent), (deals, iterations) = bots.split(), work
    contest = Contest(
        game=game,
        mode=mode,
        options=GAMES[game].default_options(),
        challenger=challenger,
        opponent=opponent,
        seed=3,
        budget=Budget(iterations=iterations),
    )
    assert ContestScore(list(play_deals(contest, deals))).share > least
