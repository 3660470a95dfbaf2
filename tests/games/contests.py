"""Contests of two bots."""

from typing import Any

from games.catalogue import GAMES
from games.cli.arena import Contest, ContestScore, play_deals
from games.play.playing import Budget


def contest(
    game: str, mode: str, bots: str, *, seed: int = 1, iterations: int = 1, **more: Any
) -> Contest:
    """Return the contest of two *bots*, named one after the other."""
    challenger, opponent = bots.split()
    return Contest(
        game=game,
        mode=mode,
        options=GAMES[game].default_options(),
        challenger=challenger,
        opponent=opponent,
        seed=seed,
        budget=Budget(iterations=iterations),
        **more,
    )


def tally(contest: Contest, deals: int) -> ContestScore:
    return ContestScore(list(play_deals(contest, deals)))
