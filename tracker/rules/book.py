"""Parser of rule books: RULES.md as sections, numbered rules, tables and words with markup.

It knows only the Markdown that the rule books use: headings, and below them *blocks*: paragraphs,
lists and tables. A rule is a list item that begins with its number in bold: "- **R12** Any card …".
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

_HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
_ITEM = re.compile(r"- ")
_NUMBERED = re.compile(r"\*\*([A-Z]-?\d+)\*\* ?")
# Markup within a line: **strong**, *em*, `code`, or the address of a <site>.
_INLINE = re.compile(
    r"\*\*(?P<strong>.+?)\*\*|\*(?P<em>.+?)\*|`(?P<code>.+?)`|<(?P<site>http[^>]+)>"
)
# The first word of a note on where a rule comes from.
_SOURCE = re.compile(r"(?:Literal|Reading|Custom|Convention)\b")
# The number of a rule within a text: "R12", "S3", "E4", "A-7".
_CITED = re.compile(r"(?<![\w-])(?:[A-Z]-\d+|[RSE]\d+)\b")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a line with one kind of markup.

    ``kind`` is text, strong, em, code, rule (the number of a cited rule), number (the number of a
    rule that begins here, inside another rule), or hit (a word that a search found).
    """

    kind: str
    text: str


# A paragraph or table cell, without line breaks.
Line: TypeAlias = tuple[Piece, ...]


# In a template ``kind`` tells the blocks apart.
@dataclass(frozen=True, slots=True)
class Paragraph:
    line: Line
    kind: str = "paragraph"


@dataclass(frozen=True, slots=True)
class RuleTable:
    head: tuple[Line, ...]
    rows: tuple[tuple[Line, ...], ...]
    kind: str = "table"


@dataclass(frozen=True, slots=True)
class Item:
    """A list item; a rule if its ``number`` is not empty."""

    number: str
    blocks: "tuple[Block, ...]"

    @property
    def numbers(self) -> tuple[str, ...]:
        """Return the rule's number, then the numbers of rules that begin inside its text."""
        pieces = (piece for line in _lines(self.own_blocks) for piece in line)
        return (self.number, *(piece.text for piece in pieces if piece.kind == "number"))

    @property
    def own_blocks(self) -> "tuple[Block, ...]":
        """Return the rule's text without the rules nested below it."""
        own: list[Block] = []
        for block in self.blocks:
            if not isinstance(block, RuleList):
                own.append(block)
            elif items := tuple(item for item in block.items if not item.number):
                own.append(RuleList(items))
        return tuple(own)


@dataclass(frozen=True, slots=True)
class RuleList:
    items: tuple[Item, ...]
    kind: str = "list"


Block: TypeAlias = Paragraph | RuleTable | RuleList


@dataclass(frozen=True, slots=True)
class BookSection:
    """A heading and the text below it, up to the next heading of any depth."""

    title: str
    blocks: tuple[Block, ...]

    @property
    def rules(self) -> tuple[Item, ...]:
        """Return the numbered rules in reading order; a nested rule follows its parent."""
        return tuple(_rules_in(self.blocks))

    @property
    def for_programs(self) -> bool:
        """Return whether the section is for programmers only (engines, recorded hands)."""
        numbers = [rule.number for rule in self.rules]
        # Rules for programs have numbers such as E1 and S1; E-1 would be a rule for players.
        only_for_programs = all(number[0] in "ES" and "-" not in number for number in numbers)
        return self.title.startswith("For programs") or (bool(numbers) and only_for_programs)


@dataclass(frozen=True, slots=True)
class Book:
    """A rule book; ``preface`` is the text before the first section."""

    preface: tuple[Block, ...] = ()
    sections: tuple[BookSection, ...] = ()


def parse_book(text: str) -> Book:
    # The text before the first heading; then the signs "##", title and text of each section.
    first, *rest = _HEADING.split(text)
    preface = tuple(_parse_blocks(first.splitlines()))
    sections = []
    for signs, title, below in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        blocks = tuple(_parse_blocks(below.splitlines()))
        if len(signs) > 1:
            sections.append(BookSection(title, blocks))
        else:
            preface += blocks  # the title is that of the book
    return Book(preface, tuple(sections))


def plain_text(blocks: Sequence[Block]) -> str:
    """Return the text of blocks without markup, lines joined by spaces.

    >>> plain_text(parse_book("- **R1** *Any* card, by `R2`.").preface)
    'Any card, by R2.'
    """
    return " ".join("".join(piece.text for piece in line) for line in _lines(blocks))


def replace_codes(book: Book, names: Mapping[str, str]) -> Book:
    r"""Return the book with codes replaced by their names, except in the sections for programs.

    >>> book = replace_codes(parse_book("## Play\n- **R1** In `4t2` only."), {"4t2": "pairs"})
    >>> plain_text(book.sections[0].rules[0].own_blocks)
    'In pairs only.'
    """

    def name_codes(line: Line) -> Line:
        return tuple(
            Piece("text", names[piece.text])
            if piece.kind == "code" and piece.text in names
            else piece
            for piece in line
        )

    sections = (
        section if section.for_programs else _map_section(section, name_codes)
        for section in book.sections
    )
    return replace(book, sections=tuple(sections))


def without_sources(book: Book) -> Book:
    r"""Return the book without the notes on where a rule comes from; the preface explains them.

    >>> book = parse_book("## Play\n- **R1** Any card. *Reading: it says \"a card\".*")
    >>> plain_text(without_sources(book).sections[0].rules[0].own_blocks)
    'Any card.'
    """

    def is_source(piece: Piece | None) -> bool:
        return bool(piece and piece.kind == "em" and _SOURCE.match(piece.text))

    def strip(line: Line) -> Line:
        return tuple(
            # The space before a note goes too.
            Piece(piece.kind, piece.text.rstrip()) if is_source(following) else piece
            for piece, following in zip(line, (*line[1:], None), strict=True)
            if not is_source(piece)
        )

    return replace(book, sections=tuple(_map_section(section, strip) for section in book.sections))


def _map_section(section: BookSection, change: Callable[[Line], Line]) -> BookSection:
    return replace(section, blocks=tuple(map_lines(block, change) for block in section.blocks))


def map_lines(block: Block, change: Callable[[Line], Line]) -> Block:
    """Return the block with *change* applied to each of its lines."""
    match block:
        case Paragraph():
            return Paragraph(change(block.line))
        case RuleTable():
            rows = tuple(tuple(map(change, row)) for row in block.rows)
            return RuleTable(tuple(map(change, block.head)), rows)
        case RuleList():
            items = (
                Item(item.number, tuple(map_lines(inner, change) for inner in item.blocks))
                for item in block.items
            )
            return RuleList(tuple(items))


def parse_line(text: str) -> Line:
    """Return the pieces of a line: words with markup, cited rule numbers, and text between.

    >>> [(piece.kind, piece.text) for piece in parse_line("**Never** by R5.")]
    [('strong', 'Never'), ('text', ' by '), ('rule', 'R5'), ('text', '.')]
    """
    pieces: list[Piece] = []
    start = 0
    for markup in _INLINE.finditer(text):
        pieces += split_at(_CITED, text[start : markup.start()], "rule")
        kind = str(markup.lastgroup)  # the name of the group that matched: "strong", "em" …
        marked = markup[kind]  # without the signs around it
        if kind == "site":
            pieces.append(Piece("text", marked.partition("//")[2]))  # without "https://"
        elif kind == "strong" and _CITED.fullmatch(marked):
            pieces.append(Piece("number", marked))  # in bold: another rule begins here
        else:
            pieces.append(Piece(kind, marked))
        start = markup.end()
    return (*pieces, *split_at(_CITED, text[start:], "rule"))


def split_at(
    pattern: re.Pattern[str], text: str, kind: str, other: str = "text"
) -> Iterator[Piece]:
    """Yield the matches in *text* as pieces of this *kind*, the text between as kind *other*."""
    start = 0
    for match in pattern.finditer(text):
        if before := text[start : match.start()]:
            yield Piece(other, before)
        yield Piece(kind, match[0])
        start = match.end()
    if rest := text[start:]:
        yield Piece(other, rest)


def _parse_blocks(lines: Sequence[str]) -> Iterator[Block]:
    """Yield the blocks of a text; the first line of a block tells which kind it is."""
    start = 0
    while start < len(lines):
        if not lines[start].strip():
            start += 1
            continue
        end = _end_of_block(lines, start)
        block = lines[start:end]
        if _ITEM.match(block[0]):
            yield RuleList(tuple(_parse_items(block)))
        elif block[0].startswith("|"):
            head, _dashes, *body = [
                tuple(parse_line(cell.strip()) for cell in row.strip("| ").split(" | "))
                for row in block
            ]
            yield RuleTable(head, tuple(body))
        else:
            yield Paragraph(parse_line(" ".join(line.strip() for line in block)))
        start = end


def _end_of_block(lines: Sequence[str], start: int) -> int:
    """Return the index after the last line of the block that begins at *start*."""
    # A list goes on with items, blank and indented lines; a paragraph up to a blank line or block.
    first, end = lines[start], start + 1
    while end < len(lines):
        line = lines[end]
        if _ITEM.match(first):
            goes_on = not line.strip() or bool(_ITEM.match(line)) or line.startswith("  ")
        elif first.startswith("|"):
            goes_on = line.startswith("|")
        else:
            goes_on = bool(line.strip()) and not _ITEM.match(line) and not line.startswith("|")
        if not goes_on:
            break
        end += 1
    return end


def _parse_items(lines: Sequence[str]) -> Iterator[Item]:
    """Yield the items of a list; what is indented below an item belongs to it."""
    starts = [index for index, line in enumerate(lines) if _ITEM.match(line)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        # Two characters less: the dash and a space, or the indentation.
        own_lines = [line[2:] for line in lines[start:end]]
        number = _NUMBERED.match(own_lines[0])
        if number:
            own_lines[0] = own_lines[0][number.end() :]
        yield Item(number[1] if number else "", tuple(_parse_blocks(own_lines)))


def _rules_in(blocks: Sequence[Block]) -> Iterator[Item]:
    for block in blocks:
        if isinstance(block, RuleList):
            for item in block.items:
                if item.number:
                    yield item
                yield from _rules_in(item.blocks)


def _lines(blocks: Sequence[Block]) -> Iterator[Line]:
    """Yield every line of the blocks; each table cell is a line."""
    for block in blocks:
        match block:
            case Paragraph():
                yield block.line
            case RuleTable():
                for row in (block.head, *block.rows):
                    yield from row
            case RuleList():
                for item in block.items:
                    yield from _lines(item.blocks)
