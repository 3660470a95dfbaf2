"""Rulebook: how a game is played, and something looked up in its RULES.md, at the terminal."""

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from textwrap import wrap
from typing import TypeAlias

import games
from games.cli.screen import screen_on
from games.cli.table_setup import CommandError, read_game
from games.markdown import (
    Block,
    Item,
    ItemList,
    Paragraph,
    Section,
    Table,
    items_with_terms,
    parse,
    unmarked,
)
from games.rule_book import read_rule_book

RuleBook: TypeAlias = Sequence[Section[str]]

_NARROWEST = 20  # letters


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``rules``: the game, and what to look up."""
    parser.add_argument("game", metavar="GAME")
    sought = "a rule such as R7, a section, or all of the rule book; without it, how to play"
    parser.add_argument("wanted", nargs="*", metavar="RULE", help=sought)


def run_rules(arguments: argparse.Namespace) -> int:
    """Show how a game is played, or what its rule book says of something."""
    slug, wanted = read_game(arguments.game).slug, " ".join(arguments.wanted)
    screen, book = screen_on(sys.stdout), read_rule_book(slug)
    shown = look_up(book, wanted, screen.width) if wanted else how_to_play(slug, screen.width)
    if not shown:
        raise CommandError("no-rule", "%(message)s", message=nothing_under(book, wanted))
    screen.say_all(shown)
    return 0


def how_to_play(slug: str, width: int) -> list[str]:
    """Lay out how a game is played, or its whole rule book where nobody has written that."""
    file = Path(games.__file__).parent / slug / "how_to_play.md"
    if not file.is_file():
        return look_up(read_rule_book(slug), "all", width)
    named = re.sub(r" {#\w+}", "", file.read_text(encoding="utf-8"))
    # Cards and tricks that the site draws are told by their codes.
    return _sections(parse(re.sub(r"\[\[(?:trick: )?([^]]+)\]\]", r"\1:", named)), width)


def contents(book: RuleBook) -> list[str]:
    """List what the rules have sections about."""
    return [section.title for section in book if section.depth > 1]


def section_of_play(book: RuleBook) -> str:
    """Return what to type for the section that is asked for most: how it is played.

    It is the second: the first says what is played with.
    """
    return contents(book)[:2][-1].lower()


def overview(book: RuleBook) -> list[str]:
    """Say what the rules have sections about, and how one is looked up."""
    shows = f"“rules {section_of_play(book)}” shows the one of play"
    return [f"The rules have these sections ({shows}):", *(f"  {each}" for each in contents(book))]


def nothing_under(book: RuleBook, wanted: str) -> str:
    """Say that nothing is called so, and what there is."""
    return (
        f"The rules have nothing under “{wanted}”. They have rules by number, such as “rules R7”, "
        f"and these sections: {', '.join(contents(book))}."
    )


def look_up(book: RuleBook, wanted: str, width: int) -> list[str]:
    """Return the rule of this number, or the section whose name begins like this, or nothing.

    ``all`` is everything. The lines are for a terminal of this *width*.
    """
    sought = wanted.strip().lower()
    if sought == "all":
        return _sections(book, width)
    for place, section in enumerate(book):
        if section.depth > 1 and section.title.lower().startswith(sought):
            rest = range(place + 1, len(book))
            end = next((at for at in rest if book[at].depth <= section.depth), len(book))
            return _sections(book[place:end], width)
        for rule in items_with_terms(section.blocks):
            if rule.term.lower().replace("-", "") == sought.replace("-", ""):
                return _item(rule, width, "")
    return []


def _sections(sections: RuleBook, width: int) -> list[str]:
    lines: list[str] = []
    for section in sections:
        title = _wrapped(section.title, width)
        lines += [*([""] if lines else []), *title, "", *_blocks(section.blocks, width, "")]
    return lines


def _blocks(blocks: Sequence[Block[str]], width: int, indent: str) -> list[str]:
    """Lay out blocks with blank lines between them; in an item a list follows its text at once."""
    lines: list[str] = []
    for above, block in zip((None, *blocks), blocks, strict=False):
        if above and not (indent and isinstance(above, Paragraph) and isinstance(block, ItemList)):
            lines.append("")
        match block:
            case Paragraph():
                lines += _wrapped(block.text, width, indent)
            case Table():
                lines += _table(block, width, indent)
            case ItemList():
                lines += _list(block, width, indent)
    return lines


def _list(block: ItemList[str], width: int, indent: str) -> list[str]:
    lines: list[str] = []
    for item in block.items:
        lines += _item(item, width, indent)
        if isinstance(item.blocks[-1], Table) and item is not block.items[-1]:
            lines.append("")
    return lines


def _item(item: Item[str], width: int, indent: str) -> list[str]:
    """Lay out a list item behind a dash, with its number before its text."""
    first, *others = item.blocks
    if item.term and isinstance(first, Paragraph):
        first = replace(first, text=f"{item.term} {first.text}")
    deeper = f"{indent}  "
    lines = _blocks((first, *others), width, deeper)
    return [f"{indent}- {lines[0].removeprefix(deeper)}", *lines[1:]]


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    if width < _NARROWEST:
        return [indent + unmarked(text)]
    return wrap(
        unmarked(text),
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _table(table: Table[str], width: int, indent: str) -> list[str]:
    """Show a table in columns, the widest of them as narrow as it must be."""
    rows = [list(map(unmarked, row)) for row in (table.head, *table.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    room = max(width, _NARROWEST) - len(indent) - 2 * (len(widths) - 1)
    while sum(widths) > room and max(widths) > _NARROWEST // 2:
        widths[widths.index(max(widths))] -= 1
    shown = []
    for row in rows:
        cells = [
            wrap(cell, wide, break_on_hyphens=False) or [""]
            for cell, wide in zip(row, widths, strict=True)
        ]
        for parts in zip_longest(*cells, fillvalue=""):
            padded = (part.ljust(wide) for part, wide in zip(parts, widths, strict=True))
            shown.append((indent + "  ".join(padded)).rstrip())
    return shown
