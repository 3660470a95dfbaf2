"""Rulebook: looking something up in a game's RULES.md, at the table."""

import re
from pathlib import Path

import games

_RULE = re.compile(r"^(\s*)- \*\*([A-Z]-?\d+)\*\*")
_SECTION = re.compile(r"^#{2,3} (.+)")


def rules_of(slug: str) -> str:
    """Return the rules of a game as they are written down."""
    return (Path(games.__file__).parent / slug / "RULES.md").read_text(encoding="utf-8")


def contents(text: str) -> list[str]:
    """List what the rules have sections about."""
    return [title[1] for line in text.splitlines() if (title := _SECTION.match(line))]


def look_up(text: str, wanted: str) -> list[str]:
    """Return the rule of this number, or the section whose name begins like this, or nothing.

    ``all`` is everything.
    """
    lines = text.splitlines()
    sought = wanted.strip().lower()
    if sought == "all":
        return [_unmarked(line) for line in lines]
    for place, line in enumerate(lines):
        rule = _RULE.match(line)
        if rule and sought.replace("-", "") == rule[2].lower().replace("-", ""):
            return [_unmarked(each) for each in _rule(lines[place:], len(rule[1]))]
        section = _SECTION.match(line)
        if section and section[1].lower().startswith(sought):
            return [_unmarked(each) for each in _section(lines[place:])]
    return []


def _rule(lines: list[str], indent: int) -> list[str]:
    """Take a rule with all that hangs on it: up to the next line that is not deeper."""
    first, *others = lines
    end = next(
        (
            place
            for place, line in enumerate(others)
            if line.strip() and len(line) - len(line.lstrip()) <= indent
        ),
        len(others),
    )
    return [line[indent:] for line in _trimmed([first, *others[:end]])]


def _section(lines: list[str]) -> list[str]:
    first, *others = lines
    depth = first.index(" ")
    end = next(
        (
            place
            for place, line in enumerate(others)
            if line.startswith("#") and line.index(" ") <= depth
        ),
        len(others),
    )
    return _trimmed([first, *others[:end]])


def _trimmed(lines: list[str]) -> list[str]:
    while not lines[-1].strip():
        lines.pop()
    return lines


def _unmarked(line: str) -> str:
    """Return a line as people read it, without the marks of Markdown."""
    return re.sub(r"\*\*?|^#+ |`", "", line)
