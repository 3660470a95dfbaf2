"""A fifth game is one folder and one line: the toy is made one in a clean copy of the code.

There it is held to whatever asks something of every game: the linter, the types, and the
tests with the mark ``every_game``; and, with ``KULA_DRILLS=full``, to all tests of the
engines and of the architecture that are not about another game.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from games import catalogue
from tests import toy
from tests.drilled import FULL, as_usual
from tests.serving import ROOT, copy_code

CATALOGUE = "games/catalogue.py"
ENGINES = ("tests/games", "tests/architecture")
OF_WORDS = "test_translatable.py"  # reads every page in two languages, as long as all others take


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the code, without what git does not keep, in which the toy is a game."""
    copied = copy_code(tmp_path / "kula")
    compiled = shutil.ignore_patterns("__pycache__")
    shutil.copytree(toy.FOLDER, copied / "games" / toy.GAME.slug, ignore=compiled)
    listed = (copied / CATALOGUE).read_text(encoding="utf-8")
    last = f'    "{[*catalogue.GAMES][-1]}",\n'
    added = listed.replace(last, f'{last}    "{toy.GAME.slug}",\n')
    assert len(added.splitlines()) == len(listed.splitlines()) + 1
    (copied / CATALOGUE).write_text(added, encoding="utf-8")
    return copied


def run(copy: Path, *command: str) -> None:
    """Run a tool in the copy, which must be content."""
    left_out = ("PYTEST", "KULA_DATA")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(left_out)}
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=copy,
        env=as_usual(environment),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-4_000:]


def asking() -> list[str]:
    """Return the files in which the mark stands; to read the others takes longer than the tests."""
    files = [file for file in (ROOT / "tests").rglob("test_*.py") if file != Path(__file__)]
    marked = [
        file
        for file in files
        if "every_game" in file.read_text(encoding="utf-8") and (FULL or file.name != OF_WORDS)
    ]
    return sorted(file.relative_to(ROOT).as_posix() for file in marked)


def test_one_folder_and_one_line_make_a_game(copy: Path) -> None:
    others = " and ".join(f"not {slug}" for slug in catalogue.GAMES)
    asked_of_it = ("-m", "every_game", "-k", others)

    run(copy, "ruff", "check", "--no-cache", "games")
    run(copy, "mypy", "--cache-dir", os.devnull, f"games/{toy.GAME.slug}", CATALOGUE)
    run(copy, "pytest", "-q", "-n0", "-p", "no:cacheprovider", *asked_of_it, *asking())
    if FULL:
        run(copy, "pytest", "-q", "-n0", "-p", "no:cacheprovider", "-k", others, *ENGINES)
