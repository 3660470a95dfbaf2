"""Whatever takes something away has a copy made before: every service is named here, or is harmless."""

import ast
from collections.abc import Iterator
from pathlib import Path

TRACKER = Path(__file__).parents[2] / "tracker"
# What cannot be put right by a person on the pages in a minute, or only with much work.
DANGEROUS = {
    "undo_round",
    "restore_round",
    "reopen_round",
    "shorten_round",
    "merge_players",
    "unmerge",
    "erase_player",
    "import_players",
    "record_file",
    "undo_import",
    "record_result_type",
}
BY_COMMAND = {"record_file", "recount"}
DELETING = {"undo_import"}  # of those above, in a service of their own
KEEPS = {"copy_before_request", "copy_before", "copy_database_before"}


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def names_in(function: ast.FunctionDef) -> dict[str, int]:
    """Return every name that is read in a function, with the first line where it is."""
    lines: dict[str, int] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            lines[node.id] = min(lines.get(node.id, node.lineno), node.lineno)
    return lines


def asked_without_a_copy(source: str, names: set[str]) -> dict[str, set[str]]:
    """Return the functions that read one of *names* and make no copy above it."""
    uncopied = {}
    for function in functions(ast.parse(source)):
        lines = names_in(function)
        copied = min((lines[name] for name in KEEPS & set(lines)), default=None)
        bare = {
            name
            for name in names & set(lines)
            # What is chosen first is called below the copy: ``change = undo_round``.
            if copied is None or (copied > lines[name] and "change" not in lines)
        }
        if bare:
            uncopied[function.name] = bare
    return uncopied


def test_every_page_that_takes_something_away_makes_a_copy_first() -> None:
    seen: set[str] = set()
    bare = {}
    for file in sorted(TRACKER.rglob("*.py")):
        parts = file.relative_to(TRACKER).with_suffix("").parts
        if "pages" not in parts:
            continue
        source = file.read_text(encoding="utf-8")
        seen |= {name for each in functions(ast.parse(source)) for name in names_in(each)}
        if uncopied := asked_without_a_copy(source, DANGEROUS):
            bare["/".join(parts)] = uncopied

    assert bare == {}
    assert seen >= DANGEROUS


def test_so_does_every_command() -> None:
    seen: set[str] = set()
    for file in sorted((TRACKER / "management/commands").glob("*.py")):
        source = file.read_text(encoding="utf-8")
        seen |= {name for each in functions(ast.parse(source)) for name in names_in(each)}
        assert asked_without_a_copy(source, BY_COMMAND) == {}, file.name

    assert seen >= BY_COMMAND


def test_a_page_that_forgets_it_is_seen() -> None:
    forgets = "def page(request):\n    erase_player(player_id=1)\n"
    too_late = (
        "def page(request):\n    erase_player(player_id=1)\n    copy_before_request(request, '')\n"
    )
    keeps = (
        "def page(request):\n    copy_before_request(request, '')\n    erase_player(player_id=1)\n"
    )

    assert asked_without_a_copy(forgets, DANGEROUS) == {"page": {"erase_player"}}
    assert asked_without_a_copy(too_late, DANGEROUS) == {"page": {"erase_player"}}
    assert asked_without_a_copy(keeps, DANGEROUS) == {}


def test_no_service_deletes_what_cannot_be_had_again_unseen() -> None:
    """Rows of these are never deleted at all: a service that begins to has to be named above."""
    for file in sorted(TRACKER.rglob("*.py")):
        if "migrations" in file.parts:
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        if DELETING & {function.name for function in functions(tree)}:
            continue
        for node in ast.walk(tree):
            called = ast.unparse(node) if isinstance(node, ast.Call) else ""
            if called.endswith(".delete()"):
                rows = ("Tournament.", "Season.", "Hand.", "Report.", "Club.", "tournament.delete")
                assert not called.startswith(rows), f"{file.name}: {called}"
