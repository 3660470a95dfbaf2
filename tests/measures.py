"""How large and how tangled the code of a commit is: ``python -m tests.measures [COMMIT]``.

It reads ``tracker/`` and ``games/`` without migrations. What a report and a page of standings
enter is counted the second time they are asked for, when nothing is read for the first time.
"""

import argparse
import ast
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
ENTERED = Path(__file__).with_name("entered.py")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
RIDDLE = re.compile(r"\b(whoever|somebody|nobody|whom|anew|of which|as if)\b", re.IGNORECASE)


def sources(root: Path) -> list[Path]:
    """Return the modules of the product that are not empty, by path."""
    found = [path for top in ("tracker", "games") for path in (root / top).rglob("*.py")]
    kept = (path for path in found if "migrations" not in path.parts)
    return sorted(path for path in kept if path.read_text("utf-8").strip())


def imports_of(tree: ast.Module, known: set[str]) -> Iterator[str]:
    """Yield the modules of the product that a module imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                below = f"{node.module}.{alias.name}"
                yield from (name for name in (below, node.module) if name in known)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)


def measured(root: Path) -> dict[str, str]:
    """Return each measure of a tree by what it is called."""
    paths = sources(root)
    trees = {path: ast.parse(path.read_text("utf-8")) for path in paths}
    lines = {path: path.read_text("utf-8").count("\n") for path in paths}
    names = {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path
        for path in paths
    }
    importers: Counter[str] = Counter()
    for name, path in names.items():
        importers.update({*imports_of(trees[path], {*names})} - {name})
    functions = once = dataclasses = heads = riddles = 0
    classes: Counter[str] = Counter()
    for tree in trees.values():
        nodes = [*ast.walk(tree)]
        used = Counter(node.id for node in nodes if isinstance(node, ast.Name))
        used.update(node.attr for node in nodes if isinstance(node, ast.Attribute))
        for node in nodes:
            if isinstance(node, DOCUMENTED) and (text := ast.get_docstring(node)):
                heads += 1
                riddles += bool(RIDDLE.search(text.split("\n\n")[0]))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                functions += 1
                private = node.name.startswith("_") and not node.name.endswith("__")
                once += private and used[node.name] == 1
            elif isinstance(node, ast.ClassDef):
                classes[node.name] += node.name not in {"Meta", "Command", "Media"}
                dataclasses += any("dataclass" in ast.unparse(d) for d in node.decorator_list)
    of_part = {
        top: sum(number for path, number in lines.items() if path.relative_to(root).parts[0] == top)
        for top in ("tracker", "games")
    }
    single = sum(importers[name] == 1 for name in names)
    twice = sum(number > 1 for number in classes.values())
    return {
        "lines": f"{sum(lines.values())} (tracker {of_part['tracker']}, games {of_part['games']})",
        "modules": str(len(paths)),
        "of these in tracker": str(sum(path.is_relative_to(root / "tracker") for path in paths)),
        "modules with a single importer": str(single),
        "private helpers called once": f"{once} of {functions} functions ({once / functions:.0%})",
        "dataclasses": str(dataclasses),
        "docstring heads that are riddles": f"{riddles} of {heads} ({riddles / heads:.1%})",
        "class names used twice": f"{twice} of {len([n for n in classes.values() if n])}",
    }


def environment(root: Path) -> dict[str, str]:
    """Return the environment of a process that imports the code of that folder."""
    return {**os.environ, "PYTHONPATH": str(root), "DJANGO_SETTINGS_MODULE": "tests.settings"}


def entered(root: Path) -> Iterator[tuple[str, str]]:
    """Yield what a report and a page of standings enter in a tree."""
    command = [sys.executable, "-P", str(ENTERED)]
    done = subprocess.run(
        command,
        cwd=root,
        env=environment(root),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    for line in done.stdout.splitlines():
        name, modules, functions = line.split()
        yield f"entered by: {name}", f"{modules} modules, {functions} functions"


@contextmanager
def tree_of(commit: str | None) -> Iterator[Path]:
    """Give the folder with the code of a commit, or that which lies here."""
    if not commit:
        yield ROOT
        return
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(
            ["git", "archive", commit], cwd=ROOT, stdout=subprocess.PIPE, check=True
        )
        subprocess.run(["tar", "-x"], cwd=folder, input=packed.stdout, check=True)
        yield Path(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit", nargs="?", help="by default what lies here")
    with tree_of(parser.parse_args().commit) as root:
        for name, value in {**measured(root), **dict(entered(root))}.items():
            print(f"{name:32} {value}")


if __name__ == "__main__":
    main()
