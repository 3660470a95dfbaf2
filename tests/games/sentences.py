"""Every sentence that the engines have for people, as it is written in their code."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import games


@cache
def sentences(*, told: bool = True) -> tuple[str, ...]:
    """Return what is marked for the translators anywhere in ``games``, each once.

    Not *told* leaves out the pages that tell how to play.
    """
    return tuple(sorted(set(_marked(told=told))))


def _marked(*, told: bool) -> Iterator[str]:
    for path in Path(games.__file__).parent.rglob("*.py"):
        if path.name == "how_to_play.py" and not told:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(ast.Name("gettext_noop"), [ast.Constant(str(sentence))]):
                    yield sentence
