"""Rulebook: looking something up in a game's RULES.md, at the table."""

import re
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from textwrap import wrap

import games

_RULE = re.compile(r"^(\s*)- \*\*([A-Z]-?\d+)\*\*")
# Where a rule comes from, said behind it: that is for whoever doubts it, not for a table.
_SOURCE = re.compile(r"\s*\*(?:Literal|Reading|Custom|Convention)\b[^*]+\*")
_NARROWEST = 20  # letters
_SECTION = re.compile(r"^#{2,3} (.+)")


def rules_of(slug: str) -> str:
    """Return the rules of a game as they are written down."""
    return (Path(games.__file__).parent / slug / "RULES.md").read_text(encoding="utf-8")


def contents(text: str) -> list[str]:
    """List what the rules have sections about."""
    return [title[1] for line in text.splitlines() if (title := _SECTION.match(line))]


def section_of_play(text: str) -> str:
    """Return what to type for the section that is asked for most: how it is played.

    It is the second: the first says what is played with.
    """
    return contents(text)[:2][-1].lower()


def overview(text: str) -> list[str]:
    """Say what the rules have sections about, and how one is looked up."""
    shows = f"“rules {section_of_play(text)}” shows the one of play"
    return [f"The rules have these sections ({shows}):", *(f"  {each}" for each in contents(text))]


def nothing_under(text: str, wanted: str) -> str:
    """Say that nothing is called so, and what there is."""
    return (
        f"The rules have nothing under “{wanted}”. They have rules by number, such as “rules R7”, "
        f"and these sections: {', '.join(contents(text))}."
    )


def look_up(text: str, wanted: str) -> list[str]:
    """Return the rule of this number, or the section whose name begins like this, or nothing.

    ``all`` is everything.
    """
    lines = _SOURCE.sub("", text).splitlines()
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
    within = takewhile(
        lambda line: not line.strip() or len(line) - len(line.lstrip()) > indent, others
    )
    return [line[indent:] for line in _trimmed([first, *within])]


def _section(lines: list[str]) -> list[str]:
    first, *others = lines
    depth = first.index(" ")
    within = takewhile(lambda line: not line.startswith("#") or line.index(" ") > depth, others)
    return _trimmed([first, *within])


def _trimmed(lines: list[str]) -> list[str]:
    while not lines[-1].strip():
        lines.pop()
    return lines


def _unmarked(line: str) -> str:
    """Return a line as people read it, without the marks of Markdown."""
    return re.sub(r"\*\*?|^#+ |`", "", line).rstrip()


def laid_out(lines: Sequence[str], width: int) -> list[str]:
    """Return lines of the rules as a terminal of this width shows them, tables with columns."""
    shown: list[str] = []
    for block in _blocks(lines):
        if block[0].lstrip().startswith("|"):
            shown += _table(block, width)
        elif not block[0].strip():
            shown.append("")
        else:
            shown += _paragraph(block, width)
    return shown


def _blocks(lines: Sequence[str]) -> list[list[str]]:
    """Put together what belongs together: a paragraph, a rule of a list, a whole table."""
    blocks: list[list[str]] = []
    for line in lines:
        text = line.lstrip()
        above = blocks[-1][-1].lstrip() if blocks else ""
        in_table = text.startswith("|")
        goes_on = bool(text and above) and (
            above.startswith("|") if in_table else not above.startswith("|")
        )
        if goes_on and not text.startswith("- "):
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return blocks


def _paragraph(block: list[str], width: int) -> list[str]:
    first = block[0]
    indent = " " * (len(first) - len(first.lstrip()))
    hanging = indent + ("  " if first.lstrip().startswith("- ") else "")
    text = " ".join(line.strip() for line in block)
    if width < _NARROWEST:
        return [indent + text]
    return wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _table(block: list[str], width: int) -> list[str]:
    """Show a table in columns, the widest of them as narrow as it must be."""
    indent = " " * (len(block[0]) - len(block[0].lstrip()))
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in block]
    rows = [row for row in rows if any(cell.strip("-: ") for cell in row)]
    columns = max(map(len, rows))
    rows = [[*row, *[""] * (columns - len(row))] for row in rows]
    widths = [max(len(row[column]) for row in rows) for column in range(columns)]
    room = max(width, _NARROWEST) - len(indent) - 2 * (columns - 1)
    while sum(widths) > room and max(widths) > _NARROWEST // 2:
        widths[widths.index(max(widths))] -= 1
    shown = []
    for row in rows:
        cells = [
            wrap(cell, wide, break_on_hyphens=False) or [""]
            for cell, wide in zip(row, widths, strict=True)
        ]
        for place in range(max(map(len, cells))):
            parts = [
                (cell[place] if place < len(cell) else "").ljust(wide)
                for cell, wide in zip(cells, widths, strict=True)
            ]
            shown.append((indent + "  ".join(parts)).rstrip())
    return shown
