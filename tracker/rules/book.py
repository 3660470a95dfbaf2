"""Rule books: RULES.md as sections, numbered rules and words with markup.

``games.rule_book`` reads the file. Here its words are given names in place of codes, and split into
*pieces* for the templates. A rule is a list item whose term is its number: "- **R12** Any card …".
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from games.markdown import Block, Item, ItemList, Section, items_with_terms, map_text, texts

# Markup within a line: **strong**, *em*, `code`, or the address of a <site>.
_INLINE = re.compile(
    r"\*\*(?P<strong>.+?)\*\*|\*(?P<em>.+?)\*|`(?P<code>.+?)`|<(?P<site>http[^>]+)>"
)
_CODE = re.compile(r"`(.+?)`")
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
Blocks: TypeAlias = tuple[Block[Line], ...]
Rule: TypeAlias = Item[Line]


@dataclass(frozen=True, slots=True)
class BookSection:
    """A heading and the text below it, up to the next heading of any depth.

    ``for_programs`` tells whether it is for programmers only (engines, recorded hands).
    """

    title: str
    blocks: Blocks
    for_programs: bool

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Return the numbered rules in reading order; a nested rule follows its parent."""
        return tuple(items_with_terms(self.blocks))


@dataclass(frozen=True, slots=True)
class Book:
    """A rule book; ``preface`` is the text before the first section."""

    preface: Blocks = ()
    sections: tuple[BookSection, ...] = ()


def make_book(sections: Sequence[Section[str]], names: Mapping[str, str]) -> Book:
    """Return a rule book with *names* in place of codes, except in the sections for programs."""

    def parse_named(text: str) -> Line:
        return parse_line(_CODE.sub(lambda code: names.get(code[1], code[0]), text))

    preface: Blocks = ()
    below: list[BookSection] = []
    for section in sections:
        for_programs, in_preface = _is_for_programs(section), section.depth <= 1
        parse = parse_line if for_programs or in_preface else parse_named
        blocks = tuple(map_text(block, parse) for block in section.blocks)
        if in_preface:
            preface += blocks
        else:
            below.append(BookSection(section.title, blocks, for_programs))
    return Book(preface, tuple(below))


def _is_for_programs(section: Section[str]) -> bool:
    numbers = [rule.term for rule in items_with_terms(section.blocks)]
    # Rules for programs have numbers such as E1 and S1; E-1 would be a rule for players.
    only_for_programs = all(number[0] in "ES" and "-" not in number for number in numbers)
    return section.title.startswith("For programs") or (bool(numbers) and only_for_programs)


def numbers_of(rule: Rule) -> tuple[str, ...]:
    """Return the rule's number, then the numbers of rules that begin inside its text."""
    pieces = (piece for line in texts(own_blocks(rule)) for piece in line)
    return (rule.term, *(piece.text for piece in pieces if piece.kind == "number"))


def own_blocks(rule: Rule) -> Blocks:
    """Return the rule's text without the rules nested below it."""
    own: list[Block[Line]] = []
    for block in rule.blocks:
        if not isinstance(block, ItemList):
            own.append(block)
        elif items := tuple(item for item in block.items if not item.term):
            own.append(ItemList(items))
    return tuple(own)


def plain_text(blocks: Blocks) -> str:
    """Return the text of blocks without markup, lines joined by spaces."""
    return " ".join("".join(piece.text for piece in line) for line in texts(blocks))


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
