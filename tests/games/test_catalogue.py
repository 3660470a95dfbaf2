from pathlib import Path

import pytest

import games
from games import catalogue
from games.game import Game

pytestmark = pytest.mark.every_game


def test_every_folder_with_rules_is_in_the_catalogue() -> None:
    root = Path(games.__file__).parent
    folders = {rules.parent.name for rules in root.glob("*/RULES.md")}
    assert folders == set(catalogue.GAMES)


@pytest.mark.parametrize("slug", catalogue.GAMES)
def test_a_line_names_a_folder_whose_game_is_called_so(slug: str) -> None:
    game = catalogue.GAMES[slug]
    assert isinstance(game, Game)
    assert game.slug == slug


def test_games_are_offered_by_name() -> None:
    assert ("albastini", "Albastini") in catalogue.choices()
    assert [slug for slug, _ in catalogue.choices()] == list(catalogue.GAMES)
