"""The rulebook: every rule and every section of every game can be looked up."""

import re

import pytest

from games.cli.rulebook import contents, look_up, rules_of
from tests.games.hands import PLAYED


@pytest.mark.every_game
@pytest.mark.parametrize("slug", PLAYED)
def test_every_rule_can_be_looked_up(slug: str) -> None:
    text = rules_of(slug)

    for number in re.findall(r"- \*\*([A-Z]-?\d+)\*\*", text):
        first, *others = look_up(text, number.lower())
        assert first.startswith(f"- {number} ")
        assert all(line.startswith(" ") or not line for line in others)
    for section in contents(text):
        title, *lines = look_up(text, section)
        assert title == section
        assert lines[-1]
    assert look_up(text, "all")[0].endswith("the rules these engines go by")
    assert look_up(text, "zz") == []
