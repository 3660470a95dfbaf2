"""Strong leaves more of the table behind than chance and the luck of few deals explain.

The deals and dice are fixed, and so is the share: a strong bot that played as steady does would
have exactly one half.
"""

import pytest

from games.catalogue import GAMES
from games.cli.arena import Contest, ContestScore, play_deals
from games.play.playing import Budget


@pytest.mark.parametrize(
    ("game", "mode", "deals"),
    [("albastini", "5i", 8), ("briscola", "3i", 24), ("dalmuti", "4i", 20)],
)
def test_strong_is_well_ahead_of_steady(game: str, mode: str, deals: int) -> None:
    contest = Contest(
        game=game,
        mode=mode,
        options=GAMES[game].default_options(),
        challenger="strong",
        opponent="steady",
        seed=3,
        budget=Budget(iterations=48),
    )
    assert ContestScore(list(play_deals(contest, deals))).share > 0.55
