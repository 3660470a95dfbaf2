"""A rule book, read from its RULES.md: sections, numbered rules, tables and plain words.

Of Markdown only what rule books use is understood. A rule is an item of a list that begins
with its number in bold.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

_HEADING = re.compile(r"(#+) (.+)")
_ITEM = re.compile(r"- ")
_NUMBERED = re.compile(r"\*\*([A-Z]-?\d+)\*\* ?")
_INLINE = re.compile(
    r"\*\*(?P<strong>.+?)\*\*|\*(?P<em>.+?)\*|`(?P<code>.+?)`|<(?P<site>http[^>]+)>"
)
_SOURCE = re.compile(r"(?:Literal|Reading|Custom|Convention)\b")
_CITED = re.compile(r"(?<![\w-])(?:[A-Z]-\d+|[RSE]\d+)\b")


@dataclass(frozen=True, slots=True)
class Piece:
    """Some words of a line.

    ``kind`` is text, strong, em, code, hit, rule (a number that is cited), or number: that of a
    rule which begins here, within another.
    """

    kind: str
    text: str


Line: TypeAlias = tuple[Piece, ...]


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
    """An item of a list; a rule, if it has a ``number``."""

    number: str
    blocks: "tuple[Block, ...]"

    @property
    def numbers(self) -> tuple[str, ...]:
        """Return its number, and those of the rules that stand in its own lines."""
        pieces = (piece for line in _lines(self.own) for piece in line)
        within = (piece.text for piece in pieces if piece.kind == "number")
        return (self.number, *within)

    @property
    def own(self) -> "tuple[Block, ...]":
        """Return what it says without the rules that hang on it."""
        without = (
            RuleList(tuple(item for item in block.items if not item.number))
            if isinstance(block, RuleList)
            else block
            for block in self.blocks
        )
        return tuple(block for block in without if not isinstance(block, RuleList) or block.items)


@dataclass(frozen=True, slots=True)
class RuleList:
    items: tuple[Item, ...]
    kind: str = "list"


Block: TypeAlias = Paragraph | RuleTable | RuleList


@dataclass(frozen=True, slots=True)
class BookSection:
    """A heading and the text below it, up to the next heading of any depth."""

    title: str
    depth: int
    blocks: tuple[Block, ...]

    @property
    def rules(self) -> tuple[Item, ...]:
        """Return its numbered rules in order, those that hang on others after these."""
        return tuple(_rules_in(self.blocks))

    @property
    def of_programs(self) -> bool:
        """Say whether it is about engines and written hands alone, and not about the table."""
        numbers = [rule.number for rule in self.rules]
        of_engines = all(number[0] in "ES" and "-" not in number for number in numbers)
        return self.title.startswith("For programs") or (bool(numbers) and of_engines)


@dataclass(frozen=True, slots=True)
class Book:
    """A whole rule book. ``preface`` stands before the first section."""

    preface: tuple[Block, ...] = ()
    sections: tuple[BookSection, ...] = ()


def read_book(text: str) -> Book:
    """Return the rule book that is written here."""
    preface: tuple[Block, ...] = ()
    sections = []
    for title, depth, lines in _sections(text.splitlines()):
        blocks = tuple(_blocks(lines))
        if depth > 1:
            sections.append(BookSection(title, depth, blocks))
        else:
            preface += blocks
    return Book(preface, tuple(sections))


def plain(blocks: Sequence[Block]) -> str:
    """Return what blocks say, without any marks.

    >>> plain(read_book("- **R1** *Any* card, by `R2`.").preface)
    'Any card, by R2.'
    """
    return " ".join("".join(piece.text for piece in line) for line in _lines(blocks))


def in_words(book: Book, words: Mapping[str, str]) -> Book:
    r"""Return the book with codes replaced by words, except in the sections for programs.

    >>> book = in_words(read_book("## Play\n- **R1** In `4t2` only."), {"4t2": "pairs"})
    >>> plain(book.sections[0].rules[0].own)
    'In pairs only.'
    """

    def called(piece: Piece) -> Piece:
        known = piece.kind == "code" and piece.text in words
        return Piece("text", words[piece.text]) if known else piece

    def line(of: Line) -> Line:
        return tuple(map(called, of))

    return _in_sections(book, line, lambda section: not section.of_programs)


def _in_sections(
    book: Book, line: Callable[[Line], Line], wanted: Callable[[BookSection], bool]
) -> Book:
    """Return the book with *line* applied to each line of the *wanted* sections."""
    sections = tuple(
        replace(section, blocks=tuple(mapped(block, line) for block in section.blocks))
        if wanted(section)
        else section
        for section in book.sections
    )
    return replace(book, sections=sections)


def mapped(block: Block, line: Callable[[Line], Line]) -> Block:
    """Return the block with *line* applied to each of its lines."""
    match block:
        case Paragraph():
            return Paragraph(line(block.line))
        case RuleTable():
            rows = tuple(tuple(map(line, row)) for row in block.rows)
            return RuleTable(tuple(map(line, block.head)), rows)
        case RuleList():
            return RuleList(
                tuple(
                    Item(item.number, tuple(mapped(inner, line) for inner in item.blocks))
                    for item in block.items
                )
            )


def line_of(text: str) -> Line:
    """Return the pieces of a line.

    >>> [(piece.kind, piece.text) for piece in line_of("**Never** by R5.")]
    [('strong', 'Never'), ('text', ' by '), ('rule', 'R5'), ('text', '.')]
    """
    pieces: list[Piece] = []
    place = 0
    for marked in _INLINE.finditer(text):
        pieces += _words(text[place : marked.start()])
        kind = str(marked.lastgroup)
        said = marked[kind]
        if kind == "site":
            pieces.append(Piece("text", said.partition("//")[2]))
        else:
            numbers = kind == "strong" and _CITED.fullmatch(said)
            pieces.append(Piece("number" if numbers else kind, said))
        place = marked.end()
    return (*pieces, *_words(text[place:]))


def _sections(lines: Sequence[str]) -> Iterator[tuple[str, int, list[str]]]:
    title, depth, under = "", 1, list[str]()
    for line in lines:
        if heading := _HEADING.fullmatch(line):
            yield title, depth, under
            title, depth, under = heading[2], len(heading[1]), []
        else:
            under.append(line)
    yield title, depth, under


def _blocks(lines: Sequence[str]) -> Iterator[Block]:
    place = 0
    while place < len(lines):
        line = lines[place]
        if not line.strip():
            place += 1
            continue
        end = _end(lines, place)
        taken = lines[place:end]
        if _ITEM.match(line):
            yield RuleList(tuple(_items(taken)))
        elif line.startswith("|"):
            head, _rule, *body = [
                tuple(line_of(cell.strip()) for cell in row.strip("| ").split(" | "))
                for row in taken
            ]
            yield RuleTable(head, tuple(body))
        else:
            yield Paragraph(line_of(" ".join(each.strip() for each in taken)))
        place = end


def _end(lines: Sequence[str], start: int) -> int:
    """Return the first line that no longer belongs to the block that starts here."""
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


def _items(lines: Sequence[str]) -> Iterator[Item]:
    starts = [place for place, line in enumerate(lines) if _ITEM.match(line)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        text = [line[2:] for line in lines[start:end]]
        number = _NUMBERED.match(text[0])
        if number:
            text[0] = text[0][number.end() :]
        yield Item(number[1] if number else "", tuple(_blocks(text)))


def _words(text: str) -> Iterator[Piece]:
    place = 0
    for cited in _CITED.finditer(text):
        if before := text[place : cited.start()]:
            yield Piece("text", before)
        yield Piece("rule", cited[0])
        place = cited.end()
    if rest := text[place:]:
        yield Piece("text", rest)


def _rules_in(blocks: Sequence[Block]) -> Iterator[Item]:
    for block in blocks:
        if isinstance(block, RuleList):
            for item in block.items:
                if item.number:
                    yield item
                yield from _rules_in(item.blocks)


def _lines(blocks: Sequence[Block]) -> Iterator[Line]:
    """Yield every line of blocks, a cell of a table as one."""
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


def without_sources(book: Book) -> Book:
    r"""Return the book without where its rules come from; its preface still tells what that means.

    >>> book = read_book("## Play\n- **R1** Any card. *Reading: it says \"a card\".*")
    >>> plain(without_sources(book).sections[0].rules[0].own)
    'Any card.'
    """

    def without(line: Line) -> Iterator[Piece]:
        for piece, following in zip(line, (*line[1:], None), strict=True):
            if not _is_source(piece):
                ends = following is not None and _is_source(following)
                yield Piece(piece.kind, piece.text.rstrip()) if ends else piece

    return _in_sections(book, lambda line: tuple(without(line)), lambda _section: True)


def _is_source(piece: Piece) -> bool:
    return piece.kind == "em" and _SOURCE.match(piece.text) is not None
