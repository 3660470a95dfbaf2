"""Markdown: the sections, paragraphs, lists and tables of a game's texts.

It knows only what RULES.md and how_to_play.md use. Markup within a line is left as it is written;
``unmarked`` takes it out. Lines are counted from 1.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeAlias, TypeVar

_HEADING = re.compile(r"(#+) (.+)")
_ITEM = re.compile(r"(?:-|\d+\.) +")
# The words in bold that begin an item: a rule's number, or a term that is explained.
_TERM = re.compile(r"\*\*(.+?):?\*\* *")
# What ends a paragraph without a blank line; no other number does, since a line may begin with one.
_NEXT_BLOCK = re.compile(r"- |1\. |\|")
_MARKS = re.compile(r"\*\*?|`")

TextT = TypeVar("TextT")
OtherT = TypeVar("OtherT")
_Lines: TypeAlias = Sequence[tuple[int, str]]  # each with its number


# In a template ``kind`` tells the blocks apart.
@dataclass(frozen=True, slots=True)
class Paragraph(Generic[TextT]):
    text: TextT
    line: int  # its first
    kind: str = "paragraph"


@dataclass(frozen=True, slots=True)
class Table(Generic[TextT]):
    head: tuple[TextT, ...]
    rows: tuple[tuple[TextT, ...], ...]
    kind: str = "table"


@dataclass(frozen=True, slots=True)
class Item(Generic[TextT]):
    """A list item; ``term`` are the words in bold before its text."""

    term: str
    blocks: "tuple[Block[TextT], ...]"


@dataclass(frozen=True, slots=True)
class ItemList(Generic[TextT]):
    items: tuple[Item[TextT], ...]
    ordered: bool = False
    kind: str = "list"


Block: TypeAlias = Paragraph[TextT] | Table[TextT] | ItemList[TextT]


@dataclass(frozen=True, slots=True)
class Section(Generic[TextT]):
    """The blocks under a heading, up to the next one; ``depth`` counts the signs before it."""

    title: str
    blocks: tuple[Block[TextT], ...]
    depth: int = 0
    line: int = 1  # of the heading


def parse(text: str) -> tuple[Section[str], ...]:
    """Return the sections of a text; what stands before the first heading has no title."""
    sections: list[Section[str]] = []
    lines = list(enumerate(text.splitlines(), start=1))
    starts = [place for place, (_number, line) in enumerate(lines) if _HEADING.match(line)]
    if before := tuple(_blocks(lines[: starts[0]] if starts else lines)):
        sections.append(Section("", before))
    for start, end in pairwise([*starts, len(lines)]):
        number, line = lines[start]
        signs, _space, title = line.partition(" ")
        sections.append(Section(title, tuple(_blocks(lines[start + 1 : end])), len(signs), number))
    return tuple(sections)


def unmarked(text: str) -> str:
    """Return a line as people read it.

    >>> unmarked("*Never* play `7H`.")
    'Never play 7H.'
    """
    return _MARKS.sub("", text)


def map_text(block: Block[TextT], change: Callable[[TextT], OtherT]) -> Block[OtherT]:
    """Return the block with *change* applied to each of its texts."""
    match block:
        case Paragraph():
            return Paragraph(change(block.text), block.line)
        case Table():
            rows = tuple(tuple(map(change, row)) for row in block.rows)
            return Table(tuple(map(change, block.head)), rows)
        case ItemList():
            items = (
                Item(item.term, tuple(map_text(inner, change) for inner in item.blocks))
                for item in block.items
            )
            return ItemList(tuple(items), block.ordered)


def texts(blocks: Sequence[Block[TextT]]) -> Iterator[TextT]:
    """Yield every paragraph and table cell of the blocks."""
    for block in blocks:
        match block:
            case Paragraph():
                yield block.text
            case Table():
                for row in (block.head, *block.rows):
                    yield from row
            case ItemList():
                for item in block.items:
                    yield from texts(item.blocks)


def items_with_terms(blocks: Sequence[Block[TextT]]) -> Iterator[Item[TextT]]:
    """Yield the items that have a term; those within an item follow it."""
    for block in blocks:
        if isinstance(block, ItemList):
            for item in block.items:
                if item.term:
                    yield item
                yield from items_with_terms(item.blocks)


def _blocks(lines: _Lines) -> Iterator[Block[str]]:
    """Yield the blocks of a text; the first line of a block tells which kind it is."""
    start = 0
    while start < len(lines):
        number, first = lines[start]
        if not first.strip():
            start += 1
            continue
        end = _end_of_block(lines, start)
        block = lines[start:end]
        if _ITEM.match(first):
            yield ItemList(tuple(_items(block)), first[0].isdigit())
        elif first.startswith("|"):
            head, _dashes, *rows = [
                tuple(cell.strip() for cell in row.strip().strip("|").split("|"))
                for _, row in block
            ]
            yield Table(head, tuple(rows))
        else:
            yield Paragraph(" ".join(line.strip() for _, line in block), number)
        start = end


def _end_of_block(lines: _Lines, start: int) -> int:
    """Return the index after the last line of the block that begins at *start*."""
    # A list goes on with items, blank and indented lines; a paragraph up to a blank line or block.
    first = lines[start][1]
    for end in range(start + 1, len(lines)):
        line = lines[end][1]
        if _ITEM.match(first):
            goes_on = not line.strip() or bool(_ITEM.match(line)) or line.startswith("  ")
        elif first.startswith("|"):
            goes_on = line.startswith("|")
        else:
            goes_on = bool(line.strip()) and not _NEXT_BLOCK.match(line)
        if not goes_on:
            return end
    return len(lines)


def _items(lines: _Lines) -> Iterator[Item[str]]:
    """Yield the items of a list; what is indented below an item belongs to it."""
    starts = [place for place, (_number, line) in enumerate(lines) if _ITEM.match(line)]
    for start, end in pairwise([*starts, len(lines)]):
        number, first = lines[start]
        first = _ITEM.sub("", first, count=1)
        width = len(lines[start][1]) - len(first)
        term = _TERM.match(first)
        own = [(number, first[term.end() if term else 0 :])]
        own += [(n, line.removeprefix(" " * width)) for n, line in lines[start + 1 : end]]
        yield Item(term[1] if term else "", tuple(_blocks(own)))
