"""Every game's folder begins with a map of it, and the map is true."""

import importlib
import pkgutil
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

import games
from games import catalogue

pytestmark = pytest.mark.every_game
GAMES = Path(games.__file__).parent


def named_in_map(slug: str) -> list[str]:
    """Return what the docstring of a game's folder names as ``code``, in order."""
    docstring = importlib.import_module(f"games.{slug}").__doc__
    assert docstring is not None
    return re.findall(r"``([\w.]+)``", docstring)


@pytest.mark.parametrize("slug", catalogue.GAMES)
def test_the_map_names_every_module_of_the_folder_and_no_other(slug: str) -> None:
    own = {name for name in named_in_map(slug) if "." not in name}

    assert own == {module.name for module in pkgutil.iter_modules([str(GAMES / slug)])}


@pytest.mark.parametrize("slug", catalogue.GAMES)
def test_what_it_names_of_the_shared_modules_is_asked_in_the_folder(slug: str) -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in (GAMES / slug).glob("*.py"))

    for name in named_in_map(slug):
        if name.startswith("games."):
            folder, _, module = name.rpartition(".")
            assert find_spec(name) is not None
            assert re.search(
                rf"^from ({name} import|{folder} import .*\b{module}\b)", code, re.MULTILINE
            )
