"""The documents and docstrings are true: their commands run, their paths exist, their examples hold."""

import doctest
import importlib
import importlib.util
import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from django.test import Client

import games
import tests
import tracker
from tests import machine
from tests.drilled import FULL
from tests.postgresql import cluster
from tests.serving import PATIENCE, ROOT, beside, copy_code, furnish, start

README = ROOT / "README.md"
DOCUMENTS = (
    README,
    ROOT / ".github/CONTRIBUTING.md",
    *sorted((ROOT / "tracker/docs").glob("*.md")),
)
WITH_PATHS = (*DOCUMENTS, ROOT / "games/RECORDS.md")
OURS = ("games", "tracker", "tests", "templates", ".ci", ".github", ".readme")

# Commands ----------------------------------------------------------------------------------------

RUNNABLE = re.compile(
    r"^(\w+=\S+ )*(echo .*\| )?(\.venv/bin/)?(python3?|manage\.py|pytest|pg_\w+|createdb|litestream(?= )) ?"
)
OF_POSTGRESQL = (
    "tests/drills/test_earlier_version.py::"
    "test_a_backup_of_an_earlier_version_is_restored_and_its_pages_open"
)
OF_LITESTREAM = (
    "tests/drills/test_continuous_copy.py::test_a_lost_folder_and_an_undone_hand_come_back"
)
# What takes too long here, or goes on until Ctrl-C: the test or script that runs it.
ELSEWHERE = {
    "python3 -m venv .venv": ".ci/run",
    "python -m pytest": ".ci/run",
    "python manage.py serve": "tests/drills/test_serve.py::test_ctrl_c_ends_it_cleanly",
    "python manage.py serve --host 127.0.0.1": "tests/drills/test_serve.py::test_ctrl_c_ends_it_cleanly",
    "python manage.py serve --demo": "tests/browser/shots.py::_open",
    "python -m pytest -n0 -m every_game": (
        "tests/test_fifth_game.py::test_one_folder_and_one_line_make_a_game"
    ),
    'createdb --maintenance-db="$DATABASE_URL" restored': OF_POSTGRESQL,
    'pg_restore --exit-on-error --no-owner --no-privileges --dbname="$DATABASE_URL" kula.dump': (
        OF_POSTGRESQL
    ),
    "litestream replicate -config litestream.yml": OF_LITESTREAM,
    "litestream restore -config litestream.yml -timestamp 2026-11-20T20:15:00Z .kula/kula.sqlite3": (
        OF_LITESTREAM
    ),
    "python manage.py send_webhooks": (
        "tests/drills/test_webhooks.py::"
        "test_the_command_waits_for_its_database_and_ends_when_asked_to"
    ),
    "python -m tests.drills.cluster": "tests/drills/test_failover.py::test_the_leader_is_lost_and_no_hand",
    "python -m tests.drills.failover kill hang switchover schema": (
        "tests/drills/test_failover.py::test_the_leader_is_lost_and_no_hand"
    ),
    "python -m tests.drills.fuzz --cases 10000 --seed 3": (
        "tests/drills/test_fuzz.py::test_no_odd_request_ends_in_a_5xx_or_changes_a_row_when_refused"
    ),
}
# Run before a change lands.
LONG = {"python -m tests.measures", "python -m tests.browser.shots --main"}
CLUB = """
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from tests import make
club = make.club("Upanga")
"""
EVENING = f"""
{CLUB}
table = make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament(hands=8, club=club))
make.report(table, {{"eaten": [70, 50]}})
"""
RESULTS = "round,table,hand,dealer,eaten A,eaten B\n1,1,2,,60,60\n"


def written_commands(text: str) -> Iterator[str]:
    """Yield what a document shows to be typed: lines of code blocks, and inline code."""
    for nth, part in enumerate(re.split(r"^ *```.*\n", text, flags=re.MULTILINE)):
        if nth % 2:
            yield from (one.strip() for line in part.splitlines() for one in line.split(" && "))
        else:
            yield from (" ".join(code.split()) for code in re.findall(r"`([^`]+)`", part))


def commands() -> list[str]:
    """Return every command of the documents once, in their order, as with ``.venv`` activated."""
    found = {}
    for document in DOCUMENTS:
        for written in written_commands(document.read_text(encoding="utf-8")):
            if RUNNABLE.match(written):
                command = written.removeprefix(".venv/bin/")
                found[re.sub(r"^(?=manage\.py)", "python ", command)] = True
    return [command for command in found if command not in {"python manage.py", "pytest"}]


def environment(data: Path, **more: str) -> dict[str, str]:
    """Return the environment of somebody at a terminal with ``.venv`` activated."""
    usual = beside(data, DATABASE_URL="", PYTHONWARNINGS="", **more)
    programs = (Path(sys.executable).parent, machine.postgresql(), usual["PATH"])
    usual["PATH"] = os.pathsep.join(map(str, programs))
    return {name: value for name, value in usual.items() if not name.startswith("PYTEST")}


def run(command: str | list[str], code: Path, given: dict[str, str]) -> str:
    """Run a command in the copy of the code, and return what it failed with, or nothing."""
    done = subprocess.run(
        command if isinstance(command, list) else ["bash", "-c", command],
        cwd=code,
        env=given,
        capture_output=True,
        text=True,
        check=False,
        input="yes\n",
        timeout=20 * PATIENCE,
    )
    failed = done.returncode or "Traceback" in done.stderr
    return f"{done.returncode}\n{done.stdout[-2_000:]}{done.stderr[-2_000:]}" if failed else ""


def test_every_command_runs(tmp_path: Path) -> None:
    """They run one after another in a copy of the code, beside a club with an evening."""
    machine.msgfmt()
    code = copy_code(tmp_path / "kula")
    here, elsewhere = (tmp_path / name for name in ("here", "elsewhere"))
    for data, scene in ((here, EVENING), (elsewhere, CLUB)):
        furnish(data, "kula.sqlite3")
        assert run([sys.executable, "-c", scene], code, environment(data)) == ""
    (code / "results.csv").write_text(RESULTS, encoding="utf-8")

    failed = {}
    with cluster() as url:
        on_postgresql = environment(here) | {"DATABASE_URL": url}
        assert run("python manage.py migrate --verbosity=0", code, on_postgresql) == ""
        for command in commands():
            if command in ELSEWHERE or (command in LONG and not FULL):
                continue
            given = environment(elsewhere if "import_tournament" in command else here)
            if "$DATABASE_URL" in command:
                given = on_postgresql
            # Of tests it is tried which they choose: they run by themselves.
            collected = f"{command} --collect-only -q" if "pytest" in command else command
            if why := run(collected, code, given):
                failed[command] = why

    assert failed == {}


def test_what_is_said_to_run_elsewhere_does() -> None:
    shown = set(commands())

    assert set(ELSEWHERE) | LONG <= shown
    for command, where in ELSEWHERE.items():
        file, _, name = where.partition("::")
        source = (ROOT / file).read_text(encoding="utf-8")
        if name:
            assert f"def {name}(" in source, command
            module = re.search(r"python -m (\S+)", command)
            assert module is None or importlib.util.find_spec(module[1]), command
        else:
            assert command.removeprefix("python ") in source, command


@pytest.mark.skipif(not FULL, reason="with KULA_DRILLS=full: it installs everything anew")
def test_the_command_that_opens_the_club_does_so_in_a_fresh_copy(tmp_path: Path) -> None:
    (line,) = re.findall(r"^python3 -m venv .* serve$", README.read_text("utf-8"), re.MULTILINE)
    code = copy_code(tmp_path / "kula")
    installs, _, serves = line.rpartition(" && ")
    given = environment(tmp_path / "data")
    given["PATH"] = os.environ["PATH"]

    assert run(installs, code, given) == ""
    assert serves == ".venv/bin/python manage.py serve"
    site = start(tmp_path / "data", code=code, python=code / ".venv/bin/python", anew=True)
    try:
        site.wait_until_said("/first/")
    finally:
        assert site.close() == 0


# Paths, addresses and names ----------------------------------------------------------------------

SUFFIXES = (".py", ".md", ".txt", ".json", ".in", ".toml", ".png", ".yml", ".yaml")
# What a run or a keeper makes, a time zone, and an event of webhooks.
NO_PATHS = (".kula", ".venv", "litestream.yml", "Africa/", "results.in")


def links(text: str) -> list[str]:
    found = re.findall(r"\]\(([^)#\s]+)|src=\"([^\"]+)\"", text)
    return [link for pair in found for link in pair if link and "://" not in link]


def named_paths(text: str) -> Iterator[str]:
    """Yield what stands in inline code and looks like a path in the repository."""
    for code in re.findall(
        r"`([^`\s]+)`", re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL)
    ):
        is_path = re.fullmatch(r"\.?[\w-]+(?:[./][\w.-]+)*/?", code)
        if is_path and not code.startswith(NO_PATHS) and ("/" in code or code.endswith(SUFFIXES)):
            yield code


def all_files() -> set[str]:
    listed = {path.name for top in OURS for path in (ROOT / top).rglob("*")}
    return listed | {path.name for path in ROOT.iterdir()}


def test_every_link_and_path_leads_somewhere() -> None:
    names, missing = all_files(), []
    for document in WITH_PATHS:
        text = document.read_text(encoding="utf-8")
        gone = [link for link in links(text) if not (document.parent / link).exists()]
        for path in named_paths(text):
            places = (ROOT / path, document.parent / path)
            known = any(place.exists() for place in places) or ("/" not in path and path in names)
            gone += [] if known else [path]
        missing += [f"{document.name}: {path}" for path in gone]

    assert missing == []


@pytest.mark.django_db
def test_every_address_leads_somewhere(client: Client) -> None:
    texts = [document.read_text(encoding="utf-8") for document in DOCUMENTS]
    addresses = {address for text in texts for address in re.findall(r"`(/[\w/-]+/)`", text)}

    assert {"/guide/", "/keeping/", "/health/"} <= addresses
    assert [each for each in addresses if client.get(each).status_code == 404] == []


def test_every_class_that_is_named_is_there() -> None:
    sources = [path for top in ("games", "tracker") for path in (ROOT / top).rglob("*.py")]
    words = {word for path in sources for word in re.findall(r"\w+", path.read_text("utf-8"))}
    named = {
        name
        for document in DOCUMENTS
        for name in re.findall(r"`([A-Z][a-z]+[A-Za-z]*)`", document.read_text(encoding="utf-8"))
    }

    assert len(named) > 20
    assert named <= words


def test_the_readme_has_every_package_in_its_tree() -> None:
    text = README.read_text(encoding="utf-8")
    (tree,) = re.findall(r"^games/  .*?(?=^```)", text, re.MULTILINE | re.DOTALL)
    shown = set(re.findall(r"([\w]+)/", tree))
    folders = {
        top: {path.name for path in (ROOT / top).iterdir() if path.is_dir()} - {"__pycache__"}
        for top in ("games", "tracker", "tests", "templates")
    }
    games_that_share = {"play", "bots", "records", "cli"}

    assert folders["tracker"] - {"locale"} <= shown
    assert games_that_share <= shown
    assert shown <= set().union(*folders.values(), folders, {"server"})
    assert len(text.splitlines()) <= 150


def test_a_decision_has_at_most_three_lines() -> None:
    text = (ROOT / "tracker/docs/decisions.md").read_text(encoding="utf-8")
    entries = re.findall(r"^- .*(?:\n  .*)*", text, re.MULTILINE)

    assert len(entries) > 50
    assert [entry for entry in entries if entry.count("\n") > 2] == []


def test_the_newest_version_of_the_changelog_is_this_one() -> None:
    text = (ROOT / "tracker/docs/changelog.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## (\d+\.\d+\.\d+) \(.+\)$", text, re.MULTILINE)

    assert versions[0] == tracker.VERSION
    assert len(versions) == len(re.findall(r"^## ", text, re.MULTILINE))


# Docstrings --------------------------------------------------------------------------------------


def with_examples(package: ModuleType) -> Iterator[str]:
    """Yield the name of every module below *package* that shows an example."""
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        spec = module.module_finder.find_spec(module.name, None)
        source = Path(spec.origin).read_text(encoding="utf-8") if spec and spec.origin else ""
        if any(line.lstrip().startswith(">>> ") for line in source.splitlines()):
            yield module.name


@pytest.mark.parametrize(
    "name", [name for package in (games, tracker, tests) for name in with_examples(package)]
)
def test_what_a_docstring_shows_is_what_happens(name: str) -> None:
    tried = doctest.testmod(importlib.import_module(name))

    assert tried.attempted > 0
    assert tried.failed == 0
