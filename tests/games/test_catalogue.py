from pathlib import Path

import games
from games import catalogue


def test_every_folder_with_rules_is_in_the_catalogue() -> None:
    root = Path(games.__file__).parent

    folders = {rules.parent.name for rules in root.glob("*/RULES.md")}

    assert folders == set(catalogue.GAMES)


def test_games_are_offered_by_name() -> None:
    assert ("albastini", "Albastini") in catalogue.choices()
    assert [slug for slug, _ in catalogue.choices()] == list(catalogue.GAMES)
