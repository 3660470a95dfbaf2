"""What is installed is pinned, with hashes; and known holes in it are found."""

import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.architecture.test_imports import imports
from tests.audit import PINS, judge
from tests.serving import ROOT

FOLDERS = (".", "tests", ".ci")
OURS = {"games", "tracker", "tests"}
# Measured beside ours by hand, and installed for that alone: what is imported there says so.
BY_HAND = {"py4swiss", "pyspiel", "waitress", "gunicorn"}


def lines(file: Path) -> Iterator[tuple[Requirement, int]]:
    """Yield every pin with its number of hashes."""
    for block in re.split(r"\n(?=\S)", file.read_text(encoding="utf-8")):
        if not block.startswith("#"):
            hashes = len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", block))
            yield Requirement(block.partition("\\")[0]), hashes


def pins(file: Path) -> dict[str, tuple[str, int]]:
    """Return version and number of hashes by package."""
    pinned: dict[str, tuple[str, int]] = {}
    for wanted, hashes in lines(file):
        (pin,) = wanted.specifier
        assert pin.operator == "=="
        pinned[canonicalize_name(wanted.name)] = pin.version, hashes
    return pinned


def asked(file: Path) -> list[Requirement]:
    """Return what a file asks for itself."""
    lines = (line.partition(" #")[0] for line in file.read_text(encoding="utf-8").splitlines())
    return [Requirement(line) for line in lines if line and not line.startswith(("#", "-"))]


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_pin_has_its_hashes_and_is_what_was_asked_for(folder: str) -> None:
    compiled = ROOT / folder / "requirements.txt"
    pinned = pins(compiled)

    assert [name for name, (_, hashes) in pinned.items() if not hashes] == []
    for wanted in asked(compiled.with_suffix(".in")):
        assert str(wanted.specifier) == f"=={pinned[canonicalize_name(wanted.name)][0]}"
    assert "://" not in compiled.read_text(encoding="utf-8")


def test_tests_have_what_the_site_has() -> None:
    site, tests = (pins(ROOT / folder / "requirements.txt") for folder in FOLDERS[:2])

    assert site.items() <= tests.items()


@pytest.mark.parametrize("folder", FOLDERS[:2])
def test_whatever_those_packages_ask_for_is_pinned_as_it_is_installed(folder: str) -> None:
    """Where a package lacks its pin, or the pin an extra, ``pip`` refuses the whole file.

    Without the extra it does so only once there is a newer release.
    """
    file = ROOT / folder / "requirements.txt"
    pinned = pins(file)
    extras = {canonicalize_name(pin.name): pin.extras for pin, _ in lines(file)}
    waiting, seen = asked(file.with_suffix(".in")), set()

    while waiting:
        wanted = waiting.pop()
        assert wanted.extras <= extras[canonicalize_name(wanted.name)], wanted
        for extra in {"", *wanted.extras}:
            key = canonicalize_name(wanted.name), extra
            if key in seen:
                continue
            seen.add(key)
            installed = metadata.distribution(wanted.name)
            assert pinned[key[0]][0] == installed.version, key[0]
            needs = map(Requirement, installed.requires or ())
            waiting += [
                need for need in needs if not need.marker or need.marker.evaluate({"extra": extra})
            ]


@pytest.mark.parametrize(
    ("folder", "packages"), [(".", ("tracker", "games")), ("tests", ("tests",))]
)
def test_whatever_is_imported_is_pinned(folder: str, packages: tuple[str, ...]) -> None:
    pinned = pins(ROOT / folder / "requirements.txt")
    of_module = metadata.packages_distributions()
    known = OURS | BY_HAND | sys.stdlib_module_names

    missing = {
        module: str(path.relative_to(ROOT))
        for package in packages
        for path, module, _ in imports(ROOT / package)
        if (first := module.split(".")[0]) not in known
        and not {canonicalize_name(name) for name in of_module.get(first, ())} & pinned.keys()
    }

    assert missing == {}


# The audit ------------------------------------------------------------------------------------

KNOWN = {"name": "cards", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}]}
SOUND = {"name": "table", "version": "2.0", "vulns": []}
SKIPPED = {"name": "chair", "skip_reason": "Dependency not found"}


@pytest.mark.parametrize(
    ("packages", "verdict"),
    [
        (
            [KNOWN, SOUND],
            (True, "cards 1.0: PYSEC-1, mended in 1.1\nPackages audited: 2."),
        ),
        ([SOUND], (False, "Packages audited: 1.")),
        (
            [SOUND, SKIPPED],
            (False, "Packages audited: 1, not known to the service: 1."),
        ),
    ],
)
def test_an_audit_fails_on_what_is_known(
    packages: list[dict[str, object]], verdict: tuple[bool, str]
) -> None:
    assert judge(packages) == verdict


@pytest.mark.parametrize(
    "printed",
    ['{"dependencies": [{"name": "chair", "skip_reason": "not found"}]}', "", "Traceback"],
    ids=["nothing known", "silent", "broken"],
)
def test_a_service_that_is_not_reached_is_said_in_one_line(printed: str) -> None:
    done = audited(f"print({printed!r})")

    assert done.returncode == 0
    assert done.stdout == (
        "The advisory service cannot be reached from here: nothing was audited.\n"
    )


def test_a_known_hole_ends_the_audit_with_an_error() -> None:
    code = f"import json, sys; print(json.dumps({{'dependencies': [{KNOWN!r}]}})); sys.exit(1)"

    done = audited(code)

    assert (done.returncode, done.stdout.splitlines()[0]) == (
        1,
        "cards 1.0: PYSEC-1, mended in 1.1",
    )


def audited(instead: str) -> subprocess.CompletedProcess[str]:
    """Run the audit with a program that speaks as pip-audit does."""
    assert all((ROOT / file).exists() for file in PINS)
    return subprocess.run(
        [sys.executable, "-m", "tests.audit", sys.executable, "-c", instead],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_hooks_run_the_pinned_tools_of_the_environment() -> None:
    """So no version stands in a second place."""
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    pinned = pins(ROOT / "tests/requirements.txt")
    system = re.findall(r"entry: (\S+).*\n +language: system\n", hooks)

    assert re.findall(r"repo: (.+)", hooks) == ["local"]
    assert set(system) == {"ruff", "djade"} <= set(pinned)
    assert len(re.findall(r"language: ", hooks)) == len(system) + hooks.count("language: pygrep")
    target = re.findall(r"--target-version (\S+)", hooks)
    assert target == re.findall(r"--target-version (\S+)", (ROOT / ".ci/run").read_text("utf-8"))


def test_actions_are_pinned_and_call_what_is_called_by_hand() -> None:
    workflow = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
    used = re.findall(r"uses: (\S+)", workflow)

    assert used
    assert [action for action in used if not re.fullmatch(r"[\w/-]+@v\d+\.\d+\.\d+", action)] == []
    assert ".ci/run\n" in workflow
