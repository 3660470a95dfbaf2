"""The examples in the docstrings of the engines, the site and the tests are true."""

import doctest
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import games
import tests
import tracker


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
