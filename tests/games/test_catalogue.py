"""Every game's folder is in the catalogue and begins with a map of it, and the map is true."""

import importlib
import pkgutil
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

import games
from games import catalogue


def test_every_folder_with_rules_is_in_the_catalogue() -> None:
    folders = {rules.parent.name for rules in GAMES.glob("*/RULES.md")}
    assert folders == {game.slug for game in catalogue.GAMES.values()} == {*catalogue.GAMES}


pytestmark = pytest.mark.every_game
GAMES = Path(games.__file__).parent


FOLDERS = [
    folder
    for slug in catalogue.GAMES
    for folder in (slug, f"{slug}/play")
    if (GAMES / folder).is_dir()
]


def named_in_map(folder: str) -> list[str]:
    """Return what the docstring of a game's folder names as ``code``, in order."""
    docstring = importlib.import_module(f"games.{folder.replace('/', '.')}").__doc__
    assert docstring is not None
    return re.findall(r"``([\w.]+)``", docstring)


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_map_names_every_module_of_the_folder_and_no_other(folder: str) -> None:
    own = {name for name in named_in_map(folder) if "." not in name}
    assert own == {module.name for module in pkgutil.iter_modules([str(GAMES / folder)])}


@pytest.mark.parametrize("folder", FOLDERS)
def test_what_it_names_of_the_shared_modules_is_asked_in_the_folder(folder: str) -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in (GAMES / folder).glob("*.py"))
    for name in named_in_map(folder):
        if name.startswith("games."):
            package, _, module = name.rpartition(".")
            assert find_spec(name) is not None
            assert re.search(
                rf"^from ({name} import|{package} import .*\b{module}\b)", code, re.MULTILINE
            )
