"""A fifth game, made up, which every test of a game can be asked about.

``dash/`` is what a game brings: laid into ``games/``, and named in its catalogue, it is a
game like any other (``tests/test_fifth_game.py`` does that). Here it only lies beside them.
"""

from importlib import import_module
from pathlib import Path

import games
from games.game import AnyGame

FOLDER = Path(__file__).parent / "dash"

games.__path__.append(str(FOLDER.parent))
GAME: AnyGame = import_module("games.dash").GAME
