"""What people read has typographic apostrophes and quotes: pages, sentences of the code, rule books."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]

STRAIGHT = re.compile(r"\w'\w|[a-z]s' [a-z]")


def docstrings(tree: ast.Module) -> set[int]:
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, owners) and node.body and isinstance(node.body[0], ast.Expr)
    }


def sentences(file: Path) -> Iterator[str]:
    """Yield what of a file people may read."""
    text = file.read_text(encoding="utf-8")
    match file.suffix:
        case ".py":
            tree = ast.parse(text)
            aside = docstrings(tree)
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and id(node) not in aside:
                    yield node.value if isinstance(node.value, str) else ""
        case ".html":
            # Not the words of its tags, such as 'this one'.
            yield from re.sub(r"{#.*?#}|'[\w-]+'", "", text, flags=re.DOTALL).splitlines()
        case ".md":
            prose = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)
            yield from (line.replace(' "', " s' a") for line in prose.splitlines())
        case _:
            yield from text.splitlines()


def test_no_apostrophe_is_straight() -> None:
    read = [
        *(ROOT / "templates").rglob("*.html"),
        *(ROOT / "games").rglob("*.py"),
        *(ROOT / "games").glob("*/*.md"),
        *(ROOT / "games").rglob("vectors.json"),
        *(
            file
            for file in (ROOT / "tests/toy").rglob("*")
            if file.is_file() and file.suffix != ".pyc"
        ),
        *(file for file in (ROOT / "tracker").rglob("*.py") if "migrations" not in file.parts),
    ]

    assert len(read) > 500
    assert [
        (file.name, sentence.strip())
        for file in read
        for sentence in sentences(file)
        if STRAIGHT.search(sentence)
    ] == []
