"""Who may import whom: each contract holds, and each is seen to be caught when it is broken."""

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from configparser import ConfigParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"
GAMES_NAMES = frozenset({"GAMES"})


# What import-linter is told in .importlinter ------------------------------------------------------


def verdicts(root: Path) -> dict[str, str]:
    """Return by contract whether it is KEPT or BROKEN."""
    outcome = subprocess.run(
        [sys.executable, "-c", LINT, "--no-cache"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    return dict(re.findall(r"^(.+) (KEPT|BROKEN)$", outcome.stdout, re.MULTILINE))


def contracts() -> set[str]:
    config = ConfigParser()
    config.read(ROOT / ".importlinter")
    return {config[name]["name"] for name in config.sections() if ":contract:" in name}


@pytest.mark.every_game
def test_every_contract_is_kept() -> None:
    assert verdicts(ROOT) == dict.fromkeys(contracts(), "KEPT")


BREAKS = {
    "A subject asks only those below it": (
        "tracker/people/services/players.py",
        "import tracker.standings.queries.seasons",
    ),
    "Within a subject a layer asks only those below it": (
        "tracker/standings/services/seasons.py",
        "import tracker.standings.pages.seasons",
    ),
    "Below the forms nobody sees a request": (
        "tracker/standings/queries/seasons.py",
        "import tracker.common.web.access",
    ),
    "Games know neither Django nor the site": ("games/figures.py", "import django"),
    "Scoring does without play": ("games/dalmuti/scoring.py", "import games.dalmuti.play.rules"),
    "The logic of a subject does without Django": (
        "tracker/standings/logic/ranking.py",
        "import django",
    ),
    "Migrations change tables, not people's data by way of services": (
        "tracker/migrations/0001_tables.py",
        "import tracker.common.audit_log",
    ),
}


def test_every_contract_is_broken_once() -> None:
    assert set(BREAKS) == contracts()


@pytest.mark.parametrize("contract", BREAKS)
def test_a_broken_contract_is_caught(contract: str, tmp_path: Path) -> None:
    break_a_copy(tmp_path, *BREAKS[contract])

    assert verdicts(tmp_path) == dict.fromkeys(contracts(), "KEPT") | {contract: "BROKEN"}


# What import-linter cannot be told ----------------------------------------------------------------


def imports(folder: Path) -> Iterator[tuple[Path, str, str]]:
    """Yield every import below a folder: the file, the module, and the name taken from it."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from ((path, alias.name, "") for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                # A relative import has no place here: it is shown as what it is.
                module = "." * node.level + (node.module or "")
                yield from ((path, module, alias.name) for alias in node.names)


def folders(root: Path) -> set[str]:
    """Return the games, by their folders."""
    return {path.parent.name for path in (root / "games").glob("*/scoring.py")}


def of_game(module: str, name: str, games: set[str]) -> str | None:
    """Return the game's folder that an import reaches into, if it does."""
    first, *rest = [*module.split("."), name]
    return rest[0] if first == "games" and rest[0] in games else None


def beyond_the_standard_library(root: Path) -> list[str]:
    """Games need nothing but the standard library."""
    known = {"games", *sys.stdlib_module_names}
    return [
        f"{path.relative_to(root)}: {module}"
        for path, module, _ in imports(root / "games")
        if module.split(".")[0] not in known
    ]


def among_games(root: Path) -> list[str]:
    """A game sees no other game, and not the catalogue; what games share sees none of them."""
    games = folders(root)
    heads = {"catalogue", "__main__"}  # they are there to see all games
    wrong = []
    for path, module, name in imports(root / "games"):
        own = path.relative_to(root / "games").parts[0]
        other = of_game(module, name, games)
        catalogued = own in games and "catalogue" in (*module.split("."), name)
        if catalogued or (other not in {None, own} and Path(own).stem not in heads):
            wrong.append(f"{path.relative_to(root)}: {module} {name}".rstrip())
    return wrong


def past_the_catalogue(root: Path) -> list[str]:
    """The site reaches a game only through the catalogue, and looks it up when it is asked."""
    games = folders(root)
    return [
        f"{path.relative_to(root)}: {module} {name}".rstrip()
        for path, module, name in imports(root / "tracker")
        if of_game(module, name, games)
        or (module == "games.catalogue" and name in GAMES_NAMES)
        or module.startswith(("games.cli", "games.__main__"))
    ]


def requests_below_pages(root: Path) -> list[str]:
    """No service, no query and no model sees a request."""
    below = {"services", "queries", "logic", "models", "tables"}
    return [
        f"{path.relative_to(root)}: {module} {name}".rstrip()
        for path, module, name in imports(root / "tracker")
        if below & {Path(part).stem for part in path.relative_to(root).parts[1:3]}
        if module.startswith(("django.http", "django.shortcuts"))
        or (module, name) in {("django", "http"), ("django", "shortcuts")}
    ]


Rule = Callable[[Path], list[str]]
RULES: tuple[tuple[Rule, str, str], ...] = (
    (beyond_the_standard_library, "games/dalmuti/cards.py", "import hypothesis"),
    (among_games, "games/dalmuti/cards.py", "from games.albastini import cards"),
    (among_games, "games/dalmuti/cards.py", "from games import briscola"),
    (among_games, "games/dalmuti/cards.py", "from games import catalogue"),
    (among_games, "games/sheet.py", "import games.mambassa"),
    (past_the_catalogue, "tracker/common/audit_log.py", "import games.albastini.cards"),
    (past_the_catalogue, "tracker/common/audit_log.py", "from games import dalmuti"),
    (past_the_catalogue, "tracker/common/audit_log.py", "from games.catalogue import GAMES"),
    (
        requests_below_pages,
        "tracker/standings/queries/sums.py",
        "from django.http import HttpRequest",
    ),
    (requests_below_pages, "tracker/standings/services/seasons.py", "from django import shortcuts"),
)


@pytest.mark.every_game
@pytest.mark.parametrize("rule", dict.fromkeys(rule for rule, _, _ in RULES))
def test_every_rule_is_kept(rule: Rule) -> None:
    assert rule(ROOT) == []


@pytest.mark.parametrize(("rule", "file", "line"), RULES)
def test_a_broken_rule_is_caught(rule: Rule, file: str, line: str, tmp_path: Path) -> None:
    break_a_copy(tmp_path, file, line)

    assert [sentence.split(":")[0] for sentence in rule(tmp_path)] == [file]


def break_a_copy(copy: Path, file: str, line: str) -> None:
    """Copy the code, and add a line to one file of it."""
    only_code = shutil.ignore_patterns("static", "locale", "__pycache__", "*.md")
    for package in ("games", "tracker"):
        shutil.copytree(ROOT / package, copy / package, ignore=only_code)
    shutil.copy(ROOT / ".importlinter", copy)
    with (copy / file).open("a", encoding="utf-8") as broken:
        broken.write(f"\n{line}\n")
