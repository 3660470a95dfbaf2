"""The rulebook: every rule and every section of every game can be looked up."""

import re

import pytest

from games.cli.rulebook import contents, laid_out, look_up, rules_of
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


@pytest.mark.every_game
@pytest.mark.parametrize("slug", PLAYED)
@pytest.mark.parametrize("width", [60, 80, 100])
def test_the_rules_are_laid_out_for_the_screen(slug: str, width: int) -> None:
    shown = laid_out(look_up(rules_of(slug), "all"), width)

    assert max(map(len, shown)) <= width
    assert not [line for line in shown if "|" in line or "*Literal" in line]
    assert not [line for line in shown if line.endswith(("Literal.", "Custom.", "Reading."))]


def test_a_rule_goes_on_under_its_number_and_a_table_has_columns() -> None:
    lines = ["- R1 One two three four", "  five six.", "", "  | mode | people |", "  |---|---|"]
    lines += ["  | 2i | two |", "  | 4t2 | two pairs of two |", "- R2 Seven."]

    assert laid_out(lines, 24) == [
        "- R1 One two three four",
        "  five six.",
        "",
        "  mode  people",
        "  2i    two",
        "  4t2   two pairs of two",
        "- R2 Seven.",
    ]
