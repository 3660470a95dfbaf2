"""The rulebook: every rule and every section of every game can be looked up."""

import re

import pytest

from games.cli.rulebook import contents, look_up
from games.markdown import items_with_terms
from games.rule_book import parse_rule_book, read_rule_book
from tests.games.cli.keyboard import Type
from tests.games.hands import PLAYED


@pytest.mark.every_game
@pytest.mark.parametrize("slug", PLAYED)
def test_every_rule_can_be_looked_up(slug: str) -> None:
    book = read_rule_book(slug)
    for rule in (rule for section in book for rule in items_with_terms(section.blocks)):
        first, *others = look_up(book, rule.term.lower(), 80)
        assert first.startswith(f"- {rule.term} ")
        assert all(line.startswith(" ") or not line for line in others)
    for section in contents(book):
        title, *lines = look_up(book, section, 80)
        assert title == section
        assert lines[-1]
    assert look_up(book, "all", 80)[0].endswith("the rules these engines go by")
    assert look_up(book, "zz", 80) == []


@pytest.mark.every_game
@pytest.mark.parametrize("slug", PLAYED)
def test_the_rules_are_laid_out_for_the_screen(slug: str) -> None:
    for width in (60, 80, 100):
        shown = look_up(read_rule_book(slug), "all", width)
        assert max(map(len, shown)) <= width
        assert not [line for line in shown if re.search(r"\||\*Literal|\*\*|`", line)]
        assert not [line for line in shown if line.endswith(("Literal.", "Custom.", "Reading."))]


def test_a_rule_goes_on_under_its_number_and_a_table_has_columns() -> None:
    book = parse_rule_book(
        "## Play\n\n- **R1** One *two* three four\n  five six. *Literal.*\n\n  | mode | people |\n  |---|---|\n"
        "  | 2i | two |\n  | 4t2 | two pairs of two |\n  | 5i | |\n- **R2** Seven.\n  - A\n"
    )
    assert look_up(book, "play", 24) == [
        "Play",
        "",
        "- R1 One two three four",
        "  five six.",
        "",
        "  mode  people",
        "  2i    two",
        "  4t2   two pairs of two",
        "  5i",
        "",
        "- R2 Seven.",
        "  - A",
    ]


@pytest.mark.every_game
@pytest.mark.parametrize("slug", PLAYED)
def test_how_to_play_and_a_rule_are_shown_without_a_table(
    slug: str, typing: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "70")
    code, shown = typing(f"rules {slug}")
    assert code == 0
    assert max(map(len, shown.splitlines())) <= 70
    assert not re.search(r"\[\[|{#|\*\*|`", shown)
    assert typing(f"rules {slug} r1")[1].startswith("- R1 ")
    code, refused = typing(f"rules {slug} of poker")
    assert (code, "nothing under “of poker”" in refused) == (2, True)
