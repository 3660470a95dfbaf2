"""Every rule that is written down is put to a test, and the test says so.

A test cites a rule in its name (``test_r5_a6_...``) or, as it is written in RULES.md,
anywhere in its own lines; so does a vector. What holds in every game is
tested for all of them at once.
"""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import games
from games import catalogue

TESTS = Path(__file__).parent
VECTORS = TESTS.parent / "vectors"
NUMBER = r"(?:[RES]|[A-Z]-)\d+"


def rules(slug: str) -> list[str]:
    """Return the number of every rule of a game, in order: it stands in bold there."""
    text = (Path(games.__file__).parent / slug / "RULES.md").read_text(encoding="utf-8")
    return re.findall(rf"\*\*({NUMBER})\*\*", text)


def cited_by_tests(slug: str) -> set[str]:
    """Return what the tests of a game cite."""
    return {
        cited
        for path in [*(TESTS / slug).glob("test_*.py"), *TESTS.glob("test_every_*.py")]
        for name, lines in each_test(path.read_text(encoding="utf-8"))
        for cited in cited_in_name(name) | cited_in(lines)
    }


def each_test(source: str) -> Iterator[tuple[str, str]]:
    """Yield every test: its name, and its lines with those of its parameters."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            first = min([node.lineno, *(part.lineno for part in node.decorator_list)])
            yield node.name, "\n".join(source.splitlines()[first - 1 : node.end_lineno])


def cited_in_name(name: str) -> set[str]:
    """Return the rules in a test's name, where a hyphen cannot be.

    >>> sorted(cited_in_name("test_r5_a6_everybody_bids_once"))
    ['A-6', 'R5']
    """
    return {
        f"{letter.upper()}{'' if letter in 'res' else '-'}{number}"
        for letter, number in re.findall(r"(?<=_)([a-z])(\d+)(?=_|$)", name)
    }


def cited_in(lines: str) -> set[str]:
    """Return the rules that are named in these lines.

    >>> sorted(cited_in("R5, A-6 and S11c, but neither B10 nor 7S1"))
    ['A-6', 'R5', 'S11']
    """
    return set(re.findall(rf"\b({NUMBER})[a-z]?\b", lines))


def cited_by_vectors(slug: str) -> set[str]:
    """Return what the vectors of a game cite."""
    vectors = json.loads((VECTORS / f"{slug}.json").read_text(encoding="utf-8"))
    return {
        cited
        for each in vectors
        for cited in cited_in(
            f"{each['id'].rpartition('.')[0]} {each.get('rule', '')} {each['why']}"
        )
    }


@pytest.mark.parametrize("slug", catalogue.GAMES)
def test_every_rule_is_cited_by_a_test(slug: str) -> None:
    numbers = rules(slug)
    cited = cited_by_tests(slug) | cited_by_vectors(slug)

    assert len(numbers) == len(set(numbers)) > 20
    assert [number for number in numbers if number not in cited] == []


def test_a_rule_that_no_test_names_is_found_out() -> None:
    source = """
@pytest.mark.parametrize("case", ["R7"])
def test_r5_a6_who_bids(case):
    assert case  # S11c

def helps_with_r8(): ...
"""
    ((name, lines),) = each_test(source)

    assert cited_in_name(name) == {"R5", "A-6"}
    assert cited_in(lines) == {"R7", "S11"}
