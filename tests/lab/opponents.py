"""Opponents: everybody who can play a game here, its own bots and those of the laboratory."""

from collections.abc import Mapping

from games.cli.arena import Chooser, by_view
from games.cli.table_setup import play_of
from games.game import AnyGame
from games.play.playing import Bot
from tests.lab.baselines import BASELINES
from tests.lab.perfect_information import CHEATS


def honest_bots(game: AnyGame) -> Mapping[str, Bot]:
    """Return those who see what their seat sees, by name."""
    return {**play_of(game).bots, **BASELINES.get(game.slug, {})}


def everybody(game: AnyGame) -> Mapping[str, Chooser]:
    """Return all opponents by name; ``cheat`` is the one who sees everything."""
    cheat = CHEATS.get(game.slug)
    return by_view(play_of(game), honest_bots(game)) | (
        {"cheat": lambda state, _seat, rng, budget: cheat(state, rng, budget)} if cheat else {}
    )
