"""Every sentence that the engines have for people, as it is written in their code."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import games


@cache
def sentences() -> tuple[str, ...]:
    """Return what is marked for the translators anywhere in ``games``, each once."""
    return tuple(sorted(set(_marked())))


def _marked() -> Iterator[str]:
    for path in Path(games.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(ast.Name("gettext_noop" | "_"), [ast.Constant(str(sentence))]):
                    yield sentence
