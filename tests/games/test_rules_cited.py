"""Every rule that is written down is carried out in the code and put to a test, and both say so.

A test cites a rule in its name (``test_r5_a6_...``) or, as it is written in RULES.md,
anywhere in its own lines; so do a vector and the code. What holds in every game is
tested for all of them at once. Code that games share names the game whose rule it cites,
``Albastini R14``, unless all of them have a rule of that number.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import games
from games import catalogue
from tests.games.book import vectors

pytestmark = pytest.mark.every_game
TESTS = Path(__file__).parent
GAMES = Path(games.__file__).parent
NUMBER = r"(?<![\w-])(?:[RES]|[A-Z]-)\d+"
LETTERED = rf"{NUMBER}[a-z]?\b"
NAMED = rf"(?:\b([A-Z][a-z]+) )?({LETTERED}(?:(?:, | and ){LETTERED})*)"
NOT_IN_CODE = {"albastini": {"R15": "it says what the tests count"}}


def book(slug: str) -> str:
    return (GAMES / slug / "RULES.md").read_text(encoding="utf-8")


def rules(slug: str) -> list[str]:
    """Return the number of every rule of a game, in order: it stands in bold there."""
    return re.findall(rf"\*\*({NUMBER})\*\*", book(slug))


def list_items(slug: str) -> list[str]:
    """Return what every line of a game's rules begins with that is in bold in a list."""
    return re.findall(r"^ *- \*\*(.+?)\*\*", book(slug), re.MULTILINE)


def in_every_game() -> set[str]:
    return set.intersection(*(set(rules(slug)) for slug in catalogue.GAMES))


def source(path: Path) -> str:
    """Return what a module says, but for the numbers of the linter's rules."""
    return re.sub(r"# noqa: \S+", "", path.read_text(encoding="utf-8"))


def shared() -> str:
    """Return the code that belongs to no game."""
    modules = sorted(GAMES.rglob("*.py"))
    return "\n".join(
        source(path) for path in modules if path.relative_to(GAMES).parts[0] not in catalogue.GAMES
    )


def cited_by_code(slug: str) -> set[str]:
    """Return what the code of a game cites, and for this game what all of them share."""
    own = {cited for path in (GAMES / slug).rglob("*.py") for cited in cited_in(source(path))}
    common = {cited for cited in cited_of("", shared()) if cited in in_every_game()}
    named = cited_of(slug.capitalize(), shared())
    return own | common | named


def cited_of(game: str, lines: str) -> set[str]:
    """Return the rules that are named in these lines as those of one game, or of no one game.

    >>> lines = "Albastini R14, R16 and Briscola R7 (S2)"
    >>> sorted(cited_of("Albastini", lines)), cited_of("Briscola", lines), cited_of("", lines)
    (['R14', 'R16'], {'R7'}, {'S2'})
    """
    names = {slug.capitalize() for slug in catalogue.GAMES}
    return {
        cited
        for name, numbers in re.findall(NAMED, lines)
        for cited in cited_in(numbers)
        if game == (name if name in names else "")
    }


def cited_by_tests(slug: str) -> set[str]:
    """Return what the tests of a game cite, those of every game, and shared ones of this game."""
    own = cited_by_modules([*(TESTS / slug).glob("test_*.py"), *TESTS.glob("test_every_*.py")])
    others = [path for path in TESTS.glob("test_*.py") if path != Path(__file__)]
    return own.union(*(cited_of(slug.capitalize(), source(path)) for path in others))


def cited_by_modules(modules: Iterable[Path]) -> set[str]:
    return {
        cited
        for path in modules
        for name, lines in each_test(path.read_text(encoding="utf-8"))
        for cited in cited_in_name(name) | cited_in(lines)
    }


def each_test(text: str) -> Iterator[tuple[str, str]]:
    """Yield every test: its name, and its lines with those of its parameters."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            first = min([node.lineno, *(part.lineno for part in node.decorator_list)])
            yield node.name, "\n".join(text.splitlines()[first - 1 : node.end_lineno])


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

    >>> sorted(cited_in("R5, A-6 and S11c, but neither B10 nor 7S1 nor A-H-J-7"))
    ['A-6', 'R5', 'S11']
    """
    return set(re.findall(rf"({NUMBER})[a-z]?\b", lines))


def cited_by_vectors(slug: str) -> set[str]:
    """Return what the vectors of a game cite: each is named by the rule it shows."""
    return {
        cited
        for each in vectors(slug)
        for cited in cited_in(f"{each['id'].rpartition('.')[0]} {each['why']}")
    }


@pytest.mark.parametrize("slug", catalogue.GAMES)
def test_every_rule_is_cited_by_a_test(slug: str) -> None:
    numbers = rules(slug)
    cited = cited_by_tests(slug) | cited_by_vectors(slug)
    assert len(numbers) == len(set(numbers)) > 0
    assert [item for item in list_items(slug) if item not in numbers] == []
    assert [number for number in numbers if number not in cited] == []


@pytest.mark.parametrize("slug", catalogue.GAMES)
def test_every_rule_is_cited_by_the_code_that_carries_it_out(slug: str) -> None:
    cited = cited_by_code(slug) | set(NOT_IN_CODE.get(slug, {}))
    assert [number for number in rules(slug) if number not in cited] == []


@pytest.mark.parametrize("slug", catalogue.GAMES)
def test_every_rule_that_is_cited_is_written_down(slug: str) -> None:
    own_tests = cited_by_modules((TESTS / slug).glob("test_*.py"))
    cited = cited_by_code(slug) | own_tests | cited_by_vectors(slug) | cited_in(book(slug))
    assert sorted(cited - set(rules(slug))) == []


def test_code_that_games_share_names_the_game_unless_all_have_such_a_rule() -> None:
    assert sorted(cited_of("", shared()) - in_every_game()) == []


@pytest.mark.parametrize("slug", catalogue.GAMES)
def test_every_vector_is_named_by_the_rule_it_shows(slug: str) -> None:
    names = [each["id"] for each in vectors(slug)]
    assert len(set(names)) == len(names)
    assert [name for name in names if not re.fullmatch(rf"{NUMBER}[a-z]?\.\d+", name)] == []
